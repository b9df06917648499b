// Batches of configurations against a plain simulation that tries every row of the step table on every piece.
#include "arrays/batch.hpp"
#include "arrays/places.hpp"
#include "boards.hpp"
#include "check.hpp"
#include "pieces.hpp"

#include <memory>

using namespace slidelab;

namespace {

using Row = std::vector<std::int32_t>;  // the spot of each piece: placement * turns + reading

struct Plain {
    StepTable table;
    std::size_t pieces;
    std::vector<std::uint32_t> class_of;
    std::vector<std::uint32_t> period;

    std::vector<std::int32_t> cells_of(std::int32_t spot) const {
        const auto turns = static_cast<std::int32_t>(table.turns);
        const auto cells = table.cells_of(static_cast<std::size_t>(spot / turns));
        std::vector<std::int32_t> out(cells.begin(), cells.end());
        std::rotate(out.begin(), out.begin() + spot % turns, out.end());
        return out;
    }

    std::vector<std::int32_t> readings() const {
        std::vector<std::int32_t> out;
        for (std::size_t s = 0; s < table.placement_count() * table.turns; ++s)
            for (auto c : cells_of(static_cast<std::int32_t>(s))) out.push_back(c);
        return out;
    }

    std::set<std::int32_t> holes(const Row& row) const {
        std::set<std::int32_t> out;
        for (std::int32_t c = 0; c < static_cast<std::int32_t>(table.cells); ++c) out.insert(c);
        for (auto spot : row)
            for (auto c : cells_of(spot)) out.erase(c);
        return out;
    }

    // Every neighbour, keyed by placement before, placement after and turn.
    std::map<std::array<std::int32_t, 3>, Row> neighbours(const Row& row) const {
        std::map<std::array<std::int32_t, 3>, Row> out;
        const auto empty = holes(row);
        const auto turns = static_cast<std::int32_t>(table.turns);
        for (const auto& s : table.steps)
            for (std::size_t p = 0; p < pieces; ++p) {
                if (row[p] / turns != s.from) continue;
                if (!std::all_of(s.holes.begin(), s.holes.end(), [&](auto c) { return c < 0 || empty.count(c); }))
                    continue;
                Row next = row;
                next[p] = s.to * turns + (row[p] + s.turn) % turns;
                out[{s.from, s.to, s.turn}] = next;
            }
        return out;
    }

    // The least naming, by trying all orders and all turns of the pieces of a class: few pieces only.
    Row least(Row row) const {
        const auto turns = static_cast<std::int32_t>(table.turns);
        std::map<std::uint32_t, std::vector<std::size_t>> members;
        for (std::size_t p = 0; p < pieces; ++p) members[class_of[p]].push_back(p);
        for (const auto& [number, own] : members) {
            std::vector<std::pair<std::vector<std::int32_t>, std::int32_t>> sorted;
            for (auto p : own) {
                std::vector<std::pair<std::vector<std::int32_t>, std::int32_t>> all;
                for (std::int32_t r = 0; r < turns; r += static_cast<std::int32_t>(period[p])) {
                    const std::int32_t spot = row[p] / turns * turns + (row[p] + r) % turns;
                    all.emplace_back(cells_of(spot), spot);
                }
                sorted.push_back(*std::min_element(all.begin(), all.end()));
            }
            std::sort(sorted.begin(), sorted.end());
            for (std::size_t i = 0; i < own.size(); ++i) row[own[i]] = sorted[i].second;
        }
        return row;
    }

    template <class Value>
    void write(const Row& row, std::vector<Value>& out) const {
        if (table.piece_cells == 1) {
            const std::size_t first = out.size();
            out.resize(first + table.cells, 0);
            for (std::size_t p = 0; p < pieces; ++p)
                out[first + static_cast<std::size_t>(row[p])] = static_cast<Value>(class_of[p] + 1);
        } else {
            for (auto spot : least(row))
                for (auto c : cells_of(spot)) out.push_back(static_cast<Value>(c));
        }
    }

