// Bindings of the numbering of states and the layer search.
#include "bindings/support.hpp"
#include "layers/layer_search.hpp"

namespace slidelab {

namespace {

Place to_place(const std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>& p) {
    return {std::get<0>(p), std::get<1>(p), std::get<2>(p)};
}

std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> from_place(const Place& p) { return {p.shape, p.word, p.bit}; }

void check_place(const StateCode& code, const Place& p) {
    if (!code.is_place(p)) throw std::invalid_argument("no such place");
}

// The lock is released while a search goes on: a second thread that comes in is refused.
struct BoundSearch {
    std::shared_ptr<StateCode> code;
    LayerSearch search;
    bool busy = false;
};

// Rows of edges: source, target, slot before, slot after, turn.
template <class Edge>
std::vector<Edge> to_edges(const Array2<std::int64_t>& rows) {
    if (rows.shape(1) != 5) throw std::invalid_argument("edges need five columns");
    std::vector<Edge> out;
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
        const std::int64_t* row = rows.data() + i * 5;
        for (int k = 0; k < 5; ++k)
            if (row[k] < 0 || row[k] > std::numeric_limits<std::uint32_t>::max()) throw std::invalid_argument("edge out of range");
        out.push_back({static_cast<std::uint32_t>(row[0]), static_cast<std::uint32_t>(row[1]), static_cast<std::uint32_t>(row[2]),
                       static_cast<std::uint32_t>(row[3]), static_cast<std::uint32_t>(row[4])});
    }
    return out;
}

}  // namespace

void bind_layers(nb::module_& m) {
    nb::class_<StateCode>(m, "StateCode")
        .def(nb::new_([](std::size_t shapes, Array2<std::int64_t> edges, std::size_t turns, Array1<std::uint32_t> labels,
                         Array1<std::uint32_t> main, bool all_words, std::uint64_t max_bytes, nb::object progress) {
                 CodeInput in;
                 in.turns = turns;
                 in.shapes = shapes;
                 in.all_words = all_words;
                 if (turns == 0 || labels.size() % turns) throw std::invalid_argument("points do not make whole pieces");
                 in.pieces = labels.size() / turns;
                 in.edges = to_edges<CodeInput::Edge>(edges);
                 in.labels = to_vector(labels);
                 in.main = to_vector(main);
                 Tick tick = make_tick(progress);
                 nb::gil_scoped_release unlocked;
                 return std::make_shared<StateCode>(std::move(in), max_bytes, tick);
             }),
             nb::arg("shapes"), nb::arg("edges").noconvert(), nb::arg("turns"), nb::arg("labels").noconvert(),
             nb::arg("main").noconvert(), nb::arg("all_words"), nb::arg("max_bytes"), nb::arg("progress") = nb::none())
        .def_prop_ro("words", &StateCode::words)
        .def_prop_ro("row", &StateCode::row)
        .def_prop_ro("x_count", &StateCode::x_count)
        .def_prop_ro("bytes", &StateCode::bytes)
        .def(
            "place",
            [](const StateCode& c, std::size_t shape, Array1<std::uint32_t> arrangement)
                -> std::optional<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> {
                const auto p = c.place(shape, {arrangement.data(), arrangement.size()});
                if (!p) return std::nullopt;
                return from_place(*p);
            },
            nb::arg("shape"), nb::arg("arrangement").noconvert())
        .def("arrangement", [](const StateCode& c, std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> place) {
            return to_numpy(c.arrangement(to_place(place)));
        }, nb::arg("place"));

    nb::class_<BoundSearch>(m, "LayerSearch")
        .def(
            "__init__",
            [](BoundSearch* self, std::shared_ptr<StateCode> code, bool table, std::vector<std::int64_t> line, bool portable,
               std::uint32_t thin) {
                new (self) BoundSearch{code, LayerSearch(code, {table, std::move(line), portable, thin})};
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
            [](BoundSearch& s, std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> start) {
                const Hold hold(s);
                check_place(*s.code, to_place(start));
                s.search.begin(to_place(start));
            },
            nb::arg("start"))
        .def(
            "advance",
            [](BoundSearch& s, unsigned threads, nb::object progress) {
                const Hold hold(s);
                if (threads == 0 || threads > 1024) throw std::invalid_argument("threads out of range");
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                return s.search.advance(threads, tick);
            },
            nb::arg("threads"), nb::arg("progress") = nb::none())
        .def_prop_ro("layers", [](BoundSearch& s) {
            const Hold hold(s);
            return s.search.layers();
        })
        .def_prop_ro("finished", [](BoundSearch& s) {
            const Hold hold(s);
            return s.search.finished();
        })
        .def(
            "last_layer",
            [](BoundSearch& s, std::size_t limit) {
                const Hold hold(s);
                std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> out;
                for (const auto& p : s.search.last_layer(limit)) out.push_back(from_place(p));
                return out;
            },
            nb::arg("limit"))
        .def(
            "residue",
            [](BoundSearch& s, std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> place) {
                const Hold hold(s);
                check_place(*s.code, to_place(place));
                return s.search.residue(to_place(place));
            },
            nb::arg("place"))
        .def(
            "neighbours",
            [](BoundSearch& s, std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> place) {
                const Hold hold(s);
                check_place(*s.code, to_place(place));
                std::vector<std::pair<std::uint32_t, std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>> out;
                for (const auto& [arc, p] : s.search.neighbours(to_place(place))) out.emplace_back(arc, from_place(p));
                return out;
            },
            nb::arg("place"))
        .def("keep_table_only", [](BoundSearch& s) {
            const Hold hold(s);
            s.search.keep_table_only();
        })
        .def(
            "pack",
            [](BoundSearch& s, bool earlier, std::uint64_t first, std::uint64_t count) {
                const Hold hold(s);
                std::vector<std::uint64_t> out;
                {
                    nb::gil_scoped_release unlocked;
                    out = s.search.pack(earlier, first, count);
                }
                return to_numpy(std::move(out));
            },
            nb::arg("earlier"), nb::arg("first"), nb::arg("count"))
        .def("prepare", [](BoundSearch& s) {
            const Hold hold(s);
            s.search.prepare();
        })
        .def(
            "load",
            [](BoundSearch& s, bool earlier, std::uint64_t first, std::uint64_t count, Array1<std::uint64_t> packed) {
                const Hold hold(s);
                nb::gil_scoped_release unlocked;
                s.search.load(earlier, first, count, {packed.data(), packed.size()});
            },
            nb::arg("earlier"), nb::arg("first"), nb::arg("count"), nb::arg("packed").noconvert())
        .def(
            "resume",
            [](BoundSearch& s, std::vector<std::uint64_t> layers) {
                const Hold hold(s);
                nb::gil_scoped_release unlocked;
                s.search.resume(std::move(layers));
            },
            nb::arg("layers"));
}

}  // namespace slidelab
