#include "gourds/support.hpp"

namespace {

TEST("sets of keys") {
    Random random(21);
    KeySet set;
    std::map<std::uint64_t, std::uint32_t> plain;
    std::vector<std::uint64_t> keys;
    for (int round = 0; round < 3'000; ++round) {
        const std::uint64_t range = std::uint64_t{1} << (1 + random() % 63);
        const std::size_t count = round % 500 == 0 ? 6'000 : random() % 40;
        const int shift = random() % 2 == 0 ? 0 : 32;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t key = (random() % range) << shift;
            const auto [place, is_new] = plain.emplace(key, static_cast<std::uint32_t>(plain.size()));
            CHECK(set.insert(key) == std::pair(place->second, is_new));
            if (is_new) keys.push_back(key);
            CHECK(set.size() == plain.size());
        }
        for (std::size_t i = 0; i < keys.size(); ++i) CHECK(set.key(i) == keys[i]);
        if (random() % 3 != 0) set.clear(), plain.clear(), keys.clear();
        if (random() % 10 == 0) set.clear(), plain.clear(), keys.clear();
    }
}

}  // namespace
