// The exhaustive search of src/core without Python, meant to run under the sanitizers (make sanitize).
//
// What is compared with what: digit tables with pieces moved in a list and ranked anew, the two inner
// loops with each other and with that list, whole searches with a breadth-first search that keeps a map
// of labelled states and moves one piece at a time.
#include "boards.hpp"
#include "check.hpp"
#include "graph/gain_graph.hpp"
#include "layers/layer_search.hpp"

#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>

using namespace slidelab;

namespace {

using Numbers = std::vector<std::uint32_t>;

// ---------------------------------------------------------------- words, plainly

// Takes the entry at `from` out and puts it in at `to`; what lies between moves up.
void move_entry(Numbers& list, std::size_t from, std::size_t to) {
    const auto entry = list[from];
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(from));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(to), entry);
}

bool odd_order(const Numbers& order) {
    bool odd = false;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) odd ^= order[j] > order[i];
    return odd;
}

Numbers digits_of(const Numbers& order) {
    Numbers out;
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::uint32_t smaller = 0;
        for (std::size_t j = i + 1; j < order.size(); ++j) smaller += order[j] < order[i];
        out.push_back(smaller);
    }
    return out;
}

struct WordBit {
    std::uint64_t word;
    unsigned bit;
    bool operator==(const WordBit&) const = default;
};

WordBit rank_order(const Numbers& order) {
    const auto digits = digits_of(order);
    const std::size_t n = order.size(), head = n - tail_slots;
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < head; ++k) word = word * (n - k) + digits[k];
    return {word, digits[head] * 12 + digits[head + 1] * 3 + digits[head + 2]};
}

std::uint64_t word_count(unsigned n) {
    std::uint64_t out = 1;
    for (unsigned k = tail_slots + 1; k <= n; ++k) out *= k;
    return out;
}

// The arrangement with this number whose sign is `odd`, from its digits.
Numbers unrank_order(unsigned n, std::uint64_t word, unsigned bit, bool odd) {
    Numbers digits(n, 0);
    for (unsigned k = n - tail_slots; k-- > 0;) {
        digits[k] = static_cast<std::uint32_t>(word % (n - k));
        word /= n - k;
    }
    digits[n - 5] = bit / 12;
    digits[n - 4] = bit / 3 % 4;
    digits[n - 3] = bit % 3;
    for (auto d : digits) odd ^= d & 1;
    digits[n - 2] = odd;
    Numbers left(n), out;
    std::iota(left.begin(), left.end(), 0u);
    for (auto d : digits) {
        out.push_back(left[d]);
        left.erase(left.begin() + d);
    }
    return out;
}

void test_tail_tables() {
    for (unsigned sign = 0; sign < 2; ++sign) {
        std::set<Numbers> seen;
        for (unsigned bit = 0; bit < word_states; ++bit) {
            const auto& places = tail_tables.places[sign][bit];
            const Numbers order(places.begin(), places.end());
            CHECK(seen.insert(order).second);
            CHECK(std::set<std::uint32_t>(order.begin(), order.end()).size() == tail_slots && order.size() == tail_slots);
            CHECK(*std::max_element(order.begin(), order.end()) == tail_slots - 1);
            CHECK(odd_order(order) == (sign == 1));
            CHECK((rank_order(order) == WordBit{0, bit}));
        }
        for (unsigned slot = 0; slot < tail_slots; ++slot) {
            std::uint64_t all = 0;
            for (unsigned rank = 0; rank < tail_slots; ++rank) {
                const std::uint64_t mask = tail_tables.mask[sign][slot][rank];
                CHECK((all & mask) == 0 && __builtin_popcountll(mask) == static_cast<int>(chunk_states));
                all |= mask;
                // The others in the order of the bits: the twelve arrangements of one sign, smallest first.
                Numbers before;
                for (unsigned bit = 0; bit < word_states; ++bit) {
                    const auto& places = tail_tables.places[sign][bit];
                    CHECK((mask >> bit & 1) == (places[slot] == rank));
                    if (places[slot] != rank) continue;
                    Numbers others;
                    for (unsigned k = 0; k < tail_slots; ++k)
                        if (k != slot) others.push_back(places[k]);
                    CHECK(before < others);
                    before = others;
                }
            }
            CHECK(all == word_mask);
        }
    }
    // Which is what one gather and one scatter rest on: the k-th bits of two such sets have the same others.
    for (unsigned sign = 0; sign < 2; ++sign)
        for (unsigned from = 0; from < tail_slots; ++from)
            for (unsigned to = 0; to < tail_slots; ++to)
                for (unsigned bit = 0; bit < word_states; ++bit) {
                    const auto& places = tail_tables.places[sign][bit];
                    Numbers order(places.begin(), places.end());
                    const auto rank = order[from];
                    move_entry(order, from, to);
                    const unsigned other = sign ^ ((from ^ to) & 1);
                    const std::uint64_t below = (std::uint64_t{1} << bit) - 1, target = std::uint64_t{1} << rank_order(order).bit;
                    CHECK(tail_tables.mask[other][to][rank] & target);
                    CHECK(__builtin_popcountll(tail_tables.mask[sign][from][rank] & below) ==
                          __builtin_popcountll(tail_tables.mask[other][to][rank] & (target - 1)));
                }
    for (unsigned a = 0; a < 6; ++a)
        for (unsigned b = 0; b < 5; ++b) {
            const auto [c, d] = exchange(a, b);
            CHECK(c < 6 && d < 5 && exchange(c, d) == (std::pair{a, b}));
        }
}

void test_head_moves() {
    std::mt19937_64 random(11);
    for (unsigned n = 7; n <= 11; ++n) {
        const unsigned head = n - tail_slots;
        const std::uint64_t words = word_count(n);
        const std::uint64_t samples = n <= 8 ? words : n == 9 ? 1500 : 400;
        for (unsigned from = 0; from < head; ++from)
            for (unsigned to = 0; to < head; ++to) {
                if (from == to) continue;
                const HeadMove move(n, from, to), back(n, to, from);
                CHECK(move.leftwards() == (from > to) && move.bytes() > 0);
                CHECK(words % (std::uint64_t{move.high()} * move.low() * move.block()) == 0);
                for (std::uint64_t k = 0; k < samples; ++k) {
                    const std::uint64_t word = samples == words ? k : k == 0 ? 0 : k == 1 ? words - 1 : below(random, words);
                    const auto bit = static_cast<unsigned>(below(random, word_states));
                    Numbers order = unrank_order(n, word, bit, false);
                    CHECK((rank_order(order) == WordBit{word, bit}));
                    move_entry(order, from, to);
                    const auto there = rank_order(order);
                    CHECK(there.bit == bit);
                    CHECK(move(static_cast<std::uint32_t>(word)) == there.word);
                    CHECK(back(static_cast<std::uint32_t>(there.word)) == word);
                }
            }
    }
}

// The largest head that word numbers of 32 bits can hold.
void test_longest_head() {
    std::mt19937_64 random(14);
    const unsigned n = 14, head = n - tail_slots;
    const std::uint64_t words = word_count(n);
    for (const auto& [from, to] : {std::pair{0u, head - 1}, {head - 1, 0u}, {1u, head - 2}, {head - 2, 1u}, {0u, 1u}, {1u, 0u}}) {
        const HeadMove move(n, from, to);
        for (int k = 0; k < 300; ++k) {
            const std::uint64_t word = k == 0 ? words - 1 : below(random, words);
            Numbers order = unrank_order(n, word, 7, true);
            move_entry(order, from, to);
            CHECK(move(static_cast<std::uint32_t>(word)) == rank_order(order).word);
        }
    }
}

// ---------------------------------------------------------------- inner loops

