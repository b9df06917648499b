// Beam search on the board itself, for rules whose shapes are too many to list; on all cores.
//
// As in search/beam_search.hpp the search goes forward layer by layer, keeps the best `width` states of each, and is
// breadth-first search as long as no state had to be dropped. But a state is the spot of every piece here, and its
// moves are found from the cells that are empty, so that nothing is listed beforehand: memory depends on the width
// alone.
//
// States are ranked by a sum over the pieces: the distance of a single piece on an empty board, to a power above one,
// since pieces that are far away take more moves of others with them; times a weight that is higher for goals that are
// far from everywhere, as in corners; and the excess of pairs (pair_excess.hpp). The plain sum of single distances is a
// lower bound, which prunes. Equal ranks are ordered by a hash.
//
// A move changes one piece: hash, rank and bound of a child are computed from those of its parent, without playing the
// move. Children are distributed over shards by their hashes: equal states meet in one shard, where they are compared
// in full with each other and with the states of the last two layers. Layers are divided into tasks and shards by their
// size alone, so that the result does not depend on the number of threads.
#pragma once

#include "base/parallel.hpp"
#include "gourds/board_moves.hpp"
#include "gourds/board_ranking.hpp"
#include "gourds/pair_excess.hpp"

#include <memory>
#include <optional>

namespace slidelab {

class BoardBeam {
public:
    using Spot = BoardMoves::Spot;
    using Spots = BoardMoves::Spots;
    struct Move {
        std::uint16_t piece;
        Spot spot;  // after the move
    };
    struct Found {
        std::optional<std::vector<Move>> moves;
        std::uint32_t bound = 0;  // proved
        std::uint64_t nodes = 0;
        bool stopped = false;   // by the tick
        bool finished = false;  // no state had to be dropped: the solution is a shortest, or none is shorter than asked
    };

    BoardBeam(std::shared_ptr<const BoardMoves> moves, Spots goal) : moves_(std::move(moves)), goal_(std::move(goal)) {
        moves_->check(goal_);
        if (goal_.empty() || goal_.size() > max_pieces) throw std::invalid_argument("number of pieces out of range");
        alone_.resize(goal_.size() * moves_->spots());
        for (std::size_t k = 0; k < goal_.size(); ++k) moves_->distances(goal_[k], alone_.data() + k * moves_->spots());
    }

    const BoardMoves& moves() const { return *moves_; }
    std::shared_ptr<const BoardMoves> shared_moves() const { return moves_; }
    const Spots& goal() const { return goal_; }
    std::size_t pieces() const { return goal_.size(); }
    const std::vector<std::uint16_t>& single_distances() const { return alone_; }  // spot by spot for each piece
    std::uint64_t pair_bytes() const { return PairExcess::bytes(*moves_, pieces()); }

    // Makes the table of pairs, if it takes no more than so many bytes.
    void add_pairs(std::uint64_t bytes, unsigned threads, const Tick& tick) {
        if (pair_bytes() > bytes) throw LimitReached("a table of pairs takes more memory than allowed");
        if (threads == 0 || threads > 1024) throw std::invalid_argument("threads out of range");
        pairs_ = std::make_shared<const PairExcess>(*moves_, goal_, alone_, threads, tick);
    }

    // Memory for a beam of one state more: layers, children, tables of shards; and for its records in each layer.
    std::uint64_t bytes_per_state() const {
        const std::uint64_t state = 8 * key_words() + sizeof(std::uint64_t) + 3 * sizeof(std::uint32_t);
        const std::uint64_t children = std::max<std::uint64_t>(1, moves_->max_moves(pieces()));
        return 3 * state + (2 * sizeof(Child) + 8) * children + 16;
    }
    static constexpr std::uint64_t record_bytes = 8;

    // The sum of the single distances, if all pieces can reach their goals.
    std::optional<std::uint32_t> lower_bound(std::span<const Spot> state) const {
        check(state);
        std::uint32_t sum = 0;
        for (std::size_t k = 0; k < state.size(); ++k) {
            if (alone(k, state[k]) == BoardMoves::no_distance) return std::nullopt;
            sum += alone(k, state[k]);
        }
        return sum;
    }

