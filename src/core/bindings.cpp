// The one door between Python and the core: arrays in and out, the interpreter lock released
// during work, and a tick that lets Python look at signals and show progress.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <mutex>

#include "best_first.hpp"
#include "deepening.hpp"
#include "gain_graph.hpp"
#include "gourd_best_first.hpp"
#include "gourd_carrier.hpp"
#include "gourd_near.hpp"
#include "gourd_sorting.hpp"
#include "group.hpp"
#include "layers.hpp"
#include "peel.hpp"
#include "pfaffian.hpp"
#include "polyhexes.hpp"
#include "region_pattern.hpp"
#include "replay.hpp"
#include "short_words.hpp"
#include "shorten.hpp"
#include "single_distances.hpp"

namespace nb = nanobind;
using namespace slidelab;

namespace {

template <class T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Hands a vector to numpy without copying it.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::vector<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nb::capsule owner(owned.get(), [](void* p) noexcept { std::unique_ptr<std::vector<T>>(static_cast<std::vector<T>*>(p)); });
    owned.release();
    return nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner);
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values) {
    const std::size_t n = values.size();
    return to_numpy(std::move(values), {n});
}

template <class T>
std::vector<T> to_vector(const Array1<T>& a) {
    return {a.data(), a.data() + a.size()};
}

Permutation to_permutation(const Array1<Point>& a, std::size_t degree) {
    Permutation p = to_vector(a);
    if (p.size() != degree || !is_permutation_of_points(p))
        throw std::invalid_argument("not a permutation of this degree");
    return p;
}

std::vector<Permutation> to_permutations(const Array2<Point>& a) {
    std::vector<Permutation> out;
    for (std::size_t i = 0; i < a.shape(0); ++i)
        out.emplace_back(a.data() + i * a.shape(1), a.data() + (i + 1) * a.shape(1));
    return out;
}

// Python is asked at most ten times a second, however often the loops ask; it may answer True: time is up.
Tick make_tick(const nb::object& callback) {
    auto last = std::chrono::steady_clock::now();
    PyObject* target = callback.is_none() ? nullptr : callback.ptr();
    return [last, target](const char* phase, std::uint64_t done, std::uint64_t total) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(100)) return;
        last = now;
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (target && nb::borrow<nb::callable>(target)(phase, done, total).is(Py_True)) throw TimeUp{};
    };
}

std::vector<HoleGraph::Step> to_hole_steps(const Array2<std::int32_t>& steps) {
    if (steps.shape(1) != 3) throw std::invalid_argument("rows of three expected");
    std::vector<HoleGraph::Step> out;
    for (std::size_t i = 0; i < steps.shape(0); ++i) out.push_back({steps(i, 0), steps(i, 1), steps(i, 2)});
    return out;
}

struct BoundGroup {
    Group group;
    std::mt19937_64 random;
};

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

// The tables are numpy's: they stay as long as the estimate does.
struct BoundEstimate {
    std::vector<nb::object> tables;
    std::shared_ptr<const Estimate> estimate;
};

// A puzzle ready for searches: its moves, the walks left out, and what its pieces look like.
struct Searches {
    std::shared_ptr<const MoveTable> moves;
    std::shared_ptr<const Walks> walks;
    Marks marks;
};

using FoundTuple = std::tuple<std::optional<std::vector<std::tuple<Point, Point, std::uint16_t>>>, std::uint64_t, std::uint32_t, bool>;

// Moves as placements before and after, and turns.
FoundTuple from_found(const MoveTable& moves, const Found& found) {
    std::optional<std::vector<std::tuple<Point, Point, std::uint16_t>>> steps;
    if (found.arcs) {
        steps.emplace();
        for (auto a : *found.arcs) steps->emplace_back(moves.arcs()[a].from, moves.arcs()[a].to, moves.arcs()[a].turn);
    }
    return {steps, found.nodes, found.bound, found.finished};
}

Situation to_situation(std::uint32_t shape, const Array1<Point>& marks) { return {shape, to_vector(marks)}; }

// Rows of a step table: from, to, turn, and the cells that must be holes.
StepTable to_step_table(const Array1<std::int32_t>& rank, const Array2<std::int32_t>& placements, const Array2<std::int32_t>& steps,
                        std::size_t turns) {
    StepTable table;
    table.cells = rank.size();
    table.rank = to_vector(rank);
    table.turns = turns;
    table.piece_cells = placements.shape(1);
    table.placements.assign(placements.data(), placements.data() + placements.size());
    if (steps.shape(1) != 3 + StepTable::max_needs) throw std::invalid_argument("steps need seven columns");
    for (std::size_t i = 0; i < steps.shape(0); ++i) {
        const auto* row = steps.data() + i * steps.shape(1);
        table.steps.push_back({row[0], row[1], row[2], {row[3], row[4], row[5], row[6]}});
    }
    return table;
}

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

