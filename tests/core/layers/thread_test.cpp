#include "layers/support.hpp"

namespace {

struct Stopped {};

TEST("stopped within a layer: threads end") {
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
                    while (search.advance(threads, tick)) {
                    }
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

// Large enough that threads share thin layers and full layers have several stretches and whole rows in each.
TEST("many threads") {
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
                for (std::uint32_t b = 0; b < word_states; ++b)
                    ++sum[static_cast<std::size_t>(search.residue({s, w, b}))];
        CHECK(sum == wanted);
    }
}

// Ten pieces: a row has ten stretches, and runs are cut in two. The first layers only, thin and full.
TEST("stretches for threads") {
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
