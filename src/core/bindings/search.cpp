// Bindings of heuristics, pattern databases and searches.
#include "bindings/support.hpp"
#include "search/a_star.hpp"
#include "search/beam_search.hpp"
#include "search/bidirectional.hpp"
#include "search/ida_star.hpp"
#include "search/pattern_database.hpp"
#include "search/single_distances.hpp"

namespace slidelab {

namespace {

// The tables are numpy's: they stay as long as the heuristic does.
struct BoundHeuristic {
    std::vector<nb::object> tables;
    std::shared_ptr<const Heuristic> heuristic;
};

// The moves of a gain graph. Whoever searches keeps the object, so that the graph finds it again and no second one is
// made.
struct SharedMoves {
    std::shared_ptr<const MoveTable> table;
};

// A puzzle ready for searches: its moves, the pruning left out, and what its pieces look like.
struct Searcher {
    std::shared_ptr<const MoveTable> moves;
    std::shared_ptr<const DuplicatePruning> pruning;
    Marks marks;
    std::shared_ptr<HoleRegionCache> regions = std::make_shared<HoleRegionCache>();
};

using FoundTuple =
    std::tuple<std::optional<std::vector<std::tuple<Point, Point, std::uint16_t>>>, std::uint64_t, std::uint32_t, bool>;

// Moves as placements before and after, and turns.
FoundTuple from_found(const MoveTable& moves, const Found& found) {
    std::optional<std::vector<std::tuple<Point, Point, std::uint16_t>>> steps;
    if (found.arcs) {
        steps.emplace();
        for (auto a : *found.arcs) steps->emplace_back(moves.arcs()[a].from, moves.arcs()[a].to, moves.arcs()[a].turn);
    }
    return {steps, found.nodes, found.bound, found.finished};
}

SearchState to_search_state(std::uint32_t shape, const Array1<Point>& marks) { return {shape, to_vector(marks)}; }

}  // namespace

void bind_search(nb::module_& m) {
    nb::class_<SharedMoves>(m, "MoveTable", nb::is_weak_referenceable())
        .def(
            "__init__",
            [](SharedMoves* self, const GainGraph& graph, Progress progress) {
                run(progress,
                    [&](const Tick& tick) { new (self) SharedMoves{std::make_shared<const MoveTable>(graph, tick)}; });
            },
            nb::arg("graph"), nb::arg("progress") = nb::none())
        .def_prop_ro("shapes", [](const SharedMoves& s) { return s.table->shapes(); });

    m.def(
        "build_pattern_database",
        [](const SharedMoves& moves, std::uint32_t goal, std::vector<std::uint32_t> slots, unsigned threads,
           std::uint64_t max_bytes, bool by_region, Progress progress) {
            return to_numpy(run(progress, [&](const Tick& tick) {
                const MoveTable& t = *moves.table;
                const PatternIndex index(static_cast<unsigned>(t.cells()), t.spots(), t.piece_cells() == 1,
                                         static_cast<unsigned>(slots.size()));
                if (index.count() > max_bytes)
                    throw LimitReached("a table of " + std::to_string(slots.size()) +
                                       " pieces takes more memory than allowed");
                return PatternDatabaseBuilder(moves.table, goal, std::move(slots), index, max_bytes, tick)
                    .build(threads, tick, by_region);
            }));
        },
        nb::arg("moves"), nb::arg("goal"), nb::arg("slots"), nb::arg("threads"), nb::arg("max_bytes"),
        nb::arg("by_region") = false, nb::arg("progress") = nb::none(),
        "The pattern database of the pieces in some slots of a shape; 255 where the goal cannot be reached. Cells are "
        "counted along the line of slots. By region: one for the hole in the largest part of the board that the pieces "
        "leave, then one for the hole elsewhere.");

    m.def(
        "pack_pattern_database",
        [](Array1<std::uint8_t> table, Array2<std::uint16_t> alone, std::size_t cells, bool single_cells,
           unsigned threads, Progress progress) {
            const PatternIndex index(static_cast<unsigned>(cells), alone.shape(1), single_cells,
                                     static_cast<unsigned>(alone.shape(0)));
            DatabasePacker packer(index, alone.shape(1), {table.data(), table.size()}, {alone.data(), alone.size()});
            auto data = run(progress, [&](const Tick& tick) { return packer.pack(threads, tick); });
            return std::make_tuple(to_numpy(std::move(data)), packer.halves(), packer.step(), packer.cut());
        },
        nb::arg("table").noconvert(), nb::arg("alone").noconvert(), nb::arg("cells"), nb::arg("single_cells"),
        nb::arg("threads"), nb::arg("progress") = nb::none(),
        "A pattern database less what its pieces need alone: bytes, whether two entries share one, step, entries cut.");

    m.def(
        "checksum",
        [](Array1<std::uint8_t> bytes, Progress progress) {
            return run(progress, [&](const Tick& tick) { return checksum(to_span(bytes), tick); });
        },
        nb::arg("bytes").noconvert(), nb::arg("progress") = nb::none(),
        "A sum over all bytes that changes with any of them.");
    m.def(
        "checksums",
        [](Array2<std::uint64_t> rows) {
            return to_numpy(run({}, [&](const Tick&) {
                std::vector<std::uint64_t> out;
                for (std::size_t i = 0; i < rows.shape(0); ++i)
                    out.push_back(checksum({reinterpret_cast<const std::uint8_t*>(rows.data() + i * rows.shape(1)),
                                            rows.shape(1) * sizeof(std::uint64_t)}));
                return out;
            }));
        },
        nb::arg("rows").noconvert(), "The checksum of the bytes of each row.");

    m.def(
        "single_distances",
        [](const SharedMoves& moves, std::uint32_t shape, Array1<Point> points, Progress progress) {
            std::size_t spots = 0;
            auto rows = run(progress, [&](const Tick& tick) {
                const SingleDistances single(moves.table);
                spots = single.spots();
                std::vector<std::uint16_t> out;
                for (const Point point : to_span(points)) {
                    const auto row = single.to(shape, point, tick);
                    out.insert(out.end(), row.begin(), row.end());
                }
                return out;
            });
            return to_numpy(std::move(rows), {points.size(), spots});
        },
        nb::arg("moves"), nb::arg("shape"), nb::arg("points").noconvert(), nb::arg("progress") = nb::none(),
        "For slot points of a shape, the moves that a piece needs from each spot to there, alone; 65535 where there is "
        "no path.");

    m.def(
        "pair_excess",
        [](const SharedMoves& moves, std::uint32_t shape, Array2<std::uint16_t> alone,
           std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs, unsigned threads, Progress progress) {
            const MoveTable& t = *moves.table;
            if (alone.shape(0) != t.pieces()) throw std::invalid_argument("a row for each slot expected");
            for (const auto& [a, b] : pairs)
                if (a >= t.pieces() || b >= t.pieces() || a == b) throw std::invalid_argument("no such slots");
            if (shape >= t.shapes() || alone.shape(1) != t.spots())
                throw std::invalid_argument("a column for each spot expected");
            return to_numpy(run(progress, [&](const Tick& tick) {
                const SingleDistances single(moves.table);
                const std::size_t turns = t.turns(), spots = alone.shape(1);
                auto row = [&](std::uint32_t slot) { return std::span(alone.data() + slot * spots, spots); };
                std::vector<double> out(pairs.size());
                parallel_for(pairs.size(), threads, "pairs", tick, [&](std::size_t k, unsigned, const Tick& own) {
                    const auto [a, b] = pairs[k];
                    out[k] = single.pair_excess(shape, static_cast<Point>(a * turns), static_cast<Point>(b * turns),
                                                row(a), row(b), own);
                });
                return out;
            }));
        },
        nb::arg("moves"), nb::arg("shape"), nb::arg("alone").noconvert(), nb::arg("pairs"), nb::arg("threads"),
        nb::arg("progress") = nb::none(),
        "For pairs of slots of a shape, what two pieces need together beyond what they need alone, on average.");

    nb::class_<BoundHeuristic>(m, "Heuristic")
        .def(
            "__init__",
            [](BoundHeuristic* self, Array2<std::uint16_t> base, std::size_t cells, bool single_cells,
               std::vector<std::tuple<Array1<std::uint8_t>, unsigned, bool, std::uint16_t>> tables,
               std::vector<std::pair<Array1<Point>, std::vector<std::pair<std::uint32_t, std::vector<Point>>>>> lookups,
               Progress progress) {
                std::vector<PackedDatabase> packed;
                std::vector<nb::object> kept;
                for (const auto& [data, pieces, halves, step] : tables) {
                    const PatternIndex index(static_cast<unsigned>(cells), base.shape(1), single_cells, pieces);
                    const bool by_region = halves && data.size() == index.count() && index.count() > 1;
                    packed.push_back({index, {data.data(), data.size()}, halves, step, by_region});
                    kept.push_back(nb::cast(data));
                }
                auto heuristic = run(progress, [&](const Tick& tick) {
                    std::vector<SymmetricLookup> made;
                    for (auto& [image, groups] : lookups) made.push_back({to_vector(image), groups});
                    return std::make_shared<const Heuristic>(base.shape(0), base.shape(1),
                                                             std::vector(base.data(), base.data() + base.size()),
                                                             std::move(packed), std::move(made), tick);
                });
                new (self) BoundHeuristic{std::move(kept), std::move(heuristic)};
            },
            nb::arg("base").noconvert(), nb::arg("cells"), nb::arg("single_cells"), nb::arg("tables"),
            nb::arg("lookups"), nb::arg("progress") = nb::none())
        .def(
            "bounds",
            [](const BoundHeuristic& e, Array1<Point> kinds, Array2<std::int32_t> spots, unsigned threads,
               Progress progress) {
                const Heuristic& heuristic = *e.heuristic;
                const std::size_t rows = spots.shape(0), pieces = kinds.size();
                if (threads == 0 || threads > 1024) throw std::invalid_argument("threads out of range");
                if (spots.shape(1) != pieces) throw std::invalid_argument("a spot for each piece expected");
                for (const Point kind : to_span(kinds))
                    if (kind >= heuristic.kinds()) throw std::invalid_argument("no such kind");
                return to_numpy(run(progress, [&](const Tick& tick) {
                    constexpr std::size_t block = 1024;
                    std::vector<std::int32_t> out(rows);
                    parallel_for((rows + block - 1) / block, threads, "rows", tick, [&](std::size_t task, unsigned) {
                        Heuristic::State state;
                        std::vector<std::pair<Point, Point>> row(pieces);
                        std::vector<std::size_t> last_row(heuristic.spots(), rows);  // that has a piece on a spot
                        for (std::size_t i = task * block; i < std::min(rows, (task + 1) * block); ++i) {
                            for (std::size_t p = 0; p < pieces; ++p) {
                                const auto spot = static_cast<std::size_t>(spots(i, p));
                                if (spot >= heuristic.spots() || std::exchange(last_row[spot], i) == i)
                                    throw std::invalid_argument("no such spots");
                                row[p] = {kinds(p), static_cast<Point>(spot)};
                            }
                            out[i] = heuristic.load(row, state) ? static_cast<std::int32_t>(state.bound) : -1;
                        }
                    });
                    return out;
                }));
            },
            nb::arg("kinds").noconvert(), nb::arg("spots").noconvert(), nb::arg("threads"),
            nb::arg("progress") = nb::none(),
            "Lower bounds for rows of spots of pieces of these kinds; -1 where the goal cannot be reached.");

    nb::class_<Ranking>(m, "Ranking", "How beam search ranks states; costs are in sixty-fourths of a move.")
        .def(
            "__init__",
            [](Ranking* self, std::uint32_t excess, Array2<std::uint16_t> costs, Array2<std::int32_t> neighbours,
               Array1<std::int16_t> pairs) {
                new (self) Ranking{excess,
                                   {costs.data(), costs.data() + costs.size()},
                                   neighbours.shape(1),
                                   {neighbours.data(), neighbours.data() + neighbours.size()},
                                   to_vector(pairs),
                                   {}};
            },
            nb::arg("excess"), nb::arg("costs").noconvert(), nb::arg("neighbours").noconvert(),
            nb::arg("pairs").noconvert())
        .def(
            "add_network",
            [](Ranking& self, Array2<std::int32_t> near, Array2<std::uint16_t> contents, Array1<std::int16_t> weights,
               Array1<std::int16_t> bias) {
                self.network = LocalNetwork(near.shape(1), {near.data(), near.size()},
                                            {contents.data(), contents.data() + contents.size()},
                                            {weights.data(), weights.size()}, {bias.data(), bias.size()});
            },
            nb::arg("near").noconvert(), nb::arg("contents").noconvert(), nb::arg("weights").noconvert(),
            nb::arg("bias").noconvert(),
            "Adds a network: the window of each placement, the content of each kind and placement, and the weights by "
            "position, content and channel.");
    nb::class_<Searcher>(m, "Searcher")
        .def(
            "__init__",
            [](Searcher* self, const SharedMoves& moves, std::vector<std::uint8_t> periods, std::size_t max_paths,
               unsigned max_path_length, Progress progress) {
                run(progress, [&](const Tick& tick) {
                    Marks marks(std::move(periods), moves.table->turns());
                    auto pruning = std::make_shared<const DuplicatePruning>(
                        *moves.table, std::min<std::size_t>(max_paths, 1 << 28), std::min(max_path_length, 64u), tick);
                    new (self) Searcher{moves.table, std::move(pruning), std::move(marks)};
                });
            },
            nb::arg("moves"), nb::arg("periods"), nb::arg("max_paths"), nb::arg("max_path_length"),
            nb::arg("progress") = nb::none(), nb::keep_alive<1, 2>())
        .def_prop_ro("pruning_length", [](const Searcher& s) { return s.pruning->length(); })
        .def_prop_ro("pruning_states", [](const Searcher& s) { return s.pruning->states(); })
        .def(
            "mark",
            [](const Searcher& s, unsigned kind, unsigned turn) {
                if (kind >= s.marks.kinds()) throw std::invalid_argument("no such kind");
                return s.marks.mark(kind, turn);
            },
            nb::arg("kind"), nb::arg("turn"))
        .def(
            "ida_star",
            [](const Searcher& s, const BoundHeuristic& e, std::uint32_t shape, Array1<Point> marks,
               std::uint32_t bound, std::uint32_t below, std::uint64_t max_nodes, unsigned threads, Progress progress) {
                const SearchState start = to_search_state(shape, marks);
                return from_found(*s.moves, run(progress, [&](const Tick& tick) {
                    return IdaStar(s.moves, s.pruning, s.marks, e.heuristic, s.regions)
                        .solve(start, bound, below, max_nodes, tick, {.threads = threads});
                }));
            },
            nb::arg("heuristic"), nb::arg("shape"), nb::arg("marks").noconvert(), nb::arg("bound"), nb::arg("below"),
            nb::arg("max_nodes"), nb::arg("threads"), nb::arg("progress") = nb::none())
        .def(
            "a_star",
            [](const Searcher& s, const BoundHeuristic& e, std::uint32_t shape, Array1<Point> marks,
               std::uint32_t weight, std::uint32_t below, std::uint64_t max_bytes, std::uint64_t max_nodes,
               Progress progress) {
                const SearchState start = to_search_state(shape, marks);
                return from_found(*s.moves, run(progress, [&](const Tick& tick) {
                    return AStar(s.moves, s.marks, e.heuristic)
                        .solve(start, {weight, below, max_bytes, max_nodes}, tick);
                }));
            },
            nb::arg("heuristic"), nb::arg("shape"), nb::arg("marks").noconvert(), nb::arg("weight"), nb::arg("below"),
            nb::arg("max_bytes"), nb::arg("max_nodes"), nb::arg("progress") = nb::none())
        .def(
            "beam_search",
            [](const Searcher& s, const BoundHeuristic& e, std::uint32_t shape, Array1<Point> marks,
               std::uint64_t width, std::uint32_t below, const Ranking& ranking, std::uint64_t max_bytes,
               unsigned threads, Progress progress) {
                const SearchState start = to_search_state(shape, marks);
                return from_found(*s.moves, run(progress, [&](const Tick& tick) {
                    return BeamSearch(s.moves, s.marks, e.heuristic)
                        .solve(start, {width, below, max_bytes, threads, ranking}, tick);
                }));
            },
            nb::arg("heuristic"), nb::arg("shape"), nb::arg("marks").noconvert(), nb::arg("width"), nb::arg("below"),
            nb::arg("ranking"), nb::arg("max_bytes"), nb::arg("threads"), nb::arg("progress") = nb::none())
        .def(
            "sample_beam",
            [](const Searcher& s, const BoundHeuristic& e, std::uint32_t shape, Array1<Point> marks,
               std::uint64_t width, std::uint32_t below, const Ranking& ranking, std::uint32_t every,
               std::uint32_t count, Progress progress) {
                const SearchState start = to_search_state(shape, marks);
                BeamSample sample{.every = every, .count = count};
                const Found found = run(progress, [&](const Tick& tick) {
                    const BeamLimits limits{.width = width, .below = below, .ranking = ranking, .sample = &sample};
                    return BeamSearch(s.moves, s.marks, e.heuristic).solve(start, limits, tick);
                });
                const std::size_t columns = sample.columns(*s.moves), rows = sample.rows.size() / columns;
                return std::make_pair(from_found(*s.moves, found), to_numpy(std::move(sample.rows), {rows, columns}));
            },
            nb::arg("heuristic"), nb::arg("shape"), nb::arg("marks").noconvert(), nb::arg("width"), nb::arg("below"),
            nb::arg("ranking"), nb::arg("every"), nb::arg("count"), nb::arg("progress") = nb::none(),
            "A beam search by one thread and, of every so many layers, the state on the path to the solution and some "
            "others: the spot of each kind, and what the databases add over all lookups.")
        .def(
            "beam_bytes",
            [](const Searcher& s, const BoundHeuristic& e) {
                return std::make_pair(BeamSearch(s.moves, s.marks, e.heuristic).bytes_per_state(),
                                      BeamSearch::record_bytes);
            },
            nb::arg("heuristic"), "Bytes of a beam search for each state of its width, and for each of them and layer.")
        .def(
            "bidirectional",
            [](const Searcher& s, std::uint32_t shape, Array1<Point> marks, std::uint32_t goal_shape,
               Array1<Point> goal_marks, std::uint64_t max_bytes, std::uint64_t max_nodes, bool both,
               Progress progress) {
                const SearchState start = to_search_state(shape, marks), goal = to_search_state(goal_shape, goal_marks);
                return from_found(*s.moves, run(progress, [&](const Tick& tick) {
                    return Bidirectional(s.moves, s.marks, both)
                        .solve(start, goal, {100, Heuristic::none, max_bytes, max_nodes}, tick);
                }));
            },
            nb::arg("shape"), nb::arg("marks").noconvert(), nb::arg("goal_shape"), nb::arg("goal_marks").noconvert(),
            nb::arg("max_bytes"), nb::arg("max_nodes"), nb::arg("both"), nb::arg("progress") = nb::none());
}

}  // namespace slidelab
