#include "layers/shard_search.hpp"
#include "layers/support.hpp"

namespace {

Graph with_diagonals(int width, int height) {
    Graph graph = grid(width, height);
    for (int y = 0; y + 1 < height; ++y)
        for (int x = 0; x + 1 < width; ++x) {
            graph[static_cast<std::size_t>(y * width + x)].insert((y + 1) * width + x + 1);
            graph[static_cast<std::size_t>((y + 1) * width + x + 1)].insert(y * width + x);
        }
    return graph;
}

struct Result {
    std::vector<std::uint64_t> layers;
    std::vector<std::vector<Place>> last;  // the first states of each layer
    bool operator==(const Result&) const = default;
};

Result plain_result(const std::shared_ptr<const StateCode>& code, const Place& start) {
    LayerSearch search(code, {});
    search.begin(start);
    Result out;
    do out.last.push_back(search.last_layer(5));
    while (search.advance(1, quiet));
    out.layers = search.layers();
    return out;
}

Result result(ShardSearch& search, const Place& start, unsigned threads) {
    search.begin(start);
    Result out;
    do out.last.push_back(search.last_layer(5));
    while (search.advance(threads, quiet));
    out.layers = search.layers();
    CHECK(search.last_layer(5) == out.last.back());
    return out;
}

// The same by several searches, each with some of the shards, that send each other what crosses.
Result shared_result(const std::shared_ptr<const StateCode>& code, ShardOptions options, std::size_t processes,
                     const Place& start, bool overlapped) {
    std::vector<ShardSearch::Range> ranges;
    std::vector<std::unique_ptr<ShardSearch>> all;
    for (std::size_t k = 0; k < processes; ++k) {
        const auto shards = code->shards().count();
        options.first = static_cast<std::uint32_t>(k * shards / processes);
        options.last = static_cast<std::uint32_t>((k + 1) * shards / processes);
        ranges.push_back({options.first, options.last});
        all.push_back(std::make_unique<ShardSearch>(code, options));
        all.back()->begin(start);
    }
    Result out;
    while (true) {
        std::vector<Place> last;
        for (const auto& search : all)
            for (const auto& place : search->last_layer(5)) last.push_back(place);
        std::sort(last.begin(), last.end(), [](const Place& a, const Place& b) {
            return std::tie(a.shape, a.word, a.bit) < std::tie(b.shape, b.word, b.bit);
        });
        last.resize(std::min<std::size_t>(last.size(), 5));
        out.last.push_back(last);
        std::uint64_t words = 0, states = 0;
        bool listed = true;
        for (const auto& search : all) words += search->counted().words, listed = listed && search->listed();
        if (all[0]->is_thin(words, listed)) {
            std::vector<WordBits> travelling;
            for (auto& search : all)
                for (const auto& entry : search->push(2, quiet)) travelling.push_back(entry);
            for (std::size_t k = 0; k < processes; ++k) {
                std::vector<WordBits> arriving;
                for (const auto& entry : travelling)
                    if (ranges[k].contains(code->local_word(entry.word % code->global_words()).first))
                        arriving.push_back(entry);
                all[k]->mark(arriving);
            }
        } else {
            for (auto& search : all) search->begin_full(2, quiet);
            if (overlapped)
                for (auto& search : all) search->sweep(true, false, 2, quiet);
            for (std::uint32_t c = 0; c < all[0]->crossings(); ++c)
                for (std::size_t from = 0; from < processes; ++from) {
                    std::vector<std::vector<std::uint64_t>> blocks(processes);
                    std::vector<std::uint64_t*> lists;
                    for (std::size_t to = 0; to < processes; ++to) {
                        if (to != from)
                            blocks[to].resize(all[from]->count_blocks(c, ranges[from], ranges[to]) * code->block());
                        lists.push_back(blocks[to].data());
                    }
                    all[from]->send(c, ranges[from], ranges, lists, 2, quiet);
                    for (std::size_t to = 0; to < processes; ++to)
                        if (to != from) all[to]->receive(c, ranges[from], blocks[to].data());
                }
            for (auto& search : all) search->sweep(!overlapped, true, 2, quiet);
        }
        for (const auto& search : all) states += search->counted().states;
        for (auto& search : all) search->finish_layer(states);
        if (!states) break;
    }
    out.layers = all[0]->layers();
    return out;
}

struct ShardCase {
    Graph graph;
    std::size_t holes, prefixes;
    bool main, alternates;
};

TEST("shards: places, one and two planes, any number of shards and processes") {
    const std::vector<ShardCase> cases{
        {grid(4, 2), 1, 2, true, true},                                              // seven tiles, even orders only
        {grid(3, 3), 1, 3, true, true},  {with_diagonals(4, 2), 1, 2, true, false},  // x is the sign
        {grid(3, 2), 2, 1, false, true},                                             // no main orbit
        {ring(6), 1, 1, false, true},
    };
    for (const auto& given : cases) {
        const auto whole = code_for(given.graph, given.holes, given.main);
        for (const Place start : {Place{0, 0, 0}, Place{1, 0, 0}}) {
            if (start.shape && given.prefixes > 2) continue;  // other starts on small boards only
            const Result expected = plain_result(whole, start);
            for (std::size_t prefix = 0; prefix < given.prefixes; ++prefix) {
                const auto code = prefix ? code_for(given.graph, given.holes, given.main, prefix) : whole;
                const std::uint32_t shards = code->shards().count();
                CHECK(code->global_words() == whole->words());
                for (std::uint64_t word = 0; word < code->global_words(); word += 7) {
                    const auto [shard, local] = code->local_word(word);
                    CHECK(shard < shards && local < code->words() && code->global_word(shard, local) == word);
                    if (!code->is_place({1, word, 1})) continue;
                    const auto points = code->arrangement({1, word, 1});
                    CHECK(points == whole->arrangement({1, word, 1}));
                    CHECK(code->place(1, points) == (Place{1, word, 1}));
                }
                for (const bool two : {false, true})
                    for (const std::uint32_t thin : {1u, 8u, 1000000000u}) {
                        ShardSearch search(code, {0, shards, two, thin == 8, thin, 5});
                        CHECK(search.alternates() == (given.alternates && !two));
                        CHECK(result(search, start, thin == 8 ? 1 : 3) == expected);
                        if (shards > 1)
                            for (const std::size_t processes : {two ? 2u : 3u, 5u})
                                CHECK(shared_result(code, {0, 0, two, false, thin, 5}, processes, start,
                                                    search.alternates() && thin != 8) == expected);
                    }
            }
        }
    }
}

// One shard at a time, everything else kept aside, as a search on disk does it.
std::vector<std::uint64_t> one_by_one(const std::shared_ptr<const StateCode>& code, bool two_planes,
                                      const Place& start) {
    const std::uint32_t shards = code->shards().count(), blocks = code->shards().blocks(), block = code->block();
    ShardSearch search(code, {code->local_word(start.word).first, code->local_word(start.word).first + 1, two_planes});
    search.begin(start);
    using Words = std::vector<std::uint64_t>;
    std::vector<Words> planes[2];
    for (unsigned p = 0; p < 2; ++p) {
        planes[p].assign(shards, Words(search.plane_words(p), 0));
        std::copy_n(search.plane(p), search.plane_words(p), planes[p][code->local_word(start.word).first].data());
    }
    while (!search.finished()) {
        const unsigned target = search.plane_of(search.layers().size()), source = target ^ 1;
        std::vector<Words> leaving(shards);
        for (std::uint32_t shard = 0; shard < shards; ++shard) {
            search.hold(shard);
            std::copy(planes[source][shard].begin(), planes[source][shard].end(), search.plane(source));
            leaving[shard] = search.departures(target, 2, quiet);
        }
        search.begin_full(2, quiet);
        for (std::uint32_t shard = 0; shard < shards; ++shard) {
            search.hold(shard);
            for (unsigned p = 0; p < 2; ++p)
                std::copy(planes[p][shard].begin(), planes[p][shard].end(), search.plane(p));
            for (std::uint32_t c = 0; c < search.crossings(); ++c) {
                const auto from = search.origins(target, c, shard);
                for (std::uint32_t x = 0; x < code->x_count(); ++x)
                    for (std::uint32_t d = 0; d < blocks; ++d)
                        std::copy_n(leaving[from[d].shard].data() +
                                        ((c * blocks + from[d].digit) * code->x_count() + x) * block,
                                    block, search.arrivals() + c * code->words() + (x * blocks + d) * block);
            }
            search.sweep(true, true, 2, quiet);
            std::copy_n(search.plane(target), search.plane_words(target), planes[target][shard].data());
        }
        search.finish_layer(search.counted().states);
    }
    return search.layers();
}

TEST("shards: one at a time") {
    for (const auto& [graph, prefix] : {std::pair{grid(4, 2), 1u}, {grid(3, 3), 2u}, {with_diagonals(4, 2), 1u}})
        for (const bool two : {false, true}) {
            const auto code = code_for(graph, 1, true, prefix);
            ShardSearch search(code, {0, code->shards().count()});
            CHECK(one_by_one(code, two, {2, 5, 3}) == result(search, {2, 5, 3}, 1).layers);
        }
}

// Every layer from lists of the two before, without planes.
std::vector<std::uint64_t> from_lists(const std::shared_ptr<const StateCode>& code, bool two_planes, unsigned threads,
                                      const Place& start) {
    const std::uint32_t home = code->local_word(start.word).first;
    ShardSearch search(code, {home, home + 1, two_planes});
    search.begin(start);
    std::vector<WordBits> before, last{search.word_of(start)};
    const auto without = [](std::vector<WordBits>& words, const std::vector<WordBits>& others) {
        for (auto& entry : words)
            for (const auto& other : others)
                if (other.word == entry.word) entry.bits &= ~other.bits;
        std::erase_if(words, [](const WordBits& entry) { return entry.bits == 0; });
    };
    while (!search.finished()) {
        search.begin_full(1, quiet);
        auto next = search.images(last, threads, quiet);
        for (std::size_t k = 1; k < next.size(); ++k) CHECK(next[k - 1].word < next[k].word);
        without(next, before);
        if (!search.alternates()) without(next, last);
        std::uint64_t states = 0;
        for (const auto& entry : next) states += static_cast<unsigned>(std::popcount(entry.bits));
        search.finish_layer(states);
        before = std::move(last);
        last = std::move(next);
    }
    return search.layers();
}

TEST("shards: layers from lists") {
    for (const auto& graph : {grid(4, 2), grid(3, 3), with_diagonals(4, 2)})
        for (const bool two : {false, true}) {
            const auto code = code_for(graph, 1, true, 1);
            ShardSearch search(code, {0, code->shards().count()});
            const auto expected = result(search, {2, 5, 3}, 1).layers;
            for (const unsigned threads : {0u, 1u, 3u}) CHECK(from_lists(code, two, threads, {2, 5, 3}) == expected);
        }
    const auto code = code_for(grid(3, 3), 1, true, 1);
    ShardSearch search(code, {0, 1});
    search.begin({2, 5, 3});
    CHECK_THROWS(std::logic_error, search.images({}, 1, quiet));
    search.begin_full(1, quiet);
    CHECK(search.images({}, 1, quiet).empty());
    const WordBits beyond{code->global_words() * code->shapes(), 1}, wrong{0, ~word_mask};
    CHECK_THROWS(std::invalid_argument, search.images({&beyond, 1}, 1, quiet));
    CHECK_THROWS(std::invalid_argument, search.images({&wrong, 1}, 1, quiet));
}

TEST("shards: resumed after any layer") {
    for (const bool two : {false, true}) {
        const auto code = code_for(grid(4, 2), 1, true, 1);
        const std::uint32_t shards = code->shards().count();
        ShardSearch search(code, {0, shards, two, false, 8, 5});
        const Result expected = result(search, {0, 0, 0}, 1);
        for (std::size_t stop = 0; stop + 1 < expected.layers.size(); stop += 5) {
            search.begin({0, 0, 0});
            for (std::size_t l = 0; l < stop; ++l) search.advance(1, quiet);
            ShardSearch other(code, {0, shards, two, false, 8, 5});
            CHECK_THROWS(std::logic_error, other.resume(search.layers()));
            other.prepare(0);
            for (unsigned p = 0; p < 2; ++p) std::copy_n(search.plane(p), search.plane_words(p), other.plane(p));
            std::uint64_t last = 0;
            for (std::size_t l = 0; l <= stop; ++l)
                if (l == stop || (!two && (stop - l) % 2 == 0)) last += expected.layers[l];
            CHECK(other.count(other.plane_of(stop)) == last);
            other.resume(search.layers());
            CHECK_THROWS(std::logic_error, other.resume(search.layers()));
            while (other.advance(2, quiet)) {
            }
            CHECK(other.layers() == expected.layers && other.last_layer(5) == expected.last.back());
        }
        search.prepare(0);
        search.plane(0)[0] = std::uint64_t{1} << 60;
        CHECK_THROWS(std::invalid_argument, search.count(0));
    }
}

TEST("shards: what is kept of a layer that is too large to list") {
    FreshWords words;
    std::mt19937_64 random(5);
    for (const std::uint64_t kept : {1u, 7u, 40u}) {
        words.begin(3, 10, kept);
        std::vector<std::uint64_t> numbers(500);
        std::iota(numbers.begin(), numbers.end(), 100u);
        std::shuffle(numbers.begin(), numbers.end(), random);
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            CHECK(words.complete() == (2 * k <= 10));
            for (const std::uint64_t bit : {1u, 2u})
                if (bit == 1 || !words.ends_before(k % 3, numbers[k])) words.add(k % 3, {numbers[k], bit});
        }
        const auto sorted = words.sorted();
        CHECK(sorted.size() == kept);
        for (std::size_t k = 0; k < sorted.size(); ++k) CHECK(sorted[k].word == 100 + k && sorted[k].bits == 3);
    }
}

