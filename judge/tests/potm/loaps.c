// LOAPS, by the rules of its README. Reads the board and the replies of the judge to a referee.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Squares with a border, so that a step never leaves the array: column + 1, row + 1.
static char at[9][9];
static int points[2];
static const char colours[] = "RB";

static int groups(char colour)
{
    static int stack[81];
    char seen[9][9] = {{0}};
    int count = 0;
    for (int x = 1; x <= 7; x++)
        for (int y = 1; y <= 7; y++) {
            if (at[x][y] != colour || seen[x][y])
                continue;
            int top = 0;
            count++;
            seen[x][y] = 1;
            stack[top++] = 9 * x + y;
            while (top) {
                int here = stack[--top];
                for (int i = here / 9 - 1; i <= here / 9 + 1; i++)
                    for (int j = here % 9 - 1; j <= here % 9 + 1; j++)
                        if (at[i][j] == colour && !seen[i][j]) {
                            seen[i][j] = 1;
                            stack[top++] = 9 * i + j;
                        }
            }
        }
    return count;
}

static int legal(char mine, int x, int y, int tx, int ty)
{
    if (at[x][y] != mine || at[tx][ty] == mine || (x == tx && y == ty))
        return 0;
    if (x != tx && y != ty && abs(x - tx) != abs(y - ty))
        return 0;
    int dx = (tx > x) - (tx < x), dy = (ty > y) - (ty < y), i = x, j = y, pieces = 0, steps = 0;
    // To one end of the line, then along it to the other.
    while (i >= 1 && i <= 7 && j >= 1 && j <= 7) {
        i -= dx;
        j -= dy;
    }
    for (i += dx, j += dy; i >= 1 && i <= 7 && j >= 1 && j <= 7; i += dx, j += dy)
        pieces += at[i][j] != '.';
    for (i = x + dx, j = y + dy, steps = 1; i != tx || j != ty; i += dx, j += dy, steps++)
        if (at[i][j] != '.' && at[i][j] != mine)
            return 0;
    return steps == pieces;
}

static int has_move(char mine)
{
    for (int from = 0; from < 49; from++)
        for (int to = 0; to < 49; to++)
            if (legal(mine, from / 7 + 1, from % 7 + 1, to / 7 + 1, to % 7 + 1))
                return 1;
    return 0;
}

int main(int argc, char **argv)
{
    static char line[1 << 17], answer[1 << 17], state[20];
    FILE *board = fopen(argv[1], "r"), *replies = fopen(argv[2], "r");
    if (argc != 4 || !board || !replies)
        return 1;
    for (int y = 7; y >= 1; y--) {
        if (fscanf(board, "%20s", line) != 1)
            return 1;
        for (int x = 1; x <= 7; x++)
            at[x][y] = line[x - 1];
    }
    for (int move = 0; move < 100 && has_move(colours[move % 2]); move++) {
        int me = move % 2, who, count = 0, good = 0;
        if (!fgets(line, sizeof line, replies) || sscanf(line, "%d %19s %d", &who, state, &count) < 2 || who != me + 1)
            return 1;
        for (int number = 0; number < count; number++)
            if (!fgets(answer, sizeof answer, replies))
                return 1;
        int x = 0, y = 0, tx = 0, ty = 0;
        if (!strcmp(state, "ok") && count == 1 && strlen(answer) == 6 && answer[2] == '-' && answer[5] == '\n') {
            x = answer[0] - 'a' + 1, y = answer[1] - '0', tx = answer[3] - 'a' + 1, ty = answer[4] - '0';
            good = x >= 1 && x <= 7 && y >= 1 && y <= 7 && tx >= 1 && tx <= 7 && ty >= 1 && ty <= 7;
            good = good && legal(colours[me], x, y, tx, ty);
        }
        if (!good) {
            if (!strcmp(state, "ok"))
                printf("out %d\n", me + 1);
            points[me] = 0;
            points[!me] += 12;
            break;
        }
        points[me] += at[tx][ty] != '.';
        points[me] += tx == 4 && ty == 4 ? 7 : (tx == 2 || tx == 6) && (ty == 2 || ty == 6) ? 3 : 0;
        at[x][y] = '.';
        at[tx][ty] = colours[me];
        int over = 0;
        for (int each = 0; each < 2; each++)
            if (groups(colours[each]) <= 1) {
                points[each] += 12;
                over = 1;
            }
        if (over)
            break;
    }
    printf("end %d %d\n", points[0], points[1]);
    return 0;
}
