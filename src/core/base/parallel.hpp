// The one place where threads are started.
#pragma once

#include "base/tick.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace slidelab {

// Runs work(task, thread) for all tasks below `count`. Threads take the tasks in order, one by one; the calling thread
// is number 0, takes part and ticks before each of its tasks. The first exception stops all and is thrown here. Where
// tasks take long, work(task, thread, tick) is given a tick to call: in other threads it stops a task once all are to
// stop, and the calling thread goes on ticking until the others have finished theirs.
template <class Work>
void parallel_for(std::size_t count, unsigned threads, const char* phase, const Tick& tick, Work&& work) {
    constexpr bool long_tasks = std::invocable<Work&, std::size_t, unsigned, const Tick&>;
    const auto call = [&](std::size_t task, unsigned thread, const Tick& own) {
        if constexpr (long_tasks) work(task, thread, own);
        else work(task, thread);
    };
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, count));
    if (threads <= 1) {
        for (std::size_t task = 0; task < count; ++task) {
            tick(phase, task, count);
            call(task, 0, tick);
        }
        return;
    }
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::exception_ptr failure;
    std::mutex guard;
    std::condition_variable done;
    std::ptrdiff_t running = 0;  // threads besides the calling one
    struct Stopped {};
    const Tick look = [&](const char*, std::uint64_t, std::uint64_t) {
        if (stop) throw Stopped{};
    };
    auto run = [&](unsigned thread) {
        try {
            for (std::size_t task; !stop && (task = next.fetch_add(1)) < count;) {
                if (thread == 0) tick(phase, task, count);
                call(task, thread, thread == 0 ? tick : look);
            }
            if (long_tasks && thread == 0)
                for (std::unique_lock lock(guard); running != 0; lock.lock()) {
                    done.wait_for(lock, std::chrono::milliseconds(10));
                    lock.unlock();
                    tick(phase, count, count);
                }
        } catch (const Stopped&) {
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!failure) failure = std::current_exception();
            stop = true;
        }
        if (thread == 0) return;
        const std::lock_guard lock(guard);
        --running;
        done.notify_one();
    };
    {
        std::vector<std::jthread> others;
        try {
            for (unsigned i = 1; i < threads; ++i) {
                others.emplace_back(run, i);
                const std::lock_guard lock(guard);
                ++running;
            }
        } catch (const std::system_error&) {
            // The system has no more threads to give: those that there are do the work.
        }
        run(0);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace slidelab
