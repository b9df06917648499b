// Which shapes the two planes of a search over shards have, and the numbers of their words.
//
// If every move changes the colour of the shape in a two-colouring, each plane has the shapes of one colour, otherwise
// both have all shapes. A word is numbered by its shape's position in the plane, then by its number in the whole
// search.
#pragma once

#include "base/parallel.hpp"
#include "layers/arc_steps.hpp"
#include "layers/fresh_words.hpp"

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace slidelab {

// A two-colouring of the shapes such that every arc changes the colour; none if there is no such colouring.
inline std::optional<std::vector<std::uint8_t>> two_colouring(const StateCode& code) {
    std::vector<std::uint8_t> colour(code.shapes(), 2);
    std::vector<std::uint32_t> open{0};
    colour[0] = 0;
    while (!open.empty()) {
        const std::uint32_t shape = open.back();
        open.pop_back();
        for (const auto arc : code.into(shape)) {
            const std::uint32_t other = code.arcs()[arc].source;
            if (colour[other] == 2) {
                colour[other] = colour[shape] ^ 1;
                open.push_back(other);
            } else if (colour[other] == colour[shape]) {
                return std::nullopt;
            }
        }
    }
    return colour;
}

class PlaneNumbers {
public:
    PlaneNumbers(const StateCode& code, bool two_planes) : code_(&code), position_(code.shapes()) {
        const auto colour = two_planes ? std::nullopt : two_colouring(code);
        alternates_ = colour.has_value();
        for (std::uint32_t s = 0; s < code.shapes(); ++s)
            for (unsigned p = 0; p < 2; ++p)
                if (!colour || (*colour)[s] == p) {
                    position_[s] = static_cast<std::uint32_t>(shapes_[p].size());
                    shapes_[p].push_back(s);
                }
        if (colour) colour_ = *colour;
    }

    bool alternates() const { return alternates_; }
    const std::vector<std::uint32_t>& shapes(unsigned plane) const { return shapes_[plane]; }
    std::uint32_t position(std::uint32_t shape) const { return position_[shape]; }
    bool contains(unsigned plane, std::uint32_t shape) const { return !alternates_ || colour_[shape] == plane; }
    // The plane of layer 0, which has this shape.
    unsigned first_plane(std::uint32_t start_shape) const { return alternates_ ? colour_[start_shape] : 0; }

    std::uint64_t number(std::uint32_t shape, std::uint64_t global_word) const {
        return position_[shape] * code_->global_words() + global_word;
    }
    std::uint64_t position_of(std::uint64_t word) const { return word / code_->global_words(); }
    // The shard of a word, and its number in the shard's row of its shape.
    auto local(std::uint64_t word) const { return code_->local_word(word % code_->global_words()); }
    bool contains_word(unsigned plane, const WordBits& entry) const {
        return position_of(entry.word) < shapes_[plane].size() && !(entry.bits & ~word_mask);
    }

    // Calls visit(position, shard, local word, word) for what a word of a plane leads to along each arc.
    template <class Visit>
    void each_image(const ArcSteps& steps, unsigned plane, const WordBits& entry, Visit&& visit) const {
        const auto [shard, word] = local(entry.word);
        for (const auto into : code_->into(shapes_[plane][position_of(entry.word)])) {
            const std::uint32_t arc = into ^ 1, target = code_->arcs()[arc].target;
            steps.carry(arc, shard, word, entry.bits, [&](std::uint32_t there, std::uint32_t w, std::uint64_t bits) {
                visit(position_[target], there, w, WordBits{number(target, code_->global_word(there, w)), bits});
            });
        }
    }

    // What words of a plane lead to, in the order of their numbers, each once: for a search whose planes are elsewhere.
    std::vector<WordBits> images(const ArcSteps& steps, unsigned plane, std::span<const WordBits> words,
                                 unsigned threads, const Tick& tick) const {
        for (const auto& entry : words)
            if (!contains_word(plane, entry)) throw std::invalid_argument("no such word");
        constexpr std::size_t slice = 2048;
        threads = std::max(1u, threads);
        std::vector<std::vector<WordBits>> found(threads);
        parallel_for((words.size() + slice - 1) / slice, threads, "layer", tick,
                     [&](std::size_t task, unsigned thread) {
                         const auto rest = words.subspan(task * slice);
                         for (const auto& entry : rest.first(std::min(slice, rest.size())))
                             each_image(steps, plane, entry,
                                        [&](std::uint32_t, std::uint32_t, std::uint32_t, const WordBits& moved) {
                                            found[thread].push_back(moved);
                                        });
                     });
        parallel_for(threads, threads, "layer", tick,
                     [&](std::size_t thread, unsigned) { found[thread] = merged(std::move(found[thread])); });
        if (threads == 1) return std::move(found[0]);
        std::vector<WordBits> all;
        for (auto& list : found) all.insert(all.end(), list.begin(), list.end());
        return merged(std::move(all));
    }

private:
    const StateCode* code_;
    bool alternates_ = false;
    std::vector<std::uint8_t> colour_;
    std::vector<std::uint32_t> shapes_[2], position_;  // of each plane; where a shape is in its plane
};

}  // namespace slidelab
