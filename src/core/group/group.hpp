// A permutation group from generators: its giants split off by Jordan's theorem, the rest by
// Schreier-Sims.
//
// Most puzzles act on an orbit of n pieces as Alt(n) or Sym(n) (a "giant"), and n may be a thousand.
// Jordan: a primitive group of degree n that contains a cycle of prime length p <= n - 3 contains
// Alt(n); a transitive group with a p-cycle, p prime > n/2, is primitive. So a single element whose
// power is such a p-cycle *inside one orbit and fixes everything else* proves that the whole Alt of
// that orbit, acting on it alone, lies in the group (it generates a normal subgroup of the action
// on the orbit, and that is primitive and contains the cycle). Dividing all these Alts out leaves
// the signs on the split orbits and the action on the remaining points: a small permutation group
// on (remaining points + two points for each sign), for which Schreier-Sims is exact and quick.
#pragma once

#include "base/union_find.hpp"
#include "group/stabiliser_chain.hpp"

#include <algorithm>

namespace slidelab {

class Group {
public:
    struct Giant {
        std::size_t orbit;
        std::uint32_t prime;
        std::uint32_t line;  // makes a prime cycle on the orbit, and nothing elsewhere
    };

    Group(std::size_t degree, std::vector<Permutation> generators, std::uint64_t seed, std::uint64_t max_bytes,
          const Tick& tick)
        : degree_(degree), generators_(std::move(generators)) {
        if (degree_ > max_degree) throw LimitReached("degree over 65535");
        const std::size_t often = tick_mask(degree_);
        for (std::size_t i = 0; i < generators_.size(); ++i) {
            if ((i & often) == 0) tick("orbits", i, generators_.size());
            const auto& g = generators_[i];
            if (g.size() != degree_ || !is_permutation_of_points(g)) throw std::invalid_argument("not a permutation");
        }
        find_orbits(tick);
        std::vector<Element> elements;
        for (std::size_t i = 0; i < generators_.size(); ++i)
            elements.push_back({generators_[i], program_.add(StraightLine::generator, static_cast<std::uint32_t>(i))});
        split_giants(elements, seed, tick);
        build_chain(elements, seed, max_bytes, tick);
    }

    std::size_t degree() const { return degree_; }
    const std::vector<std::vector<Point>>& orbits() const { return orbits_; }
    const std::vector<Giant>& giants() const { return giants_; }
    const StraightLine& program() const { return program_; }
    std::vector<std::uint64_t> chain_lengths() const { return chain_.orbit_lengths(); }

    // Base points of a chain for the whole group and its orbit lengths: giants first (all but two of
    // their points), then the rest; a sign is seen at the last two points of its giant.
    std::pair<std::vector<Point>, std::vector<std::uint64_t>> base() const {
        std::pair<std::vector<Point>, std::vector<std::uint64_t>> out;
        for (const auto& giant : giants_) {
            const auto& orbit = orbits_[giant.orbit];
            for (std::size_t i = 0; i + 2 < orbit.size(); ++i) {
                out.first.push_back(orbit[i]);
                out.second.push_back(orbit.size() - i);
            }
        }
        const auto base = chain_.base();
        const auto lengths = chain_.orbit_lengths();
        for (std::size_t i = 0; i < base.size(); ++i) {
            const std::size_t rest = rest_.size();
            if (base[i] < rest) {
                out.first.push_back(rest_[base[i]]);
            } else {
                const auto& orbit = orbits_[giants_[(base[i] - rest) / 2].orbit];
                out.first.push_back(orbit[orbit.size() - 2 + (base[i] - rest) % 2]);
            }
            out.second.push_back(lengths[i]);
        }
        return out;
    }

    bool contains(const Permutation& p) const { return respects_orbits(p) && chain_.contains(reduce(p)); }

    // Lines whose product agrees with p up to even permutations of the giants.
    std::optional<std::vector<std::pair<std::uint32_t, bool>>> factor(const Permutation& p) const {
        if (!respects_orbits(p)) return std::nullopt;
        return chain_.factor(reduce(p));
    }

    // Uniform: a uniform element of the reduced group, then a uniform permutation of each giant with that sign.
    Permutation random_element(std::mt19937_64& random) const {
        return extend(chain_.random_element(random), [&](std::uint64_t i) { return below(random, i); });
    }

