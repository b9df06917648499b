// Pfaffians of sparse skew matrices modulo a prime, summed over a grid of weights.
//
// On a plane graph with a Kasteleyn orientation the Pfaffian is, up to sign, the sum over all perfect matchings
// of the product of the weights of their edges (Kasteleyn, "Dimer statistics and phase transitions", 1963). One
// coefficient of that polynomial is a weighted sum of its values on a grid, which is what sum() returns.
//
// Elimination takes two vertices i and j at a time: Pf(A) = a_ij Pf(A') with a'_kl = a_kl - a_ik a_jl / a_ij +
// a_jk a_il / a_ij. Which pairs, and which entries they touch, is found once, for one vector of weights, always
// on with a vertex of fewest neighbours; all other vectors replay that plan, several side by side, so that one
// inverse does for all of them. Where a pivot of the plan is zero for a vector, that vector gets a plan of its own.
#pragma once

#include "base/tick.hpp"
#include "group/permutation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slidelab {

// Numbers modulo an odd prime p < 2^61 in Montgomery's form: x stands for x 2^64, and any value below 2p is allowed.
// That leaves room for two products and a sum before anything must be reduced.
class PrimeField {
public:
    __extension__ typedef unsigned __int128 Wide;

    explicit PrimeField(std::uint64_t prime) : p_(prime), twice_(2 * prime) {
        if (prime < 3 || prime % 2 == 0 || prime >= (std::uint64_t{1} << 61))
            throw std::invalid_argument("expected an odd prime below 2^61");
        inverse_ = prime;  // right in its last three bits; each round doubles them
        for (int round = 0; round < 5; ++round) inverse_ *= 2 - prime * inverse_;
        one_ = static_cast<std::uint64_t>((Wide{1} << 64) % prime);
        square_ = static_cast<std::uint64_t>(Wide{one_} * one_ % prime);
    }

    std::uint64_t one() const { return one_; }
    std::uint64_t in(std::uint64_t x) const { return times(x % p_, square_); }
    std::uint64_t out(std::uint64_t x) const { return least(reduce(x)); }
    bool is_zero(std::uint64_t x) const { return x == 0 || x == p_; }
    std::uint64_t times(std::uint64_t a, std::uint64_t b) const { return reduce(Wide{a} * b); }
    std::uint64_t plus(std::uint64_t a, std::uint64_t b) const { return trim(a + b); }
    std::uint64_t minus(std::uint64_t a) const { return trim(twice_ - a); }
    // start + a b + c d
    std::uint64_t add_products(std::uint64_t start, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                               std::uint64_t d) const {
        return trim(start + reduce(Wide{a} * b + Wide{c} * d));
    }
    std::uint64_t inverse(std::uint64_t x) const {  // Fermat
        std::uint64_t result = one_;
        for (std::uint64_t e = p_ - 2; e > 0; e /= 2, x = times(x, x))
            if (e % 2 == 1) result = times(result, x);
        return result;
    }

private:
    // Below 2p for anything below 8 p^2, since 8p < 2^64.
    std::uint64_t reduce(Wide x) const {
        const std::uint64_t m = static_cast<std::uint64_t>(x) * inverse_;
        return static_cast<std::uint64_t>(x >> 64) + p_ - static_cast<std::uint64_t>(Wide{m} * p_ >> 64);
    }
    std::uint64_t trim(std::uint64_t x) const { return x >= twice_ ? x - twice_ : x; }
    std::uint64_t least(std::uint64_t x) const { return x >= p_ ? x - p_ : x; }

    std::uint64_t p_, twice_, inverse_, one_, square_;
};

class Pfaffian {
public:
    static constexpr std::size_t max_updates = std::size_t{1} << 28;

    // The entry at (from, to) is the value of the variable, the one at (to, from) its negative.
    struct Arc {
        std::uint32_t from, to, variable;
    };
    // A value that a variable takes, and what the Pfaffian is multiplied with then.
    struct Node {
        std::uint64_t value, factor;
    };

