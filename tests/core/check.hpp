// What the test programs share: checks that name their place, a tick that says nothing, ample memory.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>

inline int passed = 0;

[[noreturn]] inline void fail(const char* file, int line, const char* expression) {
    std::cerr << file << ':' << line << ": failed: " << expression << '\n';
    std::cout << passed << " passed, 1 failed\n";
    std::exit(1);
}

#define CHECK(expression) \
    do {                  \
        if (!(expression)) fail(__FILE__, __LINE__, #expression); \
    } while (false)

#define CHECK_THROWS(type, expression)                               \
    do {                                                             \
        bool thrown = false;                                         \
        try {                                                        \
            (void)(expression);                                      \
        } catch (const type&) {                                      \
            thrown = true;                                           \
        }                                                            \
        if (!thrown) fail(__FILE__, __LINE__, #expression " throws " #type); \
    } while (false)

inline void quiet(const char*, std::uint64_t, std::uint64_t) {}

inline constexpr std::uint64_t plenty = std::uint64_t{1} << 40;
