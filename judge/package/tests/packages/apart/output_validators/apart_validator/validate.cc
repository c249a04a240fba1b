#include "feedback.h"

#include <iostream>

// Accepts two numbers whose difference is the input. With the flag `strict`, nothing may follow them.
int main(int argc, char **argv)
{
    if (argc < 4)
        return 1;
    std::ifstream input(argv[1]);
    long long difference, a, b;
    if (!(input >> difference))
        return 1;
    if (!(std::cin >> a >> b))
        return reject(argv[3], "two numbers expected");
    std::string more;
    if (argc > 4 && std::string(argv[4]) == "strict" && std::cin >> more)
        return reject(argv[3], "trailing " + more);
    return b - a == difference ? 42 : reject(argv[3], "the difference is " + std::to_string(b - a));
}
