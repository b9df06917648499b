// Breadth-first search from many goals at once: how far every configuration is from the nearest of them, and whether
// it has only one shortest solution. Three bits a configuration.
//
// Two planes hold the distance modulo three, plus one (zero: not reached). Moves can be undone, so distances of
// neighbours differ by one at most, and this is enough to walk from any configuration to a nearest goal. The third
// plane says whether the shortest solution is unique: that is so if there is one nearer neighbour only, whose shortest
// solution is unique. A full layer is computed by pulling: for each configuration that was not reached yet, collect
// what all moves bring from the last layer, and what arrives at least twice. A thin layer is computed by pushing from a
// list.
//
// A thread writes words of its own shapes only, and others may read them meanwhile. A new state gets another value than
// those of the last layer; low bits are written first and read last, so no half-written value is taken for one of them.
#pragma once

#include "base/bit_plane.hpp"
#include "base/parallel.hpp"
#include "layers/goal_code.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <unordered_map>

namespace slidelab {

struct GoalPlace {
    std::uint32_t shape;
    std::uint64_t index;
    bool operator==(const GoalPlace&) const = default;
};

// Shortest solutions of one configuration: how many (at most the largest number), and the chance to find one by
// random moves that never take the last one back.
struct Solutions {
    std::uint64_t count;
    double chance;
    std::uint64_t positions;  // on any of them, goals included
};

class GoalSearch {
public:
    struct Layer {
        std::uint64_t states = 0, unique = 0;
    };

    // A layer is thin if it has fewer states than one in `thin` machine words.
    GoalSearch(std::shared_ptr<const GoalCode> code, std::size_t samples, std::uint64_t thin = 128)
        : code_(std::move(code)), samples_(samples), words_(code_->machine_words()),
          max_listed_(thin ? words_ * code_->shapes() / thin : 0) {
        if (code_->shapes() > (std::uint64_t{1} << 56) / words_) throw LimitReached("too many words to address");
        if (samples_ > max_samples) throw std::invalid_argument("too many samples");
    }

    static std::uint64_t bytes_needed(const GoalCode& code, unsigned threads) {
        const std::uint64_t lanes = std::max<std::uint64_t>(1, code.lane() / GoalCode::word_bits);
        const std::uint64_t planes = 3 * 8 * code.machine_words() * code.shapes();
        return planes + planes / 16 + code.shapes() * (code.words() / 4 + 16) +
               threads * (4 * 8 * lanes + 32 * max_samples);  // lists come on top
    }

    void begin(const std::vector<GoalPlace>& goals) {
        const std::uint64_t all = words_ * code_->shapes();
        for (auto* plane : {&low_, &high_, &unique_}) {
            if (*plane) plane->clear();
            else *plane = BitPlane(all);
        }
        live_.assign(code_->shapes(), 0);
        live_width_ = (code_->words() + 63) / 64;
        live_words_.assign(live_width_ * code_->shapes(), 0);
        layers_.assign(1, {});
        drawn_.assign(1, {});
        list_.clear();
        is_listed_ = true;
        usable_ = true;
        Sample own(samples_);
        for (const auto& goal : goals) {
            if (!code_->is_place(goal.shape, goal.index)) throw std::invalid_argument("no such place");
            const auto [k, bit] = position(goal);
            if (low_.data()[k] & bit) continue;
            low_.data()[k] |= bit;
            unique_.data()[k] |= bit;
            mark_live(goal, live_words_);
            ++layers_[0].states;
            ++layers_[0].unique;
            own.add(goal, true);
            list_.push_back(goal);
        }
        drawn_[0] = own.sorted();
        finished_ = layers_[0].states == 0;
        if (finished_) layers_.clear();
    }

    // The next layer; returns its number of states, 0 if there is none.
    std::uint64_t advance(unsigned threads, const Tick& tick) {
        if (!usable_) throw std::logic_error("the search was stopped within a layer, or has not begun");
        if (finished_) return 0;
        usable_ = false;  // until the layer is whole
        if (words_ * code_->shapes() < worth_threads) threads = 1;
        Sample drawn(samples_);
        const bool thin = is_listed_ && list_.size() < max_listed_;
        const Layer found = thin ? advance_thin(drawn, tick) : advance_full(std::max(1u, threads), drawn, tick);
        usable_ = true;
        finished_ = found.states == 0;
        if (finished_) return 0;
        layers_.push_back(found);
        drawn_.push_back(drawn.sorted());
        return found.states;
    }

