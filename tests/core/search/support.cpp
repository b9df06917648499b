// The parts of support.hpp that take the compiler long: once for all tests of searches.
#include "support.hpp"

namespace search_tests {

Puzzle::Puzzle(StepTable t, std::size_t pieces)
    : table(std::move(t)), graph(table, pieces, 1000000, quiet), moves(std::make_shared<const MoveTable>(graph)),
      steps(table.placement_count()) {
    for (const auto& step : table.steps) steps[static_cast<std::size_t>(step.from)].push_back(step);
    for (std::uint32_t s = 0; s < graph.shape_count(); ++s) {
        std::vector<Point> placements;
        for (auto p : graph.slots(s)) placements.push_back(static_cast<Point>(p));
        std::sort(placements.begin(), placements.end());
        CHECK(number.emplace(placements, s).second);
    }
}

std::vector<std::pair<std::size_t, State>> Puzzle::after(const State& state) const {
    std::vector<bool> covered(table.cells, false);
    for (auto spot : state)
        for (auto c : table.cells_of(spot / turns())) covered[static_cast<std::size_t>(c)] = true;
    std::vector<std::pair<std::size_t, State>> out;
    for (std::size_t k = 0; k < state.size(); ++k)
        for (const auto& step : steps[state[k] / turns()]) {
            if (std::any_of(step.holes.begin(), step.holes.end(),
                            [&](auto c) { return c >= 0 && covered[static_cast<std::size_t>(c)]; }))
                continue;
            State other = state;
            const std::size_t turn = (state[k] + static_cast<std::size_t>(step.turn)) % turns();
            other[k] = static_cast<Point>(static_cast<std::size_t>(step.to) * turns() + turn);
            if (std::find(out.begin(), out.end(), std::pair(k, other)) == out.end())
                out.emplace_back(k, std::move(other));
        }
    return out;
}

Distances distances(const Puzzle& p, const State& goal, const Looks& looks, const std::vector<bool>& counts) {
    Distances out{{looks.of(p, goal), {goal, 0}}};
    std::deque<std::pair<State, unsigned>> queue{{goal, 0}};
    while (!queue.empty()) {
        const auto [state, cost] = std::move(queue.front());
        queue.pop_front();
        if (out.at(looks.of(p, state)).second != cost) continue;
        for (auto& [piece, other] : p.after(state)) {
            const unsigned there = cost + counts[piece];
            const auto [it, fresh] = out.try_emplace(looks.of(p, other), other, there);
            if (!fresh && it->second.second <= there) continue;
            it->second = {other, there};
            if (counts[piece]) queue.emplace_back(std::move(other), there);
            else queue.emplace_front(std::move(other), there);
        }
    }
    return out;
}

Table plain_table(const Puzzle& p, const State& goal, const std::vector<Point>& group) {
    std::vector<bool> counts(goal.size(), false);
    for (auto piece : group) counts[piece] = true;
    Table out;
    for (const auto& [look, found] : distances(p, goal, Looks::numbered(p), counts)) {
        State own;
        for (auto piece : group) own.push_back(found.first[piece]);
        const auto [it, fresh] = out.emplace(own, found.second);
        it->second = std::min(it->second, found.second);
    }
    return out;
}

std::vector<Puzzle> small_puzzles() {
    std::vector<Puzzle> out;
    out.reserve(16);
    out.emplace_back(tiles(grid(2, 2)), 3);
    out.emplace_back(tiles(grid(3, 2)), 5);
    out.emplace_back(tiles(grid(3, 2)), 3);
    out.emplace_back(tiles(grid(3, 2)), 1);
    out.emplace_back(tiles(grid(4, 1)), 3);
    out.emplace_back(tiles(ring(5)), 4);
    out.emplace_back(tiles(wheel()), 3);
    out.emplace_back(tiles(Graph(2)), 1);
    out.emplace_back(wide_tiles(flower()), 4);
    out.emplace_back(wide_tiles(flower()), 6);
    out.emplace_back(gourds(kite()), 2);
    out.emplace_back(gourds(wheel()), 1);
    out.emplace_back(triangles(5), 1);
    out.emplace_back(triangles(7), 2);
    return out;
}

std::vector<std::uint8_t> table_of(const Puzzle& p, const State& goal, const std::vector<Point>& group,
                                   unsigned threads, bool by_region) {
    const std::uint32_t shape = p.shape(goal);
    std::vector<std::uint32_t> slots;
    for (auto piece : group) slots.push_back(static_cast<std::uint32_t>(p.point(shape, goal[piece]) / p.turns()));
    return PatternDatabaseBuilder(p.moves, shape, slots, index_for(p, group.size()), plenty, quiet)
        .build(threads, quiet, by_region);
}

std::vector<std::uint16_t> alone_rows(const Puzzle& p, const State& goal) {
    const SingleDistances single(p.moves);
    std::vector<std::uint16_t> out;
    const std::uint32_t shape = p.shape(goal);
    for (auto spot : goal) {
        const auto row = single.to(shape, p.point(shape, spot), quiet);
        out.insert(out.end(), row.begin(), row.end());
    }
    return out;
}

Guide::Guide(const Puzzle& p, const State& goal, const Groups& groups, const std::vector<State>& images, bool plainly,
             bool by_region) {
    alone = alone_rows(p, goal);
    std::vector<PackedDatabase> tables;
    data.reserve(groups.size());
    for (const auto& group : groups) {
        const auto table = table_of(p, goal, group, 1, by_region);
        std::vector<std::uint16_t> rows;
        for (auto piece : group)
            rows.insert(rows.end(), alone.begin() + piece * p.spots(), alone.begin() + (piece + 1) * p.spots());
        DatabasePacker packer(index_for(p, group.size()), p.spots(), table, rows);
        data.push_back(packer.pack(2, quiet));
        CHECK(packer.cut() == 0 && packer.by_region() == by_region);
        tables.push_back({index_for(p, group.size()), data.back(), packer.halves(), packer.step(), packer.by_region()});
        if (plainly) plain.push_back(plain_table(p, goal, group));
    }
    std::vector<SymmetricLookup> lookups;
    for (const auto& image : images) {
        SymmetricLookup lookup;
        Groups asked;
        for (std::size_t k = 0; k < goal.size(); ++k)
            lookup.image.insert(lookup.image.end(), image.begin(), image.end());
        for (std::uint32_t g = 0; g < groups.size(); ++g) {
            std::vector<Point> pieces;
            for (auto piece : groups[g])
                for (Point other = 0; other < goal.size(); ++other)
                    if (image[goal[other]] == goal[piece]) pieces.push_back(other);
            CHECK(pieces.size() == groups[g].size());
            lookup.groups.emplace_back(g, pieces);
            asked.push_back(pieces);
        }
        seen.emplace_back(image, asked);
        lookups.push_back(lookup);
    }
    heuristic = std::make_shared<const Heuristic>(goal.size(), p.spots(), alone, tables, lookups);
}

std::optional<unsigned> Guide::bound(const Puzzle& p, const State& state) const {
    unsigned base = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
        if (alone[k * p.spots() + state[k]] == no_distance) return std::nullopt;
        base += alone[k * p.spots() + state[k]];
    }
    unsigned best = base;
    for (const auto& [image, groups] : seen) {
        unsigned sum = base;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            State own;
            for (auto piece : groups[g]) {
                own.push_back(image[state[piece]]);
                sum -= alone[piece * p.spots() + state[piece]];
            }
            const auto known = plain[g].find(own);
            if (known == plain[g].end()) return std::nullopt;
            sum += known->second;
        }
        best = std::max(best, sum);
    }
    return best;
}

