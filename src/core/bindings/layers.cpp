// Bindings of the numbering of states and the layer search.
#include "base/parallel.hpp"
#include "bindings/support.hpp"
#include "layers/layer_search.hpp"
#include "layers/shard_search.hpp"

namespace slidelab {

namespace {

using PlaceTuple = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;

PlaceTuple from_place(const Place& p) { return {p.shape, p.word, p.bit}; }

// A layer search never looks at places outside its numbering.
struct BoundSearch {
    BoundSearch(std::shared_ptr<StateCode> c, SearchOptions options)
        : code(c), search(std::move(c), std::move(options)) {}
    Place place(const PlaceTuple& p) const {
        const Place out{std::get<0>(p), std::get<1>(p), std::get<2>(p)};
        if (!code->is_place(out)) throw std::invalid_argument("no such place");
        return out;
    }
    std::shared_ptr<StateCode> code;
    LayerSearch search;
};

// Rows of edges: source, target, slot before, slot after, turn.
template <class Edge>
std::vector<Edge> to_edges(const Array2<std::int64_t>& rows, const Tick& tick) {
    if (rows.shape(1) != 5) throw std::invalid_argument("edges need five columns");
    std::vector<Edge> out;
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
        if (i % rows_between_ticks == 0) tick("edges", i, rows.shape(0));
        const std::int64_t* row = rows.data() + i * 5;
        for (int k = 0; k < 5; ++k)
            if (row[k] < 0 || row[k] > std::numeric_limits<std::uint32_t>::max())
                throw std::invalid_argument("edge out of range");
        out.push_back({static_cast<std::uint32_t>(row[0]), static_cast<std::uint32_t>(row[1]),
                       static_cast<std::uint32_t>(row[2]), static_cast<std::uint32_t>(row[3]),
                       static_cast<std::uint32_t>(row[4])});
    }
    return out;
}

// A value for each row of a shape and a labelled arrangement, -1 for those that are not in the numbering.
template <class Value, class Look>
auto each_row(const Guarded<BoundSearch>& search, const Array1<std::int64_t>& shapes,
              const Array2<std::uint32_t>& arrangements, unsigned threads, const Progress& progress, Look&& look) {
    const std::size_t rows = shapes.size(), degree = arrangements.shape(1);
    if (threads == 0 || threads > 1024) throw std::invalid_argument("threads out of range");
    if (arrangements.shape(0) != rows) throw std::invalid_argument("a shape for each arrangement expected");
    return to_numpy(run(search, progress, [&](const BoundSearch& s, const Tick& tick) {
        constexpr std::size_t block = 256;
        std::vector<Value> out(rows, -1);
        parallel_for((rows + block - 1) / block, threads, "rows", tick, [&](std::size_t task, unsigned) {
            for (std::size_t i = task * block; i < std::min(rows, (task + 1) * block); ++i) {
                if (shapes(i) < 0) continue;
                const auto place =
                    s.code->place(static_cast<std::size_t>(shapes(i)), {arrangements.data() + i * degree, degree});
                if (place) out[i] = look(s, *place);
            }
        });
        return out;
    }));
}

}  // namespace