    const std::vector<Layer>& layers() const { return layers_; }
    bool finished() const { return finished_; }
    const GoalCode& code() const { return *code_; }

    // States of a layer drawn at random, those with one shortest solution first; the same for any number of threads.
    const std::vector<std::pair<GoalPlace, bool>>& sample(std::size_t layer) const { return drawn_.at(layer); }

    // The distance modulo three, -1 for a state that was not reached.
    int residue(const GoalPlace& p) const {
        const auto [k, bit] = position(p);
        return ((low_.data()[k] & bit) ? 1 : 0) + ((high_.data()[k] & bit) ? 2 : 0) - 1;
    }
    bool is_unique(const GoalPlace& p) const {
        const auto [k, bit] = position(p);
        return unique_.data()[k] & bit;
    }

    // The states one move away, each once, with the shapes' arcs that lead there.
    std::vector<GoalPlace> neighbours(const GoalPlace& p) const {
        std::vector<GoalPlace> out;
        const std::uint64_t lane = code_->lane();
        for (const auto into : code_->into(p.shape)) {
            const auto& forth = code_->arcs()[into ^ 1];
            const std::uint64_t x = p.index / lane;
            const auto o = static_cast<std::uint32_t>(p.index % lane);
            const std::uint64_t there = code_->back(code_->arcs()[into])[x];
            const GoalPlace to{forth.target, there * lane + code_->permute_one(code_->permutation(forth, x), o)};
            if (std::find(out.begin(), out.end(), to) == out.end()) out.push_back(to);
        }
        return out;
    }

    // Moves to the nearest goal, -1 if none can be reached.
    std::int32_t distance(GoalPlace p) const {
        int here = residue(p);
        if (here < 0) return -1;
        for (std::int32_t moves = 0;; ++moves) {
            const int nearer = (here + 2) % 3;
            const auto all = neighbours(p);
            const auto next = std::find_if(all.begin(), all.end(), [&](const auto& q) { return residue(q) == nearer; });
            if (next == all.end()) return moves;
            p = *next;
            here = nearer;
        }
    }

    // All shortest solutions of a state that was reached.
    Solutions solutions(const GoalPlace& start, std::uint64_t max_positions, const Tick& tick) const {
        struct Weight {
            std::uint64_t paths = 0;
            double chance = 0;
        };
        if (residue(start) < 0) throw std::invalid_argument("no solution");
        std::unordered_map<GoalPlace, Weight, Hash> now{{start, {1, 1.0}}}, next;
        Solutions out{0, 0.0, 0};
        for (bool first = true; !now.empty(); first = false) {
            next.clear();
            for (const auto& [p, weight] : now) {
                if ((++out.positions & 0xfff) == 0) tick("solutions", out.positions, 0);
                if (out.positions > max_positions) throw LimitReached("too many positions on shortest solutions");
                const int nearer = (residue(p) + 2) % 3;
                const auto all = neighbours(p);
                bool is_goal = true;
                for (const auto& q : all) {
                    if (residue(q) != nearer) continue;
                    is_goal = false;
                    Weight& there = next[q];
                    there.paths = there.paths > max_count - weight.paths ? max_count : there.paths + weight.paths;
                    // One of the moves takes the last one back.
                    there.chance += weight.chance / static_cast<double>(all.size() - (first ? 0 : 1));
                }
                if (!is_goal) continue;
                out.count = out.count > max_count - weight.paths ? max_count : out.count + weight.paths;
                out.chance += weight.chance;
            }
            std::swap(now, next);
        }
        return out;
    }

private:
    static constexpr std::uint64_t worth_threads = 1 << 13;  // with fewer words, starting a thread takes longer
    static constexpr std::size_t max_samples = 1 << 16;
    static constexpr std::uint64_t max_count = std::numeric_limits<std::uint64_t>::max();

