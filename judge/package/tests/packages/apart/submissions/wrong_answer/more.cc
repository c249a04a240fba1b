#include <iostream>

int main()
{
    long long difference;
    std::cin >> difference;
    std::cout << 0 << ' ' << difference << " and more\n";
}
