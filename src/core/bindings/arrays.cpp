// Bindings of batches of configurations.
#include "arrays/batch.hpp"
#include "arrays/places.hpp"
#include "bindings/support.hpp"

namespace slidelab {

namespace {

template <class T>
using Writable1 = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Writable2 = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Rows of configurations as bytes: entries of one byte each, or of two.
using Rows = Array2<std::uint8_t>;
using WritableRows = Writable2<std::uint8_t>;

using FaultTuple = std::pair<std::int64_t, std::int64_t>;

void expect(bool fits) {
    if (!fits) throw std::invalid_argument("arrays do not fit together");
}

void check_threads(unsigned threads) {
    if (threads == 0 || threads > 1024) throw std::invalid_argument("threads out of range");
}

// The bytes of an entry of rows that have so many.
template <class Array>
std::size_t entry_bytes(const Array& rows, std::size_t entries) {
    const std::size_t bytes = rows.shape(1) / entries;
    expect(bytes * entries == rows.shape(1) && (bytes == 1 || bytes == 2) &&
           reinterpret_cast<std::uintptr_t>(rows.data()) % bytes == 0);
    return bytes;
}

// Calls work(value, tick) with a value of the type of the entries, without the interpreter lock; what it returns is
// the first row that could not be used.
template <class Work>
FaultTuple first_fault(std::size_t bytes, unsigned threads, const Progress& progress, const Work& work) {
    check_threads(threads);
    const Fault fault = run(progress, [&](const Tick& tick) {
        return bytes == 1 ? work(std::uint8_t{}, tick) : work(std::uint16_t{}, tick);
    });
    return {fault.row, fault.step};
}

template <class Value>
const Value* entries(const Rows& rows) {
    return reinterpret_cast<const Value*>(rows.data());
}
template <class Value>
Value* entries(const WritableRows& rows) {
    return reinterpret_cast<Value*>(rows.data());
}

}  // namespace

void bind_arrays(nb::module_& m) {
    // All functions on rows return the row and step of the first fault, -1 if there is none.
    nb::class_<Batches>(m, "Batches")
        .def_static(
            "of_tiles",
            [](Array1<std::int32_t> rank, Array2<std::int32_t> placements, Array2<std::int32_t> steps,
               std::size_t turns, Array1<std::uint32_t> counts, Progress progress) {
                return run(progress, [&](const Tick& tick) {
                    return std::make_unique<Batches>(to_step_table(rank, placements, steps, turns, tick),
                                                     to_vector(counts), tick);
                });
            },
            nb::arg("rank").noconvert(), nb::arg("placements").noconvert(), nb::arg("steps").noconvert(),
            nb::arg("turns"), nb::arg("counts").noconvert(), nb::arg("progress") = nb::none())
        .def_static(
            "of_pieces",
            [](Array1<std::int32_t> rank, Array2<std::int32_t> placements, Array2<std::int32_t> steps,
               std::size_t turns, Array1<std::int32_t> readings, Array1<std::uint32_t> class_of,
               Array1<std::uint32_t> period, Progress progress) {
                return run(progress, [&](const Tick& tick) {
                    return std::make_unique<Batches>(to_step_table(rank, placements, steps, turns, tick),
                                                     to_vector(readings), to_vector(class_of), to_vector(period), tick);
                });
            },
            nb::arg("rank").noconvert(), nb::arg("placements").noconvert(), nb::arg("steps").noconvert(),
            nb::arg("turns"), nb::arg("readings").noconvert(), nb::arg("class_of").noconvert(),
            nb::arg("period").noconvert(), nb::arg("progress") = nb::none())
        .def_prop_ro("width", &Batches::width)
        .def(
            "moves",
            [](const Batches& b) {
                std::vector<std::int32_t> out;
                for (std::size_t i = 0; i < b.moves().size(); ++i) {
                    const auto& move = b.moves()[i];
                    for (auto v : {move.from, move.to, move.turn, b.moves().first_rows()[i], b.moves().reverses()[i]})
                        out.push_back(static_cast<std::int32_t>(v));
                }
                return to_numpy(std::move(out), {b.moves().size(), 5});
            },
            "Rows of placement before, placement after, turn, first row of the step table, and the move that takes it "
            "back.")
        .def(
            "count",
            [](const Batches& b, Rows batch, Writable1<std::int64_t> counts, unsigned threads, Progress progress) {
                const auto bytes = entry_bytes(batch, b.width());
                expect(counts.size() == batch.shape(0));
                return first_fault(bytes, threads, progress, [&](auto value, const Tick& tick) {
                    return b.count(entries<decltype(value)>(batch), batch.shape(0), counts.data(), threads, tick);
                });
            },
            nb::arg("batch").noconvert(), nb::arg("counts").noconvert(), nb::arg("threads"),
            nb::arg("progress") = nb::none(), "Check all rows, and count their legal moves.")
        .def(
            "spots",
            [](const Batches& b, Rows batch, Writable2<std::int32_t> spots, unsigned threads, Progress progress) {
                const auto bytes = entry_bytes(batch, b.width());
                expect(spots.shape(0) == batch.shape(0) && spots.shape(1) == b.pieces());
                return first_fault(bytes, threads, progress, [&](auto value, const Tick& tick) {
                    return b.spots(entries<decltype(value)>(batch), batch.shape(0), spots.data(), threads, tick);
                });
            },
            nb::arg("batch").noconvert(), nb::arg("spots").noconvert(), nb::arg("threads"),
            nb::arg("progress") = nb::none(),
            "Check all rows, and write where each piece lies: placement * turns + reading.")
        .def(
            "expand",
            [](const Batches& b, Rows batch, Array1<std::int64_t> offsets, WritableRows states,
               Writable1<std::int64_t> parents, Writable1<std::int32_t> moves, unsigned threads, Progress progress) {
                const std::size_t rows = batch.shape(0), total = states.shape(0), bytes = entry_bytes(batch, b.width());
                expect(entry_bytes(states, b.width()) == bytes && offsets.size() == rows + 1 &&
                       parents.size() == total && moves.size() == total);
                expect(offsets(0) == 0 && static_cast<std::uint64_t>(offsets(rows)) == total &&
                       std::is_sorted(offsets.data(), offsets.data() + rows + 1));
                return first_fault(bytes, threads, progress, [&](auto value, const Tick& tick) {
                    using Value = decltype(value);
                    return b.expand(entries<Value>(batch), rows, offsets.data(), entries<Value>(states), parents.data(),
                                    moves.data(), threads, tick);
                });
            },
            nb::arg("batch").noconvert(), nb::arg("offsets").noconvert(), nb::arg("states").noconvert(),
            nb::arg("parents").noconvert(), nb::arg("moves").noconvert(), nb::arg("threads"),
            nb::arg("progress") = nb::none(), "Write all neighbours of rows that were counted before.")
        .def(
            "mask",
            [](const Batches& b, Rows batch, Writable2<bool> legal, unsigned threads, Progress progress) {
                const auto bytes = entry_bytes(batch, b.width());
                expect(legal.shape(0) == batch.shape(0) && legal.shape(1) == b.moves().size());
                return first_fault(bytes, threads, progress, [&](auto value, const Tick& tick) {
                    return b.mask(entries<decltype(value)>(batch), batch.shape(0), legal.data(), threads, tick);
                });
            },
            nb::arg("batch").noconvert(), nb::arg("legal").noconvert(), nb::arg("threads"),
            nb::arg("progress") = nb::none(), "Write for each row and move whether it is legal.")
        .def(
            "apply",
            [](const Batches& b, WritableRows states, Array2<std::int32_t> moves, std::optional<WritableRows> trace,
               unsigned threads, Progress progress) {
                const auto bytes = entry_bytes(states, b.width());
                expect(moves.shape(0) == states.shape(0));
                if (trace)
                    expect(trace->shape(0) == states.shape(0) &&
                           entry_bytes(*trace, (moves.shape(1) + 1) * b.width()) == bytes);
                return first_fault(bytes, threads, progress, [&](auto value, const Tick& tick) {
                    using Value = decltype(value);
                    return b.apply(entries<Value>(states), states.shape(0), moves.data(), moves.shape(1),
                                   trace ? entries<Value>(*trace) : nullptr, threads, tick);
                });
            },
            nb::arg("states").noconvert(), nb::arg("moves").noconvert(), nb::arg("trace").noconvert().none(),
            nb::arg("threads"), nb::arg("progress") = nb::none(),
            "Make moves in the states; with a trace, write what each row goes through.")
        .def(
            "step",
            [](const Batches& b, WritableRows states, Array1<std::int64_t> moves, Rows goal, Writable1<bool> made,
               Writable2<bool> legal, Writable1<bool> solved, unsigned threads, Progress progress) {
                const std::size_t rows = states.shape(0), bytes = entry_bytes(states, b.width());
                expect(goal.shape(0) == 1 && entry_bytes(goal, b.width()) == bytes && moves.size() == rows);
                expect(made.size() == rows && solved.size() == rows);
                expect(legal.shape(0) == rows && legal.shape(1) == b.moves().size());
                return first_fault(bytes, threads, progress, [&](auto value, const Tick& tick) {
                    using Value = decltype(value);
                    return b.step(entries<Value>(states), rows, moves.data(), entries<Value>(goal), made.data(),
                                  legal.data(), solved.data(), threads, tick);
                });
            },
            nb::arg("states").noconvert(), nb::arg("moves").noconvert(), nb::arg("goal").noconvert(),
            nb::arg("made").noconvert(), nb::arg("legal").noconvert(), nb::arg("solved").noconvert(),
            nb::arg("threads"), nb::arg("progress") = nb::none(),
            "Make a move in each state where it is legal; write which were made, what is legal then, and what is "
            "solved.")
        .def(
            "walk",
            [](const Batches& b, WritableRows states, Array1<std::int64_t> lengths, std::uint64_t seed, bool backtrack,
               Writable2<std::int32_t> moves, unsigned threads, Progress progress) {
                const auto bytes = entry_bytes(states, b.width());
                expect(lengths.size() == states.shape(0) && moves.shape(0) == states.shape(0));
                return first_fault(bytes, threads, progress, [&](auto value, const Tick& tick) {
                    return b.walk(entries<decltype(value)>(states), states.shape(0), lengths.data(), seed, backtrack,
                                  moves.data(), moves.shape(1), threads, tick);
                });
            },
            nb::arg("states").noconvert(), nb::arg("lengths").noconvert(), nb::arg("seed"), nb::arg("backtrack"),
            nb::arg("moves").noconvert(), nb::arg("threads"), nb::arg("progress") = nb::none(),
            "Make random moves in the states; write as many of them as there are columns.");

    m.def(
        "read_places",
        [](const GainGraph& graph, Array2<std::int32_t> spots, Writable1<std::int64_t> shapes,
           Writable2<Point> arrangements, unsigned threads, Progress progress) {
            check_threads(threads);
            expect(spots.shape(1) == graph.pieces() && shapes.size() == spots.shape(0));
            expect(arrangements.shape(0) == spots.shape(0) && arrangements.shape(1) == graph.degree());
            run(progress, [&](const Tick& tick) {
                read_places(graph, spots.data(), spots.shape(0), shapes.data(), arrangements.data(), threads, tick);
            });
        },
        nb::arg("graph"), nb::arg("spots").noconvert(), nb::arg("shapes").noconvert(),
        nb::arg("arrangements").noconvert(), nb::arg("threads"), nb::arg("progress") = nb::none(),
        "Write shape (-1 if there is none) and arrangement of each row of spots.");
}

}  // namespace slidelab
