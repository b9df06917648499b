// Breadth-first search of one shape of each class under symmetries of the start.
//
// Symmetries of the board that keep the start's shape, with new names of the pieces that bring the start back to itself
// (renaming.hpp), map layers to themselves. So the search keeps one shape of each orbit:
//
//   - Arcs between shapes that are kept are pulled as ever.
//   - An arc that *leaves* them leads to the image of a shape that is kept. Every new state is carried along it and
//     renamed, once in the whole search. What arrives in a full layer waits in planes of its own (`arrivals_`), since
//     the layer of the states that it would be added to is still being read.
//   - A shape that some symmetries keep is *closed* under them: with a new state all its images are new. They are
//   marked
//     at once, so that they are not found again.
//
// Planes are those of shard_search.hpp: one bit for each state if moves change the colour of the shape, two otherwise.
#pragma once

#include "layers/renaming.hpp"
#include "layers/shard_search.hpp"

namespace slidelab {

// What a symmetric search keeps, by numbers of shapes, arcs and renamings.
struct SymmetricInput {
    std::vector<std::uint32_t> shapes, weights;  // one of each orbit, and the sizes of the orbits
    std::vector<std::unique_ptr<const Renaming>> renamings;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> leaving;  // arcs, with the renamings of where they lead
    std::vector<std::uint32_t> closing;                            // renamings of a shape to itself
};

struct SymmetricOptions {
    bool two_planes = false;    // also where one is enough, for tests
    bool portable = false;      // the portable inner loops, for tests
    std::uint32_t thin = 128;   // a layer is thin if fewer than one word in this many has a new state
    std::uint64_t kept = 1000;  // words of a layer that can be asked for, however large it is
};

class SymmetricSearch {
public:
    static constexpr std::uint64_t worth_threads = 1 << 13;  // with fewer words, starting a thread takes longer
    static constexpr std::uint32_t stretch = 6 * 7 * 8 * 9;  // words: whole rows, or an even part of one

    SymmetricSearch(std::shared_ptr<const StateCode> code, SymmetricInput input, SymmetricOptions options)
        : code_(std::move(code)), input_(std::move(input)), options_(options), steps_(*code_, options.portable),
          words_(code_->words()) {
        if (options_.thin == 0) throw std::invalid_argument("thin must be positive");
        if (input_.shapes.size() != input_.weights.size()) throw std::invalid_argument("one weight a shape expected");
        const auto colour = options_.two_planes ? std::nullopt : two_colouring(*code_);
        alternates_ = colour.has_value();
        colour_.assign(code_->shapes(), 0);
        if (colour) colour_ = *colour;
        at_.assign(code_->shapes(), none);
        for (std::size_t k = 0; k < input_.shapes.size(); ++k) {
            const std::uint32_t shape = input_.shapes[k];
            if (shape >= code_->shapes() || at_[shape] != none || input_.weights[k] == 0)
                throw std::invalid_argument("different shapes with weights expected");
            for (unsigned p = 0; p < 2; ++p)
                if (!alternates_ || colour_[shape] == p) {
                    at_[shape] = static_cast<std::uint32_t>(kept_[p].size());
                    kept_[p].push_back({shape, input_.weights[k], {}, {}, none});
                }
        }
        for (const auto number : input_.closing) {
            const Renaming& renaming = renaming_at(number);
            if (renaming.source() != renaming.target())
                throw std::invalid_argument("a closing renaming leaves its shape");
            each_kept(renaming.source(), [&](Kept& kept) { kept.closing.push_back(&renaming); });
        }
        for (const auto& [arc, number] : input_.leaving) {
            const Renaming& renaming = renaming_at(number);
            if (arc >= code_->arcs().size() || code_->arcs()[arc].target != renaming.source())
                throw std::invalid_argument("a renaming does not begin where its arc leads");
            each_kept(code_->arcs()[arc].source, [&](Kept& kept) { kept.leaving.push_back({arc, &renaming, 0, 0}); });
            each_kept(renaming.target(), [&](Kept& kept) { kept.arrivals = 0; });
        }
        std::uint32_t arrivals = 0;  // with one plane, each shape is in one of the lists; with two, in both
        for (unsigned p = 0; p < (alternates_ ? 2u : 1u); ++p)
            for (auto& kept : kept_[p])
                if (kept.arrivals != none) kept.arrivals = arrivals++;
        for (auto& list : kept_)
            for (auto& kept : list)
                for (auto& leaving : kept.leaving) {
                    const std::uint32_t shape = leaving.renaming->target();
                    leaving.at = at_[shape];
                    each_kept(shape, [&](const Kept& to) { leaving.arrivals = to.arrivals; });
                }
        if (!alternates_) kept_[1] = kept_[0];
        arrival_words_ = std::uint64_t{arrivals} * words_;
        options_.kept = std::min(options_.kept, std::max<std::uint64_t>(1, plane_words(0) + plane_words(1)));
    }

