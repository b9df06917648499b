#include "layers/support.hpp"

namespace {

TEST("packed and taken up again") {
    std::mt19937_64 random(6);
    for (const auto& code : {code_for(grid(4, 2), 1, true), code_for(grid(3, 2), 2, false), code_for(ring(6), 1, true),
                             code_for(grid(3, 3), 2, true)}) {
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

TEST("damage") {
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
    const std::vector<std::uint64_t> packed{std::uint64_t{1} << last_word / 64, std::uint64_t{1} << last_word % 64,
                                            std::uint64_t{1} << end};
    CHECK_THROWS(std::invalid_argument, (sparse.load(false, 0, words, packed), 0));
}

TEST("bad input") {
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
    CHECK(!none({0, 1, 2, 3, 4, 5, 6}) && none({1, 0, 2, 3, 4, 5, 6}) && none({0, 0, 2, 3, 4, 5, 6}) &&
          none({0, 1, 2, 3, 4, 5, 7}));
    CHECK_THROWS(std::invalid_argument, code.place(0, Numbers{0, 1, 2}));
    // Words with other labels, or another number of each.
    CodeInput coloured = family.in;
    coloured.labels = {4, 4, 5, 5, 6, 6, 6};
    coloured.all_words = true;
    const StateCode colours(coloured, plenty, quiet);
    CHECK(colours.x_count() == 210 && colours.place(0, Numbers{6, 6, 6, 5, 5, 4, 4}).has_value());
    for (const Numbers& wrong : {Numbers{6, 6, 6, 6, 6, 6, 6}, Numbers{4, 4, 4, 5, 5, 6, 6},
                                 Numbers{0, 4, 5, 5, 6, 6, 6}, Numbers{9, 4, 5, 5, 6, 6, 6}})
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

}  // namespace