    std::unique_ptr<Batches> batches() const {
        if (table.piece_cells > 1) return std::make_unique<Batches>(table, readings(), class_of, period);
        std::vector<std::uint32_t> counts(1, static_cast<std::uint32_t>(table.cells - pieces));
        for (auto c : class_of) {
            counts.resize(std::max<std::size_t>(counts.size(), c + 2), 0);
            ++counts[c + 1];
        }
        return std::make_unique<Batches>(table, counts);
    }
};

// Pieces laid one by one where there is room; none if they do not fit.
std::optional<Row> random_row(const Plain& plain, std::mt19937_64& random) {
    std::vector<std::int32_t> order(plain.table.placement_count());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(random, i)]);
    std::set<std::int32_t> covered;
    Row row;
    for (auto placement : order) {
        const auto cells = plain.table.cells_of(static_cast<std::size_t>(placement));
        if (row.size() == plain.pieces ||
            std::any_of(cells.begin(), cells.end(), [&](auto c) { return covered.count(c); }))
            continue;
        covered.insert(cells.begin(), cells.end());
        row.push_back(placement * static_cast<std::int32_t>(plain.table.turns) +
                      static_cast<std::int32_t>(below(random, plain.table.turns)));
    }
    if (row.size() < plain.pieces) return std::nullopt;
    for (std::size_t i = row.size(); i > 1; --i) std::swap(row[i - 1], row[below(random, i)]);
    return row;
}

template <class Value>
struct Expanded {
    std::vector<Value> states;
    std::vector<std::int64_t> parents;
    std::vector<std::int32_t> moves;
};

template <class Value>
Expanded<Value> expand(const Batches& b, const std::vector<Value>& batch, unsigned threads) {
    const std::size_t rows = batch.size() / b.width();
    std::vector<std::int64_t> offsets(rows + 1, 0);
    CHECK(b.count(batch.data(), rows, offsets.data() + 1, threads, quiet).row == -1);
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    const auto total = static_cast<std::size_t>(offsets.back());
    Expanded<Value> out{std::vector<Value>(total * b.width()), std::vector<std::int64_t>(total),
                        std::vector<std::int32_t>(total)};
    CHECK(b.expand(batch.data(), rows, offsets.data(), out.states.data(), out.parents.data(), out.moves.data(), threads,
                   quiet)
              .row == -1);
    if (rows) {  // a batch that has changed since it was counted is refused
        offsets.back() += 1;
        CHECK(b.expand(batch.data(), rows, offsets.data(), out.states.data(), out.parents.data(), out.moves.data(),
                       threads, quiet)
                  .row == static_cast<std::int64_t>(rows) - 1);
    }
    return out;
}

template <class Value>
void compare(const Plain& plain, std::mt19937_64& random) {
    const auto b = plain.batches();
    std::vector<Row> rows;
    std::vector<Value> batch;
    for (int k = 0; k < 20; ++k)
        if (auto row = random_row(plain, random)) {
            rows.push_back(plain.table.piece_cells > 1 ? plain.least(*row) : *row);
            plain.write(rows.back(), batch);
        }
    const auto found = expand(*b, batch, 1);
    std::vector<char> legal(rows.size() * b->moves().size());
    CHECK(b->mask(batch.data(), rows.size(), reinterpret_cast<bool*>(legal.data()), 2, quiet).row == -1);
    std::size_t at = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto expected = plain.neighbours(rows[i]);
        std::int32_t last = -1;
        for (; at < found.parents.size() && found.parents[at] == static_cast<std::int64_t>(i); ++at) {
            const std::int32_t id = found.moves[at];
            CHECK(id > last);
            last = id;
            const auto& m = b->moves()[static_cast<std::size_t>(id)];
            const auto it = expected.find({static_cast<std::int32_t>(m.from), static_cast<std::int32_t>(m.to),
                                           static_cast<std::int32_t>(m.turn)});
            CHECK(it != expected.end());
            std::vector<Value> written;
            plain.write(it->second, written);
            CHECK(std::equal(written.begin(), written.end(),
                             found.states.begin() + static_cast<std::ptrdiff_t>(at * b->width())));
            expected.erase(it);
            CHECK(legal[i * b->moves().size() + static_cast<std::size_t>(id)]);
            legal[i * b->moves().size() + static_cast<std::size_t>(id)] = 0;

            std::vector<Value> state(batch.begin() + static_cast<std::ptrdiff_t>(i * b->width()),
                                     batch.begin() + static_cast<std::ptrdiff_t>((i + 1) * b->width()));
            const std::array<std::int32_t, 3> there_and_back{
                id, static_cast<std::int32_t>(b->moves().reverses()[static_cast<std::size_t>(id)]), -1};
            auto copy = state;
            CHECK(b->apply(copy.data(), 1, there_and_back.data(), 1, static_cast<Value*>(nullptr), 1, quiet).row == -1);
            CHECK(copy == written);
            bool made = false, solved = false;
            std::vector<char> then(b->moves().size()), again(b->moves().size());
            auto* after = reinterpret_cast<bool*>(then.data());
            for (const std::int64_t wrong : {std::int64_t{-1}, static_cast<std::int64_t>(b->moves().size())}) {
                copy = state;
                CHECK(b->step(copy.data(), 1, &wrong, state.data(), &made, after, &solved, 1, quiet).row == -1);
                CHECK(copy == state && !made && solved);
            }
            const std::int64_t right = id;
            CHECK(b->step(copy.data(), 1, &right, written.data(), &made, after, &solved, 1, quiet).row == -1);
            CHECK(copy == written && made && solved);
            CHECK(b->mask(written.data(), 1, reinterpret_cast<bool*>(again.data()), 1, quiet).row == -1);
            CHECK(then == again);
            std::vector<Value> trace(4 * b->width());
            copy = state;
            CHECK(b->apply(copy.data(), 1, there_and_back.data(), 3, trace.data(), 1, quiet).row == -1);
            CHECK(copy == state &&
                  std::equal(written.begin(), written.end(), trace.begin() + static_cast<std::ptrdiff_t>(b->width())));
        }
        CHECK(expected.empty());
    }
    CHECK(at == found.parents.size());
    CHECK(std::none_of(legal.begin(), legal.end(), [](char c) { return c; }));
}