struct MadeMove {
    std::unique_ptr<HeadMove> forth, back;
    PieceMove move;
};

MadeMove make_move(unsigned n, unsigned from, unsigned to) {
    MadeMove out;
    const unsigned head = n - tail_slots;
    auto through = [&](unsigned a, unsigned b) {
        if (a == b) return;
        out.forth = std::make_unique<HeadMove>(n, a, b);
        out.back = std::make_unique<HeadMove>(n, b, a);
    };
    auto& m = out.move;
    if (from == to) {
        m.kind = PieceMove::stay;
    } else if (from < head && to < head) {
        m.kind = PieceMove::head;
        through(from, to);
    } else if (from < head) {
        m.kind = PieceMove::into_tail;
        m.tail_to = static_cast<std::uint8_t>(to - head);
        through(from, head - 1);
    } else if (to < head) {
        m.kind = PieceMove::out_of_tail;
        m.tail_from = static_cast<std::uint8_t>(from - head);
        through(head - 1, to);
    } else {
        m.kind = PieceMove::tail;
        m.tail_from = static_cast<std::uint8_t>(from - head);
        m.tail_to = static_cast<std::uint8_t>(to - head);
    }
    m.forth = out.forth.get();
    m.back = out.back.get();
    return out;
}

std::vector<std::uint64_t> odd_groups(unsigned n) {
    const std::uint64_t groups = word_count(n) / 6;
    std::vector<std::uint64_t> out((groups + 63) / 64, 0);
    for (std::uint64_t g = 0; g < groups; ++g) {
        const auto digits = digits_of(unrank_order(n, g * 6, 0, false));
        unsigned sum = 0;
        for (unsigned k = 0; k + tail_slots < n; ++k) sum += digits[k];  // the last of them is 0
        if (sum & 1) out[g / 64] |= std::uint64_t{1} << g % 64;
    }
    return out;
}

std::vector<Sweep> sweeps() {
    std::vector<Sweep> out{portable_sweep()};
    if (has_fast_sweep()) out.push_back(fast_sweep());
    return out;
}

void check_piece_move(unsigned n, unsigned from, unsigned to, const std::vector<std::uint64_t>& odd, std::mt19937_64& random) {
    using Words = std::vector<std::uint64_t>;
    const auto words = static_cast<std::uint32_t>(word_count(n));
    const auto made = make_move(n, from, to);
    const SweepTables tables{n > tail_slots ? odd.data() : nullptr};
    const bool odd_from = below(random, 2), odd_to = odd_from ^ ((from ^ to) & 1);
    for (const std::uint64_t one_in : {40u, 2u, 1u}) {  // sparse, dense, full
        Words source(words, 0);
        for (auto& word : source)
            if (one_in < 10 || below(random, 6) == 0)
                for (unsigned bit = 0; bit < word_states; ++bit)
                    if (one_in == 1 || below(random, one_in) == 0) word |= std::uint64_t{1} << bit;
        Words wanted(words, 0);
        const bool plain = n <= 7 && one_in != 1;
        if (plain)
            for (std::uint32_t w = 0; w < words; ++w)
                for (unsigned bit = 0; bit < word_states; ++bit)
                    if (source[w] >> bit & 1) {
                        Numbers order = unrank_order(n, w, bit, odd_from);
                        move_entry(order, from, to);
                        CHECK(odd_order(order) == odd_to);
                        const auto there = rank_order(order);
                        wanted[there.word] |= std::uint64_t{1} << there.bit;
                    }
        bool have = plain;
        for (const auto& sweep : sweeps()) {
            Words pushed(words, 0);
            for (std::uint32_t w = 0; w < words; ++w) {
                Pushed out[6];
                const unsigned count = sweep.push(tables, made.move, w, source[w], odd_from, odd_to, out);
                CHECK(count <= 6);
                int states = 0;
                for (unsigned k = 0; k < count; ++k) {
                    CHECK(out[k].word < words && !(out[k].bits & ~word_mask));
                    pushed[out[k].word] |= out[k].bits;
                    states += __builtin_popcountll(out[k].bits);
                }
                CHECK(states == __builtin_popcountll(source[w]));
            }
            if (!have) wanted = pushed, have = true;
            CHECK(pushed == wanted);
            Words pulled(words, 0);
            sweep.pull(tables, made.move, source.data(), odd_from, odd_to, 0, words, pulled.data());
            CHECK(pulled == wanted);
            // Parts: all that is asked for is that they begin and end between groups of six words.
            for (int trial = 0; trial < 5 && words >= 6; ++trial) {
                const std::uint32_t unit = trial == 0 && words > 42 ? 42 : trial == 1 && words > 336 ? 336 : 6;  // or between runs
                const auto first = static_cast<std::uint32_t>(below(random, words / unit)) * unit;
                const auto last = first + static_cast<std::uint32_t>(1 + below(random, (words - first) / unit)) * unit;
                const std::uint64_t stain = std::uint64_t{1} << 3;  // what is there stays
                Words part(last - first, stain);
                sweep.pull(tables, made.move, source.data(), odd_from, odd_to, first, last, part.data());
                for (std::uint32_t w = first; w < last; ++w) CHECK(part[w - first] == (wanted[w] | stain));
            }
        }
        // A few states of the larger ones by hand.
        if (!plain && one_in != 1)
            for (int trial = 0; trial < 60; ++trial) {
                const auto w = static_cast<std::uint32_t>(below(random, words));
                const auto bit = static_cast<unsigned>(below(random, word_states));
                Numbers order = unrank_order(n, w, bit, odd_from);
                move_entry(order, from, to);
                const auto there = rank_order(order);
                CHECK((source[w] >> bit & 1) == (wanted[there.word] >> there.bit & 1));
            }
    }
}

void test_sweeps() {
    std::mt19937_64 random(5);
    for (unsigned n = 5; n <= 9; ++n) {
        const auto odd = n > tail_slots ? odd_groups(n) : std::vector<std::uint64_t>{};
        for (unsigned from = 0; from < n; ++from)
            for (unsigned to = 0; to < n; ++to)
                if (n < 9 || below(random, 3) == 0 || from == 0 || to == 0) check_piece_move(n, from, to, odd, random);
    }
    // Runs that are cut in two.
    const auto odd = odd_groups(10);
    for (const auto& [from, to] : {std::pair{0u, 4u}, {4u, 0u}, {0u, 3u}, {3u, 0u}, {0u, 7u}, {9u, 0u}})
        check_piece_move(10, from, to, odd, random);
    for (const auto& sweep : sweeps()) {
        std::vector<std::uint64_t> sum(101), now(101), before(101), wanted(101);
        Counted count{0, 0};
        for (std::size_t k = 0; k < sum.size(); ++k) {
            sum[k] = random() & random() & word_mask, now[k] = random() & word_mask, before[k] = random() & word_mask;
            wanted[k] = sum[k] & ~(now[k] | before[k]);
            count.words += wanted[k] != 0;
            count.states += static_cast<unsigned>(__builtin_popcountll(wanted[k]));
        }
        const Counted found = sweep.settle(sum.data(), now.data(), before.data(), 101);
        CHECK(found.words == count.words && found.states == count.states && before == wanted);
    }
}

// ---------------------------------------------------------------- boards

Graph path(int cells) { return grid(cells, 1); }

Graph ring(int cells) {
    Graph graph = path(cells);
    graph.front().insert(cells - 1);
    graph.back().insert(0);
    return graph;
}

// A grid of five pieces and a ring of three joined in one cell: two orbits, their signs in step.
Graph grid_and_square() {
    Graph graph = grid(3, 2);
    graph.resize(9);
    for (auto [a, b] : {std::pair{5, 6}, {6, 7}, {7, 8}, {8, 5}}) {
        graph[static_cast<std::size_t>(a)].insert(b);
        graph[static_cast<std::size_t>(b)].insert(a);
    }
    return graph;
}

