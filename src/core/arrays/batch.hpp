// Batches of configurations: what is done to one row at a time, done to all rows of an array, on several threads.
//
// Rows come from outside. Each is checked before it is used, and the first that is wrong is reported by its number.
// Results do not depend on the number of threads.
#pragma once

#include "arrays/piece_rows.hpp"
#include "arrays/tile_rows.hpp"
#include "base/parallel.hpp"

#include <optional>

namespace slidelab {

// The first row that could not be used: it is no configuration (step -1), or a move in it is not legal.
struct Fault {
    std::int64_t row = -1, step = -1;
};

// What the threads of one call share.
class RowLoop {
public:
    static constexpr std::size_t blocks_a_thread = 4;  // less is done sooner than a thread is started

    RowLoop(std::size_t rows, std::size_t block, unsigned threads, const Tick& tick)
        : rows_(rows), block_(std::max<std::size_t>(block, 1)), threads_(threads), tick_(tick) {}

    // Calls work(reader, first, last, thread) for blocks of rows, with a reader of its own in each thread.
    template <class Reader, class Layout, class Work>
    Fault run(const Layout& layout, const Work& work) {
        const std::size_t blocks = (rows_ + block_ - 1) / block_;
        const auto threads = static_cast<unsigned>(std::min<std::size_t>(threads_, blocks / blocks_a_thread + 1));
        std::vector<std::optional<Reader>> readers(threads);
        const Tick tick = [this](const char* phase, std::uint64_t done, std::uint64_t total) {
            check(phase, done, total);
        };
        parallel_for(blocks, threads, "rows", tick, [&](std::size_t block, unsigned thread) {
            const std::size_t first = block * block_;
            if (first > first_fault_) return;
            auto& reader = readers[thread];
            if (!reader) reader.emplace(layout);
            work(*reader, first, std::min(first + block_, rows_), thread);
        });
        return fault_;
    }

    void fail(std::size_t row, std::int64_t step = -1) {
        const std::lock_guard lock(mutex_);
        if (row >= first_fault_) return;
        first_fault_ = row;
        fault_ = {static_cast<std::int64_t>(row), step};
    }

    // For long rows: false once the work is to be given up.
    bool keep_going(unsigned thread, std::size_t row) {
        if (thread == 0) check("rows", row, rows_);
        return !stopped_;
    }

private:
    void check(const char* phase, std::uint64_t done, std::uint64_t total) {
        try {
            tick_(phase, done, total);
        } catch (...) {
            stopped_ = true;
            throw;
        }
    }

    std::size_t rows_, block_;
    unsigned threads_;
    const Tick& tick_;
    std::atomic<bool> stopped_{false};
    std::atomic<std::size_t> first_fault_{std::numeric_limits<std::size_t>::max()};
    std::mutex mutex_;
    Fault fault_;
};

// A stream of random numbers for each row (splitmix64), so that no row depends on another.
class RowRandom {
public:
    RowRandom(std::uint64_t seed, std::uint64_t row) : state_(mix(mix(seed) ^ (row * 0xd1342543de82ef95ull + 1))) {}

    // Uniform in 0..n-1 (Lemire's multiplication, with rejection).
    std::uint32_t below(std::uint32_t n) {
        std::uint64_t product = std::uint64_t{next()} * n;
        if (static_cast<std::uint32_t>(product) < n)
            for (const std::uint32_t least = -n % n; static_cast<std::uint32_t>(product) < least;)
                product = std::uint64_t{next()} * n;
        return static_cast<std::uint32_t>(product >> 32);
    }

private:
    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    std::uint32_t next() { return static_cast<std::uint32_t>(mix(state_ += 0x9e3779b97f4a7c15ull) >> 32); }

    std::uint64_t state_;
};

class Batches {
public:
    static constexpr std::size_t block_work = 1 << 16;  // entries or steps between two looks at the clock

    // Pieces of one cell.
    Batches(StepTable table, std::vector<std::uint32_t> counts, const Tick& tick = no_tick)
        : moves_(std::move(table), tick), tiles_(std::in_place, moves_, std::move(counts), tick) {}

    // Pieces of several cells.
    Batches(StepTable table, std::vector<std::int32_t> readings, std::vector<std::uint32_t> class_of,
            std::vector<std::uint32_t> period, const Tick& tick = no_tick)
        : moves_(std::move(table), tick),
          pieces_(std::in_place, moves_, std::move(readings), std::move(class_of), std::move(period), tick) {}

    Batches(const Batches&) = delete;  // the layouts refer to the moves
    Batches& operator=(const Batches&) = delete;

