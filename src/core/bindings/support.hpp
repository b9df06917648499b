// What all bindings share: arrays in and out, and the one helper, `run`, through which every bound call that works
// goes.
//
// `run` releases the interpreter lock, gives the work its tick and takes a lock on the object that the work reads or
// changes. Lookups that take microseconds keep the interpreter lock and go through `read`. Objects that never change
// after their construction need no lock and are bound as they are.
//
// Progress callbacks are called as `progress(phase, done, total)`, at most fifty times a second, with the interpreter
// lock held; signals are looked at as often. An exception that they raise ends the call and is passed on. If they
// return True (the object itself; anything else is ignored), time is up: searches that can say something about the part
// they did return that, all other calls raise `OutOfTime`.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "graph/gain_graph.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <concepts>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace slidelab {

namespace nb = nanobind;

// Each file of bindings adds its classes and functions to the module.
void bind_graph(nb::module_& m);
void bind_group(nb::module_& m);
void bind_layers(nb::module_& m);
void bind_shards(nb::module_& m);
void bind_symmetric(nb::module_& m);
void bind_goals(nb::module_& m);
void bind_search(nb::module_& m);
void bind_huge(nb::module_& m);
void bind_gourds(nb::module_& m);
void bind_arrays(nb::module_& m);
void bind_homology(nb::module_& m);

template <class T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Hands a vector to numpy without copying it.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::vector<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nb::capsule owner(owned.get(),
                      [](void* p) noexcept { std::unique_ptr<std::vector<T>>(static_cast<std::vector<T>*>(p)); });
    owned.release();
    return nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner);
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values) {
    const std::size_t n = values.size();
    return to_numpy(std::move(values), {n});
}

// Rows of so many columns.
template <class T>
nb::ndarray<nb::numpy, T> to_rows(std::vector<T>&& values, std::size_t columns) {
    const std::size_t n = values.size() / columns;
    return to_numpy(std::move(values), {n, columns});
}

template <class T>
std::vector<T> to_vector(const Array1<T>& a) {
    return {a.data(), a.data() + a.size()};
}

template <class T>
std::span<const T> to_span(const Array1<T>& a) {
    return {a.data(), a.size()};
}

// An array of rows with so many columns, each as an aggregate of its entries.
template <class Row, std::size_t columns, class T>
std::vector<Row> to_rows_of(const Array2<T>& rows) {
    if (rows.shape(1) != columns)
        throw std::invalid_argument("expected rows of " + std::to_string(columns) + " columns");
    std::vector<Row> out;
    out.reserve(rows.shape(0));
    for (std::size_t i = 0; i < rows.shape(0); ++i)
        [&]<std::size_t... k>(std::index_sequence<k...>) {
            out.push_back({rows(i, k)...});
        }(std::make_index_sequence<columns>());
    return out;
}

// Loops that copy rows tick as often as this.
inline constexpr std::size_t rows_between_ticks = 1 << 14;

// Rows of a step table: from, to, turn, and the cells that must be holes.
inline StepTable to_step_table(const Array1<std::int32_t>& rank, const Array2<std::int32_t>& placements,
                               const Array2<std::int32_t>& steps, std::size_t turns, const Tick& tick) {
    StepTable table;
    table.cells = rank.size();
    table.rank = to_vector(rank);
    table.turns = turns;
    table.piece_cells = placements.shape(1);
    table.placements.assign(placements.data(), placements.data() + placements.size());
    if (steps.shape(1) != 3 + max_step_holes)
        throw std::invalid_argument("expected " + std::to_string(3 + max_step_holes) + " columns a step");
    for (std::size_t i = 0; i < steps.shape(0); ++i) {
        if (i % rows_between_ticks == 0) tick("steps", i, steps.shape(0));
        const auto* row = steps.data() + i * steps.shape(1);
        StepTable::Step step(row[0], row[1], row[2], {});
        std::copy(row + 3, row + 3 + max_step_holes, step.holes.begin());
        table.steps.push_back(step);
    }
    return table;
}

// An object that several threads may share: either any number of calls read it or one changes it. A call that comes
// when it may not is refused, as Python refuses a generator that is already executing. Reached only through the locks.
template <class T>
class Guarded {
public:
    template <class... Arguments>
        requires std::constructible_from<T, Arguments...>
    explicit Guarded(Arguments&&... arguments) : value_(std::forward<Arguments>(arguments)...) {}
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    class Reading {
    public:
        explicit Reading(const Guarded& object) : object_(object) {
            for (int users = object_.users_.load();
                 users < 0 || !object_.users_.compare_exchange_weak(users, users + 1);)
                if (users < 0) refuse();
        }
        ~Reading() { --object_.users_; }
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;
        const T& operator*() const { return object_.value_; }
        const T* operator->() const { return &object_.value_; }

    private:
        const Guarded& object_;
    };

    class Writing {
    public:
        explicit Writing(Guarded& object) : object_(object) {
            int nobody = 0;
            if (!object_.users_.compare_exchange_strong(nobody, -1)) refuse();
        }
        ~Writing() { object_.users_ = 0; }
        Writing(const Writing&) = delete;
        Writing& operator=(const Writing&) = delete;
        T& operator*() const { return object_.value_; }
        T* operator->() const { return &object_.value_; }

    private:
        Guarded& object_;
    };

private:
    [[noreturn]] static void refuse() {
        throw std::runtime_error("already in use by another thread, or by the call that reports progress");
    }

    T value_;
    mutable std::atomic<int> users_{0};  // readers, or -1 for a writer
};

using Progress = std::optional<nb::typed<nb::callable, nb::object(const char*, std::uint64_t, std::uint64_t)>>;

// The tick of one call; it is not shared between threads. The callback must outlive it.
inline Tick make_tick(const Progress& progress) {
    PyObject* callback = progress ? progress->ptr() : nullptr;
    return [callback, last = std::chrono::steady_clock::now()](const char* phase, std::uint64_t done,
                                                               std::uint64_t total) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(20)) return;
        last = now;
        nb::gil_scoped_acquire locked;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (callback && nb::borrow<nb::callable>(callback)(phase, done, total).is(Py_True)) throw OutOfTime();
    };
}

// Calls work(tick) without the interpreter lock.
template <class Work>
auto run(const Progress& progress, Work&& work) {
    const Tick tick = make_tick(progress);
    const nb::gil_scoped_release unlocked;
    try {
        return work(tick);
    } catch (const std::length_error&) {  // a vector of more elements than any memory holds
        throw std::bad_alloc();
    }
}

// Calls work(object, tick) without the interpreter lock, but with the object's.
template <class T, class Work>
auto run(Guarded<T>& object, const Progress& progress, Work&& work) {
    const typename Guarded<T>::Writing lock(object);
    return run(progress, [&](const Tick& tick) { return work(*lock, tick); });
}

template <class T, class Work>
auto run(const Guarded<T>& object, const Progress& progress, Work&& work) {
    const typename Guarded<T>::Reading lock(object);
    return run(progress, [&](const Tick& tick) { return work(*lock, tick); });
}

// Calls look(object) with the interpreter lock: for what takes no time.
template <class T, class Look>
auto read(const Guarded<T>& object, Look&& look) {
    return look(*typename Guarded<T>::Reading(object));
}

}  // namespace slidelab