// Pieces with two ends: one end follows the other into a hole.
StepTable gourds(const Graph& graph, std::mt19937_64* random = nullptr) {
    StepTable table = start_table(graph.size(), 2, 2, random);
    std::map<std::pair<int, int>, std::int32_t> number;
    for (int a = 0; a < static_cast<int>(graph.size()); ++a)
        for (int b : graph[static_cast<std::size_t>(a)])
            if (a < b) {
                number[{a, b}] = static_cast<std::int32_t>(number.size());
                table.placements.insert(table.placements.end(), {a, b});
            }
    for (const auto& entry : number) {
        const auto [head, tail] = entry.first;
        const std::int32_t from = entry.second;
        auto add = [&](int first, int second, int hole) {  // where the head goes and where the tail goes
            const bool turned = first > second;
            table.steps.push_back({from, number.at(std::minmax(first, second)), turned, {hole, -1, -1, -1}});
        };
        for (int hole : graph[static_cast<std::size_t>(tail)])
            if (hole != head) add(tail, hole, hole);
        for (int hole : graph[static_cast<std::size_t>(head)])
            if (hole != tail) add(hole, head, hole);
    }
    return table;
}

// ---------------------------------------------------------------- searches, plainly

struct PlainState {
    std::uint32_t shape;
    Numbers points;  // for each slot point the piece point (or label) that lies there
    auto operator<=>(const PlainState&) const = default;
};

// The piece of one slot goes to another, the pieces between move up, and it is turned.
PlainState moved(const CodeInput& in, std::size_t arc, const PlainState& state) {
    const auto& e = in.edges[arc / 2];
    const bool back = arc % 2;
    CHECK(state.shape == (back ? e.target : e.source));
    const std::size_t from = back ? e.slot_to : e.slot_from, to = back ? e.slot_from : e.slot_to, w = in.turns;
    const std::size_t turn = back ? (w - e.turn) % w : e.turn;
    PlainState out{back ? e.source : e.target, state.points};
    const auto piece = out.points.begin() + static_cast<std::ptrdiff_t>(from * w), place = out.points.begin() + static_cast<std::ptrdiff_t>(to * w);
    const auto width = static_cast<std::ptrdiff_t>(w);
    std::rotate(piece, piece + static_cast<std::ptrdiff_t>((w - turn) % w), piece + width);  // mark m to m + turn
    if (from < to)
        std::rotate(piece, piece + width, place + width);
    else
        std::rotate(place, piece, piece + width);
    return out;
}

// The points of the base, carried to each shape along some tree.
std::vector<Numbers> ways(const CodeInput& in) {
    std::vector<Numbers> way(in.shapes);
    way[0].resize(in.degree());
    std::iota(way[0].begin(), way[0].end(), 0u);
    for (bool more = true; std::exchange(more, false);)
        for (std::size_t arc = 0; arc < 2 * in.edges.size(); ++arc) {
            const auto& e = in.edges[arc / 2];
            const auto from = arc % 2 ? e.target : e.source, to = arc % 2 ? e.source : e.target;
            if (way[from].empty() || !way[to].empty()) continue;
            way[to] = moved(in, arc, {from, way[from]}).points;
            more = true;
        }
    return way;
}

// The family of a shape as the search wants it; edges are numbered as in `edge_numbers`.
struct Family {
    CodeInput in;
    std::vector<std::uint32_t> edge_numbers;  // in the gain graph
};

Family family_of(const GainGraph& graph, std::uint32_t base, std::size_t turns) {
    const Span span = graph.span(base, plenty, quiet);
    std::map<std::uint32_t, std::uint32_t> local;
    for (std::size_t k = 0; k < span.shapes.size(); ++k) local[span.shapes[k]] = static_cast<std::uint32_t>(k);
    Family out;
    out.in.shapes = span.shapes.size();
    out.in.pieces = graph.pieces();
    out.in.turns = turns;
    for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
        const auto& edge = graph.edges()[e];
        if (!local.count(edge.source)) continue;
        out.in.edges.push_back({local.at(edge.source), local.at(edge.target), edge.slot_from, edge.slot_to, edge.turn});
        out.edge_numbers.push_back(e);
    }
    out.in.labels.resize(out.in.degree());
    std::iota(out.in.labels.begin(), out.in.labels.end(), 0u);
    return out;
}

struct PlainSearch {
    const CodeInput& in;
    std::vector<std::int64_t> line;
    std::vector<std::vector<std::uint32_t>> arcs_from;
    std::map<PlainState, std::uint32_t> number;
    std::vector<const PlainState*> states;
    std::vector<std::uint32_t> distance;
    std::vector<std::uint64_t> layers;

    PlainSearch(const CodeInput& input, PlainState start, std::vector<std::int64_t> lines = {}, std::size_t limit = 1u << 20)
        : in(input), line(std::move(lines)), arcs_from(input.shapes) {
        for (std::uint32_t e = 0; e < in.edges.size(); ++e) {
            arcs_from[in.edges[e].source].push_back(2 * e);
            arcs_from[in.edges[e].target].push_back(2 * e + 1);
        }
        add(std::move(start), 0);
        for (std::size_t k = 0; k < states.size() && states.size() <= limit; ++k)
            each_move(*states[k], [&](std::uint32_t, PlainState to) { add(std::move(to), distance[k] + 1); });
    }

    template <class Visit>
    void each_move(const PlainState& state, Visit&& visit) const {
        for (auto first : arcs_from[state.shape]) {
            PlainState at = state;
            for (std::int64_t arc = first; arc >= 0; arc = line.empty() ? -1 : line[static_cast<std::size_t>(arc)]) {
                at = moved(in, static_cast<std::size_t>(arc), at);
                visit(static_cast<std::uint32_t>(arc), at);
            }
        }
    }

private:
    void add(PlainState state, std::uint32_t far) {
        const auto [it, fresh] = number.try_emplace(std::move(state), static_cast<std::uint32_t>(states.size()));
        if (!fresh) return;
        states.push_back(&it->first);
        distance.push_back(far);
        if (far == layers.size()) layers.push_back(0);
        ++layers[far];
    }
};

using Key = std::array<std::uint32_t, 3>;
Key key_of(const Place& p) { return {p.shape, p.word, p.bit}; }

// Where slots are carried to by loops at the base.
std::vector<Numbers> slot_orbits(const CodeInput& in) {
    const auto way = ways(in);
    Partition parts(in.pieces);
    for (std::size_t e = 0; e < in.edges.size(); ++e) {
        const auto after = moved(in, 2 * e, {in.edges[e].source, way[in.edges[e].source]});
        for (std::size_t q = 0; q < in.degree(); ++q)
            parts.unite(after.points[q] / static_cast<std::uint32_t>(in.turns), way[after.shape][q] / static_cast<std::uint32_t>(in.turns));
    }
    std::map<std::uint32_t, Numbers> orbits;
    for (std::uint32_t slot = 0; slot < in.pieces; ++slot) orbits[parts.find(slot)].push_back(slot);
    std::vector<Numbers> out;
    for (auto& [least, orbit] : orbits) out.push_back(orbit);
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return out;
}

void set_main(CodeInput& in, const Numbers& main) {
    in.main = main;
    for (auto slot : main)
        for (std::uint32_t m = 0; m < in.turns; ++m) in.labels[slot * in.turns + m] = m;
}

PlainState base_state(const CodeInput& in) {
    PlainState out{0, in.labels};
    for (auto slot : in.main)
        for (std::size_t m = 0; m < in.turns; ++m) out.points[slot * in.turns + m] = static_cast<std::uint32_t>(slot * in.turns + m);
    return out;
}