    // Element number `index`, from 0, in a fixed order; numbers beyond the order begin again.
    Permutation element(std::uint64_t index) const {
        const Permutation small = chain_.element(index);
        return extend(small, [&](std::uint64_t i) {
            if (i == 2) return std::uint64_t(1);  // the first two follow from the sign
            const std::uint64_t digit = index % i;
            index /= i;
            return digit;
        });
    }

    // An element that carries the colouring a to the colouring b; the bool is false if the budget ran out first.
    std::pair<std::optional<Permutation>, bool> recolour(const std::vector<std::uint32_t>& a,
                                                         const std::vector<std::uint32_t>& b, std::uint64_t budget,
                                                         const Tick& tick = no_tick) const {
        if (a.size() != degree_ || b.size() != degree_) throw std::invalid_argument("one colour a point expected");
        // On a giant colours are matched in order. If two are equal either sign can be had (both sign
        // points get one colour below), otherwise the permutation and so its sign is forced.
        Permutation p = identity(degree_);
        std::vector<std::uint32_t> small_a, small_b;
        std::vector<std::pair<Point, Point>> equal_pair(giants_.size());
        std::vector<bool> odd(giants_.size()), repeated(giants_.size());
        for (auto x : rest_) small_a.push_back(a[x] + 2), small_b.push_back(b[x] + 2);
        for (std::size_t x = 0; x < degree_; ++x)
            if (orbits_[orbit_of_[x]].size() == 1 && a[x] != b[x]) return {std::nullopt, true};
        for (std::size_t g = 0; g < giants_.size(); ++g) {
            const auto& orbit = orbits_[giants_[g].orbit];
            auto have = orbit, want = orbit;
            std::stable_sort(have.begin(), have.end(), [&](Point x, Point y) { return a[x] < a[y]; });
            std::stable_sort(want.begin(), want.end(), [&](Point x, Point y) { return b[x] < b[y]; });
            for (std::size_t i = 0; i < orbit.size(); ++i) {
                if (a[have[i]] != b[want[i]]) return {std::nullopt, true};
                if (i && a[have[i]] == a[have[i - 1]]) {
                    repeated[g] = true;
                    equal_pair[g] = {have[i - 1], have[i]};
                }
                p[have[i]] = want[i];
            }
            odd[g] = odd_on(p, orbit);
            const bool forced = !repeated[g];
            small_a.push_back(0), small_a.push_back(forced);
            small_b.push_back(forced && odd[g]), small_b.push_back(forced && !odd[g]);
        }
        const auto [small, certain] = chain_.recolour(small_a, small_b, budget, tick);
        if (!small) return {std::nullopt, certain};
        for (std::size_t i = 0; i < rest_.size(); ++i) p[rest_[i]] = rest_[(*small)[i]];
        for (std::size_t g = 0; g < giants_.size(); ++g) {
            const std::size_t at = rest_.size() + 2 * g;
            if (((*small)[at] != at) != odd[g]) std::swap(p[equal_pair[g].first], p[equal_pair[g].second]);
        }
        return {p, true};
    }

private:
    // The element of the reduced group, with a permutation of each giant that has the sign it wants. `choose(i)` is a
    // number below i.
    template <class Choose>
    Permutation extend(const Permutation& small, Choose&& choose) const {
        Permutation p = identity(degree_);
        for (std::size_t i = 0; i < rest_.size(); ++i) p[rest_[i]] = rest_[small[i]];
        for (std::size_t g = 0; g < giants_.size(); ++g) {
            auto shuffled = orbits_[giants_[g].orbit];
            bool odd = false;
            for (std::size_t i = shuffled.size(); i > 1; --i) {
                const auto j = static_cast<std::size_t>(choose(i));
                if (j != i - 1) {
                    std::swap(shuffled[i - 1], shuffled[j]);
                    odd = !odd;
                }
            }
            const bool wanted = small[rest_.size() + 2 * g] != rest_.size() + 2 * g;
            if (odd != wanted) std::swap(shuffled[0], shuffled[1]);
            for (std::size_t i = 0; i < shuffled.size(); ++i) p[orbits_[giants_[g].orbit][i]] = shuffled[i];
        }
        return p;
    }

