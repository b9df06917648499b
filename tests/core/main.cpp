// Runs all tests of the core, those whose name contains the argument, or with 2/4 the second, sixth, tenth and so on.
#include "check.hpp"

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
    unsigned part = 0, parts = 0, number = 0;
    const bool divided = argc > 1 && std::sscanf(argv[1], "%u/%u", &part, &parts) == 2 && part && part <= parts;
    for (const auto& test : tests()) {
        if (divided && number++ % parts != part - 1) continue;
        if (argc > 1 && !divided && std::string(test.file).find(argv[1]) == std::string::npos &&
            std::string(test.name).find(argv[1]) == std::string::npos)
            continue;
        std::cout << test.file << ": " << test.name << std::endl;
        test.run();
        ++passed;
    }
    std::cout << passed << " passed, 0 failed\n";
}