    Pfaffian(std::size_t vertices, std::vector<Arc> arcs) : vertices_(vertices), arcs_(std::move(arcs)) {
        if (vertices >= (1u << 24) || arcs_.size() >= (1u << 28)) throw std::invalid_argument("graph out of range");
        std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;
        for (const auto& a : arcs_) {
            if (a.from >= vertices || a.to >= vertices || a.from == a.to) throw std::invalid_argument("no such arc");
            seen.emplace_back(std::min(a.from, a.to), std::max(a.from, a.to));
            variables_ = std::max<std::size_t>(variables_, a.variable + std::size_t{1});
        }
        std::sort(seen.begin(), seen.end());
        if (std::adjacent_find(seen.begin(), seen.end()) != seen.end()) throw std::invalid_argument("an arc twice");
    }

    // Multiplications for one vector of weights by the plan, 0 as long as there is none.
    std::uint64_t cost() const { return plan_ ? plan_->cost : 0; }

    // The sum, over all choices of one node for each variable, of the Pfaffian times all the factors.
    std::uint64_t sum(std::uint64_t prime, const std::vector<std::vector<Node>>& nodes, const Tick& tick) {
        if (nodes.size() < variables_) throw std::invalid_argument("a variable without nodes");
        const PrimeField field(prime);
        Grid grid(field, nodes);
        std::uint64_t result = 0;
        std::vector<std::uint64_t> weights(nodes.size());
        std::uint64_t factor = 0;
        while (!plan_ && grid.next(weights.data(), 1, factor)) {
            tick("placements", grid.done(), grid.size());
            result = field.plus(result, field.times(factor, record(field, weights, true, tick)));
        }
        if (!plan_) return field.out(result);
        if (grid.size() - grid.done() >= lanes / 4) result = field.plus(result, rest<lanes>(field, grid, tick));
        return field.out(field.plus(result, rest<1>(field, grid, tick)));
    }

private:
    static constexpr std::size_t lanes = 16;
    static constexpr std::ptrdiff_t max_updates_between_ticks = 0x3fff;  // of all lanes

    // A vertex beside the pair: its entries in the two rows of the pair, 0 where there is none.
    struct Beside {
        std::uint32_t vertex, first, second;
    };
    // First come those beside i only, then those beside both, then those beside j only.
    struct Step {
        std::uint32_t pivot, begin, both, last, end;  // places in Plan::beside
    };
    // Entries are numbered from 1 and come with a sign: twice the number, plus one for the negative.
    struct Plan {
        std::vector<Step> steps;
        std::vector<Beside> beside;
        std::vector<std::uint32_t> targets;  // of all pairs of vertices that a step changes, in the order of its loops
        std::size_t entries = 1;
        bool odd = false;
        std::uint64_t cost = 0;
    };
    using Row = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // vertex and entry, by vertex

    // All choices of nodes one after another.
    class Grid {
    public:
        Grid(const PrimeField& field, const std::vector<std::vector<Node>>& nodes)
            : field_(field), nodes_(nodes), at_(nodes.size(), 0) {
            for (auto& row : nodes_) {
                if (row.empty()) throw std::invalid_argument("a variable without nodes");
                if (size_ > (std::uint64_t{1} << 60) / row.size()) throw std::invalid_argument("too many nodes");
                size_ *= row.size();
                for (auto& node : row) node = {field.in(node.value), field.in(node.factor)};
            }
        }
        std::size_t variables() const { return nodes_.size(); }
        std::uint64_t size() const { return size_; }
        std::uint64_t done() const { return done_; }
        // Writes the weights of the next choice, `stride` apart; false if there is none left.
        bool next(std::uint64_t* weights, std::size_t stride, std::uint64_t& factor) {
            if (done_ == size_) return false;
            ++done_;
            factor = field_.one();
            for (std::size_t v = 0; v < nodes_.size(); ++v) {
                weights[v * stride] = nodes_[v][at_[v]].value;
                factor = field_.times(factor, nodes_[v][at_[v]].factor);
            }
            for (std::size_t v = 0; v < nodes_.size() && ++at_[v] == nodes_[v].size(); ++v) at_[v] = 0;
            return true;
        }