struct Variant {
    std::uint32_t thin;
    unsigned threads;
    bool portable, table;
};

std::vector<Variant> all_variants() {
    std::vector<Variant> out;
    for (std::uint32_t thin : {1u, 24u, 1000000000u})
        for (unsigned threads : {1u, 3u})
            for (bool portable : {false, true})
                for (bool table : {false, true}) out.push_back({thin, threads, portable, table});
    return out;
}

// One search in every way against the plain one. Returns the number of states.
std::size_t check_search(const CodeInput& in, std::size_t far_start, const std::vector<Variant>& variants,
                         const std::vector<std::int64_t>& line = {}, std::size_t limit = 1u << 20) {
    PlainState start = base_state(in);
    if (far_start) {
        const PlainSearch first(in, start, line, limit);
        if (first.states.size() > limit) return first.states.size();
        start = *first.states[far_start % first.states.size()];
    }
    const PlainSearch plain(in, start, line, limit);
    if (plain.states.size() > limit) return plain.states.size();
    const auto code = std::make_shared<const StateCode>(in, plenty, quiet);
    CHECK(code->shapes() == in.shapes && code->has_main() == !in.main.empty() && code->arcs().size() == 2 * in.edges.size());
    CHECK(code->bytes() > 0);

    // Places of all states: different, and back.
    std::vector<Place> places;
    std::map<Key, std::uint32_t> at;
    for (std::size_t k = 0; k < plain.states.size(); ++k) {
        const auto place = code->place(plain.states[k]->shape, plain.states[k]->points);
        CHECK(place && place->shape == plain.states[k]->shape && place->word < code->words() && place->bit < word_states);
        CHECK(code->arrangement(*place) == plain.states[k]->points);
        CHECK(at.try_emplace(key_of(*place), static_cast<std::uint32_t>(k)).second);
        places.push_back(*place);
    }
    CHECK_THROWS(std::invalid_argument, code->place(in.shapes, base_state(in).points));
    CHECK_THROWS(std::invalid_argument, code->arrangement({static_cast<std::uint32_t>(in.shapes), 0, 0}));
    CHECK_THROWS(std::invalid_argument, code->arrangement({0, code->words(), 0}));
    CHECK_THROWS(std::invalid_argument, code->arrangement({0, 0, word_states}));

    std::vector<std::vector<Key>> by_layer(plain.layers.size());
    for (const auto& [key, k] : at) by_layer[plain.distance[k]].push_back(key);  // in order

    // Moves of one state.
    {
        const LayerSearch search(code, {false, line, false, 24});
        const std::size_t step = plain.states.size() / 3000 + 1;
        for (std::size_t k = 0; k < plain.states.size(); k += step) {
            std::multiset<std::pair<std::uint32_t, Key>> wanted, found;
            plain.each_move(*plain.states[k], [&](std::uint32_t arc, const PlainState& to) {
                wanted.insert({arc, key_of(places[plain.number.at(to)])});
            });
            for (const auto& [arc, to] : search.neighbours(places[k])) found.insert({arc, key_of(to)});
            CHECK(found == wanted);
        }
    }

    for (const auto& v : variants) {
        const SearchOptions options{v.table, line, v.portable, v.thin};
        LayerSearch search(code, options);
        CHECK(LayerSearch::bytes_needed(*code, options, v.threads) >= std::uint64_t{16} * in.shapes * code->words());
        CHECK_THROWS(std::logic_error, search.advance(v.threads, quiet));
        if (!v.table) CHECK_THROWS(std::logic_error, search.residue(places[0]));
        for (int round = 0; round < 1 + (plain.states.size() < 1000); ++round) {  // an array used twice is clean
            search.begin(places[0]);
            for (std::size_t l = 0;; ++l) {
                const auto last = search.last_layer(plain.states.size() + 1);
                CHECK(last.size() == by_layer[l].size());
                for (std::size_t k = 0; k < last.size(); ++k) CHECK(key_of(last[k]) == by_layer[l][k]);
                CHECK(search.last_layer(2).size() == std::min<std::size_t>(2, last.size()));
                const auto found = search.advance(v.threads, quiet);
                CHECK(found == (l + 1 < plain.layers.size() ? plain.layers[l + 1] : 0));
                CHECK(search.finished() == (found == 0) && search.usable());
                if (!found) break;
            }
            CHECK(search.layers() == plain.layers);
            CHECK(search.advance(v.threads, quiet) == 0);
            const auto last = search.last_layer(plain.states.size());  // still there at the end
            CHECK(last.size() == by_layer.back().size() && key_of(last.front()) == by_layer.back().front());
            if (!v.table) continue;
            for (std::size_t k = 0; k < places.size(); ++k)
                CHECK(search.residue(places[k]) == static_cast<int>(plain.distance[k] % 3));
            std::size_t reached = 0;  // and nowhere else
            for (std::uint32_t s = 0; s < in.shapes; ++s)
                for (std::uint32_t w = 0; w < code->words(); ++w)
                    for (std::uint32_t b = 0; b < word_states; ++b) reached += search.residue({s, w, b}) >= 0;
            CHECK(reached == places.size());
        }
        if (v.table) {
            search.keep_table_only();
            CHECK(search.residue(places.back()) == static_cast<int>(plain.distance.back() % 3));
            CHECK_THROWS(std::logic_error, search.advance(1, quiet));
        }
    }
    return plain.states.size();
}

const std::vector<Variant> few{{24, 1, false, true}, {1, 3, true, false}, {1000000000, 3, false, false}, {1000000000, 1, true, true}};

void test_tiles() {
    std::mt19937_64 random(3);
    struct Case {
        Graph graph;
        std::size_t holes, states;
        bool main;
    };
    const std::vector<Case> cases{
        {grid(4, 2), 1, 20160, true},
        {grid(3, 2), 1, 360, true},       // five pieces: no head
        {grid(3, 2), 1, 360, false},
        {grid(3, 2), 2, 360, false},
        {grid(4, 2), 2, 20160, true},     // both signs, a head of one slot
        {ring(6), 1, 30, true},
        {ring(6), 1, 30, false},
        {ring(7), 1, 42, true},
        {ring(8), 1, 56, true},
        {path(6), 1, 6, false},
        {path(6), 1, 6, true},
        {path(6), 3, 20, false},
        {graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 4}}), 1, 15, false},
        {graph_of(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 2}}), 1, 20, false},
        {graph_of(7, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {4, 2}, {0, 5}, {5, 6}, {6, 2}}), 1, 840, true},
        {graph_of(7, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {4, 2}, {0, 5}, {5, 6}, {6, 2}}), 1, 840, false},
        {grid_and_square(), 1, 9 * 60 * 3, true},
        {grid_and_square(), 1, 9 * 60 * 3, false},
        {grid(1, 1), 0, 1, false},
        {grid(2, 1), 2, 1, false},
    };
    for (const auto& c : cases)
        for (int order = 0; order < 2; ++order) {
            const GainGraph graph(tiles(c.graph, order ? &random : nullptr), c.graph.size() - c.holes, 1000, quiet);
            Family family = family_of(graph, static_cast<std::uint32_t>(below(random, graph.shape_count())), 1);
            if (c.main) {
                auto orbits = slot_orbits(family.in);
                Numbers main = orbits.front();
                for (std::size_t k = 1; main.size() < tail_slots; ++k) main.insert(main.end(), orbits[k].begin(), orbits[k].end());
                set_main(family.in, main);
            }
            const std::size_t found = check_search(family.in, order, c.states > 5000 ? few : all_variants());
            CHECK(found == c.states || (c.states == 15 && found <= 60));
        }
}