    // Bytes of planes and lists; nothing is taken before `begin` or `prepare`.
    std::uint64_t bytes_needed(unsigned threads) const {
        std::uint64_t sum = 8 * (plane_words(0) + plane_words(1) + arrival_words_);
        for (const auto& renaming : input_.renamings) sum += renaming->bytes();
        return sum + 2 * sizeof(WordBits) * (list_limit() + 1) + kept_bytes(options_.kept, threads) +
               8 * std::uint64_t{threads} * std::min(words_, stretch);
    }

    const StateCode& code() const { return *code_; }
    bool alternates() const { return alternates_; }
    std::uint64_t arrival_words() const { return arrival_words_; }
    const std::vector<std::uint64_t>& layers() const { return layers_; }
    bool finished() const { return state_ == State::finished; }
    // The plane that holds a layer: of its colour, or of its number's parity.
    unsigned plane_of(std::size_t layer) const { return static_cast<unsigned>((start_ + layer) & 1); }
    std::uint64_t plane_words(unsigned plane) const { return std::uint64_t{kept_[plane].size()} * words_; }

    void begin(const Place& start) {
        if (start.shape >= at_.size() || at_[start.shape] == none) throw std::invalid_argument("the start is not kept");
        state_ = State::empty;
        start_ = alternates_ ? colour_[start.shape] : 0;
        for (unsigned p = 0; p < 2; ++p) fresh_plane(planes_[p], plane_words(p));
        fresh_plane(arrivals_, arrival_words_);
        const std::uint32_t at = at_[start.shape];
        const auto word = static_cast<std::uint32_t>(start.word);
        const std::uint64_t bits = std::uint64_t{1} << start.bit;
        const Kept& kept = kept_[plane_of(0)][at];
        for (const auto* renaming : kept.closing)
            (*renaming)(steps_.kernels(), word, bits, [&](std::uint32_t w, std::uint64_t b) {
                if (w != word || b != bits) throw std::invalid_argument("a symmetry does not keep the start");
            });
        planes_[plane_of(0)].data()[index(at, word)] = bits;
        layers_ = {1};
        fresh_.begin(1, list_limit(), options_.kept);
        fresh_.add(0, {index(at, word), bits});
        old_.begin(1, 0, 1);
        found_words_ = 1;
        pushed_ = false;
        state_ = State::ready;
    }

    // The next layer; returns its number of states, 0 if there was none.
    std::uint64_t advance(unsigned threads, const Tick& tick) {
        if (state_ == State::finished) return 0;
        if (state_ != State::ready) throw std::logic_error("the search has not begun, or was stopped within a layer");
        state_ = State::empty;  // until the layer is whole
        const std::uint64_t all = plane_words(0) + plane_words(1);
        threads_ = all < worth_threads || threads == 0 ? 1 : threads;
        const bool listed = fresh_.complete() && (alternates_ || old_.complete());
        const bool thin = listed && (found_words_ < all / 2 / options_.thin || all < 64);
        std::swap(stale_, old_);
        std::swap(old_, fresh_);
        if (alternates_) stale_ = FreshWords();
        fresh_.begin(threads_, list_limit(), options_.kept);
        work_.assign(threads_, {});
        if (thin) push(tick);
        else sweep(tick);
        Counted found{0, 0};
        for (const auto& work : work_) found.words += work.found.words, found.states += work.found.states;
        found_words_ = found.words;
        if (found.states) layers_.push_back(found.states);
        state_ = found.states ? State::ready : State::finished;
        return found.states;
    }