TEST("shards: steps at the wrong time, and what belongs to others") {
    const auto code = code_for(grid(4, 2), 1, true, 1);
    CHECK(code->shards().count() == 7);
    CHECK_THROWS(std::invalid_argument, ShardSearch(code, {3, 2}));
    CHECK_THROWS(std::invalid_argument, ShardSearch(code, {0, 8}));
    CHECK_THROWS(std::invalid_argument, ShardSearch(code, {0, 7, false, false, 0}));
    CHECK_THROWS(std::invalid_argument, LayerSearch(code, {}));
    ShardSearch part(code, {0, 3});
    CHECK_THROWS(std::logic_error, part.push(1, quiet));
    part.begin({0, 0, 0});
    CHECK_THROWS(std::logic_error, part.advance(1, quiet));
    CHECK_THROWS(std::logic_error, part.sweep(true, true, 1, quiet));
    CHECK_THROWS(std::logic_error, part.finish_layer(1));
    part.begin_full(1, quiet);
    CHECK_THROWS(std::logic_error, part.last_layer(1));
    CHECK_THROWS(std::logic_error, part.begin_full(1, quiet));
    CHECK_THROWS(std::invalid_argument, part.send(0, {2, 4}, {}, {}, 1, quiet));
    CHECK_THROWS(std::invalid_argument, part.send(0, {0, 3}, {}, {}, 1, quiet));  // to no process
    CHECK_THROWS(std::invalid_argument, part.send(99, {0, 3}, {}, {}, 1, quiet));
    const std::vector<WordBits> foreign{{code->global_word(6, 0), 1}};
    CHECK_THROWS(std::invalid_argument, part.mark(foreign));
    const std::vector<WordBits> beyond{{code->global_words() * code->shapes(), 1}};
    CHECK_THROWS(std::invalid_argument, part.mark(beyond));
    for (const std::size_t prefix : {2u, 3u, 9u})
        CHECK_THROWS(std::invalid_argument, code_for(grid(4, 2), 1, true, prefix));
    CHECK_THROWS(std::invalid_argument, part.hold(1));
    // A process without a shard takes part, and finds nothing.
    ShardSearch none(code, {7, 7});
    CHECK_THROWS(std::logic_error, none.resume({1}));
    none.prepare(0);
    none.resume({1, 2});
    none.begin_full(1, quiet);
    none.sweep(true, true, 1, quiet);
    CHECK(none.counted().states == 0 && none.finish_layer(3) == 3 && none.last_layer(5).empty());
}

}  // namespace
