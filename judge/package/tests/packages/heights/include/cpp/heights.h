#include <vector>
long long highest(std::vector<long long> heights);
