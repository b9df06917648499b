// Bindings of the solver for huge boards and of the shortener.
#include "bindings/support.hpp"
#include "huge/peeler.hpp"
#include "huge/shortener.hpp"

namespace slidelab {

namespace {

std::vector<HoleGraph::Step> to_hole_steps(const Array2<std::int32_t>& steps) {
    if (steps.shape(1) != 3) throw std::invalid_argument("rows of three expected");
    std::vector<HoleGraph::Step> out;
    for (std::size_t i = 0; i < steps.shape(0); ++i) out.push_back({steps(i, 0), steps(i, 1), steps(i, 2)});
    return out;
}

}  // namespace

void bind_huge(nb::module_& m) {
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
}

}  // namespace slidelab
