// Breadth-first search over all configurations of a component, layer by layer, with two bits for each.
//
// Moves can be undone, so the neighbours of a layer are in the layer before, in itself or in the next one: two bit
// arrays are enough, the current layer (`now`) and the one before (`before`), which the next layer replaces.
//
// Full layers are computed by pulling: for a range of words in every shape, collect what all edges bring in from `now`,
// remove what is in `now` or `before`, and write the rest over `before`. Ranges are the shards of the work: a shard
// writes only its own words, edges that keep the order of the pieces stay inside it, and it reads other shards' words
// of `now` only for edges whose run of digits begins before the digits that number the shard. Threads share the shards.
//
// Thin layers are computed by pushing words from a list. A new state is marked in both arrays until the layer is
// finished; no other state ever is. Threads share the arrays through atomic words; a new state is marked in `before`
// first and in `now` last, and read in the other order, so no thread takes a half-marked state for one of this layer.
#pragma once

#include "base/parallel.hpp"
#include "layers/arc_steps.hpp"
#include "layers/layer_arrays.hpp"
#include "layers/search_options.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

namespace slidelab {

class LayerSearch : private LayerArrays {
public:
    using LayerArrays::residue;

    static constexpr std::uint64_t worth_threads = 1 << 13;  // with fewer words, starting a thread takes longer
    static constexpr std::uint32_t stretch = 6 * 7 * 8 * 9;  // words: whole rows, or an even part of one

    LayerSearch(std::shared_ptr<const StateCode> code, SearchOptions options)
        : LayerArrays(std::move(code), options.table), options_(std::move(options)), steps_(*code_, options_.portable) {
        if (code_->shards().count() != 1) throw std::invalid_argument("one shard expected");
        if (options_.thin == 0) throw std::invalid_argument("thin must be positive");
        if (!options_.line.empty()) came_ = previous_on_lines(code_->arcs(), options_.line);
    }

    // Bytes for arrays and lists; nothing is taken before `begin`.
    static std::uint64_t bytes_needed(const StateCode& code, const SearchOptions& options, unsigned threads) {
        const std::uint64_t all = std::uint64_t{code.words()} * code.shapes();
        const std::uint64_t planes = options.table ? 4 : 2;
        const std::uint64_t lists = 4 * 8 * (all / options.thin + 1);
        const std::uint64_t scratch = options.line.empty() ? stretch : 3 * std::uint64_t{code.words()};
        return planes * all * 8 + lists + threads * scratch * 8;
    }

    void begin(const Place& start) {
        take_arrays();
        now_.data()[at(start.shape, start.word)] = std::uint64_t{1} << start.bit;
        live_now_[start.shape] = 1;
        layers_ = {1};
        now_words_ = 1;
        lists_.assign(1, {key(start.shape, start.word)});
        old_lists_.assign(1, {});
        thin_now_ = true;
        if (options_.table) record(at(start.shape, start.word), now_.data()[at(start.shape, start.word)], 0);
        state_ = State::ready;
    }

    // The next layer; returns its number of states, 0 if there was none.
    std::uint64_t advance(unsigned threads, const Tick& tick) {
        if (state_ == State::broken) throw std::logic_error("the search was stopped within a layer");
        if (state_ == State::finished) return 0;
        if (state_ == State::empty) throw std::logic_error("the search has not begun");
        state_ = State::broken;  // until the layer is whole
        const std::uint64_t all = all_words();
        const bool thin = now_words_ < all / options_.thin || all < 64;
        if (threads == 0 || all < worth_threads) threads = 1;
        const Counted found = thin ? advance_thin(threads, tick) : advance_full(threads, tick);
        std::swap(now_, before_);
        std::swap(live_now_, live_before_);
        now_words_ = found.words;
        thin_now_ = thin;
        state_ = found.states ? State::ready : State::finished;
        if (found.states) layers_.push_back(found.states);
        // Layers never meet; a search that finds more than there is was begun from layers that make no sense.
        if (std::accumulate(layers_.begin(), layers_.end(), std::uint64_t{0}) > all * word_states) {
            state_ = State::broken;
            throw std::logic_error("more states than there are");
        }
        return found.states;
    }

