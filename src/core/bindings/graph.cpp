// Bindings of the gain graph, replays, Pfaffians, polyhexes and graphs up to isomorphism.
#include "bindings/support.hpp"
#include "graph/gain_graph.hpp"
#include "graph/graph_stream.hpp"
#include "graph/label_moves.hpp"
#include "graph/pfaffian.hpp"
#include "graph/polyhexes.hpp"
#include "graph/replay.hpp"

namespace slidelab {

namespace {

// The nodes of all variables in one row, `counts` says how many each has.
std::vector<std::vector<Pfaffian::Node>> to_nodes(const Array1<std::uint64_t>& counts,
                                                  const Array1<std::uint64_t>& values,
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

// The next boards of a stream, at most so many; none at its end. `Steps` are taken between two ticks.
template <class Stream, class Board, std::size_t Steps>
std::vector<Board> next_batch(Guarded<Stream>& guarded, std::size_t max_boards, Progress progress) {
    if (max_boards == 0) throw std::invalid_argument("expected at least one board");
    return run(guarded, progress, [&](Stream& stream, const Tick& tick) {
        std::vector<Board> out;
        while (out.empty() && !stream.done()) {
            tick("boards", 0, 0);
            stream.next_batch(max_boards, Steps, out);
        }
        return out;
    });
}

}  // namespace

void bind_graph(nb::module_& m) {
    nb::class_<GainGraph>(m, "GainGraph")
        .def(
            "__init__",
            [](GainGraph* self, Array1<std::int32_t> rank, Array2<std::int32_t> placements, Array2<std::int32_t> steps,
               std::size_t turns, std::size_t pieces, std::uint64_t max_shapes, std::uint64_t max_bytes,
               Progress progress) {
                run(progress, [&](const Tick& tick) {
                    new (self) GainGraph(to_step_table(rank, placements, steps, turns, tick), pieces, max_shapes, tick,
                                         max_bytes);
                });
            },
            nb::arg("rank").noconvert(), nb::arg("placements").noconvert(), nb::arg("steps").noconvert(),
            nb::arg("turns"), nb::arg("pieces"), nb::arg("max_shapes"), nb::arg("max_bytes"),
            nb::arg("progress") = nb::none())
        .def_prop_ro("shape_count", &GainGraph::shape_count)
        .def_prop_ro("edge_count", [](const GainGraph& g) { return g.edges().size(); })
        .def_prop_ro("isolated", &GainGraph::isolated)
        .def_prop_ro("degree", &GainGraph::degree)
        .def("keys", [](const GainGraph& g) { return to_numpy(std::vector(g.keys()), {g.shape_count(), g.width()}); })
        .def("family", [](const GainGraph& g) { return to_numpy(std::vector(g.family())); })
        .def(
            "edges",
            [](const GainGraph& g, Progress progress) {
                auto rows = run(progress, [&](const Tick& tick) {
                    std::vector<std::int64_t> out;
                    out.reserve(g.edges().size() * 6);
                    for (const auto& e : g.edges()) {
                        if (out.size() % (6 * rows_between_ticks) == 0) tick("edges", out.size() / 6, g.edges().size());
                        out.insert(out.end(), {e.source, e.target, e.slot_from, e.slot_to, e.turn, e.step});
                    }
                    return out;
                });
                return to_rows(std::move(rows), 6);
            },
            nb::arg("progress") = nb::none(), "Rows of source, target, slot before, slot after, turn and step.")
        .def(
            "find", [](const GainGraph& g, Array1<std::uint16_t> key) { return g.find(to_span(key)); },
            nb::arg("key").noconvert())
        .def("slots",
             [](const GainGraph& g, std::size_t shape) {
                 if (shape >= g.shape_count()) throw std::out_of_range("no such shape");
                 return g.slots(shape);
             })
        .def(
            "span",
            [](const GainGraph& g, std::uint32_t base, std::uint64_t max_bytes, Progress progress, bool along_line) {
                Span s = run(progress, [&](const Tick& tick) { return g.span(base, max_bytes, tick, along_line); });
                const std::size_t shapes = s.shapes.size(), loops = s.generator_edge.size();
                return std::make_tuple(
                    to_numpy(std::move(s.shapes)), to_numpy(std::move(s.parent)), to_numpy(std::move(s.parent_edge)),
                    to_numpy(std::move(s.potentials), {shapes, g.degree()}),
                    to_numpy(std::move(s.generators), {loops, g.degree()}), to_numpy(std::move(s.generator_edge)));
            },
            nb::arg("base"), nb::arg("max_bytes"), nb::arg("progress") = nb::none(), nb::arg("along_line") = false);

    nb::class_<Guarded<Replay>>(m, "Replay")
        .def(
            "__init__",
            [](Guarded<Replay>* self, std::size_t cells, Array2<std::int32_t> steps, Array2<std::int32_t> pieces,
               Progress progress) {
                run(progress, [&](const Tick& tick) {
                    new (self) Guarded<Replay>(cells, pieces.shape(1), steps.shape(1),
                                               std::vector(steps.data(), steps.data() + steps.size()),
                                               std::vector(pieces.data(), pieces.data() + pieces.size()), tick);
                });
            },
            nb::arg("cells"), nb::arg("steps").noconvert(), nb::arg("pieces").noconvert(),
            nb::arg("progress") = nb::none())
        .def(
            "play",
            [](Guarded<Replay>& r, Array2<std::int32_t> rows, Progress progress) {
                return run(r, progress, [&](Replay& replay, const Tick& tick) {
                    return replay.play({rows.data(), rows.size()}, tick);
                });
            },
            nb::arg("rows").noconvert(), nb::arg("progress") = nb::none(),
            "Plays rows of moves; how many the rule allows.")
        .def(
            "pieces",
            [](const Guarded<Replay>& r) {
                return to_numpy(read(r, [](const Replay& replay) { return replay.pieces(); }));
            },
            "The cells of all pieces, in one row.");

    m.def(
        "label_moves",
        [](Array1<std::int32_t> piece_on, Array2<std::int32_t> moves, Progress progress) {
            if (moves.shape(1) != 2) throw std::invalid_argument("expected rows of 2 columns");
            return to_numpy(run(progress, [&](const Tick& tick) {
                return label_moves(to_vector(piece_on), {moves.data(), moves.size()}, tick);
            }));
        },
        nb::arg("piece_on").noconvert(), nb::arg("moves").noconvert(), nb::arg("progress") = nb::none(),
        "The piece that each move takes from its first cell to its second.");

    nb::class_<Guarded<Pfaffian>>(m, "Pfaffian")
        .def(
            "__init__",
            [](Guarded<Pfaffian>* self, std::size_t vertices, Array2<std::uint32_t> arcs) {
                run({},
                    [&](const Tick&) { new (self) Guarded<Pfaffian>(vertices, to_rows_of<Pfaffian::Arc, 3>(arcs)); });
            },
            nb::arg("vertices"), nb::arg("arcs").noconvert(),
            "Arcs as rows of first vertex, second vertex and variable.")
        .def_prop_ro("cost",
                     [](const Guarded<Pfaffian>& p) {
                         return read(p, [](const Pfaffian& pfaffian) { return pfaffian.cost(); });
                     })
        .def(
            "sum",
            [](Guarded<Pfaffian>& p, std::uint64_t prime, Array1<std::uint64_t> counts, Array1<std::uint64_t> values,
               Array1<std::uint64_t> factors, Progress progress) {
                const auto nodes = to_nodes(counts, values, factors);
                return run(p, progress,
                           [&](Pfaffian& pfaffian, const Tick& tick) { return pfaffian.sum(prime, nodes, tick); });
            },
            nb::arg("prime"), nb::arg("counts").noconvert(), nb::arg("values").noconvert(),
            nb::arg("factors").noconvert(), nb::arg("progress") = nb::none(),
            "The sum of factors times Pfaffian over the grid of all values, modulo the prime.");

    nb::class_<Guarded<PolyhexStream>>(m, "PolyhexStream")
        .def(nb::init<int>(), nb::arg("n"))
        .def("next_batch", &next_batch<PolyhexStream, PolyhexStream::Cells, std::size_t{1} << 16>,
             nb::arg("max_boards"), nb::arg("progress") = nb::none());

    nb::class_<Guarded<GraphStream>>(m, "GraphStream")
        .def(nb::init<int, bool>(), nb::arg("n"), nb::arg("two_connected"))
        .def("next_batch", &next_batch<GraphStream, GraphStream::Edges, 64>, nb::arg("max_boards"),
             nb::arg("progress") = nb::none());
}

}  // namespace slidelab
