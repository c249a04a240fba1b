// RESET, by the rules of its README.
#include "read.h"

static int all_different(int odometer, int trip) {
    int seen = 0;
    for (int wheel = 0; wheel < 6; wheel++, odometer /= 10)
        seen |= 1 << odometer % 10;
    for (int wheel = 0; wheel < 4; wheel++, trip /= 10)
        seen |= 1 << trip % 10;
    return seen == 1023;
}

int main(int count, char **arguments) {
    char *board = slurp(arguments[1]), *at = slurp(arguments[count - 1]), *start, *end = at + strlen(at);
    size_t length;
    long score = 0;
    while (end > at && isspace((unsigned char)end[-1]))
        *--end = 0;
    while ((start = word(&board, 0, &length))) {
        int odometer = number(start, length, 6), after = 0;
        word(&board, 0, &length);
        start = word(&at, 1, &length);
        long before = start ? number(start, length, 6) : -1;
        if (before < 0 || word(&at, 1, &length))
            wrong();
        at += *at == '\n';
        while (after < 10000 && !all_different((odometer + before + after) % 1000000, after))
            after++;
        score += before + after;
    }
    if (*at)
        wrong();
    printf("score1=%ld\n", score);
}
