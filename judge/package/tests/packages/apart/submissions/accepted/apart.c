#include <stdio.h>

int main(void)
{
    long long difference;
    return scanf("%lld", &difference) == 1 && printf("5 %lld\n", difference + 5) < 0;
}