    const std::vector<std::uint64_t>& layers() const { return layers_; }
    bool finished() const { return state_ == State::finished; }
    bool usable() const { return state_ == State::ready || state_ == State::finished; }
    const StateCode& code() const { return *code_; }

    // States of the last layer in order of shapes and words, at most `limit`; those with some ranks, which ascend.
    std::vector<Place> last_layer(std::size_t limit, const Tick& tick = no_tick) const {
        return first_states(last_plane(), limit, tick);
    }
    std::vector<Place> layer_states(std::span<const std::uint64_t> ranks, const Tick& tick = no_tick) const {
        return ranked_states(last_plane(), ranks, tick);
    }

    // Calls visit(shape, word, bits) for all words of the last layer.
    template <class Visit>
    void each_word(const Tick& tick, Visit&& visit) const {
        const BitPlane& plane = last_plane();
        const bool over = state_ == State::finished;
        if (thin_now_ && !over) {
            for (const auto& list : lists_)
                for (std::size_t i = 0; i < list.size(); ++i) {
                    if ((i & 0xfff) == 0) tick("layer", i, list.size());
                    const std::uint64_t k = list[i];
                    visit(static_cast<std::uint32_t>(k >> 32), static_cast<std::uint32_t>(k), plane.data()[at_key(k)]);
                }
            return;
        }
        for (std::uint32_t s = 0; s < code_->shapes(); ++s) {
            if ((s & tick_mask(words_)) == 0) tick("layer", s, code_->shapes());
            if (!(over ? live_before_ : live_now_)[s]) continue;
            for (std::uint32_t w = 0; w < words_; ++w) {
                if ((w & 0xfff) == 0xfff) tick("layer", s, code_->shapes());
                if (const std::uint64_t bits = plane.data()[at(s, w)]) visit(s, w, bits);
            }
        }
    }

    // The places one move away, with the arc that leads there.
    std::vector<std::pair<std::uint32_t, Place>> neighbours(const Place& p) const {
        std::vector<std::pair<std::uint32_t, Place>> out;
        each_neighbour(p, [&](std::uint32_t arc, const Place& to) {
            out.emplace_back(arc, to);
            return false;
        });
        return out;
    }

    // Moves to the place where the search began, by ever nearer neighbours; -1 for a place that was not reached.
    std::int32_t distance(Place p) const {
        int here = residue(p);
        if (here < 0) return -1;
        for (std::int32_t moves = 0;; ++moves) {
            const int nearer = (here + 2) % 3;
            Place next = p;
            if (!each_neighbour(
                    p, [&](std::uint32_t, const Place& to) { return residue(to) == nearer && (next = to, true); }))
                return moves;
            p = next;
            here = nearer;
        }
    }

    // Frees what only the search needs; the table stays.
    void keep_table_only() {
        now_ = BitPlane();
        before_ = BitPlane();
        lists_.clear();
        old_lists_.clear();
        state_ = State::empty;
    }

    // Part of the last layer or the one before it, packed.
    std::vector<std::uint64_t> pack(bool earlier, std::uint64_t first, std::uint64_t count) const {
        if (state_ != State::ready) throw std::logic_error("no layer to pack");
        return pack_words(earlier, first, count);
    }

    // Takes up a search again: `load` the words of both layers, then `resume` with the layers' counts.
    void prepare() { take_arrays(); }
    void load(bool earlier, std::uint64_t first, std::uint64_t count, std::span<const std::uint64_t> packed) {
        if (!now_ || state_ != State::empty) throw std::logic_error("nothing to load into");
        load_words(earlier, first, count, packed);
    }
    void resume(std::vector<std::uint64_t> layers, const Tick& tick = no_tick) {
        if (layers.empty() || !now_ || state_ != State::empty) throw std::logic_error("nothing to resume");
        if (options_.table) throw std::logic_error("a table can't be resumed: earlier layers are gone");
        const auto [now, before] = count_states(tick);
        if (now.states != layers.back() || before.states != (layers.size() > 1 ? layers[layers.size() - 2] : 0))
            throw std::invalid_argument("the layers do not have the sizes they should have");
        layers_ = std::move(layers);
        now_words_ = now.words;
        thin_now_ = false;
        state_ = State::ready;
    }

private:
    enum class State { empty, ready, broken, finished };
    static constexpr std::uint64_t listed = std::uint64_t{1} << 63;  // in `now`: the word is on the new list
    const BitPlane& last_plane() const {
        return state_ == State::finished ? before_ : usable() ? now_ : throw std::logic_error("there is no last layer");
    }