template <class Value>
void compare_walks(const Plain& plain, std::mt19937_64& random) {
    const auto b = plain.batches();
    std::vector<Value> batch;
    for (int k = 0; k < 200; ++k)
        if (auto row = random_row(plain, random)) plain.write(*row, batch);
    const std::size_t rows = batch.size() / b->width(), columns = 30;
    std::vector<std::int64_t> lengths;
    for (std::size_t i = 0; i < rows; ++i) lengths.push_back(static_cast<std::int64_t>(i % (columns + 1)));
    for (const bool backtrack : {false, true}) {
        std::vector<std::int32_t> ids(rows * columns), again(rows * columns);
        auto one = batch, two = batch, replayed = batch;
        CHECK(b->walk(one.data(), rows, lengths.data(), 7, backtrack, ids.data(), columns, 1, quiet).row == -1);
        CHECK(b->walk(two.data(), rows, lengths.data(), 7, backtrack, again.data(), columns, 2, quiet).row == -1);
        CHECK(one == two && ids == again);
        CHECK(b->apply(replayed.data(), rows, ids.data(), columns, static_cast<Value*>(nullptr), 2, quiet).row == -1);
        CHECK(replayed == one);
        for (std::size_t i = 0; i < rows; ++i) {
            std::vector<Value> state(batch.begin() + static_cast<std::ptrdiff_t>(i * b->width()),
                                     batch.begin() + static_cast<std::ptrdiff_t>((i + 1) * b->width()));
            for (std::size_t k = 0; k < columns; ++k) {
                const auto id = ids[i * columns + k];
                std::int64_t count = 0;
                CHECK(b->count(state.data(), 1, &count, 1, quiet).row == -1);
                CHECK((id < 0) == (count == 0 || static_cast<std::int64_t>(k) >= lengths[i]));
                if (id < 0) break;
                if (!backtrack && k > 0 && count > 1)
                    CHECK(static_cast<std::uint32_t>(id) !=
                          b->moves().reverses()[static_cast<std::size_t>(ids[i * columns + k - 1])]);
                CHECK(b->apply(state.data(), 1, &id, 1, static_cast<Value*>(nullptr), 1, quiet).row == -1);
            }
        }
    }
}

Plain numbered(StepTable table, std::size_t pieces) {
    Plain plain{std::move(table), pieces, {}, {}};
    plain.class_of.resize(pieces);
    std::iota(plain.class_of.begin(), plain.class_of.end(), 0u);
    plain.period.assign(pieces, static_cast<std::uint32_t>(plain.table.turns));
    return plain;
}

Plain coloured(Plain plain, std::mt19937_64& random) {
    std::vector<std::uint32_t> period_of;
    for (std::uint32_t c = 0; c < 3; ++c)
        period_of.push_back(below(random, 2) ? 1 : static_cast<std::uint32_t>(plain.table.turns));
    for (std::size_t p = 0; p < plain.pieces; ++p) {
        plain.class_of[p] = static_cast<std::uint32_t>(p * 3 / plain.pieces);
        plain.period[p] = period_of[plain.class_of[p]];
    }
    return plain;
}

Graph random_graph(std::size_t cells, std::size_t more, std::mt19937_64& random) {
    std::vector<std::pair<int, int>> edges;
    for (std::size_t c = 1; c < cells; ++c) edges.emplace_back(static_cast<int>(c), static_cast<int>(below(random, c)));
    for (std::size_t k = 0; k < more; ++k) {
        const auto a = static_cast<int>(below(random, cells)), b = static_cast<int>(below(random, cells));
        if (a != b) edges.emplace_back(a, b);
    }
    return graph_of(cells, edges);
}