    void find_orbits(const Tick& tick) {
        UnionFind parts(degree_);
        const std::size_t often = tick_mask(degree_);
        for (std::size_t i = 0; i < generators_.size(); ++i) {
            if ((i & often) == 0) tick("orbits", i, generators_.size());
            for (std::size_t x = 0; x < degree_; ++x) parts.unite(static_cast<std::uint32_t>(x), generators_[i][x]);
        }
        orbit_of_.assign(degree_, 0);
        std::vector<std::size_t> number(degree_, 0);
        for (std::size_t x = 0; x < degree_; ++x) {
            const auto root = parts.find(static_cast<std::uint32_t>(x));
            if (root == x) {
                number[x] = orbits_.size();
                orbits_.emplace_back();
            }
            orbit_of_[x] = number[root];
            orbits_[number[root]].push_back(static_cast<Point>(x));
        }
    }

    bool respects_orbits(const Permutation& p) const {
        if (p.size() != degree_) throw std::invalid_argument("a permutation of another degree");
        for (std::size_t x = 0; x < degree_; ++x)
            if (orbit_of_[p[x]] != orbit_of_[x]) return false;
        return true;
    }

    // A few generators that join the orbits as all of them do: with thousands of loops at hand,
    // the search for a witness needs no more.
    std::vector<Element> enough(const std::vector<Element>& elements, const Tick& tick) const {
        UnionFind parts(degree_);
        std::vector<Element> chosen, others;
        const std::size_t often = tick_mask(degree_);
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if ((i & often) == 0) tick("giants", 0, orbits_.size());
            const Element& e = elements[i];
            bool joins = false;
            for (std::size_t x = 0; x < degree_; ++x) joins |= parts.unite(static_cast<std::uint32_t>(x), e.image[x]);
            (joins ? chosen : others).push_back(e);
        }
        const std::size_t step = std::max<std::size_t>(1, others.size() / 8);
        for (std::size_t i = 0; i < others.size(); i += step) chosen.push_back(others[i]);
        return chosen;
    }

    static bool is_prime(std::uint32_t n) {
        if (n < 2) return false;
        for (std::uint32_t d = 2; d * d <= n; ++d)
            if (n % d == 0) return false;
        return true;
    }

    // lengths[x] = length of the cycle of x.
    static std::vector<std::uint32_t> cycle_lengths(const Permutation& p) {
        std::vector<std::uint32_t> lengths(p.size(), 0);
        std::vector<Point> cycle;
        for (std::size_t x = 0; x < p.size(); ++x) {
            if (lengths[x]) continue;
            cycle.clear();
            for (Point y = static_cast<Point>(x); cycle.empty() || y != x; y = p[y]) cycle.push_back(y);
            for (Point y : cycle) lengths[y] = static_cast<std::uint32_t>(cycle.size());
        }
        return lengths;
    }