    void take_arrays() {
        state_ = State::empty;
        reset_arrays();
        layers_.clear();
    }

    // Calls visit(arc, place) for the places one move away, until it returns true.
    template <class Visit>
    bool each_neighbour(const Place& p, const Visit& visit) const {
        for (const auto into : code_->into(p.shape)) {
            std::uint32_t arc = into ^ 1;
            Place at = p;
            while (true) {
                Place to{code_->arcs()[arc].target, 0, 0};
                steps_.carry(arc, 0, static_cast<std::uint32_t>(at.word), std::uint64_t{1} << at.bit,
                             [&](std::uint32_t, std::uint32_t w, std::uint64_t bits) {
                                 to.word = w;
                                 to.bit = static_cast<std::uint32_t>(__builtin_ctzll(bits));
                             });
                if (visit(arc, to)) return true;
                if (options_.line.empty() || options_.line[arc] < 0) break;
                at = to;  // a push continues
                arc = static_cast<std::uint32_t>(options_.line[arc]);
            }
        }
        return false;
    }

    Counted advance_full(unsigned threads, const Tick& tick) {
        const std::size_t shapes = code_->shapes();
        const bool straight = !options_.line.empty();
        const std::uint32_t length = straight ? words_ : std::min(words_, stretch);
        const std::size_t stretches = (std::size_t{words_} + length - 1) / length;
        // Stretch by stretch through all shapes, so that what the shapes share is still in the cache;
        // with few stretches, shapes are split among the tasks too.
        const std::size_t wanted = 16 * std::size_t{threads};
        const std::size_t parts = std::min(shapes, straight ? shapes : std::max<std::size_t>(1, wanted / stretches));
        lists_.clear();
        old_lists_.clear();
        std::vector<Counted> found(threads, Counted{0, 0});
        std::vector<std::vector<std::uint64_t>> scratch(threads);
        std::vector<std::uint8_t> live(shapes, 0);
        parallel_for(stretches * parts, threads, "layer", tick, [&](std::size_t task, unsigned thread) {
            auto& space = scratch[thread];
            if (space.empty()) space.resize(straight ? 3 * std::size_t{length} : length);
            const auto first = static_cast<std::uint32_t>(task / parts * length);
            const auto last =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(words_, std::uint64_t{first} + length));
            const std::size_t part = task % parts;
            for (std::size_t s = part * shapes / parts; s < (part + 1) * shapes / parts; ++s) {
                const auto into = code_->into(s);
                const bool reached = straight || std::any_of(into.begin(), into.end(), [&](auto a) {
                                         return live_now_[code_->arcs()[a].source];
                                     });
                if (!reached && !live_before_[s]) continue;
                std::uint64_t* sum = space.data();
                std::fill(sum, sum + (last - first), 0);
                for (auto a : into) {
                    if (straight) pull_line(a, space);
                    else if (live_now_[code_->arcs()[a].source])
                        steps_.pull(a, 0, now_.data() + at(code_->arcs()[a].source, 0), first, last, sum);
                }
                const Counted c = steps_.kernels().settle(sum, now_.data() + at(s, first),
                                                          before_.data() + at(s, first), last - first);
                found[thread].words += c.words;
                found[thread].states += c.states;
                if (c.states) std::atomic_ref(live[s]).store(1, std::memory_order_relaxed);
                if (options_.table && c.states)
                    for (std::uint32_t w = first; w < last; ++w)
                        if (const auto bits = before_.data()[at(s, w)]) record(at(s, w), bits, layers_.size());
            }
        });
        live_before_ = std::move(live);
        Counted sum{0, 0};
        for (const auto& c : found) sum.words += c.words, sum.states += c.states;
        return sum;
    }

