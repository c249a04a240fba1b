// Compiled with the submission, which has no input and output of its own.
#include <iostream>

#include "heights.h"

int main() {
    int n;
    std::cin >> n;
    std::vector<long long> heights(n);
    for (auto &height : heights) std::cin >> height;
    std::cout << highest(heights) << "\n";
}