    Found solve(std::span<const Spot> start, const BoardRanking& ranking, const BoardBeamLimits& limits,
                const Tick& tick) const {
        check(start);
        if (limits.width == 0 || limits.width > max_width) throw std::invalid_argument("width out of range");
        if (limits.threads == 0 || limits.threads > 1024) throw std::invalid_argument("threads out of range");
        ranking.check();
        if (ranking.pairs > 0 && !pairs_) throw std::invalid_argument("a table of pairs expected");
        if (limits.width > limits.bytes / bytes_per_state())
            throw LimitReached("a beam of " + std::to_string(limits.width) + " states takes more memory than allowed");
        Search search(*this, ranking, limits);
        Found found;
        try {
            search.run(start, tick, found);
        } catch (const OutOfTime&) {
            found.finished = false;
            found.stopped = true;
        }
        return found;
    }

private:
    static constexpr std::size_t max_pieces = 4096;
    static constexpr std::uint64_t max_width = std::uint64_t{1} << 31;
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    struct Child {
        std::uint64_t hash;
        std::uint32_t parent;  // index in its layer
        Move move;
        std::uint32_t rank;  // none: a duplicate
        std::uint32_t rest;  // sum of the single distances
    };

    struct Layer {
        std::vector<std::uint64_t> hashes;
        Spots keys;
        std::vector<std::uint32_t> ranks, rests;
        std::vector<Move> undo;          // the move that leads back
        std::vector<std::size_t> shard;  // where each begins, and the end of the last

        std::size_t size() const { return hashes.size(); }
        void resize(std::size_t count, std::size_t width) {
            hashes.resize(count);
            keys.resize(count * width);
            ranks.resize(count);
            rests.resize(count);
            undo.resize(count);
        }
    };

    struct Record {
        std::vector<std::uint32_t> parent;
        std::vector<Move> move;
    };

    struct Worker {
        std::vector<std::uint16_t> piece_on;  // of each placement, plus one
        std::vector<std::uint64_t> covered;
        std::vector<std::uint32_t> entry;  // of each piece in a row of pairs
        Spots key, other;
        struct Slot {
            std::uint64_t hash = 0, state = 0;  // 0: empty
        };
        std::vector<Slot> table;
    };

    std::size_t key_words() const { return (pieces() + 3) / 4; }
    std::uint16_t alone(std::size_t piece, Spot spot) const { return alone_[piece * moves_->spots() + spot]; }
    void check(std::span<const Spot> state) const {
        if (state.size() != pieces()) throw std::invalid_argument("one spot a piece expected");
        moves_->check(state);
    }

    struct Search {
        Search(const BoardBeam& b, const BoardRanking& ranking, const BoardBeamLimits& l)
            : beam(b), moves(*b.moves_), limits(l), pieces(b.pieces()), spots(moves.spots()),
              cost(ranking.costs(b.alone_, spots)), pair_weight(ranking.pair_weight()),
              shards(std::size_t{1} << shard_bits(l.width)), state_bytes(b.bytes_per_state()), workers(l.threads) {
            for (auto& w : workers) {
                w.piece_on.assign(moves.placements(), 0);
                w.covered.assign(moves.words(), 0);
                w.entry.assign(pieces, 0);
                w.key.assign(pieces, 0);
                w.other.assign(pieces, 0);
            }
        }

        static unsigned shard_bits(std::uint64_t width) {
            return std::min(8u, static_cast<unsigned>(std::bit_width(width / states_per_shard)));
        }

        void run(std::span<const Spot> start, const Tick& tick, Found& found) {
            found.finished = true;
            const auto rest = beam.lower_bound(start);
            if (!rest || *rest >= limits.below) {
                found.bound = limits.below;
                return;
            }
            found.bound = *rest;
            if (*rest == 0) {
                found.moves.emplace();
                return;
            }
            begin(start, *rest);
            const Tick layer_tick = [&](const char*, std::uint64_t, std::uint64_t) {
                tick("beam", length, here.size());
            };
            std::uint32_t least = *rest, least_at = 0;
            for (length = 0; here.size() > 0; ++length) {
                layer_tick("", 0, 0);
                found.nodes += here.size();
                expand(layer_tick);
                if (goal.parent != none) {
                    found.moves = path();
                    if (found.finished) found.bound = length + 1;
                    return;
                }
                if (nearest < least) least = nearest, least_at = length;
                if (!found.finished && length - least_at > idle_layers + 2 * moves.cells()) return;  // it goes around
                drop_duplicates(layer_tick);
                if (!select(layer_tick)) found.finished = false;
                record_count += kept_total;
                if (limits.width * state_bytes + record_count * record_bytes > limits.bytes) {
                    found.finished = false;
                    return;
                }
                keep(layer_tick);
            }
            if (found.finished) found.bound = limits.below;
        }

