#include "feedback.h"

#include <cstring>

// Accepts two numbers whose difference is the input. With the flag `strict`, nothing may follow them.
int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    std::FILE *input = std::fopen(argv[1], "r");
    long long difference, a, b;
    if (!input || std::fscanf(input, "%lld", &difference) != 1)
        return 1;
    if (std::scanf("%lld%lld", &a, &b) != 2)
        return reject(argv[3], "two numbers expected");
    char more[100], reason[200];
    if (argc > 4 && std::strcmp(argv[4], "strict") == 0 && std::scanf("%99s", more) == 1) {
        std::snprintf(reason, sizeof reason, "trailing %s", more);
        return reject(argv[3], reason);
    }
    std::snprintf(reason, sizeof reason, "the difference is %lld", b - a);
    return b - a == difference ? 42 : reject(argv[3], reason);
}