    // States of the last layer in the shapes that are kept, at most `limit`, in the order of these shapes and of words.
    std::vector<Place> last_layer(std::size_t limit) const {
        if (state_ != State::ready && state_ != State::finished) throw std::logic_error("there is no last layer");
        std::vector<Place> out;
        const auto& kept = kept_[plane_of(layers_.size() - 1)];
        for (const auto& [word, all] : (state_ == State::finished ? old_ : fresh_).sorted())
            for (std::uint64_t bits = all; bits && out.size() < limit; bits &= bits - 1)
                out.push_back(
                    {kept[word / words_].shape, word % words_, static_cast<std::uint32_t>(__builtin_ctzll(bits))});
        return out;
    }

private:
    enum class State { empty, ready, finished };
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    struct Leaving {
        std::uint32_t arc;
        const Renaming* renaming;
        std::uint32_t at, arrivals;  // of the shape that the renaming leads to
    };
    struct Kept {
        std::uint32_t shape, weight;
        std::vector<const Renaming*> closing;
        std::vector<Leaving> leaving;
        std::uint32_t arrivals;  // the plane for what arrives, if anything does
    };

    // Words in transit: fetched from memory while others are computed.
    struct Travellers {
        struct One {
            std::uint32_t at, word;  // of a shape that is kept
            std::uint64_t bits;
        };
        std::array<One, 64> list;
        std::size_t count = 0;
    };
    struct alignas(64) Work {  // of a thread
        Counted found{0, 0};
        Travellers images, arriving;
        std::vector<std::uint64_t> sum;
    };

    const Renaming& renaming_at(std::uint32_t number) const {
        if (number >= input_.renamings.size()) throw std::invalid_argument("no such renaming");
        return *input_.renamings[number];
    }
    template <class Visit>
    void each_kept(std::uint32_t shape, Visit&& visit) {
        if (shape >= at_.size() || at_[shape] == none) throw std::invalid_argument("a shape that is not kept");
        visit(kept_[alternates_ ? colour_[shape] : 0][at_[shape]]);
    }
    std::uint64_t index(std::uint32_t at, std::uint32_t word) const { return std::uint64_t{at} * words_ + word; }
    unsigned next_plane() const { return plane_of(layers_.size()); }
    std::uint64_t list_limit() const {
        const std::uint64_t all = plane_words(0) + plane_words(1);
        return std::max<std::uint64_t>(all / 2 / options_.thin, std::min<std::uint64_t>(all, 64));
    }
    static void fresh_plane(BitPlane& plane, std::uint64_t words) {
        if (plane.size() != words) plane = BitPlane(words);
        else if (words < (std::size_t{1} << 16)) std::fill(plane.data(), plane.data() + words, 0);
        else plane.clear();
    }

    // Calls visit(word, bits) for where an arc that leaves leads.
    template <class Visit>
    void carry_out(const Leaving& leaving, std::uint32_t word, std::uint64_t bits, Visit&& visit) const {
        steps_.carry(leaving.arc, 0, word, bits, [&](std::uint32_t, std::uint32_t w, std::uint64_t moved) {
            (*leaving.renaming)(steps_.kernels(), w, moved, visit);
        });
    }

    // Thin layers: the words of the list along all arcs.
    void push(const Tick& tick) {
        if (pushed_) fresh_plane(arrivals_, arrival_words_);  // the list has them all
        pushed_ = false;
        const unsigned source = next_plane() ^ 1;
        each_slice(old_, tick, [&](std::span<const WordBits> entries, unsigned thread) {
            Travellers& out = work_[thread].images;
            for (const auto& entry : entries) {
                const Kept& kept = kept_[source][entry.word / words_];
                const auto word = static_cast<std::uint32_t>(entry.word % words_);
                for (const auto into : code_->into(kept.shape)) {
                    const std::uint32_t to = at_[code_->arcs()[into ^ 1].target];
                    if (to == none) continue;
                    steps_.carry(
                        into ^ 1, 0, word, entry.bits,
                        [&](std::uint32_t, std::uint32_t w, std::uint64_t bits) { send(out, to, w, bits, thread); });
                }
                for (const auto& leaving : kept.leaving)
                    carry_out(leaving, word, entry.bits,
                              [&](std::uint32_t w, std::uint64_t bits) { send(out, leaving.at, w, bits, thread); });
            }
            mark(out, thread);
        });
        if (alternates_) return;
        // The layer before the last goes.
        for (std::size_t t = 0; t < stale_.threads(); ++t)
            for (const auto& entry : stale_.entries(t)) planes_[next_plane()].data()[entry.word] &= ~entry.bits;
    }

