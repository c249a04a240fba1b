// ODOMETERFUN, by the rules of its README: drives mile by mile.
#include "read.h"

static int is_palindrome(int reading) {
    return reading / 100000 == reading % 10 && reading / 10000 % 10 == reading / 10 % 10 && reading / 1000 % 10 == reading / 100 % 10;
}

int main(int count, char **arguments) {
    char *board = slurp(arguments[1]), *at = slurp(arguments[count - 1]), *start;
    char *end = at + strlen(at);
    size_t length;
    long score = 0;
    while (end > at && isspace((unsigned char)end[-1]))
        *--end = 0;
    while (*at) {
        start = word(&at, 1, &length);
        long value = start ? number(start, length, 9) : -1;
        if (value < 0 || word(&at, 1, &length))
            wrong();
        at += *at == '\n';
        start = word(&board, 0, &length);
        if (!start)
            wrong();
        int reading = number(start, length, 6), miles = 1;
        while (!is_palindrome((reading + miles) % 1000000))
            miles++;
        score += value == miles;
    }
    printf("score=%ld\n", score);
}
