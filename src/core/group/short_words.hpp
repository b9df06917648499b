// Short words in the generators for every element of a group (Minkwitz 1998).
//
// Schreier-Sims proves but makes words too long to walk. Here the table of representatives of a
// stabiliser chain, whose base and orbit lengths are known already, is filled with words tried in
// order of length: each word is divided by what the table has, level by level, and what remains
// fills an empty place or replaces a longer entry.
#pragma once

#include "base/random.hpp"
#include "base/tick.hpp"
#include "group/permutation.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>

namespace slidelab {

class ShortWords {
public:
    using Word = std::vector<std::int32_t>;  // g+1 for generator g, -(g+1) for its inverse

    ShortWords(std::size_t degree, std::vector<Permutation> generators, std::vector<std::uint32_t> weights,
               std::vector<Point> base, const std::vector<std::uint64_t>& lengths, std::uint64_t seed,
               std::uint64_t max_rounds, const Tick& tick)
        : degree_(degree), generators_(std::move(generators)), weights_(std::move(weights)), base_(std::move(base)),
          random_(seed) {
        if (weights_.size() != generators_.size() || base_.size() != lengths.size())
            throw std::invalid_argument("lists of different lengths");
        for (auto length : lengths)
            if (length == 0 || length > degree_) throw std::invalid_argument("orbit length out of range");
        for (const auto& g : generators_) {
            if (g.size() != degree_ || !is_permutation_of_points(g)) throw std::invalid_argument("not a permutation");
            inverses_.push_back(inverse(g));
        }
        for (auto b : base_)
            if (b >= degree_) throw std::invalid_argument("base point out of range");
        table_.assign(base_.size(), std::vector<Entry>(degree_));
        for (std::size_t l = 0; l < base_.size(); ++l) {
            table_[l][base_[l]] = {identity(degree_), identity(degree_), {}, 0, true};
            missing_ += lengths[l] - 1;
        }
        fill(max_rounds, tick);
    }

    bool complete() const { return missing_ == 0; }

    std::optional<Word> factor(const Permutation& p) const {
        if (p.size() != degree_) throw std::invalid_argument("a permutation of another degree");
        Permutation rest = p;
        std::vector<const Word*> parts;
        for (std::size_t l = 0; l < base_.size(); ++l) {
            const Entry& entry = table_[l][rest[base_[l]]];
            if (!entry.set) return std::nullopt;
            parts.push_back(&entry.word);
            rest = compose(rest, entry.undo);
        }
        if (!is_identity(rest)) return std::nullopt;
        Word word;
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) append(word, **part, false);
        return word;
    }

private:
    struct Entry {
        Permutation image, undo;
        Word word;
        std::uint64_t weight = 0;
        bool set = false;
    };

    static void append(Word& word, const Word& other, bool inverted) {
        auto push = [&word](std::int32_t letter) {
            if (!word.empty() && word.back() == -letter) word.pop_back();
            else word.push_back(letter);
        };
        if (inverted)
            for (auto it = other.rbegin(); it != other.rend(); ++it) push(-*it);
        else
            for (auto letter : other) push(letter);
    }

    std::uint64_t weigh(const Word& word) const {
        std::uint64_t sum = 0;
        for (auto letter : word) sum += weights_[static_cast<std::size_t>(std::abs(letter)) - 1];
        return sum;
    }

    void offer(Permutation p, Word word, std::size_t start) {
        for (std::size_t l = start; l < base_.size(); ++l) {
            const Point x = p[base_[l]];
            if (x == base_[l]) continue;
            const std::uint64_t weight = weigh(word);
            if (weight > limit_) return;
            Entry& entry = table_[l][x];
            if (!entry.set) {
                entry = {p, inverse(p), word, weight, true};
                --missing_;
                return;
            }
            Permutation rest = compose(p, entry.undo);
            Word rest_word = word;
            append(rest_word, entry.word, true);
            if (weight < entry.weight) entry = {p, inverse(p), std::move(word), weight, true};
            p = std::move(rest);
            word = std::move(rest_word);
        }
    }

