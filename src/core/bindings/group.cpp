// Bindings of permutation groups and short words.
#include "group/group.hpp"
#include "bindings/support.hpp"
#include "group/short_words.hpp"

namespace slidelab {

namespace {

Permutation to_permutation(const Array1<Point>& a, std::size_t degree) {
    Permutation p = to_vector(a);
    if (p.size() != degree || !is_permutation_of_points(p))
        throw std::invalid_argument("not a permutation of this degree");
    return p;
}

std::vector<Permutation> to_permutations(const Array2<Point>& a, const Tick& tick) {
    std::vector<Permutation> out;
    const std::size_t often = tick_mask(a.shape(1));
    for (std::size_t i = 0; i < a.shape(0); ++i) {
        if ((i & often) == 0) tick("generators", i, a.shape(0));
        out.emplace_back(a.data() + i * a.shape(1), a.data() + (i + 1) * a.shape(1));
        if (!is_permutation_of_points(out.back())) throw std::invalid_argument("not a permutation");
    }
    return out;
}

// The group never changes; random elements are drawn one at a time.
struct BoundGroup {
    BoundGroup(const Array2<Point>& generators, std::uint64_t seed, std::uint64_t max_bytes, const Tick& tick)
        : group(generators.shape(1), to_permutations(generators, tick), seed, max_bytes, tick), random(seed) {}
    Group group;
    std::mutex lock;
    std::mt19937_64 random;
};

}  // namespace

void bind_group(nb::module_& m) {
    nb::class_<BoundGroup>(m, "Group")
        .def(
            "__init__",
            [](BoundGroup* self, Array2<Point> generators, std::uint64_t seed, std::uint64_t max_bytes,
               Progress progress) {
                run(progress, [&](const Tick& tick) { new (self) BoundGroup(generators, seed, max_bytes, tick); });
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
            "contains",
            [](const BoundGroup& g, Array1<Point> p) {
                return run({}, [&](const Tick&) { return g.group.contains(to_permutation(p, g.group.degree())); });
            },
            nb::arg("permutation").noconvert())
        .def(
            "factor",
            [](const BoundGroup& g, Array1<Point> p) {
                return run({}, [&](const Tick&) { return g.group.factor(to_permutation(p, g.group.degree())); });
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
                 return to_rows(std::move(out), 3);
             })
        .def("seed",
             [](BoundGroup& g, std::uint64_t seed) {
                 run({}, [&](const Tick&) {
                     const std::scoped_lock locked(g.lock);
                     g.random.seed(seed);
                 });
             })
        .def("random_element",
             [](BoundGroup& g) {
                 return to_numpy(run({}, [&](const Tick&) {
                     const std::scoped_lock locked(g.lock);
                     return g.group.random_element(g.random);
                 }));
             })
        .def(
            "elements",
            [](const BoundGroup& g, std::uint64_t first, std::size_t count, Progress progress) {
                const std::size_t d = g.group.degree();
                std::vector<Point> rows = run(progress, [&](const Tick& tick) {
                    std::vector<Point> out;
                    out.reserve(count * d);
                    const std::size_t often = tick_mask(8 * d);
                    for (std::size_t k = 0; k < count; ++k) {
                        if ((k & often) == 0) tick("elements", k, count);
                        const Permutation p = g.group.element(first + k);
                        out.insert(out.end(), p.begin(), p.end());
                    }
                    return out;
                });
                return to_numpy(std::move(rows), {count, d});
            },
            nb::arg("first"), nb::arg("count"), nb::arg("progress") = nb::none(),
            "Elements number first, first + 1, ... in a fixed order, one in each row.")
        .def(
            "recolour",
            [](const BoundGroup& g, Array1<std::uint32_t> a, Array1<std::uint32_t> b, std::uint64_t budget,
               Progress progress) {
                const auto from = to_vector(a), to = to_vector(b);
                return run(progress, [&](const Tick& tick) { return g.group.recolour(from, to, budget, tick); });
            },
            nb::arg("a").noconvert(), nb::arg("b").noconvert(), nb::arg("budget"), nb::arg("progress") = nb::none());

    m.def(
        "parity",
        [](Array2<Point> generators, Progress progress) {
            return to_numpy(run(progress, [&](const Tick& tick) {
                std::vector<std::uint8_t> out;
                const std::size_t often = tick_mask(generators.shape(1));
                for (const auto& g : to_permutations(generators, tick)) {
                    if ((out.size() & often) == 0) tick("signs", out.size(), generators.shape(0));
                    out.push_back(is_odd(g));
                }
                return out;
            }));
        },
        nb::arg("generators").noconvert(), nb::arg("progress") = nb::none(), "For each row: is it an odd permutation?");

    m.def(
        "minimal_block",
        [](Array2<Point> generators, std::uint32_t a, std::uint32_t b, Progress progress) {
            return run(progress, [&](const Tick& tick) {
                return minimal_block(generators.shape(1), to_permutations(generators, tick), a, b, tick);
            });
        },
        nb::arg("generators").noconvert(), nb::arg("a"), nb::arg("b"), nb::arg("progress") = nb::none());

    nb::class_<ShortWords>(m, "ShortWords")
        .def(
            "__init__",
            [](ShortWords* self, Array2<Point> generators, std::vector<std::uint32_t> weights, std::vector<Point> base,
               std::vector<std::uint64_t> lengths, std::uint64_t seed, std::uint64_t max_rounds, Progress progress) {
                run(progress, [&](const Tick& tick) {
                    new (self) ShortWords(generators.shape(1), to_permutations(generators, tick), std::move(weights),
                                          std::move(base), lengths, seed, max_rounds, tick);
                });
            },
            nb::arg("generators").noconvert(), nb::arg("weights"), nb::arg("base"), nb::arg("lengths"), nb::arg("seed"),
            nb::arg("max_rounds"), nb::arg("progress") = nb::none())
        .def_prop_ro("complete", &ShortWords::complete)
        .def(
            "factor",
            [](const ShortWords& w, Array1<Point> p) {
                return run({}, [&](const Tick&) { return w.factor(to_permutation(p, p.size())); });
            },
            nb::arg("permutation").noconvert());
}

}  // namespace slidelab
