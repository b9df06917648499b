#include "layers/symmetric_search.hpp"

#include <numeric>
#include "layers/support.hpp"

namespace {

// A grid with one more edge, across a cell: every order of the pieces can be reached.
Graph crossed_grid(int width, int height) {
    Graph graph = grid(width, height);
    graph[0].insert(width + 1);
    graph[static_cast<std::size_t>(width) + 1].insert(0);
    return graph;
}

Numbers shuffled(std::size_t size, std::mt19937_64& random) {
    Numbers out(size);
    std::iota(out.begin(), out.end(), 0u);
    for (std::size_t i = size; i > 1; --i) std::swap(out[i - 1], out[below(random, i)]);
    return out;
}

TEST("renamed words are those of arrangements renamed one by one") {
    std::mt19937_64 random(7);
    for (const auto& [width, height] : {std::pair{3, 2}, {3, 3}, {4, 3}}) {
        const auto code = code_for(crossed_grid(width, height), 1, true);
        CHECK(code->x_count() == 2);
        for (int round = 0; round < 20; ++round) {
            const auto source = static_cast<std::uint32_t>(below(random, code->shapes()));
            const auto target = static_cast<std::uint32_t>(below(random, code->shapes()));
            Numbers points = shuffled(code->degree(), random), names = shuffled(code->degree(), random);
            if (round % 4 == 0) std::iota(points.begin(), points.end(), 0u);  // words go to words
            const Renaming renaming(*code, source, target, points, names);
            CHECK(round % 4 || renaming.crossing() == 0);
            for (const auto& kernels : all_kernels()) {
                const auto word = static_cast<std::uint32_t>(below(random, code->words()));
                const std::uint64_t bits = (round % 3 ? random() : random() & random() & random()) & word_mask;
                std::map<std::uint64_t, std::uint64_t> found, expected;
                renaming(kernels, word, bits, [&](std::uint32_t w, std::uint64_t b) { found[w] |= b; });
                for (unsigned bit = 0; bit < word_states; ++bit) {
                    if (!(bits >> bit & 1)) continue;
                    const auto before = code->arrangement({source, word, bit});
                    Numbers after(before.size());
                    for (std::size_t p = 0; p < before.size(); ++p) after[points[p]] = names[before[p]];
                    const auto place = code->place(target, after);
                    CHECK(place.has_value());
                    expected[place->word] |= std::uint64_t{1} << place->bit;
                }
                CHECK(found == expected);
            }
        }
        const Numbers good = shuffled(code->degree(), random);
        Numbers twice = good;
        twice[0] = twice[1];
        const auto shapes = static_cast<std::uint32_t>(code->shapes());
        CHECK_THROWS(std::invalid_argument, Renaming(*code, 0, 0, twice, good));
        CHECK_THROWS(std::invalid_argument, Renaming(*code, 0, 0, good, twice));
        CHECK_THROWS(std::invalid_argument, Renaming(*code, 0, shapes, good, good));
    }
    // On a grid without the edge only even orders can be reached.
    const auto code = code_for(grid(3, 3), 1, true);
    Numbers same(8), odd(8);
    std::iota(same.begin(), same.end(), 0u);
    odd = same;
    std::swap(odd[0], odd[1]);
    CHECK_THROWS(std::invalid_argument, Renaming(*code, 0, 0, same, odd));
}

// A square grid with one hole, its shapes under the reflection in the diagonal, and which of them are kept.
struct Reflected {
    Reflected(const Graph& graph, int side, std::uint64_t seed) : code(code_for(graph, 1, true)) {
        const GainGraph gains(tiles(graph), graph.size() - 1, 1000, quiet);
        const Span span = gains.span(0, plenty, quiet);
        const auto mirror = [side](std::int32_t cell) { return cell % side * side + cell / side; };
        std::map<std::set<std::int32_t>, std::uint32_t> shape_of;
        std::vector<std::vector<std::int32_t>> slots;
        for (std::uint32_t k = 0; k < span.shapes.size(); ++k) {
            slots.push_back(gains.slots(span.shapes[k]));
            shape_of[{slots[k].begin(), slots[k].end()}] = k;
        }
        std::vector<std::uint32_t> image(slots.size());
        std::vector<Numbers> points(slots.size());
        for (std::size_t s = 0; s < slots.size(); ++s) {
            std::set<std::int32_t> there;
            for (auto cell : slots[s]) there.insert(mirror(cell));
            image[s] = shape_of.at(there);
            const auto& to = slots[image[s]];
            for (auto cell : slots[s])
                points[s].push_back(
                    static_cast<std::uint32_t>(std::find(to.begin(), to.end(), mirror(cell)) - to.begin()));
        }
        while (image[start.shape] != start.shape) ++start.shape;
        const auto first = code->arrangement(start);
        Numbers names(first.size());
        for (std::size_t p = 0; p < first.size(); ++p) names[first[p]] = first[points[start.shape][p]];
        const auto renaming = [&](std::uint32_t s) {
            input.renamings.push_back(std::make_unique<const Renaming>(*code, s, image[s], points[s], names));
            return static_cast<std::uint32_t>(input.renamings.size() - 1);
        };
        std::mt19937_64 random(seed);
        std::vector<bool> kept(slots.size(), false);
        for (std::uint32_t s = 0; s < slots.size(); ++s) {
            if (image[s] < s) continue;
            const std::uint32_t one = random() % 2 ? s : image[s];
            kept[one] = true;
            input.shapes.push_back(one);
            input.weights.push_back(image[s] == s ? 1 : 2);
            if (image[s] == s) input.closing.push_back(renaming(s));
        }
        for (std::uint32_t arc = 0; arc < code->arcs().size(); ++arc) {
            const Arc& a = code->arcs()[arc];
            if (kept[a.source] && !kept[a.target]) input.leaving.emplace_back(arc, renaming(a.target));
        }
    }

    std::shared_ptr<const StateCode> code;
    Place start{0, 3, 5};
    SymmetricInput input;
};

TEST("one shape of each class under a reflection") {
    for (const bool crossed : {false, true}) {
        const Graph graph = crossed ? crossed_grid(3, 3) : grid(3, 3);
        LayerSearch whole(code_for(graph, 1, true), {});
        const Reflected first(graph, 3, 1);
        whole.begin(first.start);
        const auto layers = finish(whole, 1);
        for (const unsigned seed : {1u, 2u, 3u})
            for (const std::uint32_t thin : {1u, 128u, 1000000000u})
                for (const bool two_planes : {false, true})
                    for (const unsigned threads : {1u, 3u}) {
                        Reflected made(graph, 3, seed);
                        SymmetricSearch search(made.code, std::move(made.input), {two_planes, seed == 2, thin, 1000});
                        CHECK(search.alternates() == (!two_planes && !crossed));
                        CHECK_THROWS(std::logic_error, search.advance(threads, quiet));
                        for (int again = 0; again < 2; ++again) {
                            search.begin(made.start);
                            while (search.advance(threads, quiet)) {
                            }
                            CHECK(search.finished() && search.layers() == layers);
                        }
                        CHECK(!search.last_layer(1).empty());
                    }
    }
    Reflected made(grid(3, 3), 3, 1);
    const Place other{made.start.shape, 4, 5};
    SymmetricSearch search(made.code, std::move(made.input), {});
    CHECK_THROWS(std::invalid_argument, search.begin(other));  // the reflection does not bring it back
    Reflected twice(grid(3, 3), 3, 1);
    twice.input.shapes[1] = twice.input.shapes[0];
    CHECK_THROWS(std::invalid_argument, SymmetricSearch(twice.code, std::move(twice.input), {}));
}

}  // namespace
