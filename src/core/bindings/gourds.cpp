// Bindings of gourds.
#include "bindings/support.hpp"
#include "gourds/best_first.hpp"
#include "gourds/bidirectional.hpp"
#include "gourds/board_beam.hpp"
#include "gourds/board_windows.hpp"
#include "gourds/carrier.hpp"
#include "gourds/sorter.hpp"

namespace slidelab {

namespace {

using Train = Guarded<GourdTrain>;
using CellList = std::vector<std::int32_t>;

// A copy, so that a train may be its own goal.
GourdTrain position(const Train& t) {
    return read(t, [](const GourdTrain& train) { return GourdTrain(train); });
}

// Moves the gourds of a train that must not be changed by others meanwhile.
struct BoundCarrier {
    BoundCarrier(Train& t, std::span<const std::int32_t> coordinates)
        : train(t), carrier(*Train::Writing(t), coordinates) {}
    Train& train;
    GourdCarrier carrier;
};

BoardMoves::Spots to_spots(const Array1<std::int32_t>& values) {
    BoardMoves::Spots out;
    for (auto value : to_span(values)) {
        if (value < 0 || value > std::numeric_limits<BoardMoves::Spot>::max())
            throw std::invalid_argument("no such spot");
        out.push_back(static_cast<BoardMoves::Spot>(value));
    }
    return out;
}

// Rows of placement before, placement after and turn.
std::vector<std::int32_t> move_rows(const BoardMoves& moves, BoardMoves::Spots state,
                                    std::span<const BoardBeam::Move> path) {
    std::vector<std::int32_t> rows;
    const auto turns = static_cast<std::int32_t>(moves.turns());
    for (const auto& move : path) {
        const std::int32_t from = state[move.piece], to = move.spot;
        rows.insert(rows.end(), {from / turns, to / turns, (to % turns - from % turns + turns) % turns});
        state[move.piece] = move.spot;
    }
    return rows;
}

void bind_board_beam(nb::module_& m) {
    using Beam = Guarded<BoardBeam>;
    using Windows = Guarded<BoardWindows>;
    nb::class_<Beam>(m, "BoardBeam")
        .def(
            "__init__",
            [](Beam* self, Array1<std::int32_t> rank, Array2<std::int32_t> placements, Array2<std::int32_t> steps,
               std::size_t turns, Array1<std::int32_t> goal, Progress progress) {
                run(progress, [&](const Tick& tick) {
                    auto moves =
                        std::make_shared<const BoardMoves>(to_step_table(rank, placements, steps, turns, tick), tick);
                    new (self) Beam(std::move(moves), to_spots(goal));
                });
            },
            nb::arg("rank").noconvert(), nb::arg("placements").noconvert(), nb::arg("steps").noconvert(),
            nb::arg("turns"), nb::arg("goal").noconvert(), nb::arg("progress") = nb::none())
        .def_prop_ro(
            "pair_bytes",
            [](const Beam& b) { return read(b, [](const BoardBeam& beam) { return beam.pair_bytes(); }); },
            "Bytes of the table of pairs.")
        .def(
            "add_pairs",
            [](Beam& b, std::uint64_t bytes, unsigned threads, Progress progress) {
                run(b, progress, [&](BoardBeam& beam, const Tick& tick) { beam.add_pairs(bytes, threads, tick); });
            },
            nb::arg("bytes"), nb::arg("threads"), nb::arg("progress") = nb::none(),
            "Make the table of pairs, by which states can be ranked then.")
        .def(
            "bytes",
            [](const Beam& b) {
                return read(b, [](const BoardBeam& beam) {
                    return std::pair(beam.bytes_per_state(), BoardBeam::record_bytes);
                });
            },
            "Bytes of a beam for each state, and for the record of a state in each layer.")
        .def(
            "lower_bound",
            [](const Beam& b, Array1<std::int32_t> start) {
                return read(b, [&](const BoardBeam& beam) { return beam.lower_bound(to_spots(start)); });
            },
            nb::arg("start").noconvert(), "The sum of the distances of single pieces; None if there is no path.")
        .def(
            "solve",
            [](const Beam& b, Array1<std::int32_t> start, std::uint64_t width, std::uint32_t below,
               std::tuple<double, double, double> ranking, std::uint64_t bytes, unsigned threads, Progress progress) {
                const auto state = to_spots(start);
                const auto [power, rim, pairs] = ranking;
                auto [found, rows] = run(b, progress, [&](const BoardBeam& beam, const Tick& tick) {
                    auto result = beam.solve(state, {power, rim, pairs}, {width, below, bytes, threads}, tick);
                    std::vector<std::int32_t> moves;
                    if (result.moves) moves = move_rows(beam.moves(), state, *result.moves);
                    return std::pair(std::move(result), std::move(moves));
                });
                std::optional<nb::ndarray<nb::numpy, std::int32_t>> out;
                if (found.moves) out = to_rows(std::move(rows), 3);
                return std::tuple(out, found.nodes, found.bound, found.finished);
            },
            nb::arg("start").noconvert(), nb::arg("width"), nb::arg("below"), nb::arg("ranking"), nb::arg("bytes"),
            nb::arg("threads"), nb::arg("progress") = nb::none(),
            "Rows of placement before, placement after and turn, or None; nodes, a lower bound, and whether no state "
            "was dropped.")
        .def(
            "windows",
            [](const Beam& b, Array1<std::int32_t> start, Array2<std::int32_t> path) {
                auto rows = to_rows_of<std::array<std::int32_t, 2>, 2>(path);
                return read(b, [&](const BoardBeam& beam) {
                    std::vector<BoardBeam::Move> moves;
                    for (const auto& [piece, spot] : rows) {
                        if (piece < 0 || piece > 0xffff || spot < 0 || spot > 0xffff)
                            throw std::invalid_argument("no such spot");
                        moves.push_back({static_cast<std::uint16_t>(piece), static_cast<BoardMoves::Spot>(spot)});
                    }
                    return std::make_unique<Windows>(beam.shared_moves(), to_spots(start), std::move(moves));
                });
            },
            nb::arg("start").noconvert(), nb::arg("path").noconvert(),
            "A solution that windows shorten: rows of piece and spot after the move.");

    nb::class_<Windows>(m, "BoardWindows")
        .def("__len__", [](const Windows& w) { return read(w, [](const BoardWindows& o) { return o.path().size(); }); })
        .def(
            "run",
            [](Windows& w, std::size_t length, std::size_t offset, std::uint64_t width, std::uint64_t salt,
               std::tuple<double, double, double> ranking, std::uint64_t bytes, unsigned threads, Progress progress) {
                const auto [power, rim, pairs] = ranking;
                return run(w, progress, [&](BoardWindows& windows, const Tick& tick) {
                    return windows.run({length, offset, width, salt, bytes, threads}, {power, rim, pairs}, tick);
                });
            },
            nb::arg("length"), nb::arg("offset"), nb::arg("width"), nb::arg("salt"), nb::arg("ranking"),
            nb::arg("bytes"), nb::arg("threads"), nb::arg("progress") = nb::none(),
            "Search all windows of so many moves anew; whether that came to its end.")
        .def(
            "moves",
            [](const Windows& w) {
                return to_rows(run(w, {},
                                   [](const BoardWindows& windows, const Tick&) {
                                       return move_rows(windows.moves(), windows.start(), windows.path());
                                   }),
                               3);
            },
            "Rows of placement before, placement after and turn.");
}

}  // namespace

void bind_gourds(nb::module_& m) {
    bind_board_beam(m);
    nb::class_<Train>(m, "GourdTrain")
        .def(
            "__init__",
            [](Train* self, Array1<std::int32_t> offsets, Array1<std::int32_t> neighbours, Array1<std::int32_t> ends) {
                run({},
                    [&](const Tick&) { new (self) Train(to_vector(offsets), to_vector(neighbours), to_vector(ends)); });
            },
            nb::arg("offsets").noconvert(), nb::arg("neighbours").noconvert(), nb::arg("ends").noconvert())
        .def("__len__",
             [](const Train& t) { return read(t, [](const GourdTrain& train) { return train.path().size(); }); })
        .def_prop_ro("hole",
                     [](const Train& t) { return read(t, [](const GourdTrain& train) { return train.hole(); }); })
        .def(
            "copy",
            [](const Train& t) {
                return read(t, [](const GourdTrain& train) { return std::make_unique<Train>(train); });
            },
            "The same position, with a path of its own.")
        .def(
            "at",
            [](const Train& t, std::int32_t cell) {
                return read(t, [&](const GourdTrain& train) { return train.at(train.checked(cell)); });
            },
            nb::arg("cell"),
            "The end on a cell: twice its gourd's number, from 0, and one more for a tail; -1 for the hole.")
        .def(
            "ends",
            [](const Train& t) { return to_numpy(read(t, [](const GourdTrain& train) { return train.ends(); })); },
            "The cells of head and tail of each gourd.")
        .def(
            "path",
            [](const Train& t) { return to_numpy(read(t, [](const GourdTrain& train) { return train.path(); })); },
            "Where the hole went.")
        .def(
            "play",
            [](Train& t, const CellList& path, Progress progress) {
                run(t, progress, [&](GourdTrain& train, const Tick& tick) { train.play(path, tick); });
            },
            nb::arg("path"), nb::arg("progress") = nb::none())
        .def(
            "pull",
            [](Train& t, const CellList& cycle, std::int64_t pulls, Progress progress) {
                run(t, progress, [&](GourdTrain& train, const Tick& tick) { train.pull(cycle, pulls, tick); });
            },
            nb::arg("cycle"), nb::arg("pulls"), nb::arg("progress") = nb::none())
        .def(
            "pull_to",
            [](Train& t, const CellList& cycle, std::int32_t cell, Progress progress) {
                return run(t, progress,
                           [&](GourdTrain& train, const Tick& tick) { return train.pull_to(cycle, cell, tick); });
            },
            nb::arg("cycle"), nb::arg("cell"), nb::arg("progress") = nb::none())
        .def(
            "align",
            [](Train& t, const CellList& cycle, Progress progress) {
                run(t, progress, [&](GourdTrain& train, const Tick& tick) { train.align(cycle, tick); });
            },
            nb::arg("cycle"), nb::arg("progress") = nb::none())
        .def(
            "exchange",
            [](Train& t, const CellList& first, const CellList& second, const Train& goal, Progress progress) {
                const GourdTrain end = position(goal);
                return run(t, progress, [&](GourdTrain& train, const Tick& tick) {
                    return train.exchange(first, second, end, tick);
                });
            },
            nb::arg("first"), nb::arg("second"), nb::arg("goal"), nb::arg("progress") = nb::none())
        .def(
            "search",
            [](const Train& t, const CellList& cells, const Train& goal, Progress progress) {
                const GourdTrain end = position(goal);
                return run(t, progress, [&](const GourdTrain& train, const Tick& tick) {
                    return search_gourds(train, cells, end, tick);
                });
            },
            nb::arg("cells"), nb::arg("goal"), nb::arg("progress") = nb::none())
        .def(
            "sort",
            [](Train& t, const CellList& cycle, const Train& goal, Progress progress) {
                const GourdTrain end = position(goal);
                run(t, progress,
                    [&](GourdTrain& train, const Tick& tick) { GourdSorter(train, cycle, end, tick).run(); });
            },
            nb::arg("cycle"), nb::arg("goal"), nb::arg("progress") = nb::none())
        .def(
            "shortest_path",
            [](const Train& t, const Train& goal, std::size_t max_states, Progress progress) {
                const GourdTrain end = position(goal);
                return run(
                    t, progress,
                    [&](const GourdTrain& train, const Tick& tick) -> std::pair<std::optional<CellList>, std::size_t> {
                        GourdBidirectional<> both(train, end);
                        if (both.search(max_states, tick)) return {both.path(), both.path().size()};
                        return {std::nullopt, both.lower_bound()};
                    });
            },
            nb::arg("goal"), nb::arg("max_states"), nb::arg("progress") = nb::none(),
            "A shortest path, if that takes no more than so many states, and how many moves are needed at least.")
        .def(
            "best_first",
            [](const Train& t, const Train& goal, Array1<std::int32_t> coordinates, unsigned weight,
               std::size_t max_states, Progress progress) {
                const GourdTrain end = position(goal);
                return run(t, progress, [&](const GourdTrain& train, const Tick& tick) {
                    return GourdBestFirst(train, end, to_span(coordinates)).search(weight, max_states, tick);
                });
            },
            nb::arg("goal"), nb::arg("coordinates").noconvert(), nb::arg("weight"), nb::arg("max_states"),
            nb::arg("progress") = nb::none(),
            "Any path, found best first among so many states on hexagons; None if it takes more.")
        .def(
            "rows",
            [](const Train& t, Array1<std::int32_t> path, Array1<std::int32_t> coordinates, Progress progress) {
                return to_rows(run(t, progress,
                                   [&](const GourdTrain& train, const Tick& tick) {
                                       return train.rows_of_path(to_span(path), to_span(coordinates), tick);
                                   }),
                               6);
            },
            nb::arg("path").noconvert(), nb::arg("coordinates").noconvert(), nb::arg("progress") = nb::none(),
            "Rows of piece, kind, head and tail before, head and tail after, from this position.");

    nb::class_<Guarded<BoundCarrier>>(m, "GourdCarrier")
        .def(
            "__init__",
            [](Guarded<BoundCarrier>* self, Train& train, Array1<std::int32_t> coordinates) {
                new (self) Guarded<BoundCarrier>(train, to_span(coordinates));
            },
            nb::arg("train"), nb::arg("coordinates").noconvert(), nb::keep_alive<1, 2>())
        .def(
            "carry",
            [](Guarded<BoundCarrier>& c, std::size_t gourd, std::int32_t head, std::int32_t tail, unsigned ends,
               unsigned hole, bool round, std::size_t max_states, Progress progress) {
                return run(c, progress, [&](BoundCarrier& bound, const Tick& tick) {
                    const Train::Writing lock(bound.train);
                    return bound.carrier.carry(gourd, head, tail, {ends, hole, round, max_states}, tick);
                });
            },
            nb::arg("gourd"), nb::arg("head"), nb::arg("tail"), nb::arg("ends") = 4, nb::arg("hole") = 4,
            nb::arg("round") = false, nb::arg("max_states") = 200'000, nb::arg("progress") = nb::none(),
            "Bring a gourd to its place for good; False if that takes more than so many states.")
        .def(
            "fill",
            [](Guarded<BoundCarrier>& c, std::int32_t one, std::int32_t other, unsigned hole, bool round,
               std::size_t max_states, Progress progress) {
                return run(c, progress, [&](BoundCarrier& bound, const Tick& tick) {
                    const Train::Writing lock(bound.train);
                    return bound.carrier.fill(one, other, {0, hole, round, max_states}, tick);
                });
            },
            nb::arg("one"), nb::arg("other"), nb::arg("hole") = 4, nb::arg("round") = false,
            nb::arg("max_states") = 200'000, nb::arg("progress") = nb::none(), "Bring any gourd to a place for good.");
}

}  // namespace slidelab
