#include <stdio.h>

int main(void)
{
    volatile long long a = 0;
    long long difference;
    if (scanf("%lld", &difference) != 1)
        return 1;
    if (difference > 3)
        for (;;)
            a++;
    printf("0 %lld\n", difference);
    return 0;
}