    void send(Travellers& out, std::uint32_t at, std::uint32_t word, std::uint64_t bits, unsigned thread) {
        if (out.count == out.list.size()) mark(out, thread);
        __builtin_prefetch(planes_[next_plane()].data() + index(at, word), 1);
        out.list[out.count++] = {at, word, bits};
    }

    // Adds what is new of some words, and the images of what is new.
    void mark(Travellers& out, unsigned thread) {
        const unsigned target = next_plane();
        for (std::size_t k = 0; k < out.count; ++k) {
            const std::uint32_t at = out.list[k].at, word = out.list[k].word;
            const std::uint64_t fresh = add_word(target, at, word, out.list[k].bits, thread);
            if (!fresh) continue;
            for (const auto* renaming : kept_[target][at].closing)
                (*renaming)(steps_.kernels(), word, fresh,
                            [&](std::uint32_t w, std::uint64_t image) { add_word(target, at, w, image, thread); });
        }
        out.count = 0;
    }
    // With two planes, the older one also holds the layer before the last until the end of a thin layer, so that what
    // is in neither plane is new.
    std::uint64_t add_word(unsigned target, std::uint32_t at, std::uint32_t word, std::uint64_t bits, unsigned thread) {
        const std::uint64_t k = index(at, word);
        if (!alternates_) bits &= ~std::atomic_ref(planes_[target ^ 1].data()[k]).load(std::memory_order_relaxed);
        if ((bits = add_bits(planes_[target].data()[k], bits))) count(target, at, word, bits, thread);
        return bits;
    }
    // Sets bits and returns those that were not set; atomic only where threads share the words.
    std::uint64_t add_bits(std::uint64_t& word, std::uint64_t bits) const {
        if (threads_ == 1) {
            bits &= ~word;
            word |= bits;
            return bits;
        }
        bits &= ~std::atomic_ref(word).load(std::memory_order_relaxed);
        return bits ? bits & ~std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed) : 0;
    }
    void count(unsigned target, std::uint32_t at, std::uint32_t word, std::uint64_t bits, unsigned thread) {
        Counted& found = work_[thread].found;
        ++found.words;
        found.states += std::uint64_t{kept_[target][at].weight} * static_cast<unsigned>(__builtin_popcountll(bits));
        fresh_.add(thread, {index(at, word), bits});
    }

    template <class Visit>
    void each_slice(const FreshWords& words, const Tick& tick, Visit&& visit) {
        constexpr std::size_t slice = 2048;
        std::vector<std::span<const WordBits>> slices;
        for (std::size_t t = 0; t < words.threads(); ++t)
            for (auto rest = words.entries(t); !rest.empty(); rest = rest.subspan(std::min(slice, rest.size())))
                slices.push_back(rest.first(std::min(slice, rest.size())));
        parallel_for(slices.size(), threads_, "layer", tick,
                     [&](std::size_t task, unsigned thread) { visit(slices[task], thread); });
    }

    // Full layers: stretch by stretch through the shapes that are kept.
    void sweep(const Tick& tick) {
        if (!pushed_ && arrival_words_) push_leaving(tick);
        pushed_ = false;
        const unsigned target = next_plane(), source = target ^ 1;
        const auto& kept = kept_[target];
        each_stretch(kept.size(), tick, [&](std::size_t k, std::uint32_t first, std::uint32_t last, unsigned thread) {
            Work& work = work_[thread];
            work.sum.assign(last - first, 0);
            std::uint64_t* sum = work.sum.data();
            for (const auto a : code_->into(kept[k].shape))
                if (const std::uint32_t from = at_[code_->arcs()[a].source]; from != none)
                    steps_.pull(a, 0, planes_[source].data() + index(from, 0), first, last, sum);
            if (kept[k].arrivals != none) {
                std::uint64_t* arrived = arrivals_.data() + index(kept[k].arrivals, first);
                for (std::uint32_t w = 0; w < last - first; ++w) sum[w] |= std::exchange(arrived[w], 0);
            }
            take(target, static_cast<std::uint32_t>(k), first, thread);
        });
        if (!alternates_) {
            close(target, tick);
            return;
        }
        pushed_ = arrival_words_ != 0;
    }