void test_eight() {
    const GainGraph graph(tiles(grid(3, 3)), 8, 9, quiet);
    Family family = family_of(graph, 8, 1);
    set_main(family.in, slot_orbits(family.in).front());
    CHECK(check_search(family.in, 0, few) == 181440);
}

void test_gourds() {
    std::mt19937_64 random(2);
    struct Case {
        Graph graph;
        std::size_t pieces;
        bool main;
    };
    Graph flag = grid(5, 2);  // eleven cells
    flag.resize(11);
    flag[10].insert(4), flag[4].insert(10);
    const std::vector<Case> cases{{grid(3, 2), 2, false}, {grid(3, 3), 4, false}, {grid(3, 3), 3, false}, {ring(11), 5, true}, {ring(11), 5, false},
                                  {ring(13), 6, true}, {flag, 5, true}};
    std::size_t largest = 0;
    for (const auto& c : cases)
        for (int order = 0; order < 2; ++order) {
            const GainGraph graph(gourds(c.graph, order ? &random : nullptr), c.pieces, 10000, quiet);
            std::uint32_t base = 0;  // in the largest family
            std::map<std::uint32_t, int> sizes;
            for (auto f : graph.family()) ++sizes[f];
            for (std::uint32_t s = 0; s < graph.shape_count(); ++s)
                if (sizes[graph.family()[s]] > sizes[graph.family()[base]]) base = s;
            Family family = family_of(graph, base, 2);
            if (c.main) {
                Numbers all(c.pieces);
                std::iota(all.begin(), all.end(), 0u);
                set_main(family.in, all);
            }
            const auto found = check_search(family.in, order, few, {}, 60000);
            largest = std::max(largest, found);
        }
    CHECK(largest > 1000);
}

void test_colours() {
    std::mt19937_64 random(4);
    for (int order = 0; order < 4; ++order) {  // listed or numbered, in two orders of slots
        const GainGraph graph(tiles(grid(3, 3), order % 2 ? &random : nullptr), 8, 9, quiet);
        Family family = family_of(graph, 4, 1);
        family.in.all_words = order > 1;
        family.in.labels = {7, 7, 7, 5, 5, 5, 9, 9};
        CHECK(check_search(family.in, 17, few) == 9 * 560);  // 560 words: the last one is not full
        family.in.labels = {1, 1, 1, 1, 1, 1, 1, 0};
        CHECK(check_search(family.in, 1, all_variants()) == 72);
        family.in.labels = {0, 0, 0, 0, 0, 0, 0, 0};
        CHECK(check_search(family.in, 1, all_variants()) == 9);
        // Some tiles told apart, the others not.
        family.in.labels = {10, 11, 12, 0, 0, 0, 0, 0};
        CHECK(check_search(family.in, 5, few) == 9 * 336);
        const GainGraph two(tiles(grid(4, 2), order % 2 ? &random : nullptr), 6, 28, quiet);
        family = family_of(two, 4, 1);
        family.in.all_words = order > 1;
        family.in.labels = {0xffffffffu, 3, 3, 3, 0xffffffffu, 8};
        CHECK(check_search(family.in, 5, few) == 28 * 60);  // exactly one word a shape
    }
    // A grid and a square: colours beside a main orbit.
    const GainGraph graph(tiles(grid_and_square(), &random), 8, 9, quiet);
    Family family = family_of(graph, 3, 1);
    const auto orbits = slot_orbits(family.in);
    CHECK(orbits.size() == 2 && orbits[0].size() == 5 && orbits[1].size() == 3);
    for (auto slot : orbits[1]) family.in.labels[slot] = slot == orbits[1][1] ? 40 : 30;
    set_main(family.in, orbits[0]);
    CHECK(check_search(family.in, 3, all_variants()) == 9 * 60 * 3);
}

// Gain graphs of nothing at all: a few shapes, a tree, and random edges whose loops keep given classes of pieces.
void test_random_gains() {
    std::mt19937_64 random(99);
    int with_main = 0, beside = 0, turning = 0, wide = 0;
    for (int trial = 0; trial < 60; ++trial) {
        CodeInput in;
        in.turns = 1 + below(random, 3);
        in.pieces = trial % 3 ? 5 + below(random, in.turns == 1 ? 4 : 2) : 1 + below(random, 6);
        in.shapes = 1 + below(random, in.turns == 1 && in.pieces < 7 ? 4 : 2);
        const std::size_t d = in.degree(), w = in.turns;
        const auto part = in.pieces > 5 ? 5 : below(random, 2) ? in.pieces : below(random, in.pieces + 1);  // pieces below and above: two classes
        auto any_edge = [&](std::uint32_t source, std::uint32_t target) {
            return CodeInput::Edge{source, target, static_cast<std::uint32_t>(below(random, in.pieces)),
                                   static_cast<std::uint32_t>(below(random, in.pieces)),
                                   static_cast<std::uint32_t>(trial % 4 ? below(random, w) : 0)};
        };
        std::vector<Numbers> way(1, Numbers(d));  // for each shape the base points where they lie there
        std::iota(way[0].begin(), way[0].end(), 0u);
        for (std::uint32_t s = 1; s < in.shapes; ++s) {
            in.edges.push_back(any_edge(static_cast<std::uint32_t>(below(random, s)), s));
            way.push_back(moved(in, 2 * (in.edges.size() - 1), {in.edges.back().source, way[in.edges.back().source]}).points);
        }
        for (std::uint64_t tries = 1 + below(random, 30); tries > 0; --tries) {
            const auto source = static_cast<std::uint32_t>(below(random, in.shapes)), target = static_cast<std::uint32_t>(below(random, in.shapes));
            in.edges.push_back(any_edge(source, target));
            const auto after = moved(in, 2 * (in.edges.size() - 1), {source, way[source]}).points;
            bool keeps = true;
            for (std::size_t p = 0; p < d; ++p) keeps &= (after[p] / w < part) == (way[target][p] / w < part);
            if (!keeps) in.edges.pop_back();
        }
        in.labels.resize(d);
        const std::uint64_t colours = 1 + below(random, d + 3);
        for (std::size_t p = 0; p < d; ++p) in.labels[p] = trial % 2 ? static_cast<std::uint32_t>(p) : static_cast<std::uint32_t>(below(random, colours));
        if (trial % 5) {
            Numbers main;
            for (const auto& orbit : slot_orbits(in))
                if (main.size() < tail_slots || below(random, 4) == 0) main.insert(main.end(), orbit.begin(), orbit.end());
            if (main.size() >= tail_slots) set_main(in, main);
        }
        const auto found = check_search(in, trial % 3 ? below(random, 1000) : 0, {few[static_cast<std::size_t>(trial) % few.size()], few[1]}, {}, 4000);
        if (found > 4000) continue;
        with_main += !in.main.empty();
        beside += !in.main.empty() && in.main.size() < in.pieces;
        turning += in.turns > 1 && found > 20;
        wide += !in.main.empty() && in.turns > 1 && found > 500;
    }
    CHECK(with_main > 15 && beside > 5 && turning > 15 && wide > 1);
}

// ---------------------------------------------------------------- straight pushes

// For each arc the one that pushes the next tile the same way.
std::vector<std::int64_t> straight(const GainGraph& graph, const Family& family, const StepTable& table, int width) {
    const std::size_t arcs = 2 * family.in.edges.size();
    auto step = [&](std::size_t arc) {  // cells the tile leaves and enters
        const auto& s = table.steps[graph.edges()[family.edge_numbers[arc / 2]].step];
        return arc % 2 ? std::pair{s.to, s.from} : std::pair{s.from, s.to};
    };
    std::vector<std::int64_t> out(arcs, -1);
    for (std::size_t a = 0; a < arcs; ++a)
        for (std::size_t b = 0; b < arcs; ++b) {
            const auto target = a % 2 ? family.in.edges[a / 2].source : family.in.edges[a / 2].target;
            const auto source = b % 2 ? family.in.edges[b / 2].target : family.in.edges[b / 2].source;
            if (source != target) continue;
            const auto [from, to] = step(a);
            const auto [next, into] = step(b);
            if (into == from && into - next == to - from && (next / width == from / width || next % width == from % width))
                out[a] = static_cast<std::int64_t>(b);
        }
    return out;
}

