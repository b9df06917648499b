#include "huge/support.hpp"

namespace {

TEST("sets of keys") {
    std::mt19937_64 random(3);
    KeySet set;
    for (int round = 0; round < 40; ++round) {
        set.clear();
        CHECK(set.size() == 0);
        std::map<std::uint64_t, std::uint32_t> plain;
        // Near ones, far ones, and those that the probing may confuse.
        const std::size_t many = below(random, round % 10 == 0 ? 20000 : 1000);
        for (std::size_t i = 0; i < many; ++i) {
            const std::uint64_t key = i % 3 == 0   ? below(random, 500)
                                      : i % 3 == 1 ? random()
                                                   : below(random, 500) << 54;
            const auto [number, is_new] = set.insert(key);
            const auto [at, fresh] = plain.emplace(key, static_cast<std::uint32_t>(plain.size()));
            CHECK(is_new == fresh && number == at->second && set.key(number) == key);
        }
        CHECK(set.size() == plain.size());
    }
    KeySet fresh;
    CHECK(fresh.insert(0) == std::pair(0u, true) && fresh.insert(0) == std::pair(0u, false) &&
          fresh.insert(~std::uint64_t{0}).second);
}

}  // namespace
