#include "search/support.hpp"

namespace {

TEST("ranks of tiles") {
    for (unsigned n = 1; n <= 7; ++n)
        for (unsigned k = 1; k <= std::min(n, 4u); ++k) {
            const TileRanks ranks(n, k);
            for (std::uint64_t r = 0; r < ranks.count(); ++r) {
                std::array<std::uint8_t, TileRanks::max_cells> cells;
                ranks.unrank(r, cells.data());
                for (unsigned i = 0; i < k; ++i)
                    for (unsigned j = 0; j < i; ++j) CHECK(cells[i] < n && cells[i] != cells[j]);
                CHECK(ranks.rank(cells.data()) == r);
                const std::vector<Point> spots(cells.begin(), cells.begin() + k);
                CHECK(PatternIndex(n, n, true, k)(spots.data()) == r);
            }
        }
    for (unsigned k : {1u, 3u, 6u}) {
        const TileRanks large(64, k);
        std::array<std::uint8_t, TileRanks::max_cells> cells{63, 0, 62, 61, 60, 59}, again{};
        const auto r = large.rank(cells.data());
        CHECK(r < large.count());
        large.unrank(r, again.data());
        CHECK(std::equal(cells.begin(), cells.begin() + k, again.begin()));
        large.unrank(large.count() - 1, again.data());
        CHECK(large.rank(again.data()) == large.count() - 1);
    }
    CHECK_THROWS(std::invalid_argument, TileRanks(65, 2));
    CHECK_THROWS(std::invalid_argument, TileRanks(4, 5));
    CHECK_THROWS(std::invalid_argument, TileRanks(4, 0));
    CHECK_THROWS(LimitReached, TileRanks(64, 12));
    const PatternIndex pairs(9, 7, false, 2);
    const std::vector<Point> spots{3, 6};
    CHECK(pairs.count() == 49 && !pairs.dense() && pairs(spots.data()) == 27);
    CHECK(!PatternIndex(65, 65, true, 2).dense());
    CHECK_THROWS(std::invalid_argument, PatternIndex(9, 9, true, 0));
    CHECK_THROWS(std::invalid_argument, PatternIndex(9, 0, false, 1));
    CHECK_THROWS(LimitReached, PatternIndex(9, 65535, false, 3));
}

TEST("moves") {
    for (const auto& p : small_puzzles()) {
        const auto& moves = *p.moves;
        CHECK(moves.shapes() == p.graph.shape_count() && moves.pieces() == p.graph.pieces() &&
              moves.spots() == p.spots());
        for (std::uint32_t s = 0; s < moves.shapes(); ++s) {
            const auto slots = p.graph.slots(s);
            CHECK(std::equal(slots.begin(), slots.end(), moves.slots(s).begin(), moves.slots(s).end()));
            const State home = p.home(s);
            std::set<State> reached, plain;
            for (const auto& [piece, other] : p.after(home)) plain.insert(other);
            for (std::uint32_t a = 0; a < moves.arcs(s).size(); ++a) {
                const std::uint32_t number = moves.first(s) + a;
                const auto& arc = moves.arcs()[number];
                CHECK(&arc == &moves.arcs(s)[a] && moves.arcs()[arc.back].back == number &&
                      moves.arcs()[arc.back].target == s);
                const State there = p.play(home, number);
                CHECK(reached.insert(there).second && p.play(there, arc.back) == home);
            }
            CHECK(reached == plain);
        }
    }
}

TEST("marks") {
    std::mt19937_64 random(5);
    for (const auto& [turns, periods] : {std::pair<std::size_t, std::vector<std::uint8_t>>{1, {1}},
                                         {1, std::vector<std::uint8_t>(15, 1)},
                                         {1, std::vector<std::uint8_t>(257, 1)},
                                         {2, {2, 1, 2}},
                                         {2, {1}},
                                         {3, {1, 3, 3, 1, 3}},
                                         {3, std::vector<std::uint8_t>(max_degree / 4, 3)}}) {
        const Marks marks(periods, turns);
        CHECK(marks.kinds() == periods.size() && marks.bits() <= 16);
        const std::size_t step = std::max<std::size_t>(1, periods.size() / 100);
        std::set<Point> all;
        for (unsigned kind = 0; kind < periods.size(); kind += static_cast<unsigned>(step))
            for (unsigned turn = 0; turn < turns; ++turn) {
                const Point m = marks.mark(kind, turn);
                all.insert(m);
                CHECK(marks.is_mark(m) && m >> marks.bits() == 0 && marks.kind(m) == kind &&
                      marks.turn(m) == turn % periods[kind]);
                for (unsigned by = 0; by < turns; ++by) CHECK(marks.turned(m, by) == marks.mark(kind, turn + by));
            }
        for (unsigned m = 0; m <= 0xffff; ++m)
            if (marks.is_mark(static_cast<Point>(m)))
                CHECK(marks.mark(marks.kind(static_cast<Point>(m)), marks.turn(static_cast<Point>(m))) == m);
        if (step == 1) {
            std::size_t ways = 0;
            for (auto p : periods) ways += p;
            CHECK(all.size() == ways);
        }
        for (std::size_t pieces : {0, 1, 3, 8, 9, 63, 64, 65}) {
            const Packing packing(marks.bits(), pieces);
            CHECK(packing.words() == (pieces + 64 / marks.bits() - 1) / (64 / marks.bits()));
            std::vector<Point> slots(pieces), in(pieces + 5, 0xffff), back(pieces + 5, 0xffff);
            std::iota(slots.begin(), slots.end(), Point{3});
            for (std::size_t i = pieces; i > 1; --i) std::swap(slots[i - 1], slots[below(random, i)]);
            for (auto s : slots)
                in[s] = marks.mark(static_cast<unsigned>(below(random, periods.size())),
                                   static_cast<unsigned>(below(random, turns)));
            std::vector<std::uint64_t> words(packing.words() + 1, 0x5555);
            packing.pack(slots, in.data(), words.data());
            packing.unpack(slots, words.data(), back.data());
            CHECK(back == in && words.back() == 0x5555);
        }
    }
    CHECK_THROWS(std::invalid_argument, Marks({}, 1));
    CHECK_THROWS(std::invalid_argument, Marks({1}, 0));
    CHECK_THROWS(std::invalid_argument, Marks({1}, 9));
    CHECK_THROWS(std::invalid_argument, Marks({0}, 1));
    CHECK_THROWS(std::invalid_argument, Marks({2}, 1));
    CHECK_THROWS(std::invalid_argument, Marks({1, 2}, 3));
}

TEST("sets of states") {
    std::mt19937_64 random(6);
    for (std::size_t words : {0, 1, 3}) {
        StateSet set(words);
        std::map<std::vector<std::uint64_t>, std::uint32_t> plain;
        for (int trial = 0; trial < 20000; ++trial) {
            std::vector<std::uint64_t> key{below(random, words ? 10 : 6000)};
            for (std::size_t w = 0; w < words; ++w)
                key.push_back(below(random, words == 1 ? 2000 : 20) << (trial % 2 ? 0 : 50));
            const auto shape = static_cast<std::uint32_t>(key[0]);
            const auto known = plain.find(key);
            CHECK(set.find(shape, key.data() + 1) == (known == plain.end() ? StateSet::none : known->second));
            const auto [number, fresh] = set.insert(shape, key.data() + 1);
            CHECK(fresh == (known == plain.end()) && number == plain.emplace(key, plain.size()).first->second);
        }
        CHECK(set.size() == plain.size() && set.size() > 4096);
        for (const auto& [key, number] : plain)
            CHECK(set.shape(number) == key[0] && std::equal(key.begin() + 1, key.end(), set.state(number)));
    }
    Chunked<std::uint16_t> list(3);
    std::vector<std::uint16_t*> places;
    for (std::uint16_t i = 0; i < 10000; ++i) {
        places.push_back(list.add());
        std::fill_n(places.back(), 3, i);
    }
    for (std::uint16_t i = 0; i < 10000; ++i) CHECK(list[i] == places[i] && list[i][0] == i && list[i][2] == i);
    CHECK(list.size() == 10000);
}

using Walk = std::vector<std::uint32_t>;

// From one shape, all walks up to some length in order of length and then of moves: those that come first to a state.
std::set<Walk> first_walks(const Puzzle& p, std::uint32_t root, unsigned length) {
    std::set<Walk> first{{}};
    std::set<State> seen{p.home(root)};
    struct Gone {
        Walk walk;
        State state;
        std::uint32_t shape;
    };
    std::vector<Gone> layer{{{}, p.home(root), root}};
    for (unsigned l = 1; l <= length; ++l) {
        std::vector<Gone> next;
        for (const auto& gone : layer)
            for (std::uint32_t a = 0; a < p.moves->arcs(gone.shape).size(); ++a) {
                Walk longer = gone.walk;
                longer.push_back(p.moves->first(gone.shape) + a);
                State there = p.follow(gone.state, longer.back());
                if (seen.insert(there).second) first.insert(longer);
                next.push_back({std::move(longer), std::move(there), p.moves->arcs(gone.shape)[a].target});
            }
        layer = std::move(next);
    }
    return first;
}

// A walk may be gone on if and only if no part of it, up to the length that is known, is a later twin.
void check_every_walk(const Puzzle& p, const DuplicatePruning& walks, unsigned longest) {
    std::vector<std::set<Walk>> first;
    for (std::uint32_t s = 0; s < p.moves->shapes(); ++s) first.push_back(first_walks(p, s, walks.length()));
    auto go = [&](auto& self, Walk& walk, std::vector<std::uint32_t>& shapes, std::uint32_t at) -> void {
        if (walk.size() == longest) return;
        std::map<std::uint32_t, const DuplicatePruning::Arc*> allowed;
        for (const auto& arc : walks.arcs(at)) CHECK(allowed.emplace(arc.move, &arc).second);
        std::size_t found = 0;
        for (std::uint32_t a = 0; a < p.moves->arcs(shapes.back()).size(); ++a) {
            const std::uint32_t move = p.moves->first(shapes.back()) + a;
            const auto& plain = p.moves->arcs()[move];
            walk.push_back(move);
            bool wanted = true;
            for (std::size_t l = 1; wanted && l <= std::min<std::size_t>(walks.length(), walk.size()); ++l) {
                const Walk part(walk.end() - static_cast<std::ptrdiff_t>(l), walk.end());
                wanted = first[shapes[walk.size() - l]].count(part);
            }
            CHECK(wanted == (allowed.count(move) == 1));
            if (wanted) {
                const auto& arc = *allowed.at(move);
                CHECK(arc.from == plain.from && arc.to == plain.to && arc.turn == plain.turn &&
                      arc.next < walks.states());
                ++found;
                shapes.push_back(plain.target);
                self(self, walk, shapes, arc.next);
                shapes.pop_back();
            }
            walk.pop_back();
        }
        CHECK(found == allowed.size());
    };
    for (std::uint32_t s = 0; s < p.moves->shapes(); ++s) {
        Walk walk;
        std::vector<std::uint32_t> shapes{s};
        go(go, walk, shapes, s);
    }
}

// Every state is reached by an allowed walk of the length of a shortest, and up to the length that is known by no
// other.
void check_shortest_walks(const Puzzle& p, const DuplicatePruning& walks, std::uint32_t root, unsigned longest) {
    std::map<State, unsigned> distance{{p.home(root), 0}};
    std::vector<State> shell{p.home(root)};
    std::map<std::pair<std::uint32_t, State>, std::uint64_t> gone{{{root, p.home(root)}, 1}};
    for (unsigned length = 1; length <= longest; ++length) {
        std::vector<State> next_shell;
        for (const auto& state : shell)
            for (auto& [piece, other] : p.after(state))
                if (distance.emplace(other, length).second) next_shell.push_back(std::move(other));
        shell = std::move(next_shell);
        decltype(gone) next;
        for (const auto& [at, ways] : gone)
            for (const auto& arc : walks.arcs(at.first)) {
                State there = p.follow(at.second, arc.move);
                if (length > walks.length() && distance.at(there) < length)
                    continue;  // no shortest walk, whatever follows
                next[{arc.next, std::move(there)}] += ways;
            }
        gone = std::move(next);
        std::set<State> reached;
        std::uint64_t ways = 0;
        for (const auto& [at, count] : gone) {
            reached.insert(at.second);
            ways += count;
        }
        CHECK(reached == std::set<State>(shell.begin(), shell.end()));
        if (length <= walks.length()) CHECK(ways == shell.size());
    }
}

TEST("walks") {
    for (const auto& p : small_puzzles()) {
        const std::size_t shapes = p.moves->shapes();
        const double branches = static_cast<double>(p.moves->arcs().size()) / static_cast<double>(shapes);
        for (unsigned longest = 0; longest <= 5 && static_cast<double>(shapes) * std::pow(branches, longest) < 5000;
             ++longest) {
            const DuplicatePruning walks(*p.moves, 1000000, longest, quiet);
            CHECK(walks.length() <= longest);
            check_every_walk(p, walks, std::min(longest + 2, 6u));
        }
        for (std::size_t most : {shapes - 1, shapes, 5 * shapes, std::size_t{20000}}) {
            const DuplicatePruning walks(*p.moves, most, 14, quiet);
            CHECK(most > shapes || walks.length() == 0);
            for (std::uint32_t s = 0; s < std::min<std::size_t>(shapes, 2); ++s)
                check_shortest_walks(p, walks, s, branches > 4 ? 5 : 10);
        }
    }
    const Puzzle eight(tiles(grid(3, 3)), 8);
    for (std::size_t most : {60, 2000, 100000}) {
        const DuplicatePruning walks(*eight.moves, most, 14, quiet);
        for (std::uint32_t s : {0, 1, 4}) check_shortest_walks(eight, walks, s, 12);
    }
    const Puzzle six(tiles(grid(3, 3)), 6);
    check_shortest_walks(six, DuplicatePruning(*six.moves, 30000, 14, quiet), 11, 6);
    // Around a block of four and back again in twelve moves: six one way are the twins of six the other way.
    const DuplicatePruning around(*eight.moves, 100000, 14, quiet);
    CHECK(around.length() >= 6 && around.states() > 9);
    CHECK_THROWS(Enough, DuplicatePruning(*eight.moves, 100000, 14, throws_at<Enough>(3)));
}

TEST("checksums") {
    std::mt19937_64 random(9);
    std::set<std::uint64_t> of_zeros;
    for (std::size_t size : {0, 1, 7, 8, 31, 32, 33, 40, 64, 100, 257}) {
        std::vector<std::uint8_t> bytes(size);
        CHECK(of_zeros.insert(checksum(bytes)).second);
        for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
        const std::uint64_t sum = checksum(bytes);
        for (std::size_t bit = 0; bit < 8 * size; ++bit) {
            bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
            CHECK(checksum(bytes) != sum);
            bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
        }
        if (size > 8) {  // parts that change places
            auto turned = bytes;
            std::rotate(turned.begin(), turned.begin() + 8, turned.end());
            CHECK(checksum(turned) != sum);
        }
        std::vector<std::uint8_t> moved(size + 3);
        std::copy(bytes.begin(), bytes.end(), moved.begin() + 3);
        CHECK(checksum(std::span(moved).subspan(3)) == sum);
    }
}

}  // namespace