        void begin(std::span<const Spot> start, std::uint32_t rest) {
            here.resize(1, pieces);
            std::copy(start.begin(), start.end(), here.keys.begin());
            std::int64_t rank = 0;
            here.hashes[0] = 0;
            for (std::size_t k = 0; k < pieces; ++k) {
                here.hashes[0] ^= mix(k, start[k]);
                rank += cost[k * spots + start[k]];
                workers[0].entry[k] = static_cast<std::uint32_t>(k * spots + start[k]);
            }
            if (pair_weight)
                for (std::size_t k = 0; k < pieces; ++k) rank += pair_weight * pair_sum(workers[0], k, start[k]) / 2;
            here.ranks[0] = static_cast<std::uint32_t>(rank);
            here.rests[0] = rest;
            here.undo[0] = {static_cast<std::uint16_t>(pieces), 0};
            here.shard.assign(shards + 1, 1);
            std::fill_n(here.shard.begin(), shard_of(here.hashes[0]) + 1, 0);
            before.shard.assign(shards + 1, 0);
        }

        unsigned threads(std::size_t work) const { return work < worth_threads ? 1 : limits.threads; }
        static std::uint64_t mix(std::uint64_t piece, std::uint64_t spot) {
            std::uint64_t z = (piece << 16 | spot) * 0x9e3779b97f4a7c15ull + 0x9e3779b97f4a7c15ull;
            z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
            z = (z ^ z >> 27) * 0x94d049bb133111ebull;
            return z ^ z >> 31;
        }
        std::size_t shard_of(std::uint64_t hash) const { return (hash >> 32) % shards; }

        std::int64_t pair_sum(const Worker& w, std::size_t piece, Spot spot) const {
            const std::uint8_t* row = beam.pairs_->row(piece, spot);
            std::uint32_t sum = 0;
            for (auto e : w.entry) sum += row[e];  // that with itself is 0
            return sum;
        }

        void expand(const Tick& tick) {
            const std::size_t block = std::max<std::size_t>(states_per_task, (here.size() + max_tasks - 1) / max_tasks);
            tasks = (here.size() + block - 1) / block;
            if (children.size() < tasks * shards) children.resize(tasks * shards);
            for (auto& list : children) list.clear();
            results.assign(tasks, {});
            parallel_for(tasks, threads(here.size()), "beam", tick, [&](std::size_t task, unsigned thread) {
                for (std::size_t i = task * block; i < std::min(here.size(), (task + 1) * block); ++i)
                    expand(static_cast<std::uint32_t>(i), task, workers[thread]);
            });
            goal.parent = none;
            std::uint32_t highest = 0;
            lowest = nearest = none;
            for (const auto& result : results) {
                if (goal.parent == none) goal = result.goal;
                lowest = std::min(lowest, result.lowest);
                highest = std::max(highest, result.highest);
                nearest = std::min(nearest, result.nearest);
            }
            const std::uint32_t range = lowest <= highest ? highest - lowest : 0;
            shift = std::max(bucket_bits, static_cast<unsigned>(std::bit_width(range))) - bucket_bits;
            buckets = (range >> shift) + 1;
        }
        std::uint32_t bucket(const Child& child) const { return (child.rank - lowest) >> shift; }

        void expand(std::uint32_t at, std::size_t task, Worker& w) {
            const Spot* key = here.keys.data() + at * pieces;
            std::fill(w.covered.begin(), w.covered.end(), 0);
            for (std::size_t k = 0; k < pieces; ++k) {
                const std::size_t placement = moves.placement(key[k]);
                w.piece_on[placement] = static_cast<std::uint16_t>(k + 1);
                w.entry[k] = static_cast<std::uint32_t>(k * spots + key[k]);
                const std::uint64_t* own = moves.mask(placement);
                for (std::size_t i = 0; i < moves.words(); ++i) w.covered[i] |= own[i];
            }
            const Move undo = here.undo[at];
            for (std::size_t i = 0; i < moves.words(); ++i)
                for (std::uint64_t holes = moves.board()[i] & ~w.covered[i]; holes; holes &= holes - 1)
                    for (const auto& step : moves.into(64 * i + static_cast<std::size_t>(std::countr_zero(holes)))) {
                        if (w.piece_on[step.from] == 0) continue;
                        const std::size_t piece = w.piece_on[step.from] - 1u;
                        const Spot to = moves.after(key[piece], step);
                        if ((undo.piece == piece && undo.spot == to) || !moves.is_free(step, w.covered.data()))
                            continue;
                        add(at, task, w, {static_cast<std::uint16_t>(piece), to}, key[piece]);
                    }
            for (std::size_t k = 0; k < pieces; ++k) w.piece_on[moves.placement(key[k])] = 0;
        }