    // Adds the sums of a stretch to its shape.
    void take(unsigned target, std::uint32_t at, std::uint32_t first, unsigned thread) {
        Work& work = work_[thread];
        const Kept& kept = kept_[target][at];
        const auto words = static_cast<std::uint32_t>(work.sum.size());
        std::uint64_t *sum = work.sum.data(), *known = planes_[target].data() + index(at, first);
        if (!alternates_) {
            steps_.kernels().settle(sum, planes_[target ^ 1].data() + index(at, first), known, words);
            count_words(target, at, first, {known, words}, thread);
        } else if (kept.closing.empty()) {
            steps_.kernels().merge(sum, known, words);
            count_words(target, at, first, {sum, words}, thread);
            for (std::uint32_t w = 0; w < words; ++w)
                if (sum[w]) leave(kept, first + w, sum[w], thread);
            arrive(work.arriving);
        } else {
            for (std::uint32_t w = 0; w < words; ++w) {
                const std::uint64_t fresh = add_bits(known[w], sum[w]);
                if (!fresh) continue;
                count(target, at, first + w, fresh, thread);
                leave(kept, first + w, fresh, thread);
                close_word(target, at, first + w, fresh, thread);
            }
            add_images(target, thread);
            arrive(work.arriving);
        }
    }

    void count_words(unsigned target, std::uint32_t at, std::uint32_t first, std::span<const std::uint64_t> words,
                     unsigned thread) {
        Counted& found = work_[thread].found;
        std::uint64_t states = 0;
        for (const auto bits : words) {
            found.words += bits != 0;
            states += static_cast<unsigned>(__builtin_popcountll(bits));
        }
        found.states += states * kept_[target][at].weight;
        if (!states || fresh_.ends_before(thread, index(at, first))) return;
        for (std::uint32_t w = 0; w < words.size(); ++w)
            if (words[w]) fresh_.add(thread, {index(at, first + w), words[w]});
    }

    // Images under the symmetries of the shape.
    void close_word(unsigned target, std::uint32_t at, std::uint32_t word, std::uint64_t bits, unsigned thread) {
        Travellers& out = work_[thread].images;
        for (const auto* renaming : kept_[target][at].closing)
            (*renaming)(steps_.kernels(), word, bits, [&](std::uint32_t w, std::uint64_t image) {
                if (out.count == out.list.size()) add_images(target, thread);
                __builtin_prefetch(planes_[target].data() + index(at, w), 1);
                out.list[out.count++] = {at, w, image};
            });
    }
    void add_images(unsigned target, unsigned thread) {
        Travellers& out = work_[thread].images;
        for (std::size_t k = 0; k < out.count; ++k) {
            const auto [at, word, bits] = out.list[k];
            const std::uint64_t place = index(at, word), fresh = add_bits(planes_[target].data()[place], bits);
            if (!alternates_) add_bits(planes_[target ^ 1].data()[place], bits);  // its own images need not be found
            if (!fresh) continue;
            count(target, at, word, fresh, thread);
            if (alternates_) leave(kept_[target][at], word, fresh, thread);
        }
        out.count = 0;
    }
    // With two planes, shapes are closed when the older plane has nothing but the new layer. An image is also marked in
    // the plane of the last layer, where it can't be, until all are found.
    void close(unsigned target, const Tick& tick) {
        std::vector<std::uint32_t> closing;
        for (std::uint32_t k = 0; k < kept_[target].size(); ++k)
            if (!kept_[target][k].closing.empty()) closing.push_back(k);
        if (closing.empty()) return;
        BitPlane &fresh = planes_[target], &last = planes_[target ^ 1];
        const auto read = [](std::uint64_t& word) { return std::atomic_ref(word).load(std::memory_order_relaxed); };
        each_stretch(closing.size(), tick, [&](std::size_t k, std::uint32_t first, std::uint32_t end, unsigned thread) {
            for (std::uint32_t w = first; w < end; ++w) {
                const std::uint64_t at = index(closing[k], w);
                if (const std::uint64_t bits = read(fresh.data()[at]) & ~read(last.data()[at]))
                    close_word(target, closing[k], w, bits, thread);
            }
            add_images(target, thread);
        });
        each_stretch(closing.size(), tick, [&](std::size_t k, std::uint32_t first, std::uint32_t end, unsigned) {
            for (std::uint64_t at = index(closing[k], first); at < index(closing[k], end); ++at)
                last.data()[at] &= ~fresh.data()[at];
        });
    }

