/* Depth first: tries every path, and gives up after a fixed number of steps. Complete on small boards. */

#include <stdio.h>
#include <string.h>

enum { MOST = 26 };

static const int jump[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static int rows, length, best;
static long steps = 30000000;
static int path[MOST * MOST][2], longest[MOST * MOST][2];
static char visited[MOST][MOST];

static int side(const int *a, const int *b, const int *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int crosses(const int *a, const int *b)
{
    for (int i = length - 2; i > 0; i--) {
        const int *c = path[i - 1], *d = path[i];
        if ((long)side(a, b, c) * side(a, b, d) < 0 && (long)side(c, d, a) * side(c, d, b) < 0)
            return 1;
    }
    return 0;
}

static void search(void)
{
    const int *a = path[length - 1];
    if (length > best) {
        best = length;
        memcpy(longest, path, sizeof path);
    }
    for (int way = 0; way < 8; way++) {
        int b[2] = {a[0] + jump[way][0], a[1] + jump[way][1]};
        if (b[0] < 0 || b[1] < 0 || b[0] >= rows || b[1] >= rows || visited[b[0]][b[1]] || crosses(a, b))
            continue;
        if (--steps < 0)
            return;
        memcpy(path[length++], b, sizeof b);
        visited[b[0]][b[1]] = 1;
        search();
        visited[b[0]][b[1]] = 0;
        length--;
    }
}

int main(void)
{
    if (scanf("%d", &rows) != 1 || rows < 1 || rows > MOST)
        return 1;
    /* One triangle of starts is enough: the others are its mirror images. */
    for (int column = 0; column < (rows + 1) / 2; column++)
        for (int row = 0; row <= column; row++) {
            path[0][0] = column;
            path[0][1] = row;
            length = 1;
            visited[column][row] = 1;
            search();
            visited[column][row] = 0;
        }
    for (int i = 0; i < best; i++)
        printf("%s%c%d", i ? " " : "", 'a' + longest[i][0], longest[i][1] + 1);
    putchar('\n');
    return 0;
}