        void add(std::uint32_t at, std::size_t task, const Worker& w, Move move, Spot from) {
            const std::uint16_t distance = beam.alone(move.piece, move.spot);
            if (distance == BoardMoves::no_distance) return;
            Child child{};
            child.rest = here.rests[at] - beam.alone(move.piece, from) + distance;
            if (length + 1 + child.rest >= limits.below) return;
            child.hash = here.hashes[at] ^ mix(move.piece, from) ^ mix(move.piece, move.spot);
            child.parent = at;
            child.move = move;
            std::int64_t rank =
                std::int64_t{here.ranks[at]} + cost[move.piece * spots + move.spot] - cost[move.piece * spots + from];
            if (pair_weight) rank += pair_weight * (pair_sum(w, move.piece, move.spot) - pair_sum(w, move.piece, from));
            child.rank = static_cast<std::uint32_t>(rank);
            TaskResult& result = results[task];
            if (child.rest == 0 && result.goal.parent == none) result.goal = {at, move};
            result.lowest = std::min(result.lowest, child.rank);
            result.highest = std::max(result.highest, child.rank);
            result.nearest = std::min(result.nearest, child.rest);
            children[task * shards + shard_of(child.hash)].push_back(child);
        }

        // Marks children that are in one of the last two layers, or equal to an earlier child.
        void drop_duplicates(const Tick& tick) {
            counts.assign(shards, {});
            parallel_for(shards, threads(here.size()), "beam", tick, [&](std::size_t shard, unsigned thread) {
                Worker& w = workers[thread];
                std::size_t count =
                    here.shard[shard + 1] - here.shard[shard] + before.shard[shard + 1] - before.shard[shard];
                for (std::size_t task = 0; task < tasks; ++task) count += children[task * shards + shard].size();
                w.table.assign(std::bit_ceil(2 * count + 1), {});
                for (const Layer* layer : {&before, &here})
                    for (std::size_t i = layer->shard[shard]; i < layer->shard[shard + 1]; ++i) {
                        std::size_t slot = layer->hashes[i] & (w.table.size() - 1);
                        while (w.table[slot].state) slot = (slot + 1) & (w.table.size() - 1);
                        w.table[slot] = {layer->hashes[i], (layer == &here ? tag_here : tag_before) | i};
                    }
                auto& histogram = counts[shard];
                histogram.assign(buckets, 0);
                for (std::size_t task = 0; task < tasks; ++task)
                    for (auto& child : children[task * shards + shard])
                        if (is_new(w, child)) ++histogram[bucket(child)];
                        else child.rank = none;
            });
        }

        bool is_new(Worker& w, const Child& child) const {
            const std::size_t mask = w.table.size() - 1;
            std::size_t at = child.hash & mask;
            for (bool loaded = false; w.table[at].state; at = (at + 1) & mask) {
                if (w.table[at].hash != child.hash) continue;
                if (!loaded) load(child, w.key.data());
                loaded = true;
                if (equals(w, w.table[at].state)) return false;
            }
            w.table[at] = {child.hash, reinterpret_cast<std::uintptr_t>(&child)};
            return true;
        }

        void load(const Child& child, Spot* key) const {
            std::copy_n(here.keys.data() + child.parent * pieces, pieces, key);
            key[child.move.piece] = child.move.spot;
        }

        // Whether the state that is loaded is that of a slot.
        bool equals(Worker& w, std::uint64_t state) const {
            if (!(state & tags)) {
                load(*reinterpret_cast<const Child*>(static_cast<std::uintptr_t>(state)), w.other.data());
                return w.key == w.other;
            }
            const Layer& layer = state & tag_here ? here : before;
            return std::equal(w.key.begin(), w.key.end(), layer.keys.data() + (state & ~tags) * pieces);
        }

        // Finds up to which bucket, and up to which of those in this bucket, children are kept. False if some are not.
        bool select(const Tick& tick) {
            std::vector<std::uint64_t> total(buckets, 0);
            for (const auto& histogram : counts)
                for (std::size_t b = 0; b < buckets; ++b) total[b] += histogram[b];
            std::uint64_t sum = 0;
            last_bucket = 0;
            for (; last_bucket < buckets && sum + total[last_bucket] <= limits.width; ++last_bucket)
                sum += total[last_bucket];
            last_tie = 0;
            if (last_bucket < buckets && sum < limits.width) {
                std::vector<std::uint64_t> ties;
                ties.reserve(total[last_bucket]);
                for (std::size_t i = 0; i < tasks * shards; ++i)
                    for (const auto& child : children[i])
                        if (child.rank != none && bucket(child) == last_bucket) ties.push_back(tie(child));
                const auto nth = ties.begin() + static_cast<std::ptrdiff_t>(limits.width - sum - 1);
                std::nth_element(ties.begin(), nth, ties.end());
                last_tie = *nth;
            }
            then.shard.assign(shards + 1, 0);
            parallel_for(shards, threads(here.size()), "beam", tick, [&](std::size_t shard, unsigned) {
                std::size_t kept = 0;
                for (std::size_t task = 0; task < tasks; ++task)
                    for (const auto& child : children[task * shards + shard]) kept += is_kept(child);
                then.shard[shard + 1] = kept;
            });
            for (std::size_t s = 0; s < shards; ++s) then.shard[s + 1] += then.shard[s];
            kept_total = then.shard[shards];
            return last_bucket == buckets;
        }