    static std::uint64_t mixed(const GoalPlace& p) {  // splitmix64
        std::uint64_t z = (std::uint64_t{p.shape} << 44 ^ p.index) + 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }

    struct Hash {
        std::size_t operator()(const GoalPlace& p) const { return mixed(p); }
    };

    // The states with the smallest hashes, of each of the two sorts.
    class Sample {
    public:
        explicit Sample(std::size_t size) : size_(size) {}
        void add(const GoalPlace& p, bool is_unique) {
            if (!size_) return;
            Half& half = halves_[is_unique ? 0 : 1];
            const std::uint64_t hash = mixed(p);
            if (hash >= half.last) return;
            half.kept.emplace_back(hash, p);
            if (half.kept.size() >= 2 * size_) shrink(half);
        }
        void merge(const Sample& other) {
            for (std::size_t h = 0; h < 2; ++h)
                for (const auto& [hash, p] : other.halves_[h].kept) add(p, h == 0);
        }
        std::vector<std::pair<GoalPlace, bool>> sorted() {
            std::vector<std::pair<GoalPlace, bool>> out;
            for (std::size_t h = 0; h < 2; ++h) {
                shrink(halves_[h]);
                for (const auto& [hash, p] : halves_[h].kept) out.emplace_back(p, h == 0);
            }
            return out;
        }

    private:
        struct Half {
            std::vector<std::pair<std::uint64_t, GoalPlace>> kept;
            std::uint64_t last = std::numeric_limits<std::uint64_t>::max();  // larger hashes are not needed
        };
        void shrink(Half& half) const {
            std::sort(half.kept.begin(), half.kept.end(), [](const auto& a, const auto& b) {
                return std::tie(a.first, a.second.shape, a.second.index) <
                       std::tie(b.first, b.second.shape, b.second.index);
            });
            if (half.kept.size() < size_ || !size_) return;
            half.kept.resize(size_);
            half.last = half.kept.back().first;
        }
        std::size_t size_;
        std::array<Half, 2> halves_;
    };

    std::pair<std::size_t, std::uint64_t> position(const GoalPlace& p) const {
        return {p.shape * words_ + p.index / GoalCode::word_bits, std::uint64_t{1} << p.index % GoalCode::word_bits};
    }

    // The states of a machine word that have this value.
    std::uint64_t valued(std::size_t k, unsigned value) const {
        const std::uint64_t high = std::atomic_ref(high_.data()[k]).load(std::memory_order_acquire);
        const std::uint64_t low = std::atomic_ref(low_.data()[k]).load(std::memory_order_relaxed);
        return ((value & 1) ? low : ~low) & ((value & 2) ? high : ~high);
    }

    // What arrives in the lane of one word of kinds.
    struct Arrivals {
        std::vector<std::uint64_t> once, twice, unique;
        explicit Arrivals(std::size_t words) : once(words), twice(words), unique(words) {}
        void clear() {
            for (auto* each : {&once, &twice, &unique}) std::fill(each->begin(), each->end(), 0);
        }
    };

    std::uint64_t& live_word(std::vector<std::uint64_t>& words, std::size_t shape, std::uint64_t x) const {
        return words[shape * live_width_ + x / 64];
    }
    void mark_live(const GoalPlace& p, std::vector<std::uint64_t>& words) {
        live_[p.shape] = 1;
        const std::uint64_t x = p.index / code_->lane();
        live_word(words, p.shape, x) |= std::uint64_t{1} << x % 64;
    }

    // The value of the states of the last layer.
    unsigned last_value() const { return static_cast<unsigned>((layers_.size() - 1) % 3) + 1; }

