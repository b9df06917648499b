// Runs all tests of the core, or those whose name contains the argument.
#include "check.hpp"

#include <string>

int main(int argc, char** argv) {
    for (const auto& test : tests()) {
        if (argc > 1 && std::string(test.file).find(argv[1]) == std::string::npos &&
            std::string(test.name).find(argv[1]) == std::string::npos)
            continue;
        std::cout << test.file << ": " << test.name << std::endl;
        test.run();
        ++passed;
    }
    std::cout << passed << " passed, 0 failed\n";
}
