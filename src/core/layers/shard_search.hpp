// Breadth-first search over shards (shards.hpp), some of which this process holds.
//
// If every move changes the colour of the shape in a two-colouring, the states within d moves whose colour is that of
// layer d are exactly the neighbours of those within d - 1. So there is one *plane* of bits for each colour, every
// layer adds to one of them what the other one leads to, and the size of a layer is what it added: one bit for each
// state. Otherwise there are two planes over all shapes, the last layer and the one before, which the next layer
// replaces.
//
// Layers with few new states are computed by carrying them from a list along all arcs, others by pulling along the arcs
// into every word. Either way what crosses to shards of this process is taken there, and what crosses to others is
// handed out: words of thin layers as a list, and of full layers block by block (`send`, `receive`).
#pragma once

#include "base/bit_plane.hpp"
#include "base/parallel.hpp"
#include "layers/plane_numbers.hpp"

#include <atomic>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

namespace slidelab {

struct ShardOptions {
    std::uint32_t first = 0, last = 1;  // shards of this process
    bool two_planes = false;            // also where one is enough, for tests
    bool portable = false;              // the portable inner loops, for tests
    std::uint32_t thin = 128;           // a layer is thin if fewer than one word in this many has a new state
    std::uint64_t kept = 1000;          // states of a layer that can be asked for, however large it is
};

class ShardSearch {
public:
    static constexpr std::uint64_t worth_threads = 1 << 13;  // with fewer words, starting a thread takes longer
    static constexpr std::uint32_t stretch = 6 * 7 * 8 * 9;  // words: whole rows, or an even part of one

    ShardSearch(std::shared_ptr<const StateCode> code, ShardOptions options)
        : code_(std::move(code)), options_(options), steps_(*code_, options.portable),
          numbers_(*code_, options.two_planes), words_(code_->words()), alternates_(numbers_.alternates()) {
        if (options_.first > options_.last || options_.last > code_->shards().count())
            throw std::invalid_argument("shards out of range");
        if (options_.thin == 0) throw std::invalid_argument("thin must be positive");
        crossing_.assign(code_->arcs().size(), -1);
        for (std::uint32_t a = 0; a < code_->arcs().size(); ++a)
            if (code_->arcs()[a].crosses)
                for (unsigned p = 0; p < 2; ++p)
                    if (numbers_.contains(p, code_->arcs()[a].target)) {
                        crossing_[a] = static_cast<std::int32_t>(crossings_[p].size());
                        crossings_[p].push_back(a);
                    }
        options_.kept = std::min(options_.kept, std::max<std::uint64_t>(1, plane_words(0) + plane_words(1)));
    }

    // Bytes of planes, lists and what arrives from other shards; nothing is taken before `begin` or `prepare`.
    std::uint64_t bytes_needed(unsigned threads) const {
        std::uint64_t arrivals = std::max(arrival_words(0), arrival_words(1));
        if (!alternates_) arrivals = arrival_words(0);
        return 8 * (plane_words(0) + plane_words(1) + arrivals) + 2 * sizeof(WordBits) * (longest_list() + 1) +
               kept_bytes(options_.kept, threads) + 8 * std::uint64_t{threads} * std::min(words_, stretch);
    }

    const StateCode& code() const { return *code_; }
    bool alternates() const { return alternates_; }
    std::uint32_t own_shards() const { return options_.last - options_.first; }
    const PlaneNumbers& numbers() const { return numbers_; }
    const std::vector<std::uint32_t>& shapes(unsigned plane) const { return numbers_.shapes(plane); }
    const std::vector<std::uint64_t>& layers() const { return layers_; }
    bool finished() const { return state_ == State::finished; }

    // The plane that holds a layer: of its colour, or of its number's parity.
    unsigned plane_of(std::size_t layer) const { return static_cast<unsigned>((start_ + layer) & 1); }
    // Words of a plane in this process: shards, shapes and words of each shape.
    std::uint64_t plane_words(unsigned plane) const {
        return std::uint64_t{own_shards()} * shapes(plane).size() * words_;
    }
    std::uint64_t* plane(unsigned p) { return planes_[p].data(); }