void test_lines() {
    struct Case {
        int width, height;
        std::size_t holes;
        bool main;
    };
    for (const auto& c : {Case{3, 3, 1, true}, {3, 2, 1, true}, {4, 2, 1, true}, {3, 2, 2, false}, {3, 3, 1, false}}) {
        const StepTable table = tiles(grid(c.width, c.height));
        const GainGraph graph(table, static_cast<std::size_t>(c.width * c.height) - c.holes, 1000, quiet);
        Family family = family_of(graph, 0, 1);
        if (c.main)
            set_main(family.in, slot_orbits(family.in).front());
        else if (family.in.pieces == 8)
            family.in.labels = {1, 1, 2, 2, 3, 3, 3, 3};
        const auto line = straight(graph, family, table, c.width);
        CHECK(std::count(line.begin(), line.end(), -1) < static_cast<std::ptrdiff_t>(line.size()));
        auto variants = few;
        if (c.main && family.in.pieces == 8) variants = {few[0], few[2]};
        check_search(family.in, c.main && family.in.pieces == 8 ? 0 : 2, variants, line);

        const auto code = std::make_shared<const StateCode>(family.in, plenty, quiet);
        auto refused = [&](const std::vector<std::int64_t>& lines) { LayerSearch(code, {false, lines, false, 24}); };
        auto bad = line;
        bad.pop_back();
        CHECK_THROWS(std::invalid_argument, (refused(bad), 0));
        bad = line;
        bad[0] = static_cast<std::int64_t>(line.size());
        CHECK_THROWS(std::invalid_argument, (refused(bad), 0));
        bad.assign(line.size(), -1);
        bad[0] = 1, bad[1] = 0;  // forth and back for ever
        CHECK_THROWS(std::invalid_argument, (refused(bad), 0));
        bad = line;
        *std::find_if(bad.begin(), bad.end(), [](auto next) { return next >= 0; }) = -1;  // a push without a way back
        CHECK_THROWS(std::invalid_argument, (refused(bad), 0));
    }
}

// ---------------------------------------------------------------- stopping, keeping, damage

std::shared_ptr<const StateCode> code_for(const Graph& graph, std::size_t holes, bool main) {
    const GainGraph gains(tiles(graph), graph.size() - holes, 1000, quiet);
    Family family = family_of(gains, 0, 1);
    if (main) set_main(family.in, slot_orbits(family.in).front());
    return std::make_shared<const StateCode>(family.in, plenty, quiet);
}

std::vector<std::uint64_t> finish(LayerSearch& search, unsigned threads) {
    while (search.advance(threads, quiet)) {}
    return search.layers();
}

void test_pack() {
    std::mt19937_64 random(6);
    for (const auto& code : {code_for(grid(4, 2), 1, true), code_for(grid(3, 2), 2, false), code_for(ring(6), 1, true), code_for(grid(3, 3), 2, true)}) {
        const std::uint64_t all = std::uint64_t{code->words()} * code->shapes();
        LayerSearch whole(code, {});
        whole.begin({0, 0, 0});
        const auto layers = finish(whole, 1);
        CHECK_THROWS(std::logic_error, whole.pack(false, 0, all));
        for (const std::uint32_t thin : {1u, 24u, 1000000000u})
            for (std::size_t stop = 0; stop + 1 < layers.size(); stop += 1 + layers.size() / 5) {
                LayerSearch search(code, {false, {}, false, thin});
                CHECK_THROWS(std::logic_error, search.pack(false, 0, all));
                search.begin({0, 0, 0});
                for (std::size_t l = 0; l < stop; ++l) search.advance(2, quiet);
                CHECK_THROWS(std::invalid_argument, search.pack(true, 1, all));
                CHECK_THROWS(std::invalid_argument, search.pack(true, all + 1, 0));
                // In two parts, cut anywhere.
                const std::uint64_t cut = below(random, all + 1);
                struct Part {
                    bool earlier;
                    std::uint64_t first, count;
                    std::vector<std::uint64_t> words;
                };
                std::vector<Part> parts;
                for (bool earlier : {false, true}) {
                    parts.push_back({earlier, 0, cut, search.pack(earlier, 0, cut)});
                    parts.push_back({earlier, cut, all - cut, search.pack(earlier, cut, all - cut)});
                }
                const auto so_far = search.layers();
                CHECK(so_far.size() == stop + 1);
                LayerSearch again(code, {false, {}, stop % 2 == 0, thin});
                CHECK_THROWS(std::logic_error, again.load(false, 0, 0, {}));
                CHECK_THROWS(std::logic_error, again.resume(so_far));
                again.prepare();
                for (const auto& part : parts) again.load(part.earlier, part.first, part.count, part.words);
                CHECK_THROWS(std::logic_error, again.resume({}));
                auto wrong = so_far;
                ++wrong.back();
                CHECK_THROWS(std::invalid_argument, again.resume(wrong));
                again.resume(so_far);
                CHECK_THROWS(std::logic_error, again.load(false, 0, cut, parts[0].words));
                CHECK(finish(again, 1 + static_cast<unsigned>(stop % 3)) == layers);
                CHECK(finish(search, 1) == layers);
            }
    }
}

