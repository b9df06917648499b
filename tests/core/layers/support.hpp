// The exhaustive search of src/core without Python, meant to run under the sanitizers (make sanitize).
//
// What is compared with what: digit tables with pieces moved in a list and ranked anew, the two inner
// loops with each other and with that list, whole searches with a breadth-first search that keeps a map
// of labelled states and moves one piece at a time.
#pragma once

#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include "boards.hpp"
#include "check.hpp"
#include "graph/gain_graph.hpp"
#include "layers/layer_search.hpp"

using namespace slidelab;

namespace {  // all tests are one program, and other folders use the same names

using Numbers = std::vector<std::uint32_t>;

// Takes the entry at `from` out and puts it in at `to`; what lies between moves up.
inline void move_entry(Numbers& list, std::size_t from, std::size_t to) {
    const auto entry = list[from];
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(from));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(to), entry);
}

inline bool odd_order(const Numbers& order) {
    bool odd = false;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) odd ^= order[j] > order[i];
    return odd;
}

inline Numbers digits_of(const Numbers& order) {
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

inline WordBit rank_order(const Numbers& order) {
    const auto digits = digits_of(order);
    const std::size_t n = order.size(), head = n - tail_slots;
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < head; ++k) word = word * (n - k) + digits[k];
    return {word, digits[head] * 12 + digits[head + 1] * 3 + digits[head + 2]};
}

inline std::uint64_t word_count(unsigned n) {
    std::uint64_t out = 1;
    for (unsigned k = tail_slots + 1; k <= n; ++k) out *= k;
    return out;
}

// The arrangement with this number whose sign is `odd`, from its digits.
inline Numbers unrank_order(unsigned n, std::uint64_t word, unsigned bit, bool odd) {
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

// The bits whose arrangement of the tail has the piece of that rank in that slot. In each such set the bits stand in
// the order of the arrangements of the other four pieces, whatever slot and rank.
inline std::uint64_t tail_mask(unsigned sign, unsigned slot, unsigned rank) {
    std::uint64_t out = 0;
    for (unsigned bit = 0; bit < word_states; ++bit)
        if (tail_tables.places[sign][bit][slot] == rank) out |= std::uint64_t{1} << bit;
    return out;
}

// So taking a piece out of one slot of the tail and putting it into another keeps the order of twelve bits: they are
// gathered and scattered, which the kernels do by shifts instead.
inline std::uint64_t gather_and_scatter(std::uint64_t word, unsigned from, unsigned to, unsigned sign) {
    const unsigned other = sign ^ ((from ^ to) & 1);
    std::uint64_t out = 0;
    for (unsigned rank = 0; rank < tail_slots; ++rank) {
        std::uint64_t give = tail_mask(other, to, rank);
        for (std::uint64_t take = tail_mask(sign, from, rank); take; take &= take - 1, give &= give - 1)
            if (word & take & -take) out |= give & -give;
    }
    return out;
}

inline std::vector<Kernels> all_kernels() {
    std::vector<Kernels> out{portable_kernels()};
    if (has_avx2_kernels()) out.push_back(avx2_kernels());
    return out;
}

inline Graph path(int cells) { return grid(cells, 1); }

inline Graph ring(int cells) {
    Graph graph = path(cells);
    graph.front().insert(cells - 1);
    graph.back().insert(0);
    return graph;
}

struct PlainState {
    std::uint32_t shape;
    Numbers points;  // for each slot point the piece point (or label) that lies there
    auto operator<=>(const PlainState&) const = default;
};

// The piece of one slot goes to another, the pieces between move up, and it is turned.
inline PlainState moved(const CodeInput& in, std::size_t arc, const PlainState& state) {
    const auto& e = in.edges[arc / 2];
    const bool back = arc % 2;
    CHECK(state.shape == (back ? e.target : e.source));
    const std::size_t from = back ? e.slot_to : e.slot_from, to = back ? e.slot_from : e.slot_to, w = in.turns;
    const std::size_t turn = back ? (w - e.turn) % w : e.turn;
    PlainState out{back ? e.source : e.target, state.points};
    const auto piece = out.points.begin() + static_cast<std::ptrdiff_t>(from * w),
               place = out.points.begin() + static_cast<std::ptrdiff_t>(to * w);
    const auto width = static_cast<std::ptrdiff_t>(w);
    std::rotate(piece, piece + static_cast<std::ptrdiff_t>((w - turn) % w), piece + width);  // mark m to m + turn
    if (from < to) std::rotate(piece, piece + width, place + width);
    else std::rotate(place, piece, piece + width);
    return out;
}

// The points of the base, carried to each shape along some tree.
inline std::vector<Numbers> ways(const CodeInput& in) {
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

inline Family family_of(const GainGraph& graph, std::uint32_t base, std::size_t turns) {
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

// Where slots are carried to by loops at the base.
inline std::vector<Numbers> slot_orbits(const CodeInput& in) {
    const auto way = ways(in);
    UnionFind parts(in.pieces);
    for (std::size_t e = 0; e < in.edges.size(); ++e) {
        const auto after = moved(in, 2 * e, {in.edges[e].source, way[in.edges[e].source]});
        for (std::size_t q = 0; q < in.degree(); ++q)
            parts.unite(after.points[q] / static_cast<std::uint32_t>(in.turns),
                        way[after.shape][q] / static_cast<std::uint32_t>(in.turns));
    }
    std::map<std::uint32_t, Numbers> orbits;
    for (std::uint32_t slot = 0; slot < in.pieces; ++slot) orbits[parts.find(slot)].push_back(slot);
    std::vector<Numbers> out;
    for (auto& [least, orbit] : orbits) out.push_back(orbit);
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return out;
}

inline void set_main(CodeInput& in, const Numbers& main) {
    in.main = main;
    for (auto slot : main)
        for (std::uint32_t m = 0; m < in.turns; ++m) in.labels[slot * in.turns + m] = m;
}

struct Variant {
    std::uint32_t thin;
    unsigned threads;
    bool portable, table;
};

inline const std::vector<Variant> few{
    {24, 1, false, true}, {1, 3, true, false}, {1000000000, 3, false, false}, {1000000000, 1, true, true}};

inline std::shared_ptr<const StateCode> code_for(const Graph& graph, std::size_t holes, bool main,
                                                 std::size_t prefix = 0) {
    const GainGraph gains(tiles(graph), graph.size() - holes, 1000, quiet);
    Family family = family_of(gains, 0, 1);
    if (main) set_main(family.in, slot_orbits(family.in).front());
    family.in.prefix = prefix;
    return std::make_shared<const StateCode>(family.in, plenty, quiet);
}

inline std::vector<std::uint64_t> finish(LayerSearch& search, unsigned threads) {
    while (search.advance(threads, quiet)) {
    }
    return search.layers();
}

}  // namespace