    void begin(const Place& start) {
        prepare(start.shape);
        const auto [shard, word] = code_->local_word(start.word);
        layers_ = {1};
        fresh_.begin(1, list_limit(), options_.kept);
        if (is_own(shard)) {
            planes_[plane_of(0)].data()[at(plane_of(0), shard, numbers_.position(start.shape), word)] |=
                std::uint64_t{1} << start.bit;
            fresh_.add(0, word_of(start));
        }
        old_.begin(1, 0, 1);
        found_.assign(1, {fresh_.size(), fresh_.size()});
        state_ = State::ready;
    }

    // Makes empty planes, to be filled before `resume`; layer 0 has this shape.
    void prepare(std::uint32_t start_shape) {
        state_ = State::empty;
        start_ = numbers_.first_plane(start_shape);
        for (unsigned p = 0; p < 2; ++p) fresh_plane(planes_[p], plane_words(p));
        prepared_ = true;
    }
    bool prepared() const { return prepared_; }

    // States in the words of a plane; throws if there are bits that stand for none.
    std::uint64_t count(unsigned p, const Tick& tick = no_tick) const {
        if (!prepared_) throw std::logic_error("the search has no planes yet");
        std::uint64_t sum = 0;
        for (std::uint64_t k = 0; k < plane_words(p); ++k) {
            if ((k & 0xffff) == 0) tick("count", k, plane_words(p));
            const std::uint64_t bits = planes_[p].data()[k];
            if (bits & ~word_mask || (!code_->row() && bits & ~code_->valid_bits(k % words_)))
                throw std::invalid_argument("words have bits that stand for nothing");
            sum += static_cast<unsigned>(__builtin_popcountll(bits));
        }
        return sum;
    }

    // Goes on from planes that were filled with the last two layers, or all layers of each colour.
    void resume(std::vector<std::uint64_t> layers) {
        if (layers.empty() || !prepared_ || state_ != State::empty) throw std::logic_error("nothing to resume");
        layers_ = std::move(layers);
        fresh_.begin(1, 0, 1);
        fresh_.add(0, {});  // there is no list
        old_.begin(1, 0, 1);
        old_.add(0, {});
        found_.assign(1, {plane_words(0) + plane_words(1), layers_.back()});
        state_ = State::ready;
    }

    // The next layer, if all shards are of this process; returns its number of states, 0 if there was none.
    std::uint64_t advance(unsigned threads, const Tick& tick) {
        if (own_shards() != code_->shards().count()) throw std::logic_error("shards are missing");
        if (state_ == State::finished) return 0;
        if (is_thin(counted().words, listed())) {
            push(threads, tick);
        } else {
            begin_full(threads, tick);
            for (std::uint32_t c = 0; c < crossings(); ++c) send(c, own(), {}, {}, threads, tick);
            sweep(true, true, threads, tick);
        }
        return finish_layer(counted().states);
    }

    // Whether a layer is to be carried from lists: `words` with new states in all processes, all of which have lists.
    bool is_thin(std::uint64_t words, bool listed) const {
        const std::uint64_t all = code_->global_words() * code_->shapes();
        return listed && (words < all / options_.thin || all < 64);
    }
    bool listed() const { return fresh_.complete() && (alternates_ || old_.complete()); }
    // New states of this process in the last layer, and words with some.
    Counted counted() const {
        Counted sum{0, 0};
        for (const auto& c : found_) sum.words += c.words, sum.states += c.states;
        return sum;
    }

    // Thin layers. Carries the words of the list; returns what goes to shards of others.
    std::vector<WordBits> push(unsigned threads, const Tick& tick) {
        begin_layer(threads, longest_list());
        thin_ = true;
        std::vector<std::vector<WordBits>> foreign(threads_);
        constexpr std::size_t slice = 2048;
        std::vector<std::span<const WordBits>> slices;
        for (std::size_t t = 0; t < old_.threads(); ++t)
            for (auto rest = old_.entries(t); !rest.empty(); rest = rest.subspan(std::min(slice, rest.size())))
                slices.push_back(rest.first(std::min(slice, rest.size())));
        parallel_for(slices.size(), threads_, "layer", tick, [&](std::size_t task, unsigned thread) {
            for (const auto& entry : slices[task]) carry(entry, thread, foreign[thread]);
        });
        std::vector<WordBits> out;
        for (const auto& list : foreign) out.insert(out.end(), list.begin(), list.end());
        return out;
    }
    // What words of the plane of the last layer lead to, for a search whose planes are elsewhere.
    std::vector<WordBits> images(std::span<const WordBits> words, unsigned threads, const Tick& tick) const {
        check(State::open);
        return numbers_.images(steps_, next_plane() ^ 1, words, threads, tick);
    }
    // Adds what others carried to the shards of this process.
    void mark(std::span<const WordBits> words) {
        check(State::open);
        for (const auto& entry : words) {
            const auto [shard, word] = numbers_.local(entry.word);
            if (!numbers_.contains_word(next_plane(), entry) || !is_own(shard))
                throw std::invalid_argument("no such word of this process");
            mark_word(static_cast<std::uint32_t>(numbers_.position_of(entry.word)), shard, word, entry, 0);
        }
    }