    // Everything that arrives over an arc when a whole row may be pushed: first what comes down the line.
    void pull_line(std::uint32_t arc, std::vector<std::uint64_t>& space) const {
        std::vector<std::uint32_t> line{arc};
        while (came_[line.back()] >= 0) line.push_back(static_cast<std::uint32_t>(came_[line.back()]));
        std::uint64_t *sum = space.data(), *a = sum + words_, *b = a + words_;
        const std::uint64_t* from = now_.data() + at(code_->arcs()[line.back()].source, 0);
        for (std::size_t k = line.size(); k-- > 1;) {
            const std::uint64_t* here = now_.data() + at(code_->arcs()[line[k]].target, 0);
            std::copy(here, here + words_, a);
            steps_.pull(line[k], 0, from, 0, words_, a);
            from = a;
            std::swap(a, b);
        }
        steps_.pull(arc, 0, from, 0, words_, sum);
    }

    Counted advance_thin(unsigned threads, const Tick& tick) {
        if (!thin_now_) make_lists(threads, tick);
        std::vector<std::vector<std::uint64_t>> fresh(threads);
        if (threads > 1 && now_words_ > 4096)
            for_slices(lists_, threads, tick,
                       [&](auto keys, unsigned thread) { carry_words<true>(keys, fresh[thread]); });
        else for_slices(lists_, 1, tick, [&](auto keys, unsigned thread) { carry_words<false>(keys, fresh[thread]); });
        // The layer before the last goes; then what is marked in both arrays is the new layer.
        for_slices(old_lists_, threads, tick, [&](auto keys, unsigned) {
            for (auto k : keys) before_.data()[at_key(k)] &= now_.data()[at_key(k)];
        });
        std::vector<Counted> found(threads, Counted{0, 0});
        std::vector<std::uint8_t> live(code_->shapes(), 0);
        for_slices(fresh, threads, tick, [&](auto keys, unsigned thread) {
            for (auto k : keys) {
                const std::uint64_t bits = before_.data()[at_key(k)];
                now_.data()[at_key(k)] &= ~(bits | listed);
                ++found[thread].words;
                found[thread].states += static_cast<unsigned>(__builtin_popcountll(bits));
                std::atomic_ref(live[k >> 32]).store(1, std::memory_order_relaxed);
                if (options_.table) record(at_key(k), bits, layers_.size());
            }
        });
        live_before_ = std::move(live);
        old_lists_ = std::move(lists_);
        lists_ = std::move(fresh);
        Counted sum{0, 0};
        for (const auto& c : found) sum.words += c.words, sum.states += c.states;
        return sum;
    }

    // Words in transit: fetched from memory while others are computed.
    struct Travellers {
        struct One {
            std::uint32_t to, word;  // to a shape, or along an arc
            std::uint64_t bits;
        };
        std::array<One, 64> list;
        std::size_t count = 0;
        std::vector<One> onward;  // pushes that continue
    };

