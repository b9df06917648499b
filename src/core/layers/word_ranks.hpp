// Ranks all arrangements of labels within the orbits of some positions in lexicographic order.
//
// The labels of each orbit can stand in its positions in any order, so a word is ranked by counting, for each multiset
// that may be left to place, the words that come before. Neighbouring ranks have long prefixes in common, so a move
// that exchanges labels near the beginning moves long runs of ranks together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace slidelab {

class WordRanks {
public:
    WordRanks() = default;

    // `word` has a label for each position and one entry more that stays 0; labels of different orbits differ.
    WordRanks(const std::vector<std::uint16_t>& word, const std::vector<std::uint32_t>& orbit_of)
        : width_(word.size()) {
        std::vector<std::uint32_t> seen;
        for (std::size_t k = 0; k < orbit_of.size(); ++k)
            if (std::find(seen.begin(), seen.end(), orbit_of[k]) == seen.end()) seen.push_back(orbit_of[k]);
        for (auto name : seen) {
            Orbit orbit;
            for (std::size_t k = 0; k < orbit_of.size(); ++k)
                if (orbit_of[k] == name) {
                    orbit.positions.push_back(k);
                    orbit.labels.push_back(word[k]);
                }
            std::sort(orbit.labels.begin(), orbit.labels.end());
            orbit.kinds = orbit.labels;
            orbit.kinds.erase(std::unique(orbit.kinds.begin(), orbit.kinds.end()), orbit.kinds.end());
            for (auto kind : orbit.kinds)
                orbit.counts.push_back(
                    static_cast<std::uint32_t>(std::count(orbit.labels.begin(), orbit.labels.end(), kind)));
            orbit.ways = ways(orbit.counts);
            if (orbit.ways) orbit.tabulate();
            orbits_.push_back(std::move(orbit));
        }
    }

    // How many words there are; the largest number if they are too many to number.
    std::uint64_t count() const {
        std::uint64_t product = 1;
        for (const auto& orbit : orbits_) {
            if (orbit.ways == 0 || product > too_many / orbit.ways) return too_many;
            product *= orbit.ways;
        }
        return product;
    }

    // None if the word has other labels, or another number of one.
    std::optional<std::uint64_t> rank(std::span<const std::uint16_t> word) const {
        std::uint64_t number = 0;
        for (const auto& orbit : orbits_) {
            std::uint64_t here = 0;
            std::size_t left = orbit.all;
            for (auto position : orbit.positions) {
                const std::size_t label = std::size_t{word[position]} - orbit.kinds.front();
                if (word[position] < orbit.kinds.front() || label >= orbit.kind_of.size()) return std::nullopt;
                const std::size_t kind = orbit.kind_of[label];
                if (!orbit.has(left, kind)) return std::nullopt;
                here += orbit.before[left * orbit.kinds.size() + kind];
                left -= orbit.weight[kind];
            }
            number = number * orbit.ways + here;
        }
        return number;
    }

    std::vector<std::uint16_t> word(std::uint64_t number) const {
        std::vector<std::uint16_t> out(width_, 0);
        for (std::size_t o = orbits_.size(); o-- > 0;) {
            const auto& orbit = orbits_[o];
            const std::size_t kinds = orbit.kinds.size();
            std::uint64_t here = number % orbit.ways;
            number /= orbit.ways;
            std::size_t left = orbit.all;
            for (auto position : orbit.positions) {
                const std::uint64_t* before = orbit.before.data() + left * kinds;
                std::size_t kind = kinds;
                while (before[--kind] > here || !orbit.has(left, kind)) {
                }
                here -= before[kind];
                left -= orbit.weight[kind];
                out[position] = orbit.kinds[kind];
            }
        }
        return out;
    }

    // The word after this one; the first after the last. `labels` is for its use.
    void next(std::vector<std::uint16_t>& word, std::vector<std::uint16_t>& labels) const {
        for (std::size_t o = orbits_.size(); o-- > 0;) {
            labels.clear();
            for (auto position : orbits_[o].positions) labels.push_back(word[position]);
            const bool more = std::next_permutation(labels.begin(), labels.end());
            for (std::size_t k = 0; k < labels.size(); ++k) word[orbits_[o].positions[k]] = labels[k];
            if (more) return;
        }
    }

private:
    static constexpr std::uint64_t too_many = std::numeric_limits<std::uint32_t>::max();

    struct Orbit {
        std::vector<std::size_t> positions;
        std::vector<std::uint16_t> labels, kinds;  // sorted; each once
        std::vector<std::uint32_t> counts;         // of each kind
        std::uint64_t ways = 0;                    // 0: too many

        // What is left of each kind, as one number: left = sum of count * weight. For each such number and
        // kind: how many words of what is left begin with a smaller kind.
        std::vector<std::size_t> weight;
        std::vector<std::uint64_t> before;
        std::vector<std::uint16_t> kind_of;  // label less the first label -> kind
        std::size_t all = 0;

        bool has(std::size_t left, std::size_t kind) const { return left / weight[kind] % (counts[kind] + 1) != 0; }

        void tabulate() {
            std::size_t states = 1;
            for (auto count : counts) {
                weight.push_back(states);
                states *= count + 1;
            }
            all = states - 1;
            kind_of.assign(std::size_t{kinds.back()} - kinds.front() + 1, 0);
            for (std::size_t k = 0; k < kinds.size(); ++k)
                kind_of[kinds[k] - kinds.front()] = static_cast<std::uint16_t>(k);
            std::vector<std::uint64_t> words(states, 1);  // of what is left
            before.assign(states * kinds.size(), 0);
            for (std::size_t left = 1; left < states; ++left) {
                std::uint64_t sum = 0;
                for (std::size_t k = 0; k < kinds.size(); ++k) {
                    before[left * kinds.size() + k] = sum;
                    if (has(left, k)) sum += words[left - weight[k]];
                }
                words[left] = sum;
            }
        }
    };

    static std::uint64_t ways(const std::vector<std::uint32_t>& counts) {
        std::uint64_t product = 1, length = 0;
        for (auto count : counts)
            for (std::uint32_t k = 1; k <= count; ++k) {
                product = product * ++length / k;
                if (product > too_many) return 0;
            }
        return product;
    }

    std::size_t width_ = 0;
    std::vector<Orbit> orbits_;
};

}  // namespace slidelab