    // Full layers: `begin_full`, then blocks cross (`send` and `receive`) while `sweep` pulls within shards, at last
    // `sweep` pulls what arrived.
    void begin_full(unsigned threads, const Tick& tick) {
        begin_layer(threads, list_limit());
        thin_ = false;
        if (!crossings_[next_plane()].empty() && arrivals_.size() < arrival_words(next_plane()))
            arrivals_ = BitPlane(arrival_words(next_plane()));
        tick("layer", 0, 1);
    }
    std::size_t crossings() const { return crossings_[next_plane()].size(); }

    struct Range {
        std::uint32_t first, last;
        bool contains(std::uint32_t shard) const { return shard >= first && shard < last; }
    };
    Range own() const { return {options_.first, options_.last}; }

    // Blocks from shards of one range to those of another, along one crossing.
    std::uint64_t count_blocks(std::uint32_t crossing, Range from, Range to) const {
        std::uint64_t count = 0;
        const Arc& arc = crossing_arc(crossing);
        for (std::uint32_t shard = from.first; shard < from.last; ++shard)
            for (std::uint32_t d = 0; d < code_->shards().blocks(); ++d)
                count += to.contains(code_->shards().crossed({shard, d}, arc.from, arc.to).shard);
        return count * code_->x_count();
    }
    // For a search that holds one shard after another: the shard that planes and arrivals are of from now on.
    void hold(std::uint32_t shard) {
        if (own_shards() != 1 || shard >= code_->shards().count()) throw std::invalid_argument("no such shard to hold");
        options_.first = shard;
        options_.last = shard + 1;
    }
    std::size_t crossings_into(unsigned plane) const { return crossings_[plane].size(); }
    // What leaves the shard into a plane: by crossings, blocks and rows.
    std::vector<std::uint64_t> departures(unsigned plane, unsigned threads, const Tick& tick) const {
        if (own_shards() != 1) throw std::invalid_argument("one shard expected");
        if (!prepared_) throw std::logic_error("the search has no planes yet");
        const std::uint32_t blocks = code_->shards().blocks(), rows = static_cast<std::uint32_t>(code_->x_count());
        std::vector<std::uint64_t> out(crossings_[plane].size() * words_);
        parallel_for(crossings_[plane].size() * rows, threads, "layer", tick, [&](std::size_t task, unsigned) {
            const auto row = static_cast<std::uint32_t>(task % rows);
            const std::uint32_t arc = crossings_[plane][task / rows];
            const std::uint32_t position = numbers_.position(code_->arcs()[arc].source);
            std::vector<std::uint64_t*> places;
            for (std::uint32_t d = 0; d < blocks; ++d)
                places.push_back(out.data() + ((task / rows * blocks + d) * rows + row) * code_->block());
            steps_.depart(arc, options_.first, planes_[plane ^ 1].data() + at(plane ^ 1, options_.first, position, 0),
                          row, places);
        });
        return out;
    }
    // Where the blocks that arrive in a shard along a crossing come from.
    std::vector<Block> origins(unsigned plane, std::uint32_t crossing, std::uint32_t shard) const {
        const Arc& arc = code_->arcs()[crossings_[plane].at(crossing)];
        std::vector<Block> out;
        for (std::uint32_t d = 0; d < code_->shards().blocks(); ++d)
            out.push_back(code_->shards().crossed({shard, d}, arc.to, arc.from));
        return out;
    }
    std::uint64_t* arrivals() {
        if (arrivals_.size() < arrival_words()) throw std::logic_error("there is no place for arrivals yet");
        return arrivals_.data();
    }
    std::uint64_t arrival_words() const { return arrival_words(next_plane()); }

