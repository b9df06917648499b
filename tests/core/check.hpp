// What the tests share: a registry of tests, checks that name their place, a silent tick, ample memory.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

inline int passed = 0;

struct Test {
    std::string_view file, name;
    void (*run)();
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

inline bool add_test(std::string_view file, std::string_view name, void (*run)()) {
    file.remove_prefix(file.find("core/") + 5);
    tests().push_back({file, name, run});
    return true;
}

// Defines a test and adds it to those that main.cpp runs: TEST("name") { ... }
#define TEST_NAMED(function, name)                                                     \
    void function();                                                                   \
    [[maybe_unused]] const bool function##_added = add_test(__FILE__, name, function); \
    void function()
#define TEST_NUMBERED(number, name) TEST_NAMED(test_##number, name)
#define TEST_AT(number, name) TEST_NUMBERED(number, name)
#define TEST(name) TEST_AT(__LINE__, name)

[[noreturn]] inline void fail(const char* file, int line, const char* expression) {
    std::cerr << file << ':' << line << ": failed: " << expression << '\n';
    std::cout << passed << " passed, 1 failed\n";
    std::exit(1);
}

#define CHECK(expression)                                         \
    do {                                                          \
        if (!(expression)) fail(__FILE__, __LINE__, #expression); \
    } while (false)

#define CHECK_THROWS(type, expression)                                       \
    do {                                                                     \
        bool thrown = false;                                                 \
        try {                                                                \
            (void)(expression);                                              \
        } catch (const type&) {                                              \
            thrown = true;                                                   \
        }                                                                    \
        if (!thrown) fail(__FILE__, __LINE__, #expression " throws " #type); \
    } while (false)

inline void quiet(const char*, std::uint64_t, std::uint64_t) {}

inline constexpr std::uint64_t plenty = std::uint64_t{1} << 40;
