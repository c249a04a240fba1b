#include <cstdio>

int main()
{
    long long difference;
    if (std::scanf("%lld", &difference) == 1)
        std::printf("0 %lld and more\n", difference);
}