        // Orders the children of a bucket: by their ranks, then by other bits of the hash than those that choose the
        // shard.
        std::uint64_t tie(const Child& child) const {
            const std::uint64_t order = (child.hash ^ limits.salt) * 0xd1342543de82ef95ull | 1;
            return shift ? std::uint64_t{child.rank - lowest} << (64 - shift) | order >> shift : order;
        }

        bool is_kept(const Child& c) const {
            if (c.rank == none) return false;
            return bucket(c) < last_bucket || (bucket(c) == last_bucket && last_tie && tie(c) <= last_tie);
        }

        // Makes the next layer of the children that are kept.
        void keep(const Tick& tick) {
            then.resize(kept_total, pieces);
            Record& record = records.emplace_back();
            record.parent.resize(kept_total);
            record.move.resize(kept_total);
            parallel_for(shards, threads(here.size()), "beam", tick, [&](std::size_t shard, unsigned) {
                std::size_t i = then.shard[shard];
                for (std::size_t task = 0; task < tasks; ++task)
                    for (const auto& child : children[task * shards + shard]) {
                        if (!is_kept(child)) continue;
                        load(child, then.keys.data() + i * pieces);
                        then.hashes[i] = child.hash;
                        then.ranks[i] = child.rank;
                        then.rests[i] = child.rest;
                        then.undo[i] = {child.move.piece, here.keys[child.parent * pieces + child.move.piece]};
                        record.parent[i] = child.parent;
                        record.move[i] = child.move;
                        ++i;
                    }
            });
            std::swap(before, here);
            std::swap(here, then);
        }

        std::vector<Move> path() const {
            std::vector<Move> out{goal.move};
            std::uint32_t at = goal.parent;
            for (std::size_t k = records.size(); k-- > 0; at = records[k].parent[at])
                out.push_back(records[k].move[at]);
            std::reverse(out.begin(), out.end());
            return out;
        }

        static constexpr std::uint64_t states_per_shard = 4096;
        static constexpr std::size_t states_per_task = 1024, max_tasks = 64, worth_threads = 2048;
        static constexpr unsigned bucket_bits = 12;
        static constexpr std::uint32_t idle_layers = 50;  // without progress, and two for each cell
        static constexpr std::uint64_t tag_here = std::uint64_t{1} << 63, tag_before = std::uint64_t{1} << 62;
        static constexpr std::uint64_t tags = tag_here | tag_before;

        struct Goal {
            std::uint32_t parent = none;
            Move move{};
        };
        struct TaskResult {
            Goal goal;
            std::uint32_t lowest = none, highest = 0;  // ranks
            std::uint32_t nearest = none;              // least rest
        };

        const BoardBeam& beam;
        const BoardMoves& moves;
        const BoardBeamLimits& limits;
        std::size_t pieces, spots;
        std::vector<std::uint32_t> cost;
        std::int64_t pair_weight;
        std::size_t shards, tasks = 0;
        std::uint64_t state_bytes, record_count = 0;
        std::vector<Worker> workers;
        Layer before, here, then;
        std::vector<Record> records;                     // of all layers but the first
        std::vector<std::vector<Child>> children;        // by task and shard
        std::vector<std::vector<std::uint32_t>> counts;  // new children of each shard by bucket
        std::vector<TaskResult> results;
        Goal goal;
        std::uint32_t length = 0, lowest = 0, nearest = 0, buckets = 1;
        unsigned shift = 0;             // of ranks to buckets
        std::uint32_t last_bucket = 0;  // kept as far as the order in it allows
        std::uint64_t last_tie = 0;
        std::size_t kept_total = 0;
    };

    std::shared_ptr<const BoardMoves> moves_;
    Spots goal_;
    std::vector<std::uint16_t> alone_;  // distance of each piece from each spot
    std::shared_ptr<const PairExcess> pairs_;
};

}  // namespace slidelab
