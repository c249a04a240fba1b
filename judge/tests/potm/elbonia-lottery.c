// ELBONIA LOTTERY, by the rules of its README: draws are built number by number, and no draw may have a third number of any ticket.
#include "read.h"

typedef unsigned __int128 set;

static int most, tickets, drawn[7];
// All numbers that are on a ticket with both of these. At most 127 numbers: a set has 128 bits.
static set with[128][128];

static void extend(int chosen, int from, set allowed) {
    if (chosen == 7)
        wrong();
    for (int next = from; next <= most - 6 + chosen; next++) {
        if (!(allowed >> next & 1))
            continue;
        set rest = allowed;
        for (int i = 0; i < chosen; i++)
            rest &= ~with[drawn[i]][next];
        drawn[chosen] = next;
        extend(chosen + 1, next + 1, rest);
    }
}

int main(int count, char **arguments) {
    char *at = slurp(arguments[count - 1]), *board = slurp(arguments[1]), *start;
    size_t length;
    long sum = 0;
    most = atoi(board);
    if (most > 127)
        return 2;
    while (*at) {
        int numbers[7], found = 0;
        while ((start = word(&at, 1, &length))) {
            long value = number(start, length, 3);
            if (found == 7 || value < 1 || value > most)
                wrong();
            for (int i = 0; i < found; i++)
                if (numbers[i] == value)
                    wrong();
            numbers[found++] = value;
        }
        if (*at)
            at++;
        if (!found)
            continue;
        if (found < 7 || ++tickets > 2000)
            wrong();
        set ticket = 0;
        for (int i = 0; i < 7; i++) {
            ticket |= (set)1 << numbers[i];
            sum += numbers[i];
        }
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 7; j++)
                with[numbers[i]][numbers[j]] |= ticket;
    }
    extend(0, 1, ~(set)0);
    printf("tickets=%d sum=%ld\n", tickets, sum);
}