void test_damage() {
    const auto code = code_for(grid(4, 2), 1, true);
    const std::uint64_t all = std::uint64_t{code->words()} * code->shapes();
    LayerSearch search(code, {});
    search.begin({0, 0, 0});
    for (int l = 0; l < 12; ++l) search.advance(1, quiet);
    const auto now = search.pack(false, 0, all), before = search.pack(true, 0, all);
    const auto layers = search.layers();
    CHECK(all % 64 != 0 && now.size() > 10);
    auto refused = [&](auto&& spoil) {
        auto spoilt = now;
        spoil(spoilt);
        LayerSearch other(code, {});
        other.prepare();
        CHECK_THROWS(std::invalid_argument, (other.load(false, 0, all, spoilt), 0));
        CHECK_THROWS(std::logic_error, other.advance(1, quiet));
    };
    refused([](auto& words) { words.pop_back(); });
    refused([](auto& words) { words.resize(words.size() / 2); });
    refused([](auto& words) { words.clear(); });
    refused([](auto& words) { words.push_back(0); });
    refused([](auto& words) { words.push_back(1); });
    // First which groups of words there are, then which words of the first group, then its first word.
    refused([](auto& words) { words[1] = 0; });
    refused([](auto& words) { words[2] = 0; });
    refused([](auto& words) { words[2] |= std::uint64_t{1} << 60; });
    refused([](auto& words) { words[2] |= std::uint64_t{1} << 63; });
    refused([](auto& words) { words[0] = ~std::uint64_t{0}; });
    refused([](auto& words) { words[1] = ~std::uint64_t{0}; });
    CHECK(all < 64 * 64);
    refused([&](auto& words) {  // a word behind the last
        words = {std::uint64_t{1} << all / 64, std::uint64_t{1} << all % 64, 1};
    });
    refused([&](auto& words) {  // a group behind the last
        words = {std::uint64_t{1} << (all / 64 + 1), 1, 1};
    });
    {
        LayerSearch other(code, {});
        other.prepare();
        CHECK_THROWS(std::invalid_argument, (other.load(false, 1, all, now), 0));
        CHECK_THROWS(std::invalid_argument, (other.load(false, all + 1, 0, {}), 0));
        CHECK_THROWS(std::invalid_argument, (other.load(false, 0, all - 64, now), 0));
    }
    auto resumed = [&](const auto& a, const auto& b, std::vector<std::uint64_t> sizes) {
        LayerSearch other(code, {});
        other.prepare();
        other.load(false, 0, all, a);
        other.load(true, 0, all, b);
        other.resume(std::move(sizes));
        return finish(other, 1);
    };
    CHECK(resumed(now, before, layers).size() > layers.size());
    CHECK_THROWS(std::invalid_argument, resumed(now, now, layers));  // states in two layers
    auto flipped = now;
    flipped[2] ^= std::uint64_t{1} << __builtin_ctzll(~now[2]);  // a state more
    CHECK_THROWS(std::invalid_argument, resumed(flipped, before, layers));
    flipped = before;
    flipped[2] ^= std::uint64_t{1} << __builtin_ctzll(~before[2]);
    CHECK_THROWS(std::invalid_argument, resumed(now, flipped, layers));
    CHECK_THROWS(std::invalid_argument, resumed(now, before, {1, 2}));
    // One layer has none before it; a table can't go on without the layers that are gone.
    {
        LayerSearch begun(code, {}), other(code, {}), table(code, {true, {}, false, 24});
        begun.begin({0, 0, 0});
        other.prepare();
        other.load(false, 0, all, begun.pack(false, 0, all));
        other.load(true, 0, all, before);
        CHECK_THROWS(std::invalid_argument, (other.resume({1}), 0));
        table.prepare();
        table.load(false, 0, all, now);
        table.load(true, 0, all, before);
        CHECK_THROWS(std::logic_error, (table.resume(layers), 0));
        LayerSearch unbegun(code, {});
        CHECK_THROWS(std::logic_error, unbegun.last_layer(1));
        CHECK_THROWS(std::invalid_argument, LayerSearch(code, {false, {}, false, 0}));
    }
    // Without a main orbit the last word is not full: its other bits stand for nothing.
    const auto listed = code_for(grid(3, 2), 2, false);
    const std::uint64_t words = std::uint64_t{listed->words()} * listed->shapes();
    CHECK(listed->x_count() % word_states != 0 && listed->words() > 0);
    const auto end = static_cast<std::uint32_t>(listed->x_count() % word_states);
    CHECK(listed->is_place({0, listed->words() - 1, end - 1}) && !listed->is_place({0, listed->words() - 1, end}));
    CHECK_THROWS(std::invalid_argument, listed->arrangement({0, listed->words() - 1, end}));
    LayerSearch sparse(listed, {});
    sparse.prepare();
    CHECK(words < 64 * 64);
    const std::uint32_t last_word = listed->words() - 1;
    const std::vector<std::uint64_t> packed{std::uint64_t{1} << last_word / 64, std::uint64_t{1} << last_word % 64, std::uint64_t{1} << end};
    CHECK_THROWS(std::invalid_argument, (sparse.load(false, 0, words, packed), 0));
}

void test_bad_input() {
    const GainGraph gains(tiles(grid(4, 2)), 7, 1000, quiet);
    const Family family = family_of(gains, 0, 1);
    auto refused = [&](auto&& spoil) {
        CodeInput in = family.in;
        spoil(in);
        CHECK_THROWS(std::invalid_argument, StateCode(in, plenty, quiet));
    };
    refused([](CodeInput& in) { in.turns = 0; });
    refused([](CodeInput& in) { in.turns = 4; });
    refused([](CodeInput& in) { in.pieces = max_degree; });
    refused([](CodeInput& in) { in.shapes = 0; });
    refused([](CodeInput& in) { in.shapes = 9; });  // one that no move reaches
    refused([](CodeInput& in) { in.edges[0].source = 8; });
    refused([](CodeInput& in) { in.edges[0].target = 8; });
    refused([](CodeInput& in) { in.edges[0].slot_from = 7; });
    refused([](CodeInput& in) { in.edges[0].slot_to = 7; });
    refused([](CodeInput& in) { in.edges[0].turn = 1; });
    refused([](CodeInput& in) { in.labels.pop_back(); });
    refused([](CodeInput& in) { in.main = {0}; });
    refused([](CodeInput& in) { in.main = {0, 1, 2, 3}; });
    refused([](CodeInput& in) { in.main = {0, 1, 2, 3, 4, 5, 7}; });
    refused([](CodeInput& in) { in.main = {0, 1, 2, 3, 4, 5, 5}; });
    refused([](CodeInput& in) { in.main = {0, 1, 2, 3, 4, 5, 6}; });  // labelled by their numbers
    CHECK_THROWS(LimitReached, StateCode(family.in, 1000, quiet));
    // What does not belong to the component has no place.
    CodeInput in = family.in;
    set_main(in, {0, 1, 2, 3, 4, 5, 6});
    const StateCode code(in, plenty, quiet);
    CHECK(code.x_count() == 1);
    auto none = [&](const Numbers& points) { return !code.place(0, points).has_value(); };
    CHECK(!none({0, 1, 2, 3, 4, 5, 6}) && none({1, 0, 2, 3, 4, 5, 6}) && none({0, 0, 2, 3, 4, 5, 6}) && none({0, 1, 2, 3, 4, 5, 7}));
    CHECK_THROWS(std::invalid_argument, code.place(0, Numbers{0, 1, 2}));
    // Words with other labels, or another number of each.
    CodeInput coloured = family.in;
    coloured.labels = {4, 4, 5, 5, 6, 6, 6};
    coloured.all_words = true;
    const StateCode colours(coloured, plenty, quiet);
    CHECK(colours.x_count() == 210 && colours.place(0, Numbers{6, 6, 6, 5, 5, 4, 4}).has_value());
    for (const Numbers& wrong : {Numbers{6, 6, 6, 6, 6, 6, 6}, Numbers{4, 4, 4, 5, 5, 6, 6}, Numbers{0, 4, 5, 5, 6, 6, 6}, Numbers{9, 4, 5, 5, 6, 6, 6}})
        CHECK(!colours.place(0, wrong).has_value());
    refused([](CodeInput& wrong) {
        wrong.all_words = true;
        set_main(wrong, {0, 1, 2, 3, 4, 5, 6});
    });
    refused([](CodeInput& wrong) { set_main(wrong, {0, 1, 2, 3, 4}); });  // not the whole orbit
    // Pieces that can be turned, but that no loop turns: five that only change places, two shapes, three edges.
    CodeInput turning;
    turning.shapes = 2;
    turning.pieces = 5;
    turning.turns = 2;
    turning.edges = {{0, 1, 0, 0, 0}, {0, 1, 0, 4, 0}, {0, 1, 0, 2, 0}};
    turning.labels.resize(10);
    set_main(turning, {0, 1, 2, 3, 4});
    const StateCode unturned(turning, plenty, quiet);
    CHECK(unturned.place(0, Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}).has_value());
    CHECK(!unturned.place(0, Numbers{1, 0, 2, 3, 4, 5, 6, 7, 8, 9}).has_value());
    CHECK(!unturned.place(0, Numbers{0, 3, 2, 1, 4, 5, 6, 7, 8, 9}).has_value());
    // Too many pieces to number: said before any memory is taken.
    const GainGraph large(tiles(grid(4, 4)), 15, 16, quiet);
    CodeInput fifteen = family_of(large, 0, 1).in;
    set_main(fifteen, slot_orbits(fifteen).front());
    CHECK_THROWS(LimitReached, StateCode(fifteen, plenty, quiet));
}

struct Stopped {};