// Where pieces lie, and shape and arrangement, against the slots of the shape.
template <class Value>
void compare_places(const Plain& plain, std::mt19937_64& random) {
    const auto b = plain.batches();
    const GainGraph graph(plain.table, plain.pieces, plenty, quiet);
    const auto turns = static_cast<std::int32_t>(plain.table.turns);
    for (int k = 0; k < 20; ++k) {
        const auto row = random_row(plain, random);
        if (!row) return;
        std::vector<Value> written;
        plain.write(*row, written);
        Row spots(plain.pieces);
        CHECK(b->spots(written.data(), 1, spots.data(), 1, quiet).row == -1);
        CHECK(spots == plain.least(*row));
        std::int64_t shape = -2;
        std::vector<Point> arrangement(graph.degree());
        read_places(graph, spots.data(), 1, &shape, arrangement.data(), 2, quiet);
        CHECK(shape >= 0);
        const auto slots = graph.slots(static_cast<std::size_t>(shape));
        for (std::size_t s = 0; s < plain.pieces; ++s)
            for (std::int32_t mark = 0; mark < turns; ++mark) {
                const std::int32_t point = arrangement[s * plain.table.turns + static_cast<std::size_t>(mark)],
                                   spot = spots[static_cast<std::size_t>(point / turns)];
                CHECK(spot / turns == slots[s] && (point % turns + spot % turns) % turns == mark);
            }
        for (const std::int32_t wrong :
             {-1, static_cast<std::int32_t>(plain.table.placement_count()) * turns, spots[0]}) {
            if (wrong == spots[0] && plain.pieces == 1) continue;
            Row bad = spots;
            bad.back() = wrong;
            read_places(graph, bad.data(), 1, &shape, arrangement.data(), 1, quiet);
            CHECK(shape == -1);
        }
    }
}

TEST("random puzzles") {
    std::mt19937_64 random(1);
    for (int round = 0; round < 12; ++round) {
        const std::size_t cells = 4 + below(random, 9);
        const Graph graph = random_graph(cells, 2 * cells, random);
        const std::size_t holes = 1 + below(random, cells - 2);
        std::vector<Plain> all{numbered(tiles(graph), cells - holes), numbered(wide_tiles(graph), cells - holes),
                               numbered(gourds(graph), 1 + below(random, cells / 3)), numbered(triangles(6), 1)};
        for (std::size_t k = 0; k < 4; ++k) all.push_back(coloured(all[k], random));
        for (const auto& plain : all) {
            compare<std::uint8_t>(plain, random);
            compare<std::uint16_t>(plain, random);
            compare_walks<std::uint8_t>(plain, random);
            compare_places<std::uint8_t>(plain, random);
        }
    }
    const Plain many = numbered(tiles(grid(20, 20)), 390);  // neither a bit for each value nor an index of hole sets
    compare<std::uint16_t>(many, random);
    compare_walks<std::uint16_t>(many, random);
    compare<std::uint8_t>(numbered(tiles(grid(10, 10)), 90), random);
}

