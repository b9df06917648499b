// Schreier-Sims: a base and strong generating set, found at random and then verified completely.
//
// Level i holds the orbit of base point b_i under the elements that fix b_0..b_(i-1), with one
// representative for every point of it. Random elements fill the chain quickly; after that every
// Schreier generator of every level is sifted, so the order is proved and not merely likely.
#pragma once

#include "group/straight_line.hpp"

#include <algorithm>
#include <optional>

namespace slidelab {

class StabiliserChain {
public:
    StabiliserChain() = default;

    // `elements` generate the group; `more(k)` may hand out further elements of it.
    template <class Source>
    StabiliserChain(std::size_t degree, const std::vector<Element>& elements, Source&& more, StraightLine& program,
                    std::uint64_t max_bytes, const Tick& tick)
        : degree_(degree), max_bytes_(max_bytes), program_(&program), tick_(&tick) {
        for (const auto& e : elements) {
            absorb(e);
            tick("group", levels_.size(), 0);
        }
        if (!levels_.empty()) {
            for (int trivial = 0; trivial < 12;) {
                std::optional<Element> e = more();
                if (!e) break;
                trivial = absorb(*e) ? 0 : trivial + 1;
                tick("group", levels_.size(), 0);
            }
        }
        verify(tick);
        for (const auto& e : elements) {
            if (!contains(e.image)) throw std::logic_error("a generator is not in its own group");
            tick("verify", levels_.size(), levels_.size());
        }
        program_ = nullptr;
        tick_ = nullptr;
    }

    std::vector<std::uint64_t> orbit_lengths() const {
        std::vector<std::uint64_t> out;
        for (const auto& level : levels_) out.push_back(level.orbit.size());
        return out;
    }
    std::vector<Point> base() const {
        std::vector<Point> out;
        for (const auto& level : levels_) out.push_back(level.base);
        return out;
    }

    bool contains(const Permutation& p) const {
        Permutation residue = p;
        return sift(residue, 0, nullptr) == levels_.size() && is_identity(residue);
    }

    // p as a product of lines, each possibly inverted; nothing if p is not in the group.
    std::optional<std::vector<std::pair<std::uint32_t, bool>>> factor(const Permutation& p) const {
        Permutation residue = p;
        std::vector<std::pair<std::uint32_t, bool>> taken;
        if (sift(residue, 0, &taken) != levels_.size() || !is_identity(residue)) return std::nullopt;
        // p * u^-1 * v^-1 ... = 1, so p = ... v * u: what was divided off, read backwards and inverted.
        std::vector<std::pair<std::uint32_t, bool>> out(taken.rbegin(), taken.rend());
        for (auto& [line, inverted] : out) inverted = !inverted;
        return out;
    }

    Permutation random_element(std::mt19937_64& random) const {
        Permutation p = identity(degree_);
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
            p = compose(p, level->representative[below(random, level->orbit.size())]);
        }
        return p;
    }

    // Element number `index` modulo the order, in a fixed order; `index` is divided by the order.
    Permutation element(std::uint64_t& index) const {
        Permutation p = identity(degree_);
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
            p = compose(p, level->representative[index % level->orbit.size()]);
            index /= level->orbit.size();
        }
        return p;
    }

    // An element g with colour_b[g(x)] == colour_a[x] for all x, by backtracking through the chain.
    // The bool says whether the answer is certain (false: the node budget ran out).
    std::pair<std::optional<Permutation>, bool> recolour(const std::vector<std::uint32_t>& a,
                                                         const std::vector<std::uint32_t>& b, std::uint64_t budget,
                                                         const Tick& tick) const {
        struct Frame {
            Permutation g;
            std::size_t next;
        };
        auto fits = [&](const Permutation& g) {
            for (std::size_t x = 0; x < degree_; ++x)
                if (b[g[x]] != a[x]) return false;
            return true;
        };
        std::vector<Frame> stack{{identity(degree_), 0}};
        while (!stack.empty()) {
            auto& top = stack.back();
            const std::size_t depth = stack.size() - 1;
            if (depth == levels_.size()) {
                if (fits(top.g)) return {top.g, true};
                stack.pop_back();
                continue;
            }
            const Level& level = levels_[depth];
            if (top.next == level.orbit.size()) {
                stack.pop_back();
                continue;
            }
            const std::size_t k = top.next++;
            // Elements are u_last ... u_1 u_0, so the image of this base point is now settled.
            if (b[top.g[level.orbit[k]]] != a[level.base]) continue;
            if (budget-- == 0) return {std::nullopt, false};
            if ((budget & 0x3ff) == 0) tick("colours", budget, 0);
            Permutation g = compose(level.representative[k], top.g);
            stack.push_back({std::move(g), 0});
        }
        return {std::nullopt, true};
    }