    const NumberedMoves& moves() const { return moves_; }
    std::size_t pieces() const { return tiles_ ? tiles_->pieces() : pieces_->pieces(); }
    std::size_t width() const { return tiles_ ? tiles_->width() : pieces_->width(); }

    // Check all rows, and count their legal moves.
    template <class Value>
    Fault count(const Value* batch, std::size_t rows, std::int64_t* counts, unsigned threads, const Tick& tick) const {
        return each<Value>(rows, width(), threads, tick,
                           [=, this](auto& row, std::size_t first, std::size_t last, RowLoop& loop, unsigned) {
                               for (std::size_t i = first; i < last; ++i) {
                                   if (!row.load(batch + i * width())) return loop.fail(i);
                                   counts[i] = static_cast<std::int64_t>(row.legal().size());
                               }
                           });
    }

    // Where each piece lies: a placement in one of its readings, numbered placement by placement. Pieces that are alike
    // are named in the least way.
    template <class Value>
    Fault spots(const Value* batch, std::size_t rows, std::int32_t* out, unsigned threads, const Tick& tick) const {
        return each<Value>(rows, width(), threads, tick,
                           [=, this](auto& row, std::size_t first, std::size_t last, RowLoop& loop, unsigned) {
                               for (std::size_t i = first; i < last; ++i) {
                                   if (!row.load(batch + i * width())) return loop.fail(i);
                                   row.write_spots(out + i * pieces());
                               }
                           });
    }

    // All neighbours of all rows. Those of row i go to places offsets[i] to offsets[i+1] - 1, as counted before.
    template <class Value>
    Fault expand(const Value* batch, std::size_t rows, const std::int64_t* offsets, Value* states,
                 std::int64_t* parents, std::int32_t* ids, unsigned threads, const Tick& tick) const {
        return each<Value>(rows, 4 * width(), threads, tick,
                           [=, this](auto& row, std::size_t first, std::size_t last, RowLoop& loop, unsigned) {
                               for (std::size_t i = first; i < last; ++i) {
                                   if (!row.reload(batch + i * width())) return loop.fail(i);
                                   const auto legal = row.legal();
                                   auto at = static_cast<std::size_t>(offsets[i]);
                                   // The batch may have been changed by another thread since it was counted.
                                   if (legal.size() != static_cast<std::size_t>(offsets[i + 1]) - at)
                                       return loop.fail(i);
                                   for (const auto& step : legal) {
                                       row.write(step, states + at * width());
                                       parents[at] = static_cast<std::int64_t>(i);
                                       ids[at++] = static_cast<std::int32_t>(step.move);
                                   }
                               }
                           });
    }

    // For each row and each move whether it is legal.
    template <class Value>
    Fault mask(const Value* batch, std::size_t rows, bool* legal, unsigned threads, const Tick& tick) const {
        return each<Value>(rows, width() + moves_.size(), threads, tick,
                           [=, this](auto& row, std::size_t first, std::size_t last, RowLoop& loop, unsigned) {
                               for (std::size_t i = first; i < last; ++i) {
                                   if (!row.load(batch + i * width())) return loop.fail(i);
                                   bool* out = legal + i * moves_.size();
                                   std::fill(out, out + moves_.size(), false);
                                   for (const auto& step : row.legal()) out[step.move] = true;
                               }
                           });
    }

    // Make moves in each row, one column after the other; -1 leaves a row as it is. With `trace`, also write each row
    // before the first move and after each.
    template <class Value>
    Fault apply(Value* states, std::size_t rows, const std::int32_t* ids, std::size_t columns, Value* trace,
                unsigned threads, const Tick& tick) const {
        return each<Value>(rows, width() + columns, threads, tick,
                           [=, this](auto& row, std::size_t first, std::size_t last, RowLoop& loop, unsigned thread) {
                               for (std::size_t i = first; i < last; ++i) {
                                   Value* state = states + i * width();
                                   Value* out = trace ? trace + i * (columns + 1) * width() : nullptr;
                                   auto show = [&](std::size_t k) {
                                       if (!out) return;
                                       std::memcpy(out + k * width(), state, width() * sizeof(Value));
                                       row.finish(out + k * width());
                                   };
                                   if (!row.load(state)) return loop.fail(i);
                                   show(0);
                                   for (std::size_t k = 0; k < columns; ++k) {
                                       if ((k + 1) % block_work == 0 && !loop.keep_going(thread, i)) return;
                                       const auto id = ids[i * columns + k];
                                       if (id < -1 || id >= static_cast<std::int64_t>(moves_.size()))
                                           return loop.fail(i, static_cast<std::int64_t>(k));
                                       if (id >= 0) {
                                           if (!row.is_legal(static_cast<std::size_t>(id)))
                                               return loop.fail(i, static_cast<std::int64_t>(k));
                                           row.play(static_cast<std::size_t>(id), state);
                                       }
                                       show(k + 1);
                                   }
                                   row.finish(state);
                               }
                           });
    }