    // What leaves goes to the planes for arrivals: those of shapes in the plane after the next one.
    void leave(const Kept& kept, std::uint32_t word, std::uint64_t bits, unsigned thread) {
        Travellers& out = work_[thread].arriving;
        for (const auto& leaving : kept.leaving)
            carry_out(leaving, word, bits, [&](std::uint32_t w, std::uint64_t image) {
                if (out.count == out.list.size()) arrive(out);
                __builtin_prefetch(arrivals_.data() + index(leaving.arrivals, w), 1);
                out.list[out.count++] = {leaving.arrivals, w, image};
            });
    }
    void arrive(Travellers& out) {
        for (std::size_t k = 0; k < out.count; ++k) {
            const auto [at, word, bits] = out.list[k];
            add_bits(arrivals_.data()[index(at, word)], bits);
        }
        out.count = 0;
    }
    // Before a full layer: what leaves from the last one.
    void push_leaving(const Tick& tick) {
        const unsigned source = next_plane() ^ 1;
        if (old_.complete()) {
            each_slice(old_, tick, [&](std::span<const WordBits> entries, unsigned thread) {
                for (const auto& entry : entries)
                    leave(kept_[source][entry.word / words_], static_cast<std::uint32_t>(entry.word % words_),
                          entry.bits, thread);
                arrive(work_[thread].arriving);
            });
            return;
        }
        std::vector<std::uint32_t> leaving;
        for (std::uint32_t k = 0; k < kept_[source].size(); ++k)
            if (!kept_[source][k].leaving.empty()) leaving.push_back(k);
        each_stretch(leaving.size(), tick,
                     [&](std::size_t k, std::uint32_t first, std::uint32_t last, unsigned thread) {
                         for (std::uint32_t w = first; w < last; ++w)
                             if (const std::uint64_t bits = planes_[source].data()[index(leaving[k], w)])
                                 leave(kept_[source][leaving[k]], w, bits, thread);
                         arrive(work_[thread].arriving);
                     });
    }

    // Calls visit(k, first word, last word, thread) for all stretches of so many shapes.
    template <class Visit>
    void each_stretch(std::size_t shapes, const Tick& tick, Visit&& visit) {
        if (shapes == 0) return;
        const std::uint32_t length = std::min(words_, stretch);
        const std::size_t stretches = (std::size_t{words_} + length - 1) / length;
        // Stretch by stretch through all shapes, so that what the shapes share is still in the cache; with few
        // stretches, shapes are split among the tasks, too.
        const std::size_t parts = std::clamp<std::size_t>(16 * std::size_t{threads_} / stretches, 1, shapes);
        parallel_for(stretches * parts, threads_, "layer", tick, [&](std::size_t task, unsigned thread) {
            const std::size_t part = task % parts;
            const auto first = static_cast<std::uint32_t>(task / parts * length);
            const auto last =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(words_, std::uint64_t{first} + length));
            for (std::size_t k = part * shapes / parts; k < (part + 1) * shapes / parts; ++k)
                visit(k, first, last, thread);
        });
    }

    std::shared_ptr<const StateCode> code_;
    SymmetricInput input_;
    SymmetricOptions options_;
    ArcSteps steps_;
    std::uint32_t words_;  // of a shape
    bool alternates_ = false;
    std::vector<std::uint8_t> colour_;
    std::vector<std::uint32_t> at_;  // of each shape: where it is in its plane
    std::vector<Kept> kept_[2];
    BitPlane planes_[2], arrivals_;
    std::uint64_t arrival_words_ = 0, found_words_ = 0;
    unsigned start_ = 0, threads_ = 1;
    std::vector<std::uint64_t> layers_;
    FreshWords fresh_, old_, stale_;  // of the last layer, the one before, and the one before that
    std::vector<Work> work_;          // of each thread
    bool pushed_ = false;             // what leaves from the last layer is in the planes for arrivals
    State state_ = State::empty;
};

}  // namespace slidelab