    void split_giants(const std::vector<Element>& elements, std::uint64_t seed, const Tick& tick) {
        std::vector<std::size_t> pending;
        for (std::size_t o = 0; o < orbits_.size(); ++o)
            if (orbits_[o].size() >= 8) pending.push_back(o);
        if (pending.empty()) return;
        ElementSource source(enough(elements, tick), seed, program_);
        for (int tries = 0; tries < 600 && !pending.empty(); ++tries) {
            if ((tries & 15) == 0) tick("giants", giants_.size(), orbits_.size());
            const Element& e = source.next();
            const auto lengths = cycle_lengths(e.image);
            for (std::size_t k = 0; k < pending.size();) {
                if (try_giant(pending[k], e, lengths)) pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(k));
                else ++k;
            }
        }
        std::sort(giants_.begin(), giants_.end(), [](const Giant& a, const Giant& b) { return a.orbit < b.orbit; });
    }

    bool try_giant(std::size_t o, const Element& e, const std::vector<std::uint32_t>& lengths) {
        const auto& orbit = orbits_[o];
        const auto n = static_cast<std::uint32_t>(orbit.size());
        std::uint32_t prime = 0;
        for (Point x : orbit)
            if (2 * lengths[x] > n && lengths[x] + 3 <= n && is_prime(lengths[x])) prime = lengths[x];
        if (!prime) return false;
        std::vector<std::uint32_t> others;  // the cycle lengths to be killed
        for (std::size_t x = 0; x < degree_; ++x) {
            if (lengths[x] % prime == 0) {
                if (orbit_of_[x] != o) return false;  // cannot be separated from this orbit by a power
            } else if (lengths[x] > 1) {
                others.push_back(lengths[x]);
            }
        }
        std::sort(others.begin(), others.end());
        others.erase(std::unique(others.begin(), others.end()), others.end());
        Element cycle = e;
        for (auto length : others) cycle = raise(cycle, length, program_);
        giants_.push_back({o, prime, cycle.line});
        return true;
    }

    bool odd_on(const Permutation& p, const std::vector<Point>& orbit) const {
        Permutation on(orbit.size());
        for (std::size_t i = 0; i < orbit.size(); ++i) on[i] = static_cast<Point>(place_in_orbit_[p[orbit[i]]]);
        return is_odd(on);
    }

    Permutation reduce(const Permutation& p) const {
        Permutation small(rest_.size() + 2 * giants_.size());
        for (std::size_t i = 0; i < rest_.size(); ++i) small[i] = static_cast<Point>(rest_index_[p[rest_[i]]]);
        for (std::size_t g = 0; g < giants_.size(); ++g) {
            const auto& orbit = orbits_[giants_[g].orbit];
            const bool odd = odd_on(p, orbit);
            const std::size_t at = rest_.size() + 2 * g;
            small[at] = static_cast<Point>(at + odd);
            small[at + 1] = static_cast<Point>(at + 1 - odd);
        }
        return small;
    }

    void build_chain(const std::vector<Element>& elements, std::uint64_t seed, std::uint64_t max_bytes,
                     const Tick& tick) {
        std::vector<bool> split(orbits_.size(), false);
        for (const auto& giant : giants_) split[giant.orbit] = true;
        rest_index_.assign(degree_, 0);
        place_in_orbit_.assign(degree_, 0);
        for (std::size_t o = 0; o < orbits_.size(); ++o)
            for (std::size_t i = 0; i < orbits_[o].size(); ++i) {
                const Point x = orbits_[o][i];
                place_in_orbit_[x] = i;
                if (split[o] || orbits_[o].size() == 1) continue;
                rest_index_[x] = rest_.size();
                rest_.push_back(x);
            }
        std::vector<Element> small;
        const std::size_t often = tick_mask(degree_);
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if ((i & often) == 0) tick("group", i, elements.size());
            Permutation p = reduce(elements[i].image);
            if (!is_identity(p)) small.push_back({std::move(p), elements[i].line});
        }
        // Many loops say the same once the giants are divided out.
        std::stable_sort(small.begin(), small.end(),
                         [](const Element& a, const Element& b) { return a.image < b.image; });
        small.erase(std::unique(small.begin(), small.end(),
                                [](const Element& a, const Element& b) { return a.image == b.image; }),
                    small.end());
        ElementSource source(small, seed + 1, program_);
        auto more = [&]() -> std::optional<Element> {
            if (source.empty()) return std::nullopt;
            return source.next();
        };
        chain_ = StabiliserChain(rest_.size() + 2 * giants_.size(), small, more, program_, max_bytes, tick);
    }

    std::size_t degree_;
    std::vector<Permutation> generators_;
    std::vector<std::vector<Point>> orbits_;
    std::vector<std::size_t> orbit_of_, place_in_orbit_, rest_index_;
    std::vector<Point> rest_;
    std::vector<Giant> giants_;
    StraightLine program_;
    StabiliserChain chain_;
};

// The finest partition into blocks that puts a and b together (Atkinson 1975): label of each point.
inline std::vector<std::uint32_t> minimal_block(std::size_t degree, const std::vector<Permutation>& generators,
                                                std::uint32_t a, std::uint32_t b, const Tick& tick = no_tick) {
    if (a >= degree || b >= degree) throw std::invalid_argument("no such point");
    UnionFind parts(degree);
    parts.unite(a, b);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> queue{{a, b}};
    const std::size_t often = tick_mask(generators.size());
    for (std::size_t round = 0; !queue.empty(); ++round) {
        if ((round & often) == 0) tick("blocks", round, degree);
        const auto [x, y] = queue.back();
        queue.pop_back();
        for (const auto& g : generators)
            if (parts.unite(g[x], g[y])) queue.emplace_back(g[x], g[y]);
    }
    std::vector<std::uint32_t> out(degree);
    for (std::size_t x = 0; x < degree; ++x) out[x] = parts.find(static_cast<std::uint32_t>(x));
    return out;
}

}  // namespace slidelab
