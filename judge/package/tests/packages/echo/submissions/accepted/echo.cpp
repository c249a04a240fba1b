#include <cstdio>

int main()
{
    int count;
    char word[1000];
    if (std::scanf("%d", &count) != 1)
        return 1;
    for (int i = 0; i < count && std::scanf("%999s", word) == 1; i++)
        if (i % 2 == 0)
            std::puts(word);
}
