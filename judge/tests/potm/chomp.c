// CHOMP, by the rules of its README. Reads the board and the replies of the judge to a referee.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int high, wide, length[50], seat = 1;

static void lose(void)
{
    printf(seat == 1 ? "end 0 1\n" : "end 1 0\n");
    exit(0);
}

int main(int argc, char **argv)
{
    static char line[1 << 17], state[20];
    FILE *board = fopen(argv[1], "r"), *replies = fopen(argv[2], "r");
    if (argc != 4 || !board || !replies)
        return 1;
    // A grid is the number of cookies of each row, as what is eaten of a row is always its end.
    for (high = 0; fscanf(board, "%100s", line) == 1; high++) {
        wide = strlen(line);
        length[high] = strcspn(line, "*");
    }
    for (;; seat = 3 - seat) {
        if (length[0] == 1 && (high == 1 || length[1] == 0))
            lose();
        int who, count = 0;
        if (!fgets(line, sizeof line, replies) || sscanf(line, "%d %19s %d", &who, state, &count) < 2 || who != seat)
            return 1;
        if (strcmp(state, "ok"))
            lose();
        int good = count == high, changed = -1, left = 0, next[50];
        for (int row = 0; row < count; row++) {
            if (!fgets(line, sizeof line, replies))
                return 1;
            if (row >= high)
                continue;
            line[strlen(line) - 1] = 0;
            int cookies = strspn(line, "XO"), eaten = strspn(line + cookies, "*");
            char *poison = strchr(line, 'X');
            good = good && cookies + eaten == wide && (int)strlen(line) == wide;
            good = good && (row ? !poison : poison == line && !strchr(line + 1, 'X'));
            next[row] = cookies;
        }
        for (int row = 0; row < high && good; row++) {
            // The first row that is shorter shows where the bite is; no row below is longer than that.
            if (changed < 0 && next[row] != length[row]) {
                changed = row;
                left = next[row];
                good = left < length[row] && (row || left);
            }
            if (changed >= 0 && good)
                good = next[row] == (length[row] < left ? length[row] : left);
        }
        if (!good || changed < 0) {
            printf("out %d\n", seat);
            lose();
        }
        memcpy(length, next, sizeof next);
    }
}