// The nodes of all variables in one row, `counts` says how many each has.
std::vector<std::vector<Pfaffian::Node>> to_nodes(const Array1<std::uint64_t>& counts, const Array1<std::uint64_t>& values,
                                                  const Array1<std::uint64_t>& factors) {
    if (values.size() != factors.size()) throw std::invalid_argument("a factor for each value expected");
    std::vector<std::vector<Pfaffian::Node>> out(counts.size());
    std::size_t at = 0;
    for (std::size_t v = 0; v < counts.size(); ++v) {
        if (counts(v) > values.size() - at) throw std::invalid_argument("more nodes than values");
        for (std::uint64_t k = 0; k < counts(v); ++k, ++at) out[v].push_back({values(at), factors(at)});
    }
    return out;
}

// The lock is released while a sum goes on: a second thread that comes in is refused.
struct BoundPfaffian {
    Pfaffian pfaffian;
    bool busy = false;
};

template <class Bound>
struct Hold {
    explicit Hold(Bound& b) : held(b) {
        if (held.busy) throw std::runtime_error("already in use by another thread");
        held.busy = true;
    }
    ~Hold() { held.busy = false; }
    Bound& held;
};

// The lock is released while a stream goes on, so a second thread may come in: it is refused,
// as Python refuses a generator that is already executing.
struct BoundStream {
    explicit BoundStream(int n) : stream(n) {}
    PolyhexStream stream;
    bool busy = false;
};

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The hot kernels of slidelab.";
    // Objects that a cache or a traceback still holds when the interpreter ends are no news to a user.
    nb::set_leak_warnings(false);
    nb::exception<LimitReached>(m, "LimitReached", PyExc_MemoryError);  // not static: it would outlive the interpreter

    nb::class_<GainGraph>(m, "GainGraph")
        .def(
            "__init__",
            [](GainGraph* self, Array1<std::int32_t> rank, Array2<std::int32_t> placements, Array2<std::int32_t> steps,
               std::size_t turns, std::size_t pieces, std::uint64_t max_shapes, nb::object progress) {
                StepTable table = to_step_table(rank, placements, steps, turns);
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                new (self) GainGraph(std::move(table), pieces, max_shapes, tick);
            },
            nb::arg("rank").noconvert(), nb::arg("placements").noconvert(), nb::arg("steps").noconvert(),
            nb::arg("turns"), nb::arg("pieces"), nb::arg("max_shapes"), nb::arg("progress") = nb::none())
        .def_prop_ro("shape_count", &GainGraph::shape_count)
        .def_prop_ro("edge_count", [](const GainGraph& g) { return g.edges().size(); })
        .def_prop_ro("isolated", &GainGraph::isolated)
        .def_prop_ro("degree", &GainGraph::degree)
        .def("keys",
             [](const GainGraph& g) {
                 auto keys = g.keys();
                 return to_numpy(std::move(keys), {g.shape_count(), g.width()});
             })
        .def("family",
             [](const GainGraph& g) {
                 auto family = g.family();
                 return to_numpy(std::move(family));
             })
        .def("edges",
             [](const GainGraph& g) {
                 std::vector<std::int64_t> out;
                 out.reserve(g.edges().size() * 6);
                 for (const auto& e : g.edges())
                     for (std::int64_t v : {std::int64_t{e.source}, std::int64_t{e.target}, std::int64_t{e.slot_from},
                                            std::int64_t{e.slot_to}, std::int64_t{e.turn}, std::int64_t{e.step}})
                         out.push_back(v);
                 return to_numpy(std::move(out), {g.edges().size(), 6});
             })
        .def(
            "find",
            [](const GainGraph& g, Array1<std::uint16_t> key) { return g.find({key.data(), key.size()}); },
            nb::arg("key").noconvert())
        .def("slots",
             [](const GainGraph& g, std::size_t shape) {
                 if (shape >= g.shape_count()) throw std::out_of_range("no such shape");
                 return g.slots(shape);
             })
        .def(
            "span",
            [](const GainGraph& g, std::uint32_t base, std::uint64_t max_bytes, nb::object progress) {
                Tick tick = make_tick(progress);
                Span s;
                {
                    nb::gil_scoped_release unlocked;
                    s = g.span(base, max_bytes, tick);
                }
                const std::size_t shapes = s.shapes.size(), loops = s.generator_edge.size();
                return std::make_tuple(to_numpy(std::move(s.shapes)), to_numpy(std::move(s.parent)),
                                       to_numpy(std::move(s.parent_edge)),
                                       to_numpy(std::move(s.potentials), {shapes, g.degree()}),
                                       to_numpy(std::move(s.generators), {loops, g.degree()}),
                                       to_numpy(std::move(s.generator_edge)));
            },
            nb::arg("base"), nb::arg("max_bytes"), nb::arg("progress") = nb::none());

    nb::class_<BoundGroup>(m, "Group")
        .def(
            "__init__",
            [](BoundGroup* self, Array2<Point> generators, std::uint64_t seed, std::uint64_t max_bytes,
               nb::object progress) {
                auto list = to_permutations(generators);
                const std::size_t degree = generators.shape(1);
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                new (self) BoundGroup{Group(degree, std::move(list), seed, max_bytes, tick), std::mt19937_64(seed)};
            },
            nb::arg("generators").noconvert(), nb::arg("seed"), nb::arg("max_bytes"), nb::arg("progress") = nb::none())
        .def_prop_ro("degree", [](const BoundGroup& g) { return g.group.degree(); })
        .def_prop_ro("orbits", [](const BoundGroup& g) { return g.group.orbits(); })
        .def_prop_ro("giants",
                     [](const BoundGroup& g) {
                         std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> out;
                         for (const auto& x : g.group.giants()) out.emplace_back(x.orbit, x.prime, x.line);
                         return out;
                     })
        .def_prop_ro("chain_lengths", [](const BoundGroup& g) { return g.group.chain_lengths(); })
        .def("base", [](const BoundGroup& g) { return g.group.base(); })
        .def(
            "contains", [](const BoundGroup& g, Array1<Point> p) {
                return g.group.contains(to_permutation(p, g.group.degree()));
            },
            nb::arg("permutation").noconvert())
        .def(
            "factor", [](const BoundGroup& g, Array1<Point> p) {
                return g.group.factor(to_permutation(p, g.group.degree()));
            },
            nb::arg("permutation").noconvert())
        .def("program",
             [](const BoundGroup& g) {
                 std::vector<std::int64_t> out;
                 for (const auto& line : g.group.program().lines) {
                     out.push_back(line.op);
                     out.push_back(line.a);
                     out.push_back(static_cast<std::int64_t>(line.b));
                 }
                 const std::size_t n = out.size() / 3;
                 return to_numpy(std::move(out), {n, 3});
             })
        .def("seed", [](BoundGroup& g, std::uint64_t seed) { g.random.seed(seed); })
        .def("random_element", [](BoundGroup& g) { return to_numpy(g.group.random_element(g.random)); })
        .def(
            "recolour",
            [](const BoundGroup& g, Array1<std::uint32_t> a, Array1<std::uint32_t> b, std::uint64_t budget) {
                const auto from = to_vector(a), to = to_vector(b);
                nb::gil_scoped_release unlocked;
                return g.group.recolour(from, to, budget);
            },
            nb::arg("a").noconvert(), nb::arg("b").noconvert(), nb::arg("budget"));

    m.def(
        "odd",
        [](Array2<Point> generators) {
            std::vector<std::uint8_t> out;
            for (const auto& g : to_permutations(generators)) {
                if (!is_permutation_of_points(g)) throw std::invalid_argument("not a permutation");
                out.push_back(Group::is_odd(g));
            }
            return to_numpy(std::move(out));
        },
        nb::arg("generators").noconvert(), "For each row: is it an odd permutation?");

    m.def(
        "minimal_block",
        [](Array2<Point> generators, std::uint32_t a, std::uint32_t b) {
            const auto list = to_permutations(generators);
            const std::size_t degree = generators.shape(1);
            nb::gil_scoped_release unlocked;
            for (const auto& g : list)
                if (!is_permutation_of_points(g)) throw std::invalid_argument("not a permutation");
            return minimal_block(degree, list, a, b);
        },
        nb::arg("generators").noconvert(), nb::arg("a"), nb::arg("b"));

    nb::class_<ShortWords>(m, "ShortWords")
        .def(
            "__init__",
            [](ShortWords* self, Array2<Point> generators, std::vector<std::uint32_t> weights, std::vector<Point> base,
               std::vector<std::uint64_t> lengths, std::uint64_t seed, std::uint64_t max_rounds, nb::object progress) {
                auto list = to_permutations(generators);
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                new (self) ShortWords(generators.shape(1), std::move(list), std::move(weights), std::move(base), lengths,
                                      seed, max_rounds, tick);
            },
            nb::arg("generators").noconvert(), nb::arg("weights"), nb::arg("base"), nb::arg("lengths"), nb::arg("seed"),
            nb::arg("max_rounds"), nb::arg("progress") = nb::none())
        .def_prop_ro("complete", &ShortWords::complete)
        .def(
            "factor", [](const ShortWords& w, Array1<Point> p) {
                const Permutation q = to_vector(p);
                if (!is_permutation_of_points(q)) throw std::invalid_argument("not a permutation");
                return w.factor(q);
            },
            nb::arg("permutation").noconvert());

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

    m.def(
        "pattern_table",
        [](const GainGraph& graph, std::uint32_t goal, std::vector<std::uint32_t> slots, unsigned threads, std::uint64_t max_bytes, nb::object progress) {
            Tick tick = make_tick(progress);
            std::vector<std::uint8_t> table;
            {
                nb::gil_scoped_release unlocked;
                const auto& t = graph.table();
                const PatternIndex index(static_cast<unsigned>(t.cells), t.placement_count() * t.turns, t.piece_cells == 1, static_cast<unsigned>(slots.size()));
                if (index.count() > max_bytes) throw LimitReached("a table of " + std::to_string(slots.size()) + " pieces takes more memory than allowed");
                table = RegionPattern(graph, goal, std::move(slots), index, max_bytes, tick).build(threads, tick);
            }
            return to_numpy(std::move(table));
        },
        nb::arg("graph"), nb::arg("goal"), nb::arg("slots"), nb::arg("threads"), nb::arg("max_bytes"), nb::arg("progress") = nb::none(),
        "The pattern table of the pieces in some slots of a shape; 255 where there is no way. Cells are counted along the line of slots.");

    m.def(
        "pack_pattern",
        [](Array1<std::uint8_t> table, Array2<std::uint16_t> alone, std::size_t cells, bool single_cells, unsigned threads, nb::object progress) {
            Tick tick = make_tick(progress);
            std::vector<std::uint8_t> data;
            const PatternIndex index(static_cast<unsigned>(cells), alone.shape(1), single_cells, static_cast<unsigned>(alone.shape(0)));
            TablePacker packer(index, alone.shape(1), {table.data(), table.size()}, {alone.data(), alone.size()});
            {
                nb::gil_scoped_release unlocked;
                data = packer.pack(threads, tick);
            }
            return std::make_tuple(to_numpy(std::move(data)), packer.halves(), packer.step(), packer.cut());
        },
        nb::arg("table").noconvert(), nb::arg("alone").noconvert(), nb::arg("cells"), nb::arg("single_cells"), nb::arg("threads"),
        nb::arg("progress") = nb::none(), "A pattern table less what its pieces need alone: bytes, whether two entries share one, step, entries cut.");

    m.def(
        "checksum",
        [](Array1<std::uint8_t> bytes) {
            nb::gil_scoped_release unlocked;
            return checksum({bytes.data(), bytes.size()});
        },
        nb::arg("bytes").noconvert(), "A sum over all bytes that changes with any of them.");

    m.def(
        "single_distances",
        [](const GainGraph& graph, std::uint32_t shape, Array1<Point> points, nb::object progress) {
            Tick tick = make_tick(progress);
            std::vector<std::uint16_t> out;
            const std::size_t count = points.size();
            std::size_t spots;
            {
                nb::gil_scoped_release unlocked;
                const SingleDistances single(graph);
                spots = single.spots();
                for (std::size_t k = 0; k < count; ++k) {
                    const auto row = single.to(shape, points.data()[k], tick);
                    out.insert(out.end(), row.begin(), row.end());
                }
            }
            return to_numpy(std::move(out), {count, spots});
        },
        nb::arg("graph"), nb::arg("shape"), nb::arg("points").noconvert(), nb::arg("progress") = nb::none(),
        "For slot points of a shape, the moves that a piece needs from each spot to there, alone; 65535 where there is no way.");

    m.def(
        "together",
        [](const GainGraph& graph, std::uint32_t shape, Array2<std::uint16_t> alone, std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs,
           unsigned threads, nb::object progress) {
            Tick tick = make_tick(progress);
            std::vector<double> out(pairs.size());
            if (alone.shape(0) != graph.pieces()) throw std::invalid_argument("a row for each slot expected");
            for (const auto& [a, b] : pairs)
                if (a >= graph.pieces() || b >= graph.pieces() || a == b) throw std::invalid_argument("no such slots");
            if (shape >= graph.shape_count() || alone.shape(1) != graph.table().placement_count() * graph.table().turns)
                throw std::invalid_argument("a column for each spot expected");
            {
                nb::gil_scoped_release unlocked;
                const SingleDistances single(graph);
                const std::size_t turns = graph.table().turns, spots = alone.shape(1);
                auto row = [&](std::uint32_t slot) { return std::span(alone.data() + slot * spots, spots); };
                std::atomic<std::size_t> next{0};
                auto work = [&](const Tick& heard) {
                    for (std::size_t k; (k = next.fetch_add(1)) < pairs.size();) {
                        const auto [a, b] = pairs[k];
                        out[k] = single.together(shape, static_cast<Point>(a * turns), static_cast<Point>(b * turns), row(a), row(b), heard);
                    }
                };
                std::exception_ptr failed;
                std::mutex lock;
                auto guarded = [&](const Tick& heard) {
                    try {
                        work(heard);
                    } catch (...) {
                        next = pairs.size();
                        const std::scoped_lock held(lock);
                        failed = std::current_exception();
                    }
                };
                {
                    std::vector<std::jthread> others;
                    for (unsigned i = 1; i < threads; ++i)
                        others.emplace_back([&] { guarded([](const char*, std::uint64_t, std::uint64_t) {}); });
                    guarded(tick);
                }
                if (failed) std::rethrow_exception(failed);
            }
            return to_numpy(std::move(out));
        },
        nb::arg("graph"), nb::arg("shape"), nb::arg("alone").noconvert(), nb::arg("pairs"), nb::arg("threads"), nb::arg("progress") = nb::none(),
        "For pairs of slots of a shape, what two pieces need together beyond what they need alone, on average.");

    nb::class_<BoundEstimate>(m, "Estimate")
        .def(
            "__init__",
            [](BoundEstimate* self, Array2<std::uint16_t> base, std::size_t cells, bool single_cells,
               std::vector<std::tuple<Array1<std::uint8_t>, unsigned, bool, std::uint16_t>> tables,
               std::vector<std::pair<Array1<Point>, std::vector<std::pair<std::uint32_t, std::vector<Point>>>>> views) {
                std::vector<PackedTable> packed;
                std::vector<nb::object> kept;
                for (const auto& [data, pieces, halves, step] : tables) {
                    packed.push_back({PatternIndex(static_cast<unsigned>(cells), base.shape(1), single_cells, pieces), {data.data(), data.size()}, halves, step});
                    kept.push_back(nb::cast(data));
                }
                std::vector<PatternView> made;
                for (auto& [image, groups] : views) made.push_back({to_vector(image), groups});
                new (self) BoundEstimate{std::move(kept), std::make_shared<const Estimate>(base.shape(0), base.shape(1),
                                                                                           std::vector<std::uint16_t>(base.data(), base.data() + base.size()),
                                                                                           std::move(packed), std::move(made))};
            },
            nb::arg("base").noconvert(), nb::arg("cells"), nb::arg("single_cells"), nb::arg("tables"), nb::arg("views"))
        .def(
            "bound",
            [](const BoundEstimate& e, std::vector<std::pair<Point, Point>> pieces) -> std::optional<std::uint32_t> {
                for (const auto& [kind, spot] : pieces)
                    if (kind >= e.estimate->kinds() || spot >= e.estimate->spots()) throw std::invalid_argument("no such spot");
                std::vector<bool> used(e.estimate->spots(), false);
                for (const auto& [kind, spot] : pieces) {
                    if (used[spot]) throw std::invalid_argument("two pieces on a spot");
                    used[spot] = true;
                }
                Estimate::State state;
                if (!e.estimate->load(pieces, state)) return std::nullopt;
                return state.bound;
            },
            nb::arg("pieces"), "A lower bound for pieces given as kinds and spots; None if there is no way.");

    nb::class_<Searches>(m, "Searches")
        .def(
            "__init__",
            [](Searches* self, const GainGraph& graph, std::vector<std::uint8_t> periods, std::size_t most_walks, unsigned longest_walk, nb::object progress) {
                Tick tick = make_tick(progress);
                Marks marks(std::move(periods), graph.table().turns);
                std::shared_ptr<const MoveTable> moves;
                std::shared_ptr<const Walks> walks;
                {
                    nb::gil_scoped_release unlocked;
                    moves = std::make_shared<const MoveTable>(graph);
                    walks = std::make_shared<const Walks>(*moves, std::min<std::size_t>(most_walks, 1 << 28), std::min(longest_walk, 64u), tick);
                }
                new (self) Searches{std::move(moves), std::move(walks), std::move(marks)};
            },
            nb::arg("graph"), nb::arg("periods"), nb::arg("most_walks"), nb::arg("longest_walk"), nb::arg("progress") = nb::none())
        .def_prop_ro("walk_length", [](const Searches& s) { return s.walks->length(); })
        .def_prop_ro("walk_states", [](const Searches& s) { return s.walks->states(); })
        .def("mark", [](const Searches& s, unsigned kind, unsigned turn) {
            if (kind >= s.marks.kinds()) throw std::invalid_argument("no such kind");
            return s.marks.mark(kind, turn);
        }, nb::arg("kind"), nb::arg("turn"))
        .def(
            "deepen",
            [](const Searches& s, const BoundEstimate& e, std::uint32_t shape, Array1<Point> marks, std::uint32_t bound, std::uint32_t below,
               std::uint64_t most_nodes, nb::object progress) {
                Tick tick = make_tick(progress);
                const Situation start = to_situation(shape, marks);
                Found found;
                {
                    nb::gil_scoped_release unlocked;
                    found = Deepening(s.moves, s.walks, s.marks, e.estimate).solve(start, bound, below, most_nodes, tick);
                }
                return from_found(*s.moves, found);
            },
            nb::arg("estimate"), nb::arg("shape"), nb::arg("marks").noconvert(), nb::arg("bound"), nb::arg("below"), nb::arg("most_nodes"),
            nb::arg("progress") = nb::none())
        .def(
            "best_first",
            [](const Searches& s, const BoundEstimate& e, std::uint32_t shape, Array1<Point> marks, std::uint32_t weight, std::uint32_t below,
               std::uint64_t most_bytes, std::uint64_t most_nodes, nb::object progress) {
                Tick tick = make_tick(progress);
                const Situation start = to_situation(shape, marks);
                Found found;
                {
                    nb::gil_scoped_release unlocked;
                    found = BestFirst(s.moves, s.marks, e.estimate).solve(start, {weight, below, most_bytes, most_nodes}, tick);
                }
                return from_found(*s.moves, found);
            },
            nb::arg("estimate"), nb::arg("shape"), nb::arg("marks").noconvert(), nb::arg("weight"), nb::arg("below"), nb::arg("most_bytes"),
            nb::arg("most_nodes"), nb::arg("progress") = nb::none())
        .def(
            "two_sided",
            [](const Searches& s, std::uint32_t shape, Array1<Point> marks, std::uint32_t goal_shape, Array1<Point> goal_marks,
               std::uint64_t most_bytes, std::uint64_t most_nodes, bool both, nb::object progress) {
                Tick tick = make_tick(progress);
                const Situation start = to_situation(shape, marks), goal = to_situation(goal_shape, goal_marks);
                Found found;
                {
                    nb::gil_scoped_release unlocked;
                    found = TwoSided(s.moves, s.marks, both).solve(start, goal, {100, Estimate::none, most_bytes, most_nodes}, tick);
                }
                return from_found(*s.moves, found);
            },
            nb::arg("shape"), nb::arg("marks").noconvert(), nb::arg("goal_shape"), nb::arg("goal_marks").noconvert(), nb::arg("most_bytes"),
            nb::arg("most_nodes"), nb::arg("both"), nb::arg("progress") = nb::none());

    m.def(
        "distance_sum",
        [](std::size_t cells, Array2<std::int32_t> steps, Array2<std::int32_t> ends) {
            const HoleGraph graph(cells, to_hole_steps(steps));
            if (ends.shape(1) != 2) throw std::invalid_argument("rows of two expected");
            std::uint64_t sum = 0;
            std::vector<std::uint32_t> far(cells), queue;
            for (std::size_t i = 0; i < ends.shape(0); ++i) {
                if (ends(i, 0) < 0 || ends(i, 1) < 0 || static_cast<std::size_t>(std::max(ends(i, 0), ends(i, 1))) >= cells)
                    throw std::invalid_argument("no such cell");
                sum += graph.distance(static_cast<std::uint32_t>(ends(i, 0)), static_cast<std::uint32_t>(ends(i, 1)), far, queue);
            }
            return sum;
        },
        nb::arg("cells"), nb::arg("steps").noconvert(), nb::arg("ends").noconvert(), "The sum of the distances between pairs of cells.");

    nb::class_<Peeler>(m, "Peeler")
        .def(
            "__init__",
            [](Peeler* self, std::size_t cells, Array2<std::int32_t> steps, Array1<std::int32_t> lies, Array1<std::int32_t> goal) {
                new (self) Peeler(cells, to_hole_steps(steps), to_vector(lies), to_vector(goal));
            },
            nb::arg("cells"), nb::arg("steps").noconvert(), nb::arg("lies").noconvert(), nb::arg("goal").noconvert())
        .def(
            "place",
            [](Peeler& p, std::vector<std::uint32_t> ear, nb::object progress) {
                try {
                    p.place(ear, make_tick(progress));
                } catch (const TimeUp&) {
                    return false;
                }
                return true;
            },
            nb::arg("ear"), nb::arg("progress") = nb::none(), "Bring the pieces of these cells to them and close the cells; false if time is up.")
        .def(
            "fill",
            [](Peeler& p, std::vector<std::uint32_t> ear, nb::object progress) {
                try {
                    p.fill(ear, make_tick(progress));
                } catch (const TimeUp&) {
                    return false;
                }
                return true;
            },
            nb::arg("ear"), nb::arg("progress") = nb::none(), "Bring any pieces to these cells and close the cells; false if time is up.")
        .def_prop_ro("length", [](const Peeler& p) { return p.moves().size(); })
        .def("lies",
             [](const Peeler& p) {
                 auto lies = p.lies();
                 return to_numpy(std::move(lies));
             })
        .def(
            "moves",
            [](const Peeler& p) {
                std::vector<std::int32_t> rows;
                for (const auto& [from, to] : p.moves()) rows.push_back(static_cast<std::int32_t>(from)), rows.push_back(static_cast<std::int32_t>(to));
                return to_numpy(std::move(rows), {p.moves().size(), 2});
            },
            "One row a move: cell before, cell after.");

    using Way = std::vector<std::int32_t>;
    nb::class_<GourdTrain>(m, "GourdTrain")
        .def(
            "__init__",
            [](GourdTrain* self, Array1<std::int32_t> offsets, Array1<std::int32_t> neighbours, Array1<std::int32_t> ends) {
                new (self) GourdTrain(to_vector(offsets), to_vector(neighbours), to_vector(ends));
            },
            nb::arg("offsets").noconvert(), nb::arg("neighbours").noconvert(), nb::arg("ends").noconvert())
        .def("__len__", [](const GourdTrain& t) { return t.trail().size(); })
        .def_prop_ro("hole", &GourdTrain::hole)
        .def("copy", [](const GourdTrain& t) { return GourdTrain(t); }, "The same position, with a trail of its own.")
        .def("at", [](const GourdTrain& t, std::int32_t cell) { return t.at(t.checked(cell)); }, nb::arg("cell"),
             "The end on a cell: twice its gourd's number, from 0, and one more for a tail; -1 for the hole.")
        .def("ends", [](const GourdTrain& t) { return to_numpy(Way(t.ends())); }, "The cells of head and tail of each gourd.")
        .def("trail", [](const GourdTrain& t) { return to_numpy(Way(t.trail())); }, "Where the hole went.")
        .def("play", [](GourdTrain& t, const Way& trail) { t.play(trail); }, nb::arg("trail"))
        .def("pull", &GourdTrain::pull, nb::arg("way"), nb::arg("pulls"), nb::call_guard<nb::gil_scoped_release>())
        .def("pull_to", &GourdTrain::pull_to, nb::arg("way"), nb::arg("cell"), nb::call_guard<nb::gil_scoped_release>())
        .def(
            "align",
            [](GourdTrain& t, const Way& way, nb::object progress) {
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                t.align(way, tick);
            },
            nb::arg("way"), nb::arg("progress").none() = nb::none())
        .def(
            "exchange",
            [](GourdTrain& t, const Way& first, const Way& second, const GourdTrain& goal, nb::object progress) {
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                return t.exchange(first, second, goal, tick);
            },
            nb::arg("first"), nb::arg("second"), nb::arg("goal"), nb::arg("progress").none() = nb::none())
        .def("search", &search_gourds, nb::arg("cells"), nb::arg("goal"), nb::call_guard<nb::gil_scoped_release>())
        .def(
            "sort",
            [](GourdTrain& t, const Way& way, const GourdTrain& goal, nb::object progress) {
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                GourdSorting(t, way, goal, tick).run();
            },
            nb::arg("way"), nb::arg("goal"), nb::arg("progress").none() = nb::none())
        .def(
            "search_near",
            [](const GourdTrain& t, const GourdTrain& goal, std::size_t most, nb::object progress) -> std::pair<std::optional<Way>, std::size_t> {
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                GourdsNear near(t, goal);
                if (near.search(most, tick)) return {near.trail(), near.trail().size()};
                return {std::nullopt, near.at_least()};
            },
            nb::arg("goal"), nb::arg("most"), nb::arg("progress").none() = nb::none(),
            "A shortest trail, if that takes no more than so many states, and how many moves are needed at least.")
        .def(
            "search_any",
            [](const GourdTrain& t, const GourdTrain& goal, Array1<std::int32_t> coordinates, unsigned weight, std::size_t most,
               nb::object progress) -> std::optional<Way> {
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                return GourdBestFirst(t, goal, {coordinates.data(), coordinates.size()}).search(weight, most, tick);
            },
            nb::arg("goal"), nb::arg("coordinates").noconvert(), nb::arg("weight"), nb::arg("most"), nb::arg("progress").none() = nb::none(),
            "Any trail, found best first among so many states on hexagons; None if it takes more.")
        .def(
            "rows",
            [](const GourdTrain& t, Array1<std::int32_t> trail, Array1<std::int32_t> coordinates) {
                std::vector<std::int32_t> rows;
                {
                    nb::gil_scoped_release unlocked;
                    rows = t.rows_of_trail({trail.data(), trail.size()}, {coordinates.data(), coordinates.size()});
                }
                const std::size_t count = rows.size() / 6;
                return to_numpy(std::move(rows), {count, std::size_t{6}});
            },
            nb::arg("trail").noconvert(), nb::arg("coordinates").noconvert(),
            "Rows of piece, kind, head and tail before, head and tail after, from this position.");

    nb::class_<GourdCarrier>(m, "GourdCarrier")
        .def(
            "__init__",
            [](GourdCarrier* self, GourdTrain& train, Array1<std::int32_t> coordinates) {
                new (self) GourdCarrier(train, {coordinates.data(), coordinates.size()});
            },
            nb::arg("train"), nb::arg("coordinates").noconvert(), nb::keep_alive<1, 2>())
        .def(
            "carry",
            [](GourdCarrier& c, std::size_t gourd, std::int32_t head, std::int32_t tail, unsigned ends, unsigned hole, bool round, std::size_t most,
               nb::object progress) {
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                return c.carry(gourd, head, tail, {ends, hole, round, most}, tick);
            },
            nb::arg("gourd"), nb::arg("head"), nb::arg("tail"), nb::arg("ends") = 4, nb::arg("hole") = 4, nb::arg("round") = false,
            nb::arg("most") = 200'000, nb::arg("progress").none() = nb::none(),
            "Bring a gourd to its place for good; False if that takes more than so many states.")
        .def(
            "fill",
            [](GourdCarrier& c, std::int32_t one, std::int32_t other, unsigned hole, bool round, std::size_t most, nb::object progress) {
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                return c.fill(one, other, {0, hole, round, most}, tick);
            },
            nb::arg("one"), nb::arg("other"), nb::arg("hole") = 4, nb::arg("round") = false, nb::arg("most") = 200'000,
            nb::arg("progress").none() = nb::none(), "Bring any gourd to a place for good.");

    nb::class_<Replay>(m, "Replay")
        .def(
            "__init__",
            [](Replay* self, std::size_t cells, Array2<std::int32_t> steps, Array2<std::int32_t> pieces) {
                if (steps.shape(1) != 3 * pieces.shape(1)) throw std::invalid_argument("three times as many cells a step as a piece expected");
                new (self) Replay(cells, pieces.shape(1), {steps.data(), steps.data() + steps.size()}, {pieces.data(), pieces.data() + pieces.size()});
            },
            nb::arg("cells"), nb::arg("steps").noconvert(), nb::arg("pieces").noconvert())
        .def(
            "play",
            [](Replay& r, Array2<std::int32_t> rows, nb::object progress) {
                Tick tick = make_tick(progress);
                nb::gil_scoped_release unlocked;
                return r.play({rows.data(), rows.size()}, tick);
            },
            nb::arg("rows").noconvert(), nb::arg("progress").none() = nb::none(), "Plays rows of moves; how many the rule allows.")
        .def("pieces", [](const Replay& r) { return to_numpy(std::vector<std::int32_t>(r.pieces())); }, "The cells of all pieces, in one row.");

    nb::class_<Shortener>(m, "Shortener")
        .def(
            "__init__",
            [](Shortener* self, Array1<std::int32_t> rank, Array2<std::int32_t> placements, Array2<std::int32_t> steps, std::size_t turns,
               std::vector<std::pair<std::int32_t, std::int32_t>> pieces) {
                new (self) Shortener(to_step_table(rank, placements, steps, turns), std::move(pieces));
            },
            nb::arg("rank").noconvert(), nb::arg("placements").noconvert(), nb::arg("steps").noconvert(), nb::arg("turns"), nb::arg("pieces"))
        .def(
            "load",
            [](Shortener& s, Array2<std::int32_t> moves) {
                if (moves.shape(1) != 3) throw std::invalid_argument("rows of three expected");
                std::vector<std::array<std::int32_t, 3>> list;
                for (std::size_t i = 0; i < moves.shape(0); ++i) list.push_back({moves(i, 0), moves(i, 1), moves(i, 2)});
                s.load(list);
            },
            nb::arg("moves").noconvert(), "Moves as rows of placement before, placement after and turn.")
        .def("__len__", &Shortener::size)
        .def("cut_loops", &Shortener::cut_loops, "Leave out what lies between two visits to the same state.")
        .def(
            "run",
            [](Shortener& s, unsigned length, std::uint64_t most_nodes, nb::object progress) {
                return s.pass(length, most_nodes, make_tick(progress));
            },
            nb::arg("length"), nb::arg("most_nodes"), nb::arg("progress") = nb::none(),
            "One pass over all stretches of so many moves; whether it came to its end.")
        .def("moves", [](const Shortener& s) {
            std::vector<std::int32_t> rows;
            for (std::size_t i = 0; i < s.size(); ++i) rows.insert(rows.end(), {s.step(i).from, s.step(i).to, s.step(i).turn});
            return to_numpy(std::move(rows), {s.size(), 3});
        });

    nb::class_<BoundPfaffian>(m, "Pfaffian")
        .def(
            "__init__",
            [](BoundPfaffian* self, std::size_t vertices, Array2<std::uint32_t> arcs) {
                if (arcs.shape(1) != 3) throw std::invalid_argument("rows of three expected");
                std::vector<Pfaffian::Arc> list;
                for (std::size_t i = 0; i < arcs.shape(0); ++i) list.push_back({arcs(i, 0), arcs(i, 1), arcs(i, 2)});
                new (self) BoundPfaffian{Pfaffian(vertices, std::move(list))};
            },
            nb::arg("vertices"), nb::arg("arcs").noconvert(), "Arcs as rows of first vertex, second vertex and variable.")
        .def_prop_ro("cost", [](const BoundPfaffian& b) { return b.pfaffian.cost(); })
        .def(
            "sum",
            [](BoundPfaffian& b, std::uint64_t prime, Array1<std::uint64_t> counts, Array1<std::uint64_t> values,
               Array1<std::uint64_t> factors, nb::object progress) {
                const auto nodes = to_nodes(counts, values, factors);
                Tick tick = make_tick(progress);
                const Hold hold(b);
                nb::gil_scoped_release unlocked;
                return b.pfaffian.sum(prime, nodes, tick);
            },
            nb::arg("prime"), nb::arg("counts").noconvert(), nb::arg("values").noconvert(), nb::arg("factors").noconvert(),
            nb::arg("progress") = nb::none(), "The sum of factors times Pfaffian over the grid of all values, modulo the prime.");

    nb::class_<BoundStream>(m, "PolyhexStream")
        .def(nb::init<int>(), nb::arg("n"))
        .def(
            "next_batch",
            [](BoundStream& s, std::size_t max_boards) {
                if (max_boards == 0) throw std::invalid_argument("expected at least one board");
                std::vector<std::vector<std::pair<int, int>>> out;
                while (out.empty() && !s.stream.done()) {
                    // Long stretches without a board must still hear Ctrl-C.
                    if (PyErr_CheckSignals() != 0) throw nb::python_error();
                    const Hold hold(s);
                    nb::gil_scoped_release unlocked;
                    s.stream.next_batch(max_boards, std::size_t{1} << 20, out);
                }
                return out;
            },
            nb::arg("max_boards"));
}
