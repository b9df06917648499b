// The one door between Python and the core: arrays in and out, the interpreter lock released
// during work, and a tick that lets Python look at signals and show progress.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>

#include "gain_graph.hpp"
#include "group.hpp"
#include "polyhexes.hpp"
#include "short_words.hpp"

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

// Python is asked at most ten times a second, however often the loops ask.
Tick make_tick(const nb::object& callback) {
    auto last = std::chrono::steady_clock::now();
    PyObject* target = callback.is_none() ? nullptr : callback.ptr();
    return [last, target](const char* phase, std::uint64_t done, std::uint64_t total) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(100)) return;
        last = now;
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (target) nb::borrow<nb::callable>(target)(phase, done, total);
    };
}

struct BoundGroup {
    Group group;
    std::mt19937_64 random;
};

// The lock is released while a stream goes on, so a second thread may come in: it is refused,
// as Python refuses a generator that is already executing.
struct BoundStream {
    explicit BoundStream(int n) : stream(n) {}
    PolyhexStream stream;
    bool busy = false;

    struct Hold {
        explicit Hold(BoundStream& s) : held(s) { held.busy = true; }
        ~Hold() { held.busy = false; }
        BoundStream& held;
    };
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

    nb::class_<BoundStream>(m, "PolyhexStream")
        .def(nb::init<int>(), nb::arg("n"))
        .def(
            "next_batch",
            [](BoundStream& s, std::size_t max_boards) {
                if (max_boards == 0) throw std::invalid_argument("expected at least one board");
                if (s.busy) throw std::runtime_error("the stream is already in use by another thread");
                std::vector<std::vector<std::pair<int, int>>> out;
                while (out.empty() && !s.stream.done()) {
                    // Long stretches without a board must still hear Ctrl-C.
                    if (PyErr_CheckSignals() != 0) throw nb::python_error();
                    BoundStream::Hold hold(s);
                    nb::gil_scoped_release unlocked;
                    s.stream.next_batch(max_boards, std::size_t{1} << 20, out);
                }
                return out;
            },
            nb::arg("max_boards"));
}
