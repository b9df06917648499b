// Bindings of the solver for huge boards and of the shortener.
#include "bindings/support.hpp"
#include "huge/first_letters.hpp"
#include "huge/peeler.hpp"
#include "huge/replanner.hpp"
#include "huge/shortener.hpp"

namespace slidelab {

namespace {

auto to_hole_steps(const Array2<std::int32_t>& steps) { return to_rows_of<HoleGraph::Step, 3>(steps); }

// Whether the work came to its end.
template <class Work>
bool in_time(Work&& work) {
    try {
        work();
    } catch (const OutOfTime&) {
        return false;
    }
    return true;
}

std::vector<std::int32_t> step_rows(const StepTable& table, const std::vector<std::uint32_t>& moves) {
    std::vector<std::int32_t> rows;
    rows.reserve(3 * moves.size());
    for (auto i : moves) rows.insert(rows.end(), {table.steps[i].from, table.steps[i].to, table.steps[i].turn});
    return rows;
}

}  // namespace

void bind_huge(nb::module_& m) {
    m.def(
        "distance_sum",
        [](std::size_t cells, Array2<std::int32_t> steps, Array2<std::int32_t> ends, Progress progress) {
            return run(progress, [&](const Tick& tick) {
                const HoleGraph graph(cells, to_hole_steps(steps), tick);
                return graph.distance_sum(to_rows_of<std::array<std::int32_t, 2>, 2>(ends), tick);
            });
        },
        nb::arg("cells"), nb::arg("steps").noconvert(), nb::arg("ends").noconvert(), nb::arg("progress") = nb::none(),
        "The sum of the distances between pairs of cells.");

    m.def(
        "first_letters",
        [](Array2<std::int32_t> letters, Array2<std::int32_t> targets, Progress progress) {
            return to_numpy(run(progress, [&](const Tick& tick) {
                return first_letters({letters.data(), letters.size()}, letters.shape(0), letters.shape(1),
                                     {targets.data(), targets.size()}, targets.shape(1), tick);
            }));
        },
        nb::arg("letters").noconvert(), nb::arg("targets").noconvert(), nb::arg("progress") = nb::none(),
        "The first letter of a shortest word from each tuple of points to a target.");

    nb::class_<Guarded<Peeler>>(m, "Peeler")
        .def(
            "__init__",
            [](Guarded<Peeler>* self, std::size_t cells, Array2<std::int32_t> steps, Array1<std::int32_t> pieces,
               Array1<std::int32_t> goal, std::uint64_t max_bytes, Array2<std::int32_t> positions, Progress progress) {
                run(progress, [&](const Tick& tick) {
                    new (self) Guarded<Peeler>(cells, to_hole_steps(steps), to_vector(pieces), to_vector(goal),
                                               max_bytes, to_rows_of<CellDistances::Position, 2>(positions), tick);
                });
            },
            nb::arg("cells"), nb::arg("steps").noconvert(), nb::arg("pieces").noconvert(), nb::arg("goal").noconvert(),
            nb::arg("max_bytes"), nb::arg("positions").noconvert(), nb::arg("progress") = nb::none(),
            "Distances between cells take at most `max_bytes`, but for those of a few hundred cells. `positions` are "
            "the "
            "coordinates of squares, or have no rows.")
        .def(
            "walk",
            [](Guarded<Peeler>& p, Array1<std::uint32_t> weights, std::size_t width, unsigned depth, double min_gain,
               Progress progress) {
                return run(p, progress, [&](Peeler& peeler, const Tick& tick) {
                    return in_time([&] { peeler.walk(to_vector(weights), {width, depth, min_gain}, tick); });
                });
            },
            nb::arg("weights").noconvert(), nb::arg("width"), nb::arg("depth"), nb::arg("min_gain"),
            nb::arg("progress") = nb::none(),
            "Move the holes by a beam search as long as each move brings pieces nearer by `min_gain` cells; false if "
            "time is up. `weights` has the weight of each piece, from 1, in sixteenths.")
        .def(
            "place",
            [](Guarded<Peeler>& p, std::vector<std::uint32_t> ear, Progress progress) {
                return run(p, progress,
                           [&](Peeler& peeler, const Tick& tick) { return in_time([&] { peeler.place(ear, tick); }); });
            },
            nb::arg("ear"), nb::arg("progress") = nb::none(),
            "Bring the pieces of these cells to them and close the cells; false if time is up.")
        .def(
            "fill",
            [](Guarded<Peeler>& p, std::vector<std::uint32_t> ear, Progress progress) {
                return run(p, progress,
                           [&](Peeler& peeler, const Tick& tick) { return in_time([&] { peeler.fill(ear, tick); }); });
            },
            nb::arg("ear"), nb::arg("progress") = nb::none(),
            "Bring any pieces to these cells and close the cells; false if time is up.")
        .def_prop_ro("length",
                     [](const Guarded<Peeler>& p) {
                         return read(p, [](const Peeler& peeler) { return peeler.moves().size(); });
                     })
        .def(
            "pieces",
            [](const Guarded<Peeler>& p) {
                return to_numpy(read(p, [](const Peeler& peeler) { return peeler.pieces(); }));
            },
            "The piece on each cell, 0 for a hole.")
        .def(
            "moves",
            [](const Guarded<Peeler>& p) {
                return to_rows(run(p, {},
                                   [](const Peeler& peeler, const Tick&) {
                                       std::vector<std::int32_t> rows;
                                       rows.reserve(2 * peeler.moves().size());
                                       for (const auto& [from, to] : peeler.moves())
                                           rows.insert(rows.end(), {static_cast<std::int32_t>(from),
                                                                    static_cast<std::int32_t>(to)});
                                       return rows;
                                   }),
                               2);
            },
            "One row a move: cell before, cell after.");

    nb::class_<Guarded<Shortener>>(m, "Shortener")
        .def(
            "__init__",
            [](Guarded<Shortener>* self, Array1<std::int32_t> rank, Array2<std::int32_t> placements,
               Array2<std::int32_t> steps, std::size_t turns, std::vector<std::pair<std::int32_t, std::int32_t>> pieces,
               Progress progress) {
                run(progress, [&](const Tick& tick) {
                    new (self) Guarded<Shortener>(to_step_table(rank, placements, steps, turns, tick),
                                                  std::move(pieces), tick);
                });
            },
            nb::arg("rank").noconvert(), nb::arg("placements").noconvert(), nb::arg("steps").noconvert(),
            nb::arg("turns"), nb::arg("pieces"), nb::arg("progress") = nb::none())
        .def(
            "load",
            [](Guarded<Shortener>& s, Array2<std::int32_t> moves, Progress progress) {
                run(s, progress, [&](Shortener& shortener, const Tick& tick) {
                    shortener.load(to_rows_of<std::array<std::int32_t, 3>, 3>(moves), tick);
                });
            },
            nb::arg("moves").noconvert(), nb::arg("progress") = nb::none(),
            "Moves as rows of placement before, placement after and turn.")
        .def("__len__",
             [](const Guarded<Shortener>& s) {
                 return read(s, [](const Shortener& shortener) { return shortener.size(); });
             })
        .def(
            "cut_loops",
            [](Guarded<Shortener>& s, Progress progress) {
                run(s, progress, [](Shortener& shortener, const Tick& tick) { shortener.cut_loops(tick); });
            },
            nb::arg("progress") = nb::none(),
            "Leave out what lies between two visits to the same state; the moves stay as they are if that is stopped.")
        .def(
            "run",
            [](Guarded<Shortener>& s, unsigned length, std::uint64_t max_nodes, Progress progress) {
                return run(s, progress, [&](Shortener& shortener, const Tick& tick) {
                    return shortener.pass(length, max_nodes, tick);
                });
            },
            nb::arg("length"), nb::arg("max_nodes"), nb::arg("progress") = nb::none(),
            "One pass over all stretches of so many moves; whether it came to its end.")
        .def(
            "replanner",
            [](const Guarded<Shortener>& s, std::uint64_t max_bytes) {
                return run(s, {}, [&](const Shortener& shortener, const Tick&) {
                    if (Replanner::bytes(shortener.table()) > max_bytes)
                        throw LimitReached("tables to plan paths anew take more memory than allowed");
                    return std::make_unique<Guarded<Replanner>>(shortener.table(), shortener.start(),
                                                                shortener.moves());
                });
            },
            nb::arg("max_bytes"), "A copy of the moves, whose pieces are given new paths.")
        .def("moves", [](const Guarded<Shortener>& s) {
            return to_rows(run(s, {},
                               [](const Shortener& shortener, const Tick&) {
                                   return step_rows(shortener.table(), shortener.moves());
                               }),
                           3);
        });

    nb::class_<Guarded<Replanner>>(m, "Replanner")
        .def("__len__",
             [](const Guarded<Replanner>& r) {
                 return read(r, [](const Replanner& replanner) { return replanner.size(); });
             })
        .def(
            "run",
            [](Guarded<Replanner>& r, std::size_t length, std::size_t offset, std::uint64_t trials, unsigned max_pieces,
               double temperature, std::uint64_t seed, std::size_t row_bytes, unsigned threads, Progress progress) {
                return run(r, progress, [&](Replanner& replanner, const Tick& tick) {
                    return replanner.run({length, offset, trials, max_pieces, temperature, seed, row_bytes, threads},
                                         tick);
                });
            },
            nb::arg("length"), nb::arg("offset"), nb::arg("trials"), nb::arg("max_pieces"), nb::arg("temperature"),
            nb::arg("seed"), nb::arg("row_bytes"), nb::arg("threads"), nb::arg("progress") = nb::none(),
            "One round over windows of so many moves; whether it came to its end.")
        .def(
            "moves",
            [](const Guarded<Replanner>& r) {
                return to_rows(run(r, {},
                                   [](const Replanner& replanner, const Tick&) {
                                       return step_rows(replanner.table(), replanner.moves());
                                   }),
                               3);
            },
            "The shortest moves so far, as rows of placement before, placement after and turn.");
}

}  // namespace slidelab
