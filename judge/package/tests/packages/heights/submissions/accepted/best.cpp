#include <algorithm>
#include "heights.h"
long long highest(std::vector<long long> heights) {
    return *std::max_element(heights.begin(), heights.end());
}