void bind_layers(nb::module_& m) {
    nb::class_<StateCode>(m, "StateCode")
        .def(nb::new_([](std::size_t shapes, Array2<std::int64_t> edges, std::size_t turns,
                         Array1<std::uint32_t> labels, Array1<std::uint32_t> main, bool all_words,
                         std::uint64_t max_bytes, std::size_t prefix, Progress progress) {
                 CodeInput in;
                 in.turns = turns;
                 in.shapes = shapes;
                 in.all_words = all_words;
                 in.prefix = prefix;
                 if (turns == 0 || labels.size() % turns)
                     throw std::invalid_argument("points do not make whole pieces");
                 in.pieces = labels.size() / turns;
                 return run(progress, [&](const Tick& tick) {
                     in.edges = to_edges<CodeInput::Edge>(edges, tick);
                     in.labels = to_vector(labels);
                     in.main = to_vector(main);
                     return std::make_shared<StateCode>(std::move(in), max_bytes, tick);
                 });
             }),
             nb::arg("shapes"), nb::arg("edges").noconvert(), nb::arg("turns"), nb::arg("labels").noconvert(),
             nb::arg("main").noconvert(), nb::arg("all_words"), nb::arg("max_bytes"), nb::arg("prefix") = 0,
             nb::arg("progress") = nb::none())
        .def_prop_ro("words", &StateCode::words)
        .def_prop_ro("row", &StateCode::row)
        .def_prop_ro("x_count", &StateCode::x_count)
        .def_prop_ro("bytes", &StateCode::bytes)
        .def_prop_ro("shapes", &StateCode::shapes)
        .def_prop_ro("shards", [](const StateCode& c) { return c.shards().count(); })
        .def_prop_ro("blocks", [](const StateCode& c) { return c.shards().blocks(); })
        .def_prop_ro("block", &StateCode::block)
        .def(
            "shard_of", [](const StateCode& c, std::uint64_t word) { return c.local_word(word).first; },
            nb::arg("word"))
        .def_prop_ro("crossing_edges", &StateCode::crossing_edges, "Edges that lead from shard to shard.")
        .def_prop_ro(
            "alternates", [](const StateCode& c) { return two_colouring(c).has_value(); },
            "Whether the shapes have two colours such that every move changes the colour.")
        .def(
            "place",
            [](const StateCode& c, std::size_t shape, Array1<std::uint32_t> arrangement) -> std::optional<PlaceTuple> {
                const auto p = c.place(shape, to_span(arrangement));
                if (!p) return std::nullopt;
                return from_place(*p);
            },
            nb::arg("shape"), nb::arg("arrangement").noconvert())
        .def(
            "arrangement",
            [](const StateCode& c, PlaceTuple place) {
                return to_numpy(c.arrangement({std::get<0>(place), std::get<1>(place), std::get<2>(place)}));
            },
            nb::arg("place"));

    using Search = Guarded<BoundSearch>;
    nb::class_<Search>(m, "LayerSearch")
        .def(
            "__init__",
            [](Search* self, std::shared_ptr<StateCode> code, bool table, std::vector<std::int64_t> line, bool portable,
               std::uint32_t thin) {
                run({}, [&](const Tick&) {
                    new (self) Search(std::move(code), SearchOptions{table, std::move(line), portable, thin});
                });
            },
            nb::arg("code"), nb::arg("table") = false, nb::arg("line") = std::vector<std::int64_t>{},
            nb::arg("portable") = false, nb::arg("thin") = SearchOptions{}.thin)
        .def_static(
            "bytes_needed",
            [](const StateCode& code, bool table, bool lines, unsigned threads) {
                return LayerSearch::bytes_needed(code, {table, std::vector<std::int64_t>(lines ? 1 : 0)}, threads);
            },
            nb::arg("code"), nb::arg("table"), nb::arg("lines"), nb::arg("threads"))
        .def(
            "begin",
            [](Search& search, PlaceTuple start) {
                run(search, {}, [&](BoundSearch& s, const Tick&) { s.search.begin(s.place(start)); });
            },
            nb::arg("start"))
        .def(
            "advance",
            [](Search& search, unsigned threads, Progress progress) {
                if (threads == 0 || threads > 1024) throw std::invalid_argument("threads out of range");
                return run(search, progress,
                           [&](BoundSearch& s, const Tick& tick) { return s.search.advance(threads, tick); });
            },
            nb::arg("threads"), nb::arg("progress") = nb::none())
        .def_prop_ro(
            "layers",
            [](const Search& search) { return read(search, [](const BoundSearch& s) { return s.search.layers(); }); })
        .def_prop_ro(
            "finished",
            [](const Search& search) { return read(search, [](const BoundSearch& s) { return s.search.finished(); }); })
        .def(
            "last_layer",
            [](const Search& search, std::size_t limit, Progress progress) {
                return run(search, progress, [&](const BoundSearch& s, const Tick& tick) {
                    std::vector<PlaceTuple> out;
                    for (const auto& p : s.search.last_layer(limit, tick)) out.push_back(from_place(p));
                    return out;
                });
            },
            nb::arg("limit"), nb::arg("progress") = nb::none())
        .def(
            "layer_states",
            [](const Search& search, std::vector<std::uint64_t> ranks, Progress progress) {
                return run(search, progress, [&](const BoundSearch& s, const Tick& tick) {
                    std::vector<PlaceTuple> out;
                    for (const auto& p : s.search.layer_states(ranks, tick)) out.push_back(from_place(p));
                    return out;
                });
            },
            nb::arg("ranks"), nb::arg("progress") = nb::none(),
            "States of the last layer by their ascending ranks in the order of `last_layer`.")
        .def(
            "residue",
            [](const Search& search, PlaceTuple place) {
                return read(search, [&](const BoundSearch& s) { return s.search.residue(s.place(place)); });
            },
            nb::arg("place"))
        .def(
            "neighbours",
            [](const Search& search, PlaceTuple place) {
                return read(search, [&](const BoundSearch& s) {
                    std::vector<std::pair<std::uint32_t, PlaceTuple>> out;
                    for (const auto& [arc, p] : s.search.neighbours(s.place(place)))
                        out.emplace_back(arc, from_place(p));
                    return out;
                });
            },
            nb::arg("place"))
        .def(
            "distances",
            [](const Search& search, Array1<std::int64_t> shapes, Array2<std::uint32_t> arrangements, unsigned threads,
               Progress progress) {
                return each_row<std::int32_t>(
                    search, shapes, arrangements, threads, progress,
                    [](const BoundSearch& s, const Place& place) { return s.search.distance(place); });
            },
            nb::arg("shapes").noconvert(), nb::arg("arrangements").noconvert(), nb::arg("threads"),
            nb::arg("progress") = nb::none(),
            "Moves to where the search began, -1 for what was not reached or has a negative shape.")
        .def(
            "residues",
            [](const Search& search, Array1<std::int64_t> shapes, Array2<std::uint32_t> arrangements, unsigned threads,
               Progress progress) {
                return each_row<std::int8_t>(search, shapes, arrangements, threads, progress,
                                             [](const BoundSearch& s, const Place& place) {
                                                 return static_cast<std::int8_t>(s.search.residue(place));
                                             });
            },
            nb::arg("shapes").noconvert(), nb::arg("arrangements").noconvert(), nb::arg("threads"),
            nb::arg("progress") = nb::none(), "The distances modulo three, or -1.")
        .def("keep_table_only",
             [](Search& search) { run(search, {}, [](BoundSearch& s, const Tick&) { s.search.keep_table_only(); }); })
        .def(
            "pack",
            [](const Search& search, bool earlier, std::uint64_t first, std::uint64_t count) {
                return to_numpy(run(search, {}, [&](const BoundSearch& s, const Tick&) {
                    return s.search.pack(earlier, first, count);
                }));
            },
            nb::arg("earlier"), nb::arg("first"), nb::arg("count"))
        .def("prepare",
             [](Search& search) { run(search, {}, [](BoundSearch& s, const Tick&) { s.search.prepare(); }); })
        .def(
            "load",
            [](Search& search, bool earlier, std::uint64_t first, std::uint64_t count, Array1<std::uint64_t> packed) {
                run(search, {},
                    [&](BoundSearch& s, const Tick&) { s.search.load(earlier, first, count, to_span(packed)); });
            },
            nb::arg("earlier"), nb::arg("first"), nb::arg("count"), nb::arg("packed").noconvert())
        .def(
            "resume",
            [](Search& search, std::vector<std::uint64_t> layers, Progress progress) {
                run(search, progress,
                    [&](BoundSearch& s, const Tick& tick) { s.search.resume(std::move(layers), tick); });
            },
            nb::arg("layers"), nb::arg("progress") = nb::none());
}

}  // namespace slidelab