std::shared_ptr<const Heuristic> estimate_by_looks(const Puzzle& p, const State& goal, const Looks& looks) {
    const auto alone = alone_rows(p, goal);
    std::vector<std::uint16_t> base(looks.period.size() * p.spots(), no_distance);
    for (std::size_t k = 0; k < goal.size(); ++k)
        for (std::size_t spot = 0; spot < p.spots(); ++spot)
            for (std::size_t by = 0; by < p.turns(); by += looks.period[looks.kind[k]]) {
                auto& entry = base[looks.kind[k] * p.spots() + spot];
                entry = std::min(entry, alone[k * p.spots() + spot / p.turns() * p.turns() + (spot + by) % p.turns()]);
            }
    return std::make_shared<const Heuristic>(looks.period.size(), p.spots(), base, std::vector<PackedDatabase>{},
                                             std::vector<SymmetricLookup>{});
}

std::optional<unsigned> length(const Puzzle& p, const Looks& looks, State state, const State& goal,
                               const Found& found) {
    if (!found.arcs) return std::nullopt;
    for (auto arc : *found.arcs) state = p.play(state, arc);
    CHECK(looks.of(p, state) == looks.of(p, goal));
    return static_cast<unsigned>(found.arcs->size());
}

std::vector<std::shared_ptr<const DuplicatePruning>> walks_for(const Puzzle& p) {
    std::vector<std::shared_ptr<const DuplicatePruning>> out;
    for (std::size_t most : {0, 200})
        out.push_back(std::make_shared<const DuplicatePruning>(*p.moves, most, 14, quiet));
    out.push_back(std::make_shared<const DuplicatePruning>(*p.moves, 100000, 1, quiet));
    out.push_back(std::make_shared<const DuplicatePruning>(*p.moves, 20000, 14, quiet));
    return out;
}

const Eight& eight() {
    static const Eight e;
    return e;
}

}  // namespace search_tests