    private:
        const PrimeField& field_;
        std::vector<std::vector<Node>> nodes_;
        std::vector<std::size_t> at_;
        std::uint64_t size_ = 1, done_ = 0;
    };

    // What replaying needs: all entries, then the rows of one step, for L vectors of weights side by side.
    template <std::size_t L>
    struct Work {
        using Lanes = std::array<std::uint64_t, L>;
        std::vector<Lanes> entries, first, minus_first, second;
        Lanes product;
        std::array<bool, L> failed{};
    };

    template <std::size_t L>
    static void load(const PrimeField& field, std::uint32_t entry, const Work<L>& work,
                     std::array<std::uint64_t, L>& out) {
        const auto& from = work.entries[entry / 2];
        for (std::size_t l = 0; l < L; ++l) out[l] = entry % 2 == 1 ? field.minus(from[l]) : from[l];
    }

    // The inverses of all lanes for the price of one; a lane with zero has failed and continues with 1.
    template <std::size_t L>
    static std::array<std::uint64_t, L> take_pivot(const PrimeField& field, std::uint32_t entry, Work<L>& work) {
        std::array<std::uint64_t, L> pivot, before;
        load(field, entry, work, pivot);
        std::uint64_t all = field.one();
        for (std::size_t l = 0; l < L; ++l) {
            if (field.is_zero(pivot[l])) pivot[l] = field.one(), work.failed[l] = true;
            work.product[l] = field.times(work.product[l], pivot[l]);
            before[l] = all;
            all = field.times(all, pivot[l]);
        }
        all = field.inverse(all);
        for (std::size_t l = L; l-- > 0;) {
            const std::uint64_t inverse = field.times(all, before[l]);
            all = field.times(all, pivot[l]);
            pivot[l] = inverse;
        }
        return pivot;
    }

    // One step; returns the first target of the next one.
    template <std::size_t L>
    static const std::uint32_t* apply(const PrimeField& field, const Plan& plan, const Step& step,
                                      const std::uint32_t* target, Work<L>& work) {
        const auto inverse = take_pivot(field, step.pivot, work);
        const std::size_t count = step.end - step.begin;
        if (work.first.size() < count)
            work.first.resize(count), work.minus_first.resize(count), work.second.resize(count);
        for (std::size_t k = 0; k < count; ++k) {
            const Beside& beside = plan.beside[step.begin + k];
            load(field, beside.first, work, work.first[k]);
            load(field, beside.second, work, work.second[k]);
            for (std::size_t l = 0; l < L; ++l) {
                work.first[k][l] = field.times(work.first[k][l], inverse[l]);
                work.minus_first[k][l] = field.minus(work.first[k][l]);
            }
        }
        each_pair(step, [&](std::size_t k, std::size_t m) {
            const std::uint32_t entry = *target++;
            if (entry % 2 == 1)
                std::swap(k, m);  // the entry of (m, k) is kept: the rule changes its sign with the order
            auto& to = work.entries[entry / 2];
            for (std::size_t l = 0; l < L; ++l)
                to[l] = field.add_products(to[l], work.first[m][l], work.second[k][l], work.minus_first[k][l],
                                           work.second[m][l]);
        });
        return target;
    }

    // Two vertices change their entry if one is beside i and the other beside j.
    template <class F>
    static void each_pair(const Step& step, F f) {
        const std::size_t both = step.both - step.begin, last = step.last - step.begin, end = step.end - step.begin;
        for (std::size_t k = 0; k < last; ++k)
            for (std::size_t m = std::max(k + 1, both); m < end; ++m) f(k, m);
    }

    template <std::size_t L>
    void start(const PrimeField& field, const std::uint64_t* weights, std::size_t entries, Work<L>& work) const {
        work.entries.resize(entries);
        std::fill(work.entries.begin(), work.entries.end(), typename Work<L>::Lanes{});
        for (std::size_t a = 0; a < arcs_.size(); ++a)
            for (std::size_t l = 0; l < L; ++l) work.entries[a + 1][l] = weights[arcs_[a].variable * L + l];
        work.product.fill(field.one());
        work.failed.fill(false);
    }

