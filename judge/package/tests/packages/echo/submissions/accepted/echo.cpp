#include <iostream>
#include <string>

int main()
{
    int count;
    std::string word;
    std::cin >> count;
    for (int i = 0; i < count && std::cin >> word; i++)
        if (i % 2 == 0)
            std::cout << word << '\n';
}