    // Takes the blocks of some own shards along a crossing: those that stay within this process to their place, the
    // others to the list of the process that has their new shard, in the order of shards, rows and blocks.
    void send(std::uint32_t crossing, Range shards, std::span<const Range> processes,
              std::span<std::uint64_t* const> lists, unsigned threads, const Tick& tick) {
        check(State::open);
        if (thin_) throw std::logic_error("a thin layer has no blocks");
        if (shards.first < options_.first || shards.last > options_.last || lists.size() != processes.size())
            throw std::invalid_argument("shards of another process");
        const Arc& arc = crossing_arc(crossing);
        const auto rows = static_cast<std::uint32_t>(code_->x_count());
        const std::uint32_t blocks = code_->shards().blocks();
        std::vector<std::uint64_t*> next(lists.begin(), lists.end()), places;
        for (std::uint32_t shard = shards.first; shard < shards.last; ++shard)
            for (std::uint32_t x = 0; x < rows; ++x)
                for (std::uint32_t d = 0; d < blocks; ++d) {
                    const Block to = code_->shards().crossed({shard, d}, arc.from, arc.to);
                    if (is_own(to.shard)) {
                        places.push_back(arrival(crossing, to, x));
                        continue;
                    }
                    std::size_t k = 0;
                    while (k < processes.size() && !processes[k].contains(to.shard)) ++k;
                    if (k == processes.size()) throw std::invalid_argument("a shard of no process");
                    places.push_back(next[k]);
                    next[k] += code_->block();
                }
        const std::uint32_t number = crossings_[next_plane()][crossing];
        const unsigned source = next_plane() ^ 1;
        parallel_for(places.size() / blocks, threads, "layer", tick, [&](std::size_t task, unsigned) {
            const auto shard = static_cast<std::uint32_t>(shards.first + task / rows);
            steps_.depart(number, shard, planes_[source].data() + at(source, shard, numbers_.position(arc.source), 0),
                          static_cast<std::uint32_t>(task % rows), std::span(places).subspan(task * blocks, blocks));
        });
    }
    void receive(std::uint32_t crossing, Range from, const std::uint64_t* blocks) {
        check(State::open);
        if (thin_) throw std::logic_error("a thin layer has no blocks");
        const Arc& arc = crossing_arc(crossing);
        for (std::uint32_t shard = from.first; shard < from.last; ++shard)
            for (std::uint32_t x = 0; x < code_->x_count(); ++x)
                for (std::uint32_t d = 0; d < code_->shards().blocks(); ++d) {
                    const Block to = code_->shards().crossed({shard, d}, arc.from, arc.to);
                    if (!is_own(to.shard)) continue;
                    std::copy(blocks, blocks + code_->block(), arrival(crossing, to, x));
                    blocks += code_->block();
                }
    }

    // Pulls into every word along the arcs within shards, along those that cross, or both at once. Two planes need
    // both at once.
    void sweep(bool within, bool crossing, unsigned threads, const Tick& tick) {
        check(State::open);
        if (thin_) throw std::logic_error("a thin layer has no blocks");
        if (own_shards() == 0) return;
        if (!alternates_ && !(within && crossing)) throw std::logic_error("two planes are swept at once");
        const unsigned target = next_plane(), source = target ^ 1;
        const std::vector<std::uint32_t>& into = shapes(target);
        if (into.empty()) return;
        const std::uint32_t length = std::min(words_, stretch);
        const std::size_t stretches = (std::size_t{words_} + length - 1) / length;
        // Stretch by stretch through all shapes, so that what the shapes share is still in the cache; with few
        // stretches, shapes are split among the tasks, too.
        const std::size_t wanted = 16 * std::size_t{threads_};
        const std::size_t parts = std::clamp<std::size_t>(wanted / (stretches * own_shards()), 1, into.size());
        std::vector<std::vector<std::uint64_t>> scratch(threads_, std::vector<std::uint64_t>(length));
        parallel_for(
            own_shards() * stretches * parts, std::min(threads, threads_), "layer", tick,
            [&](std::size_t task, unsigned thread) {
                const std::size_t part = task % parts;
                const auto shard = static_cast<std::uint32_t>(options_.first + task / parts / stretches);
                const auto first = static_cast<std::uint32_t>(task / parts % stretches * length);
                const auto last =
                    static_cast<std::uint32_t>(std::min<std::uint64_t>(words_, std::uint64_t{first} + length));
                std::uint64_t* sum = scratch[thread].data();
                for (std::size_t k = part * into.size() / parts; k < (part + 1) * into.size() / parts; ++k) {
                    bool any = false;
                    for (const auto a : code_->into(into[k])) {
                        const Arc& arc = code_->arcs()[a];
                        if (!(arc.crosses ? crossing : within)) continue;
                        if (!any) std::fill(sum, sum + (last - first), 0);
                        any = true;
                        const std::uint64_t* from =
                            arc.crosses ? arrivals_.data() + arrival_at(static_cast<std::uint32_t>(crossing_[a]), shard)
                                        : planes_[source].data() + at(source, shard, numbers_.position(arc.source), 0);
                        steps_.pull(a, shard, from, first, last, sum);
                    }
                    if (!any && alternates_) continue;
                    std::uint64_t* words = planes_[target].data() + at(target, shard, k, first);
                    Counted c;
                    if (alternates_) {
                        c = steps_.kernels().merge(sum, words, last - first);
                    } else {
                        if (!any) std::fill(sum, sum + (last - first), 0);
                        c = steps_.kernels().settle(sum, planes_[source].data() + at(source, shard, k, first), words,
                                                    last - first);
                        sum = words;
                    }
                    found_[thread].words += c.words;
                    found_[thread].states += c.states;
                    if (c.words) list(shard, k, first, std::span(sum, last - first), thread);
                    sum = scratch[thread].data();
                }
            });
    }

