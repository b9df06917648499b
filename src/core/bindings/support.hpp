// What all bindings share: arrays in and out, the tick, and the guard of objects that threads share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "graph/gain_graph.hpp"

#include <chrono>
#include <memory>

namespace slidelab {

namespace nb = nanobind;

// Each file of bindings adds its classes and functions to the module.
void bind_graph(nb::module_& m);
void bind_group(nb::module_& m);
void bind_layers(nb::module_& m);
void bind_search(nb::module_& m);
void bind_huge(nb::module_& m);
void bind_gourds(nb::module_& m);

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

// Python is asked at most ten times a second, however often the loops ask; it may answer True: time is up.
inline Tick make_tick(const nb::object& callback) {
    auto last = std::chrono::steady_clock::now();
    PyObject* target = callback.is_none() ? nullptr : callback.ptr();
    return [last, target](const char* phase, std::uint64_t done, std::uint64_t total) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(100)) return;
        last = now;
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (target && nb::borrow<nb::callable>(target)(phase, done, total).is(Py_True)) throw TimeUp{};
    };
}

// Rows of a step table: from, to, turn, and the cells that must be holes.
inline StepTable to_step_table(const Array1<std::int32_t>& rank, const Array2<std::int32_t>& placements, const Array2<std::int32_t>& steps,
                        std::size_t turns) {
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
    return table;
}

template <class Bound>
struct Hold {
    explicit Hold(Bound& b) : held(b) {
        if (held.busy) throw std::runtime_error("already in use by another thread");
        held.busy = true;
    }
    ~Hold() { held.busy = false; }
    Bound& held;
};

}  // namespace slidelab
