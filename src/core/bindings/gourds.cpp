// Bindings of gourds.
#include "bindings/support.hpp"
#include "gourds/best_first.hpp"
#include "gourds/bidirectional.hpp"
#include "gourds/carrier.hpp"
#include "gourds/sorter.hpp"

namespace slidelab {

void bind_gourds(nb::module_& m) {
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
}

}  // namespace slidelab