    // Ends a layer that has so many states in all processes.
    std::uint64_t finish_layer(std::uint64_t states) {
        check(State::open);
        if (thin_ && !alternates_)  // the layer before the last goes
            for (std::size_t t = 0; t < stale_.threads(); ++t)
                for (const auto& entry : stale_.entries(t)) {
                    const auto [shard, word] = numbers_.local(entry.word);
                    const std::uint64_t position = numbers_.position_of(entry.word);
                    planes_[next_plane()].data()[at(next_plane(), shard, position, word)] &= ~entry.bits;
                }
        state_ = states ? State::ready : State::finished;
        if (states) layers_.push_back(states);
        const std::uint64_t all = code_->global_words() * code_->shapes();
        if (std::accumulate(layers_.begin(), layers_.end(), std::uint64_t{0}) > all * word_states) {
            state_ = State::empty;
            throw std::logic_error("more states than there are");
        }
        return states;
    }

    // States of the last layer in the order of shapes and words: those of this process, at most `kept` and `limit`.
    std::vector<Place> last_layer(std::size_t limit) const {
        if (state_ != State::ready && state_ != State::finished) throw std::logic_error("there is no last layer");
        return places(plane_of(layers_.size() - 1), (state_ == State::finished ? old_ : fresh_).sorted(), limit);
    }

    // The states of words of a plane, at most `limit`.
    std::vector<Place> places(unsigned plane, std::span<const WordBits> words, std::size_t limit) const {
        std::vector<Place> out;
        for (const auto& [word, all] : words) {
            if (numbers_.position_of(word) >= shapes(plane).size()) throw std::invalid_argument("no such word");
            for (std::uint64_t bits = all; bits && out.size() < limit; bits &= bits - 1)
                out.push_back({shapes(plane)[numbers_.position_of(word)], word % code_->global_words(),
                               static_cast<std::uint32_t>(__builtin_ctzll(bits))});
        }
        return out;
    }

    WordBits word_of(const Place& state) const {
        return {numbers_.number(state.shape, state.word), std::uint64_t{1} << state.bit};
    }

    // What was listed since the last call, in order: for a search that holds one shard after another.
    std::vector<WordBits> take_fresh() {
        check(State::open);
        auto out = fresh_.sorted();
        fresh_.begin(threads_, list_limit(), options_.kept);
        return out;
    }

private:
    enum class State { empty, ready, open, finished };

    void check(State state) const {
        if (state_ != state) throw std::logic_error("a step of the search comes at the wrong time");
    }