    Layer advance_full(unsigned threads, Sample& drawn, const Tick& tick) {
        std::vector<Layer> found(threads);
        std::vector<Sample> samples(threads, Sample(samples_));
        std::vector<std::vector<GoalPlace>> lists(threads);
        std::vector<std::uint8_t> live(code_->shapes(), 0);
        next_words_.assign(live_words_.size(), 0);
        parallel_for(code_->shapes(), threads, "layer", tick, [&](std::size_t shape, unsigned thread) {
            const Layer here = pull(static_cast<std::uint32_t>(shape), samples[thread], lists[thread]);
            found[thread].states += here.states;
            found[thread].unique += here.unique;
            live[shape] = here.states != 0;  // a byte is a memory location of its own
        });
        live_ = std::move(live);
        std::swap(live_words_, next_words_);
        Layer sum;
        for (const auto& each : found) sum.states += each.states, sum.unique += each.unique;
        for (const auto& each : samples) drawn.merge(each);
        list_.clear();
        is_listed_ = sum.states < max_listed_;
        if (is_listed_)
            for (const auto& each : lists) list_.insert(list_.end(), each.begin(), each.end());
        return sum;
    }

    Layer advance_thin(Sample& drawn, const Tick& tick) {
        std::unordered_map<GoalPlace, bool, Hash> found;  // and whether it has one shortest solution
        for (std::size_t i = 0; i < list_.size(); ++i) {
            if ((i & 0x3ff) == 0) tick("layer", i, list_.size());
            const bool alone = is_unique(list_[i]);
            for (const auto& to : neighbours(list_[i])) {
                if (residue(to) >= 0) continue;
                const auto [it, fresh] = found.try_emplace(to, alone);
                if (!fresh) it->second = false;
            }
        }
        const unsigned value = last_value() % 3 + 1;
        std::fill(live_.begin(), live_.end(), 0);
        std::fill(live_words_.begin(), live_words_.end(), 0);
        list_.clear();
        Layer sum;
        for (const auto& [place, alone] : found) {
            const auto [k, bit] = position(place);
            settle(k, bit, alone ? bit : 0, value);
            mark_live(place, live_words_);
            ++sum.states;
            sum.unique += alone;
            drawn.add(place, alone);
            list_.push_back(place);
        }
        return sum;
    }

    // Adds the next layer's states of one shape.
    Layer pull(std::uint32_t shape, Sample& sample, std::vector<GoalPlace>& list) {
        const unsigned value = last_value();
        std::vector<const GoalCode::Arc*> arcs;
        for (auto a : code_->into(shape))
            if (live_[code_->arcs()[a].source]) arcs.push_back(&code_->arcs()[a]);
        Layer out;
        if (arcs.empty()) return out;
        const std::uint32_t lane = code_->lane(), bits = std::min(lane, GoalCode::word_bits);
        const std::size_t width = std::max<std::size_t>(1, lane / GoalCode::word_bits);
        const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        Arrivals arrivals(width);
        for (std::uint64_t x = 0; x < code_->words(); ++x) {
            const std::size_t first = shape * words_ + x * lane / GoalCode::word_bits;
            const auto shift = static_cast<unsigned>(x * lane % GoalCode::word_bits);
            bool full = true;
            for (std::size_t k = 0; k < width && full; ++k)
                full = ((low_.data()[first + k] | high_.data()[first + k]) >> shift & mask) == mask;
            if (full) continue;
            arrivals.clear();
            bool any = false;
            for (const auto* arc : arcs) {
                const std::uint64_t y = code_->back(*arc)[x];
                if (!(live_word(live_words_, arc->source, y) >> y % 64 & 1)) continue;
                const std::uint32_t permutation = code_->permutation(*arc, y);
                if (arc->twin >= 0 && repeats(*arc, y, permutation)) continue;
                any |= width > 1 ? arrive_one_by_one(arc->source, y, value, permutation, arrivals)
                                 : arrive(arc->source, y, value, permutation, mask, arrivals);
            }
            if (!any) continue;
            for (std::size_t k = 0; k < width; ++k) {
                const std::uint64_t reached = (low_.data()[first + k] | high_.data()[first + k]) >> shift & mask;
                const std::uint64_t fresh = arrivals.once[k] & ~reached;
                if (!fresh) continue;
                const std::uint64_t alone = fresh & arrivals.unique[k] & ~arrivals.twice[k];
                settle(first + k, fresh << shift, alone << shift, value % 3 + 1);
                live_word(next_words_, shape, x) |= std::uint64_t{1} << x % 64;
                out.states += static_cast<unsigned>(std::popcount(fresh));
                out.unique += static_cast<unsigned>(std::popcount(alone));
                const std::uint64_t index = x * lane + k * GoalCode::word_bits;
                for (std::uint64_t rest = fresh; rest; rest &= rest - 1) {
                    const auto bit = static_cast<unsigned>(std::countr_zero(rest));
                    const GoalPlace here{shape, index + bit};
                    sample.add(here, alone >> bit & 1);
                    if (list.size() < max_listed_) list.push_back(here);
                }
            }
        }
        return out;
    }