    void improve(const std::function<void()>& pulse) {
        for (std::size_t l = 0; l < base_.size(); ++l) {
            std::vector<Point> have;
            for (std::size_t x = 0; x < degree_; ++x)
                if (table_[l][x].set && x != base_[l]) have.push_back(static_cast<Point>(x));
            if (have.size() > 40) {
                // Not std::shuffle: a seed should mean the same with every library.
                for (std::size_t i = 0; i < 40; ++i) std::swap(have[i], have[i + below(random_, have.size() - i)]);
                have.resize(40);
            }
            for (Point x : have) {
                for (Point y : have) {
                    pulse();
                    const Entry &a = table_[l][x], &b = table_[l][y];
                    if (a.weight + b.weight > limit_) continue;
                    Word word = a.word;
                    append(word, b.word, false);
                    offer(compose(a.image, b.image), std::move(word), l);
                }
            }
        }
    }

    // An empty place at level l is reached from a filled one by anything that fixes the earlier base points.
    void fill_orbits(const std::function<void()>& pulse) {
        for (std::size_t l = 0; l < base_.size(); ++l)
            for (std::size_t x = 0; x < degree_; ++x) {
                if (!table_[l][x].set) continue;
                for (std::size_t m = l; m < base_.size(); ++m) {
                    pulse();
                    for (std::size_t y = 0; y < degree_; ++y) {
                        const Entry& by = table_[m][y];
                        if (!by.set || by.word.empty()) continue;
                        for (const bool inverted : {false, true}) {
                            const Point to = (inverted ? by.undo : by.image)[x];
                            if (table_[l][to].set) continue;
                            Word word = table_[l][x].word;
                            append(word, by.word, inverted);
                            offer(compose(table_[l][x].image, inverted ? by.undo : by.image), std::move(word), l);
                        }
                    }
                }
            }
    }

    void fill(std::uint64_t max_rounds, const Tick& tick) {
        if (base_.empty() || generators_.empty()) return;
        const std::uint64_t heaviest = *std::max_element(weights_.begin(), weights_.end());
        limit_ = 4 * heaviest + 4;
        for (std::size_t g = 0; g < generators_.size(); ++g) {
            tick("words", 0, max_rounds);
            offer(generators_[g], {static_cast<std::int32_t>(g) + 1}, 0);
            offer(inverses_[g], {-static_cast<std::int32_t>(g) - 1}, 0);
        }
        int extra = 3;
        for (std::uint64_t round = 0; round < max_rounds && (missing_ || extra); ++round) {
            // A round may take long on its own, so its inner loops tick as well.
            const auto pulse = [&] { tick("words", round, max_rounds); };
            for (int k = 0; k < 400; ++k) {
                pulse();
                Permutation p = identity(degree_);
                Word word;
                const std::size_t length = 2 + random_() % (2 + std::min<std::uint64_t>(round, 8));
                for (std::size_t i = 0; i < length; ++i) {
                    const std::size_t g = random_() % generators_.size();
                    const bool inverted = random_() & 1;
                    p = compose(p, inverted ? inverses_[g] : generators_[g]);
                    append(word, {static_cast<std::int32_t>(g) + 1}, inverted);
                }
                offer(std::move(p), std::move(word), 0);
            }
            improve(pulse);
            if (round > 4 && missing_) {
                if (limit_ < std::uint64_t{1} << 60) limit_ += limit_ / 4;  // it must not wrap round
                fill_orbits(pulse);
            }
            if (!missing_) --extra;
        }
    }

    std::size_t degree_;
    std::vector<Permutation> generators_, inverses_;
    std::vector<std::uint32_t> weights_;
    std::vector<Point> base_;
    std::mt19937_64 random_;
    std::vector<std::vector<Entry>> table_;
    std::uint64_t missing_ = 0, limit_ = 0;
};

}  // namespace slidelab