    unsigned next_plane() const { return plane_of(layers_.size()); }
    bool is_own(std::uint32_t shard) const { return shard >= options_.first && shard < options_.last; }
    std::size_t at(unsigned plane, std::uint32_t shard, std::size_t position, std::uint32_t word) const {
        return ((shard - options_.first) * shapes(plane).size() + position) * words_ + word;
    }
    // Words of the longest list.
    std::uint64_t list_limit() const {
        const std::uint64_t all = plane_words(0) + plane_words(1);
        return std::max<std::uint64_t>(all / 2 / options_.thin, std::min<std::uint64_t>(all, 64));
    }
    // A longer one is not carried any more: the next layer is swept.
    std::uint64_t longest_list() const { return alternates_ ? 2 * list_limit() : list_limit(); }
    std::uint64_t arrival_words(unsigned plane) const {
        return std::uint64_t{own_shards()} * crossings_[plane].size() * words_;
    }
    const Arc& crossing_arc(std::uint32_t crossing) const {
        if (crossing >= crossings()) throw std::invalid_argument("no such crossing");
        return code_->arcs()[crossings_[next_plane()][crossing]];
    }
    std::size_t arrival_at(std::uint32_t crossing, std::uint32_t shard) const {
        return ((shard - options_.first) * crossings() + crossing) * words_;
    }
    std::uint64_t* arrival(std::uint32_t crossing, const Block& to, std::uint32_t x) {
        return arrivals_.data() + arrival_at(crossing, to.shard) + std::size_t{x} * code_->row() +
               std::size_t{to.digit} * code_->block();
    }

    static void fresh_plane(BitPlane& plane, std::uint64_t words) {
        if (plane.size() != words) plane = BitPlane(words);
        else if (words < (std::size_t{1} << 16)) std::fill(plane.data(), plane.data() + words, 0);
        else plane.clear();
    }

    // From now on `old_` lists the last layer, `stale_` the one before, and `fresh_` the next.
    void begin_layer(unsigned threads, std::uint64_t limit) {
        check(State::ready);
        state_ = State::open;
        const bool few = plane_words(0) + plane_words(1) < worth_threads;
        threads_ = few || threads == 0 ? 1 : threads;
        std::swap(stale_, old_);
        std::swap(old_, fresh_);
        if (alternates_) stale_ = FreshWords();
        fresh_.begin(threads_, limit, options_.kept);
        found_.assign(threads_, {0, 0});
    }

    // Adds the new states of a stretch to the list.
    void list(std::uint32_t shard, std::size_t position, std::uint32_t first, std::span<const std::uint64_t> words,
              unsigned thread) {
        const std::uint64_t start = position * code_->global_words();
        if (fresh_.ends_before(thread, start + code_->global_word(shard, first))) return;
        for (std::uint32_t k = 0; k < words.size(); ++k)
            if (words[k]) fresh_.add(thread, {start + code_->global_word(shard, first + k), words[k]});
    }

    void carry(const WordBits& entry, unsigned thread, std::vector<WordBits>& foreign) {
        numbers_.each_image(
            steps_, next_plane() ^ 1, entry,
            [&](std::uint32_t position, std::uint32_t shard, std::uint32_t word, const WordBits& moved) {
                if (is_own(shard)) mark_word(position, shard, word, moved, thread);
                else foreign.push_back(moved);
            });
    }

    // Adds the states of a word that are new. With two planes, the older one also holds the layer before the last until
    // the end of the layer, so that what is in neither plane is new.
    void mark_word(std::uint32_t position, std::uint32_t shard, std::uint32_t word, const WordBits& entry,
                   unsigned thread) {
        const unsigned target = next_plane();
        std::uint64_t bits = entry.bits;
        if (!alternates_) bits &= ~planes_[target ^ 1].data()[at(target ^ 1, shard, position, word)];
        std::atomic_ref known(planes_[target].data()[at(target, shard, position, word)]);
        bits &= ~known.load(std::memory_order_relaxed);
        if (bits) bits &= ~known.fetch_or(bits, std::memory_order_relaxed);
        if (!bits) return;
        fresh_.add(thread, {entry.word, bits});
        ++found_[thread].words;
        found_[thread].states += static_cast<unsigned>(__builtin_popcountll(bits));
    }

    std::shared_ptr<const StateCode> code_;
    ShardOptions options_;
    ArcSteps steps_;
    PlaneNumbers numbers_;
    std::uint32_t words_;  // of a shape in a shard
    bool alternates_;
    std::vector<std::uint32_t> crossings_[2];  // arcs into each plane that cross
    std::vector<std::int32_t> crossing_;       // of each arc: its number among them
    BitPlane planes_[2], arrivals_;
    unsigned start_ = 0, threads_ = 1;
    std::vector<std::uint64_t> layers_;
    FreshWords fresh_, old_, stale_;  // of the last layer, the one before, and the one before that
    std::vector<Counted> found_;      // by each thread
    bool thin_ = false, prepared_ = false;
    State state_ = State::empty;
};

}  // namespace slidelab