void test_stopped() {
    const auto code = code_for(grid(3, 3), 1, true);
    LayerSearch whole(code, {});
    whole.begin({0, 0, 0});
    const auto layers = finish(whole, 1);
    for (const std::uint32_t thin : {1u, 24u, 1000000000u})
        for (const unsigned threads : {1u, 3u})
            for (std::uint64_t after : {1u, 7u, 40u, 90u}) {
                std::atomic<std::uint64_t> ticks{0};
                const auto caller = std::this_thread::get_id();
                const Tick tick = [&](const char*, std::uint64_t done, std::uint64_t total) {
                    CHECK(std::this_thread::get_id() == caller && done < total);  // never from a helper
                    if (++ticks == after) throw Stopped{};
                };
                LayerSearch search(code, {true, {}, false, thin});
                search.begin({0, 0, 0});
                bool stopped = false;
                try {
                    while (search.advance(threads, tick)) {}
                } catch (const Stopped&) {
                    stopped = true;
                }
                if (!stopped) continue;  // so few ticks in all
                CHECK(!search.usable() && !search.finished());
                CHECK_THROWS(std::logic_error, search.advance(threads, quiet));
                CHECK_THROWS(std::logic_error, search.advance(threads, quiet));
                CHECK_THROWS(std::logic_error, search.pack(false, 0, 1));
                CHECK_THROWS(std::logic_error, search.load(false, 0, 0, {}));
                CHECK_THROWS(std::logic_error, search.resume(layers));
                search.begin({0, 0, 0});  // a new beginning is clean
                CHECK(finish(search, threads) == layers);
            }
    // While the code is made, too.
    const GainGraph gains(tiles(grid(3, 3)), 8, 9, quiet);
    Family family = family_of(gains, 0, 1);
    family.in.labels = {1, 1, 2, 2, 3, 3, 4, 4};
    for (const std::string phase : {"loops", "arrangements", "tables"}) {
        const Tick tick = [&](const char* now, std::uint64_t, std::uint64_t) {
            if (now == phase) throw Stopped{};
        };
        CHECK_THROWS(Stopped, StateCode(family.in, plenty, tick));
    }
}

// ---------------------------------------------------------------- many threads

// Layer sizes of a puzzle with one hole and at most 14 tiles; a state is a number of four bits a slot and the shape.
std::vector<std::uint64_t> plain_layers(const CodeInput& in, std::size_t most) {
    const auto n = static_cast<unsigned>(in.pieces);
    CHECK(n <= 14 && in.turns == 1 && in.shapes <= 256);
    std::uint64_t start = 0;
    for (unsigned k = 0; k < n; ++k) start |= std::uint64_t{k} << 4 * k;
    std::vector<std::vector<std::array<std::uint32_t, 3>>> from(in.shapes);
    for (const auto& e : in.edges) {
        from[e.source].push_back({e.slot_from, e.slot_to, e.target});
        from[e.target].push_back({e.slot_to, e.slot_from, e.source});
    }
    std::vector<std::uint64_t> before, now{start}, next, sizes{1};
    while (sizes.size() < most) {
        next.clear();
        for (auto state : now)
            for (const auto& [i, j, target] : from[state >> 56]) {
                const std::uint64_t slots = state << 8 >> 8, piece = slots >> 4 * i & 15;
                const std::uint64_t low = (std::uint64_t{1} << 4 * i) - 1;
                std::uint64_t rest = (slots & low) | (slots >> 4 & ~low);
                const std::uint64_t under = (std::uint64_t{1} << 4 * j) - 1;
                rest = (rest & under) | piece << 4 * j | (rest & ~under) << 4;
                next.push_back(std::uint64_t{target} << 56 | rest);
            }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        std::erase_if(next, [&](std::uint64_t s) {
            return std::binary_search(now.begin(), now.end(), s) || std::binary_search(before.begin(), before.end(), s);
        });
        if (next.empty()) break;
        sizes.push_back(next.size());
        before.swap(now);
        now.swap(next);
    }
    return sizes;
}

// Large enough that threads share thin layers and sweeps have several stretches and whole rows in each.
void test_threads() {
    const GainGraph gains(tiles(grid(5, 2)), 9, 100, quiet);
    Family family = family_of(gains, 0, 1);
    set_main(family.in, slot_orbits(family.in).front());
    const auto code = std::make_shared<const StateCode>(family.in, plenty, quiet);
    CHECK(code->words() == 3024 && code->shapes() == 10);
    const auto plain = plain_layers(family.in, 1000);
    CHECK(plain.size() == 56);
    struct Way {
        std::uint32_t thin;
        unsigned threads;
        bool table;
    };
    for (const auto& way : {Way{1, 3, true}, {6, 3, false}, {1000000000, 2, true}}) {
        LayerSearch search(code, {way.table, {}, false, way.thin});
        search.begin({0, 0, 0});
        CHECK(finish(search, way.threads) == plain);
        if (!way.table) continue;
        std::array<std::uint64_t, 3> sum{}, wanted{};
        for (std::size_t l = 0; l < plain.size(); ++l) wanted[l % 3] += plain[l];
        for (std::uint32_t s = 0; s < 10; ++s)
            for (std::uint32_t w = 0; w < 3024; ++w)
                for (std::uint32_t b = 0; b < word_states; ++b) ++sum[static_cast<std::size_t>(search.residue({s, w, b}))];
        CHECK(sum == wanted);
    }
}

// Ten pieces: a row has ten stretches, and runs are cut in two. The first layers only, thin and full.
void test_stretches() {
    std::mt19937_64 random(10);
    // A ring of eleven with two chords, so that pieces jump over few and over many.
    Graph board = ring(11);
    for (auto [a, b] : {std::pair{0, 4}, {5, 10}}) {
        board[static_cast<std::size_t>(a)].insert(b);
        board[static_cast<std::size_t>(b)].insert(a);
    }
    for (int order = 0; order < 2; ++order) {
        const GainGraph gains(tiles(board, order ? &random : nullptr), 10, 100, quiet);
        Family family = family_of(gains, 0, 1);
        set_main(family.in, slot_orbits(family.in).front());
        const auto code = std::make_shared<const StateCode>(family.in, plenty, quiet);
        CHECK(code->row() == 30240 && code->words() % 30240 == 0);
        const std::size_t depth = 24;
        const auto plain = plain_layers(family.in, depth);
        CHECK(plain.size() == depth);
        for (const std::uint32_t thin : {24u, 1000000000u}) {
            LayerSearch search(code, {false, {}, false, thin});
            search.begin({0, 0, 0});
            for (std::size_t l = 1; l < depth; ++l) CHECK(search.advance(2, quiet) == plain[l]);
        }
    }
}

}  // namespace

// With a word: only the tests whose name has it.
int main(int count, char** words) {
    const std::pair<const char*, void (*)()> tests[] = {
        {"tables of the tail", test_tail_tables},
        {"moves within the head", test_head_moves},
        {"the longest head", test_longest_head},
        {"inner loops", test_sweeps},
        {"tiles", test_tiles},
        {"the eight puzzle", test_eight},
        {"gourds", test_gourds},
        {"colours", test_colours},
        {"random gains", test_random_gains},
        {"straight pushes", test_lines},
        {"packed and taken up again", test_pack},
        {"damage", test_damage},
        {"bad input", test_bad_input},
        {"stopped within a layer: threads end", test_stopped},
        {"many threads", test_threads},
        {"stretches for threads", test_stretches},
    };
    for (const auto& [name, test] : tests) {
        if (count > 1 && std::string(name).find(words[1]) == std::string::npos) continue;
        std::cout << name << std::endl;
        test();
        ++passed;
    }
    std::cout << passed << " passed, 0 failed\n";
}