    template <bool Shared>
    void carry_words(std::span<const std::uint64_t> keys, std::vector<std::uint64_t>& fresh) {
        Travellers out;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (i + 8 < keys.size()) fetch(at_key(keys[i + 8]));
            const std::size_t here = at_key(keys[i]);
            std::uint64_t frontier;
            if constexpr (Shared) {
                const std::uint64_t now = std::atomic_ref(now_.data()[here]).load(std::memory_order_acquire);
                frontier = now & ~std::atomic_ref(before_.data()[here]).load(std::memory_order_acquire) & word_mask;
            } else {
                frontier = now_.data()[here] & ~before_.data()[here] & word_mask;
            }
            for (auto arc : code_->into(keys[i] >> 32))
                send<Shared>(arc ^ 1, static_cast<std::uint32_t>(keys[i]), frontier, out, fresh);
        }
        arrive<Shared>(out, fresh);
    }

    void fetch(std::size_t k) const {
        __builtin_prefetch(now_.data() + k, 1);
        __builtin_prefetch(before_.data() + k, 1);
    }

    // Sends the bits of a word along an arc, and on along its line if a whole row may be pushed. A line may be as long
    // as the board: what goes on waits in a list, not on the stack of the thread.
    template <bool Shared>
    void send(std::uint32_t arc, std::uint32_t word, std::uint64_t bits, Travellers& out,
              std::vector<std::uint64_t>& fresh) {
        const auto depart = [&](std::uint32_t along, std::uint32_t from, std::uint64_t leaving) {
            const std::uint32_t shape = code_->arcs()[along].target;
            const std::int64_t next = options_.line.empty() ? -1 : options_.line[along];
            steps_.carry(along, 0, from, leaving, [&](std::uint32_t, std::uint32_t w, std::uint64_t moved) {
                if (out.count == out.list.size()) arrive<Shared>(out, fresh);
                fetch(at(shape, w));
                out.list[out.count++] = {shape, w, moved};
                if (next >= 0) out.onward.push_back({static_cast<std::uint32_t>(next), w, moved});
            });
        };
        depart(arc, word, bits);
        while (!out.onward.empty()) {
            const auto [next, from, leaving] = out.onward.back();
            out.onward.pop_back();
            depart(next, from, leaving);
        }
    }

    template <bool Shared>
    void arrive(Travellers& out, std::vector<std::uint64_t>& fresh) {
        for (std::size_t i = 0; i < out.count; ++i)
            mark<Shared>(out.list[i].to, out.list[i].word, out.list[i].bits, fresh);
        out.count = 0;
    }

    template <bool Shared>
    void mark(std::uint32_t shape, std::uint32_t w, std::uint64_t bits, std::vector<std::uint64_t>& fresh) {
        std::uint64_t& now = now_.data()[at(shape, w)];
        std::uint64_t& before = before_.data()[at(shape, w)];
        if constexpr (Shared) {
            bits &= ~std::atomic_ref(now).load(std::memory_order_acquire) &
                    ~std::atomic_ref(before).load(std::memory_order_acquire);
            if (!bits) return;
            std::atomic_ref(before).fetch_or(bits, std::memory_order_release);
            if (!(std::atomic_ref(now).fetch_or(bits | listed, std::memory_order_release) & listed))
                fresh.push_back(key(shape, w));
        } else {
            bits &= ~now & ~before;
            if (!bits) return;
            before |= bits;
            if (!(now & listed)) fresh.push_back(key(shape, w));
            now |= bits | listed;
        }
    }

    template <class Work>
    void for_slices(const std::vector<std::vector<std::uint64_t>>& lists, unsigned threads, const Tick& tick,
                    Work&& work) const {
        constexpr std::size_t slice = 2048;
        std::vector<std::pair<std::size_t, std::size_t>> slices;
        for (std::size_t l = 0; l < lists.size(); ++l)
            for (std::size_t i = 0; i < lists[l].size(); i += slice) slices.emplace_back(l, i);
        parallel_for(slices.size(), slices.size() > 2 ? threads : 1, "layer", tick,
                     [&](std::size_t task, unsigned thread) {
                         const auto& list = lists[slices[task].first];
                         const std::size_t first = slices[task].second;
                         work(std::span(list).subspan(first, std::min(slice, list.size() - first)), thread);
                     });
    }

    // After full layers: which words have states of the last two.
    void make_lists(unsigned threads, const Tick& tick) {
        lists_.assign(threads, {});
        old_lists_.assign(threads, {});
        const std::size_t shapes = code_->shapes();
        const std::size_t stretches = (std::size_t{words_} + stretch - 1) / stretch;
        parallel_for(shapes * stretches, threads, "layer", tick, [&](std::size_t task, unsigned thread) {
            const std::size_t s = task / stretches;
            const auto first = static_cast<std::uint32_t>(task % stretches * stretch);
            const auto last =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(words_, std::uint64_t{first} + stretch));
            if (live_now_[s])
                for (std::uint32_t w = first; w < last; ++w)
                    if (now_.data()[at(s, w)]) lists_[thread].push_back(key(s, w));
            if (live_before_[s])
                for (std::uint32_t w = first; w < last; ++w)
                    if (before_.data()[at(s, w)]) old_lists_[thread].push_back(key(s, w));
        });
    }

    SearchOptions options_;
    ArcSteps steps_;
    std::vector<std::int64_t> came_;  // the arc before, on the same line
    std::vector<std::vector<std::uint64_t>> lists_, old_lists_;
    std::vector<std::uint64_t> layers_;
    std::uint64_t now_words_ = 0;
    bool thin_now_ = false;
    State state_ = State::empty;
};

}  // namespace slidelab