private:
    static constexpr std::uint32_t none = 0xffffffffu;

    struct Level {
        Point base;
        std::vector<Point> orbit;
        std::vector<std::uint32_t> where;               // index in orbit of each point
        std::vector<Permutation> representative, undo;  // base -> orbit[k] and its inverse
        std::vector<std::uint32_t> from;                // orbit[k] came from orbit[from[k]] ...
        std::vector<std::uint32_t> by;                  // ... by strong generator by[k]
        std::vector<std::uint32_t> generators;
        std::vector<std::size_t> verified;  // how many generators were tried at orbit[k]
    };

    // Divides off representatives from `start` on; returns the level where that stops.
    std::size_t sift(Permutation& p, std::size_t start, std::vector<std::pair<std::uint32_t, bool>>* taken) const {
        Permutation next;
        for (std::size_t l = start; l < levels_.size(); ++l) {
            const Level& level = levels_[l];
            const std::uint32_t k = level.where[p[level.base]];
            if (k == none) return l;
            if (k == 0) continue;
            compose_into(p, level.undo[k], next);
            std::swap(p, next);
            if (taken)
                for (std::uint32_t at = k; at != 0; at = level.from[at])
                    taken->emplace_back(strong_[level.by[at]].line, true);
        }
        return levels_.size();
    }

    bool absorb(const Element& e) { return insert_residue(e.image, 0, {{e.line, false}}); }

    // Sifts; a residue that is left becomes a strong generator of the levels start..where it stopped.
    bool insert_residue(Permutation p, std::size_t start, std::vector<std::pair<std::uint32_t, bool>> made_of) {
        const std::size_t stop = sift(p, start, &made_of);
        if (stop == levels_.size()) {
            if (is_identity(p)) return false;
            Point moved = 0;
            while (p[moved] == moved) ++moved;
            add_level(moved);
        }
        std::uint32_t line = none;
        for (auto [l, inverted] : made_of) {
            const std::uint32_t factor = inverted ? program_->add(StraightLine::inverted, l) : l;
            line = line == none ? factor : program_->add(StraightLine::product, line, factor);
        }
        charge(degree_ * sizeof(Point));
        strong_.push_back({std::move(p), line});
        for (std::size_t l = start; l <= stop; ++l) add_generator(l, static_cast<std::uint32_t>(strong_.size() - 1));
        return true;
    }

    void charge(std::uint64_t bytes) {
        bytes_ += bytes;
        if (bytes_ > max_bytes_) throw LimitReached("the group's tables do not fit the memory limit");
    }

    void add_level(Point base) {
        charge(degree_ * sizeof(std::uint32_t));
        Level level;
        level.base = base;
        level.where.assign(degree_, none);
        levels_.push_back(std::move(level));
        add_point(levels_.size() - 1, base, identity(degree_), 0, 0);
    }

    void add_point(std::size_t l, Point point, Permutation representative, std::uint32_t from, std::uint32_t by) {
        charge(2 * degree_ * sizeof(Point));
        if ((++points_ & tick_mask(4 * degree_)) == 0) (*tick_)("group", levels_.size(), 0);
        Level& level = levels_[l];
        level.where[point] = static_cast<std::uint32_t>(level.orbit.size());
        level.orbit.push_back(point);
        level.undo.push_back(inverse(representative));
        level.representative.push_back(std::move(representative));
        level.from.push_back(from);
        level.by.push_back(by);
        level.verified.push_back(0);
    }

    void add_generator(std::size_t l, std::uint32_t g) {
        levels_[l].generators.push_back(g);
        const std::size_t old = levels_[l].orbit.size();
        for (std::size_t k = 0; k < levels_[l].orbit.size(); ++k) {
            // Old points only meet the new generator, new points meet them all.
            if (k < old) {
                extend(l, k, g);
            } else {
                for (std::size_t i = 0; i < levels_[l].generators.size(); ++i) extend(l, k, levels_[l].generators[i]);
            }
        }
    }

    void extend(std::size_t l, std::size_t k, std::uint32_t g) {
        const Level& level = levels_[l];
        const Point image = strong_[g].image[level.orbit[k]];
        if (level.where[image] == none)
            add_point(l, image, compose(level.representative[k], strong_[g].image), static_cast<std::uint32_t>(k), g);
    }

    void verify(const Tick& tick) {
        std::uint64_t work = 0;
        for (std::size_t l = levels_.size(); l-- > 0;) {
            const std::size_t before = strong_.size();
            for (std::size_t k = 0; k < levels_[l].orbit.size() && strong_.size() == before; ++k) {
                while (levels_[l].verified[k] < levels_[l].generators.size()) {
                    const std::uint32_t g = levels_[l].generators[levels_[l].verified[k]++];
                    if ((++work & 0xff) == 0) tick("verify", levels_.size() - l, levels_.size());
                    if (check_schreier(l, k, g)) break;
                }
            }
            // A new strong generator touches only deeper levels: begin again at the deepest.
            if (strong_.size() != before) l = levels_.size();
        }
    }

    bool check_schreier(std::size_t l, std::size_t k, std::uint32_t g) {
        const Level& level = levels_[l];
        const std::uint32_t to = level.where[strong_[g].image[level.orbit[k]]];
        if (level.from[to] == k && level.by[to] == g && to != 0) return false;  // a tree edge: trivial
        Permutation p = compose(compose(level.representative[k], strong_[g].image), level.undo[to]);
        // Nearly all are trivial, and trees may be as deep as the orbit is long: how the element was
        // made is only written down once it is known to be new.
        Permutation residue = p;
        if (sift(residue, l + 1, nullptr) == levels_.size() && is_identity(residue)) return false;
        std::vector<std::pair<std::uint32_t, bool>> made_of;
        for (std::uint32_t at = static_cast<std::uint32_t>(k); at != 0; at = level.from[at])
            made_of.emplace_back(strong_[level.by[at]].line, false);
        std::reverse(made_of.begin(), made_of.end());
        made_of.emplace_back(strong_[g].line, false);
        for (std::uint32_t at = to; at != 0; at = level.from[at])
            made_of.emplace_back(strong_[level.by[at]].line, true);
        return insert_residue(std::move(p), l + 1, std::move(made_of));
    }

    std::size_t degree_ = 0;
    std::uint64_t bytes_ = 0, max_bytes_ = 0;
    StraightLine* program_ = nullptr;  // only during construction, as the next
    const Tick* tick_ = nullptr;
    std::size_t points_ = 0;  // of all orbits
    std::vector<Level> levels_;
    std::vector<Element> strong_;
};

}  // namespace slidelab
