// Bindings of the search from many goals.
#include "bindings/support.hpp"
#include "layers/goal_search.hpp"

namespace slidelab {

namespace {

using PlaceTuple = std::pair<std::uint32_t, std::uint64_t>;

struct BoundGoals {
    BoundGoals(std::shared_ptr<const GoalCode> c, std::size_t samples, std::uint64_t thin)
        : code(c), search(std::move(c), samples, thin) {}
    GoalPlace place(const PlaceTuple& p) const {
        if (!code->is_place(p.first, p.second)) throw std::invalid_argument("no such place");
        return {p.first, p.second};
    }
    // What can be asked once the search has begun.
    const GoalSearch& begun() const {
        if (search.layers().empty()) throw std::logic_error("the search has not begun");
        return search;
    }
    std::shared_ptr<const GoalCode> code;
    GoalSearch search;
};

PlaceTuple from_place(const GoalPlace& p) { return {p.shape, p.index}; }

GoalInput to_input(std::size_t shapes, const Array2<std::int64_t>& edges, std::size_t turns,
                   const Array1<std::uint16_t>& kinds, const Array1<std::uint32_t>& periods, const Tick& tick) {
    if (edges.shape(1) != 5) throw std::invalid_argument("edges need five columns");
    GoalInput in;
    in.shapes = shapes;
    in.turns = turns;
    in.kinds = to_vector(kinds);
    in.periods = to_vector(periods);
    for (std::size_t i = 0; i < edges.shape(0); ++i) {
        if (i % rows_between_ticks == 0) tick("edges", i, edges.shape(0));
        const std::int64_t* row = edges.data() + i * 5;
        for (int k = 0; k < 5; ++k)
            if (row[k] < 0 || row[k] > std::numeric_limits<std::uint32_t>::max())
                throw std::invalid_argument("edge out of range");
        const auto entry = [&](int k) { return static_cast<std::uint32_t>(row[k]); };
        in.edges.push_back({entry(0), entry(1), entry(2), entry(3), entry(4)});
    }
    return in;
}

}  // namespace

void bind_goals(nb::module_& m) {
    nb::class_<GoalCode>(m, "GoalCode")
        .def(nb::new_([](std::size_t shapes, Array2<std::int64_t> edges, std::size_t turns, Array1<std::uint16_t> kinds,
                         Array1<std::uint32_t> periods, std::uint64_t max_bytes, Progress progress) {
                 return run(progress, [&](const Tick& tick) {
                     return std::make_shared<GoalCode>(to_input(shapes, edges, turns, kinds, periods, tick), max_bytes,
                                                       tick);
                 });
             }),
             nb::arg("shapes"), nb::arg("edges").noconvert(), nb::arg("turns"), nb::arg("kinds").noconvert(),
             nb::arg("periods").noconvert(), nb::arg("max_bytes"), nb::arg("progress") = nb::none())
        .def_prop_ro("words", &GoalCode::words, "Arrangements of the kinds of pieces in the slots of a shape.")
        .def_prop_ro("turnings", &GoalCode::turnings, "Ways to turn the pieces of each of them.")
        .def_prop_ro("bytes", &GoalCode::bytes)
        .def(
            "index",
            [](const GoalCode& c, Array1<std::uint16_t> kinds, Array1<std::uint32_t> turns) {
                return c.index(to_span(kinds), to_span(turns));
            },
            nb::arg("kinds").noconvert(), nb::arg("turns").noconvert())
        .def("arrangement", &GoalCode::arrangement, nb::arg("index"), "Kind and turn of the piece of each slot.");

    using Search = Guarded<BoundGoals>;
    nb::class_<Search>(m, "GoalSearch")
        .def(
            "__init__",
            [](Search* self, std::shared_ptr<GoalCode> code, std::size_t samples, std::uint64_t thin) {
                run({}, [&](const Tick&) { new (self) Search(std::move(code), samples, thin); });
            },
            nb::arg("code"), nb::arg("samples") = 0, nb::arg("thin") = 128)
        .def_static("bytes_needed", &GoalSearch::bytes_needed, nb::arg("code"), nb::arg("threads"))
        .def(
            "begin",
            [](Search& search, const std::vector<PlaceTuple>& goals) {
                run(search, {}, [&](BoundGoals& s, const Tick&) {
                    std::vector<GoalPlace> places;
                    for (const auto& goal : goals) places.push_back(s.place(goal));
                    s.search.begin(places);
                });
            },
            nb::arg("goals"))
        .def(
            "advance",
            [](Search& search, unsigned threads, Progress progress) {
                if (threads == 0 || threads > 1024) throw std::invalid_argument("threads out of range");
                return run(search, progress,
                           [&](BoundGoals& s, const Tick& tick) { return s.search.advance(threads, tick); });
            },
            nb::arg("threads"), nb::arg("progress") = nb::none())
        .def_prop_ro(
            "layers",
            [](const Search& search) {
                return read(search, [](const BoundGoals& s) {
                    std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
                    for (const auto& layer : s.search.layers()) out.emplace_back(layer.states, layer.unique);
                    return out;
                });
            },
            "States of each layer, and how many of them have one shortest solution.")
        .def(
            "sample",
            [](const Search& search, std::size_t layer) {
                return read(search, [&](const BoundGoals& s) {
                    if (layer >= s.search.layers().size()) throw std::invalid_argument("no such layer");
                    std::vector<std::pair<PlaceTuple, bool>> out;
                    for (const auto& [p, unique] : s.search.sample(layer)) out.emplace_back(from_place(p), unique);
                    return out;
                });
            },
            nb::arg("layer"), "States drawn from a layer, and whether each has one shortest solution.")
        .def(
            "residue",
            [](const Search& search, PlaceTuple place) {
                return read(search, [&](const BoundGoals& s) { return s.begun().residue(s.place(place)); });
            },
            nb::arg("place"))
        .def(
            "is_unique",
            [](const Search& search, PlaceTuple place) {
                return read(search, [&](const BoundGoals& s) { return s.begun().is_unique(s.place(place)); });
            },
            nb::arg("place"))
        .def(
            "distance",
            [](const Search& search, PlaceTuple place) {
                return read(search, [&](const BoundGoals& s) { return s.begun().distance(s.place(place)); });
            },
            nb::arg("place"))
        .def(
            "neighbours",
            [](const Search& search, PlaceTuple place) {
                return read(search, [&](const BoundGoals& s) {
                    std::vector<PlaceTuple> out;
                    for (const auto& p : s.search.neighbours(s.place(place))) out.push_back(from_place(p));
                    return out;
                });
            },
            nb::arg("place"))
        .def(
            "solutions",
            [](const Search& search, PlaceTuple place, std::uint64_t max_positions, Progress progress) {
                return run(search, progress, [&](const BoundGoals& s, const Tick& tick) {
                    const auto found = s.begun().solutions(s.place(place), max_positions, tick);
                    return std::make_tuple(found.count, found.chance, found.positions);
                });
            },
            nb::arg("place"), nb::arg("max_positions"), nb::arg("progress") = nb::none(),
            "The number of shortest solutions, the chance of random moves to find one, and the positions on them.");
}

}  // namespace slidelab