    // All choices left, L at a time; the last ones are left to others if they are fewer than L / 4.
    template <std::size_t L>
    std::uint64_t rest(const PrimeField& field, Grid& grid, const Tick& tick) {
        Work<L> work;
        std::vector<std::uint64_t> weights(grid.variables() * L), one(grid.variables());
        std::uint64_t result = 0;
        while (grid.size() - grid.done() >= std::max<std::size_t>(L / 4, 1)) {
            tick("placements", grid.done(), grid.size());
            std::array<std::uint64_t, L> factor{};  // lanes without a choice count nothing
            std::size_t used = 0;
            while (used < L && grid.next(weights.data() + used, L, factor[used])) ++used;
            replay(field, weights.data(), work, grid, tick);
            for (std::size_t l = 0; l < used; ++l) {
                for (std::size_t v = 0; v < one.size(); ++v) one[v] = weights[v * L + l];
                const std::uint64_t value = work.failed[l] ? record(field, one, false, tick) : work.product[l];
                result = field.plus(result, field.times(factor[l], value));
            }
        }
        return result;
    }

    template <std::size_t L>
    void replay(const PrimeField& field, const std::uint64_t* weights, Work<L>& work, const Grid& grid,
                const Tick& tick) const {
        start(field, weights, plan_->entries, work);
        const std::uint32_t *target = plan_->targets.data(), *ticked = target;
        for (const Step& step : plan_->steps) {
            target = apply(field, *plan_, step, target, work);
            if (target - ticked < max_updates_between_ticks) continue;
            ticked = target;
            tick("placements", grid.done(), grid.size());
        }
        if (plan_->odd)
            for (auto& x : work.product) x = field.minus(x);
    }

    // The Pfaffian for one vector of weights, by a plan made for it, which may be kept.
    std::uint64_t record(const PrimeField& field, const std::vector<std::uint64_t>& weights, bool keep,
                         const Tick& tick) {
        if (vertices_ % 2 == 1) return 0;
        Plan plan;
        plan.entries = arcs_.size() + 1;
        Work<1> work;
        start(field, weights.data(), plan.entries, work);
        std::vector<Row> rows = first_rows();
        std::vector<std::uint32_t> left(vertices_), order;
        std::iota(left.begin(), left.end(), 0u);
        while (!left.empty()) {
            tick("plan", order.size(), vertices_);
            const auto i = *std::min_element(left.begin(), left.end(),
                                             [&](auto a, auto b) { return rows[a].size() < rows[b].size(); });
            const auto j = partner(field, rows, i, work);
            if (!j) return 0;  // the whole row is zero
            const std::size_t first_target = plan.targets.size();
            add_step(plan, rows, i, *j);
            work.entries.resize(plan.entries, {0});
            apply(field, plan, plan.steps.back(), plan.targets.data() + first_target, work);
            order.insert(order.end(), {i, *j});
            left.erase(std::remove_if(left.begin(), left.end(), [&](auto v) { return v == i || v == *j; }), left.end());
        }
        plan.odd = is_odd(std::span<const std::uint32_t>(order));
        const std::uint64_t value = plan.odd ? field.minus(work.product[0]) : work.product[0];
        plan.cost = 2 * plan.targets.size() + plan.beside.size() + 6 * plan.steps.size();
        if (keep) plan_ = std::move(plan);
        return value;
    }

    std::vector<Row> first_rows() const {
        std::vector<Row> rows(vertices_);
        for (std::uint32_t a = 0; a < arcs_.size(); ++a) {
            rows[arcs_[a].from].emplace_back(arcs_[a].to, 2 * (a + 1));
            rows[arcs_[a].to].emplace_back(arcs_[a].from, 2 * (a + 1) + 1);
        }
        for (auto& row : rows) std::sort(row.begin(), row.end());
        return rows;
    }