    // Whether an arc before does the same to these states: pieces that look alike turned either way.
    bool repeats(const GoalCode::Arc& arc, std::uint64_t y, std::uint32_t permutation) const {
        for (auto a = arc.twin; a >= 0; a = code_->arcs()[static_cast<std::size_t>(a)].twin)
            if (code_->permutation(code_->arcs()[static_cast<std::size_t>(a)], y) == permutation) return true;
        return false;
    }

    bool arrive(std::uint32_t source, std::uint64_t y, unsigned value, std::uint32_t permutation, std::uint64_t mask,
                Arrivals& to) const {
        const std::uint64_t bit = y * code_->lane();
        const std::size_t k = source * words_ + bit / GoalCode::word_bits;
        const auto shift = static_cast<unsigned>(bit % GoalCode::word_bits);
        const std::uint64_t from = valued(k, value) >> shift & mask;
        if (!from) return false;
        const std::uint64_t alone = from & load_unique(k) >> shift, moved = code_->permute(permutation, from);
        to.twice[0] |= to.once[0] & moved;
        to.once[0] |= moved;
        if (alone) to.unique[0] |= alone == from ? moved : code_->permute(permutation, alone);
        return true;
    }

    // The same if a lane has several machine words.
    bool arrive_one_by_one(std::uint32_t source, std::uint64_t y, unsigned value, std::uint32_t permutation,
                           Arrivals& to) const {
        const std::size_t width = to.once.size(), first = source * words_ + y * width;
        bool any = false;
        for (std::size_t k = 0; k < width; ++k) {
            std::uint64_t from = valued(first + k, value);
            const std::uint64_t alone = from ? load_unique(first + k) : 0;
            for (any |= from != 0; from; from &= from - 1) {
                const auto bit = static_cast<unsigned>(std::countr_zero(from));
                const auto o = code_->permute_one(permutation, static_cast<std::uint32_t>(k * 64 + bit));
                const std::uint64_t moved = std::uint64_t{1} << o % 64;
                to.twice[o / 64] |= to.once[o / 64] & moved;
                to.once[o / 64] |= moved;
                if (alone >> bit & 1) to.unique[o / 64] |= moved;
            }
        }
        return any;
    }

    std::uint64_t load_unique(std::size_t k) const {
        return std::atomic_ref(unique_.data()[k]).load(std::memory_order_relaxed);
    }

    void settle(std::size_t k, std::uint64_t fresh, std::uint64_t alone, unsigned value) {
        const auto add = [](std::uint64_t& word, std::uint64_t bits, std::memory_order order) {
            if (bits) std::atomic_ref(word).store(word | bits, order);
        };
        add(unique_.data()[k], alone, std::memory_order_relaxed);
        if (value & 1) add(low_.data()[k], fresh, std::memory_order_relaxed);
        if (value & 2) add(high_.data()[k], fresh, std::memory_order_release);
    }

    std::shared_ptr<const GoalCode> code_;
    std::size_t samples_;
    std::uint64_t words_;  // machine words of a shape
    std::uint64_t max_listed_;
    std::vector<GoalPlace> list_;  // the last layer, if it is thin
    bool is_listed_ = false;
    mutable BitPlane low_, high_, unique_;
    // Shapes with states of the last layer, and a bit for each word of kinds with some.
    std::vector<std::uint8_t> live_;
    std::uint64_t live_width_ = 0;
    std::vector<std::uint64_t> live_words_, next_words_;
    std::vector<Layer> layers_;
    std::vector<std::vector<std::pair<GoalPlace, bool>>> drawn_;
    bool usable_ = false, finished_ = false;
};

}  // namespace slidelab