    // One move in each row, where it is legal; other rows stay as they are. Writes which moves were made, the legal
    // moves of each row afterwards, and whether it is equal to `goal`. Rows must have been checked before.
    template <class Value>
    Fault step(Value* states, std::size_t rows, const std::int64_t* ids, const Value* goal, bool* made, bool* legal,
               bool* solved, unsigned threads, const Tick& tick) const {
        return each<Value>(rows, width() + moves_.size(), threads, tick,
                           [=, this](auto& row, std::size_t first, std::size_t last, RowLoop& loop, unsigned) {
                               for (std::size_t i = first; i < last; ++i) {
                                   Value* state = states + i * width();
                                   if (!row.reload(state)) return loop.fail(i);
                                   const auto id = static_cast<std::uint64_t>(ids[i]);
                                   made[i] = id < moves_.size() && row.is_legal(id);
                                   if (made[i]) row.play(id, state);
                                   bool* out = legal + i * moves_.size();
                                   std::memset(out, 0, moves_.size());
                                   for (const auto& next : row.legal()) out[next.move] = true;
                                   row.finish(state);
                                   solved[i] = std::memcmp(state, goal, width() * sizeof(Value)) == 0;
                               }
                           });
    }

    // Random moves in each row, `lengths[i]` many, each uniform among the legal ones; without `backtrack`, none takes
    // back the one before unless there is no other. A row without legal moves stays. With `ids`, also write the moves,
    // `columns` for each row, and -1 behind the last.
    template <class Value>
    Fault walk(Value* states, std::size_t rows, const std::int64_t* lengths, std::uint64_t seed, bool backtrack,
               std::int32_t* ids, std::size_t columns, unsigned threads, const Tick& tick) const {
        const std::int64_t longest = rows ? *std::max_element(lengths, lengths + rows) : 0;
        return each<Value>(rows, width() + static_cast<std::size_t>(std::max<std::int64_t>(longest, 0)), threads, tick,
                           [=, this](auto& row, std::size_t first, std::size_t last, RowLoop& loop, unsigned thread) {
                               for (std::size_t i = first; i < last; ++i) {
                                   Value* state = states + i * width();
                                   if (!row.load(state)) return loop.fail(i);
                                   RowRandom random(seed, i);
                                   std::int32_t* out = ids ? ids + i * columns : nullptr;
                                   const auto length = static_cast<std::size_t>(std::max<std::int64_t>(lengths[i], 0));
                                   std::size_t k = 0;
                                   for (std::int64_t taken_back = -1; k < length; ++k) {
                                       if ((k + 1) % block_work == 0 && !loop.keep_going(thread, i)) return;
                                       const auto legal = row.legal();
                                       if (legal.empty()) break;
                                       std::size_t choices = legal.size(), skipped = choices;
                                       if (!backtrack && choices > 1)
                                           for (std::size_t j = 0; j < choices; ++j)
                                               if (legal[j].move == taken_back) skipped = j;
                                       choices -= skipped < choices;
                                       std::size_t chosen = random.below(static_cast<std::uint32_t>(choices));
                                       chosen += chosen >= skipped;
                                       const auto move = legal[chosen].move;
                                       row.play(move, state);
                                       taken_back = moves_.reverses()[move];
                                       if (out && k < columns) out[k] = static_cast<std::int32_t>(move);
                                   }
                                   if (out) std::fill(out + std::min(k, columns), out + columns, -1);
                                   row.finish(state);
                               }
                           });
    }

private:
    template <class Value, class Work>
    Fault each(std::size_t rows, std::size_t row_work, unsigned threads, const Tick& tick, const Work& work) const {
        RowLoop loop(rows, block_work / (row_work + 1), threads, tick);
        auto block = [&](auto& row, std::size_t first, std::size_t last, unsigned thread) {
            work(row, first, last, loop, thread);
        };
        return tiles_ ? loop.run<TileRow<Value>>(*tiles_, block) : loop.run<PieceRow<Value>>(*pieces_, block);
    }

    NumberedMoves moves_;
    std::optional<TileLayout> tiles_;
    std::optional<PieceLayout> pieces_;
};

}  // namespace slidelab