    // The neighbour of i whose entry is not zero and which changes the fewest entries together with i.
    static std::optional<std::uint32_t> partner(const PrimeField& field, const std::vector<Row>& rows, std::uint32_t i,
                                                const Work<1>& work) {
        std::optional<std::uint32_t> best;
        std::size_t fewest = std::numeric_limits<std::size_t>::max();
        for (const auto& [j, entry] : rows[i]) {
            if (field.is_zero(work.entries[entry / 2][0])) continue;
            std::size_t both = 0;
            for (auto a = rows[i].begin(), b = rows[j].begin(); a != rows[i].end() && b != rows[j].end();) {
                const auto u = a->first, v = b->first;
                both += u == v;
                if (u <= v) ++a;
                if (v <= u) ++b;
            }
            const std::size_t only_i = rows[i].size() - 1 - both, only_j = rows[j].size() - 1 - both;
            const std::size_t pairs = both * (both - 1) / 2 + both * (only_i + only_j) + only_i * only_j;
            if (pairs < fewest) fewest = pairs, best = j;
        }
        return best;
    }

    static void add_step(Plan& plan, std::vector<Row>& rows, std::uint32_t i, std::uint32_t j) {
        Step step{};
        std::array<std::vector<Beside>, 3> groups;  // beside i only, both, j only
        for (const auto& [v, entry] : rows[i])
            if (v == j) step.pivot = entry;
            else if (const auto other = find(rows[j], v)) groups[1].push_back({v, entry, other});
            else groups[0].push_back({v, entry, 0});
        for (const auto& [v, entry] : rows[j])
            if (v != i && find(rows[i], v) == 0) groups[2].push_back({v, 0, entry});
        if (plan.beside.size() + rows[i].size() + rows[j].size() > max_updates)
            throw LimitReached("the graph is too large to count its matchings");
        std::array<std::uint32_t, 4> place{static_cast<std::uint32_t>(plan.beside.size())};
        for (std::size_t g = 0; g < 3; ++g) {
            plan.beside.insert(plan.beside.end(), groups[g].begin(), groups[g].end());
            place[g + 1] = static_cast<std::uint32_t>(plan.beside.size());
        }
        step.begin = place[0], step.both = place[1], step.last = place[2], step.end = place[3];
        for (std::uint32_t b = step.begin; b < step.end; ++b) {
            erase(rows[plan.beside[b].vertex], i);
            erase(rows[plan.beside[b].vertex], j);
        }
        each_pair(step, [&](std::size_t k, std::size_t m) {
            plan.targets.push_back(
                entry_of(plan, rows, plan.beside[step.begin + k].vertex, plan.beside[step.begin + m].vertex));
        });
        if (plan.targets.size() > max_updates) throw LimitReached("the graph is too large to count its matchings");
        plan.steps.push_back(step);
    }

    static Row::iterator place_of(Row& row, std::uint32_t v) {
        return std::lower_bound(row.begin(), row.end(), std::pair{v, 0u});
    }
    static std::uint32_t find(Row& row, std::uint32_t v) {
        const auto at = place_of(row, v);
        return at != row.end() && at->first == v ? at->second : 0;
    }
    static void erase(Row& row, std::uint32_t v) {
        const auto at = place_of(row, v);
        if (at != row.end() && at->first == v) row.erase(at);
    }
    // The entry of two vertices, made if it was zero so far.
    static std::uint32_t entry_of(Plan& plan, std::vector<Row>& rows, std::uint32_t k, std::uint32_t m) {
        if (const auto found = find(rows[k], m)) return found;
        const auto entry = static_cast<std::uint32_t>(2 * plan.entries++);
        rows[k].insert(place_of(rows[k], m), {m, entry});
        rows[m].insert(place_of(rows[m], k), {k, entry + 1});
        return entry;
    }

    std::size_t vertices_, variables_ = 0;
    std::vector<Arc> arcs_;
    std::optional<Plan> plan_;
};

}  // namespace slidelab