TEST("bad rows") {
    const Plain plain = numbered(tiles(grid(2, 2)), 3);
    const auto b = plain.batches();
    const std::vector<std::uint8_t> good{1, 2, 3, 0};
    for (const auto& bad : std::vector<std::vector<std::uint8_t>>{
             {1, 2, 3, 3}, {1, 2, 0, 0}, {0, 0, 0, 0}, {1, 2, 3, 4}, {255, 2, 3, 0}, {64, 1, 2, 3}, {1, 2, 3, 64}}) {
        std::vector<std::uint8_t> batch = good;
        batch.insert(batch.end(), bad.begin(), bad.end());
        batch.insert(batch.end(), bad.begin(), bad.end());
        for (unsigned threads : {1u, 2u}) {
            std::vector<std::int64_t> lengths(3, 5);
            CHECK(b->count(batch.data(), 3, std::vector(lengths).data(), threads, quiet).row == 1);
            CHECK(b->walk(std::vector(batch).data(), 3, lengths.data(), 1, true, static_cast<std::int32_t*>(nullptr), 0,
                          threads, quiet)
                      .row == 1);
        }
    }
    for (const std::int32_t id : {-2, 8, 1'000'000, 0}) {  // 0 takes a tile from cell 0 to cell 1, which is not empty
        std::vector<std::uint8_t> batch{1, 2, 3, 0, 1, 2, 3, 0};
        const std::vector<std::int32_t> ids{-1, -1, -1, id};
        const Fault fault = b->apply(batch.data(), 2, ids.data(), 2, static_cast<std::uint8_t*>(nullptr), 1, quiet);
        CHECK(fault.row == 1 && fault.step == 1);
    }
    const Plain pairs = numbered(gourds(grid(2, 2)), 1);
    const auto g = pairs.batches();
    std::int64_t count = 0;
    for (const auto& bad : std::vector<std::vector<std::uint16_t>>{{0, 0}, {0, 3}, {0, 4}, {65535, 65535}})
        CHECK(g->count(bad.data(), 1, &count, 1, quiet).row == 0);
    const auto two = numbered(gourds(grid(2, 2)), 2).batches();
    const std::vector<std::uint16_t> overlapping{0, 1, 1, 3};
    CHECK(two->count(overlapping.data(), 1, &count, 1, quiet).row == 0);
    CHECK_THROWS(std::invalid_argument, Batches(tiles(grid(2, 2)), {1, 1, 1}));
    CHECK_THROWS(std::invalid_argument, Batches(tiles(grid(2, 2)), {}));
    CHECK_THROWS(std::invalid_argument, Batches(gourds(grid(2, 2)), {1, 1, 1, 1}));
    CHECK_THROWS(std::invalid_argument, Batches(gourds(grid(2, 2)), pairs.readings(), {0, 1}, {2}));
    CHECK_THROWS(std::invalid_argument, Batches(gourds(grid(2, 2)), pairs.readings(), {0}, {3}));
    CHECK_THROWS(std::invalid_argument, Batches(gourds(grid(2, 2)), {0, 1}, {0}, {2}));
}

TEST("interrupted work") {
    const auto b = numbered(tiles(grid(4, 4)), 15).batches();
    std::vector<std::uint8_t> batch;
    for (int i = 0; i < 64; ++i) batch.insert(batch.end(), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0});
    const std::vector<std::int64_t> lengths(64, std::numeric_limits<std::int64_t>::max());
    int calls = 0;
    const Tick stop = [&](const char*, std::uint64_t, std::uint64_t) {
        if (++calls > 3) throw OutOfTime{};
    };
    CHECK_THROWS(OutOfTime,
                 b->walk(batch.data(), 64, lengths.data(), 1, false, static_cast<std::int32_t*>(nullptr), 0, 2, stop));
}

TEST("uniform random walks") {
    // One step from the middle of a board with four equal neighbours.
    const auto b = numbered(tiles(grid(3, 3)), 8).batches();
    const std::size_t rows = 40'000;
    std::vector<std::uint8_t> batch;
    for (std::size_t i = 0; i < rows; ++i) batch.insert(batch.end(), {1, 2, 3, 4, 0, 5, 6, 7, 8});
    const std::vector<std::int64_t> lengths(rows, 1);
    std::vector<std::int32_t> ids(rows);
    CHECK(b->walk(batch.data(), rows, lengths.data(), 3, false, ids.data(), 1, 1, quiet).row == -1);
    std::map<std::int32_t, int> count;
    for (auto id : ids) ++count[id];
    CHECK(count.size() == 4);
    for (auto [id, times] : count) CHECK(times > 9'500 && times < 10'500);
}

// Batches large enough for several threads.
TEST("threads agree") {
    std::mt19937_64 random(2);
    for (const auto& plain : {numbered(tiles(grid(3, 3)), 8), numbered(gourds(grid(3, 3)), 4)}) {
        const auto b = plain.batches();
        const std::size_t rows = 40'000;
        std::vector<std::uint8_t> batch, start;
        while (start.empty())
            if (auto row = random_row(plain, random)) plain.write(*row, start);
        for (std::size_t i = 0; i < rows; ++i) batch.insert(batch.end(), start.begin(), start.end());
        std::vector<std::int64_t> lengths(rows, 40), counts(rows);
        std::vector<std::int32_t> ids(rows * 40), again(rows * 40);
        auto other = batch;
        CHECK(b->walk(batch.data(), rows, lengths.data(), 5, false, ids.data(), 40, 1, quiet).row == -1);
        CHECK(b->walk(other.data(), rows, lengths.data(), 5, false, again.data(), 40, 3, quiet).row == -1);
        CHECK(batch == other && ids == again);
        const auto one = expand(*b, batch, 1), three = expand(*b, batch, 3);
        CHECK(one.states == three.states && one.parents == three.parents && one.moves == three.moves);
        for (std::size_t i = 39'000; i > 0; i -= 1'000) {
            batch[i * b->width()] = 255;
            CHECK(b->count(batch.data(), rows, counts.data(), 3, quiet).row == static_cast<std::int64_t>(i));
        }
    }
}

}  // namespace
