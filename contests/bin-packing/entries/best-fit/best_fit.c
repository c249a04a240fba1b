/* Best fit decreasing: items from the largest to the smallest, each into the fullest bin with room. */

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 100000 };

static int size[MOST], order[MOST], bin_of[MOST], room[MOST];

static int larger_first(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return size[x] != size[y] ? size[y] - size[x] : x - y;
}

int main(int argc, char **argv)
{
    int capacity, count, best, bins = 0;
    FILE *board = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!board || fscanf(board, "%d %d %d", &capacity, &count, &best) != 3 || count > MOST)
        return 1;
    for (int item = 0; item < count; item++) {
        if (fscanf(board, "%d", &size[item]) != 1)
            return 1;
        order[item] = item;
    }
    qsort(order, count, sizeof *order, larger_first);
    for (int i = 0; i < count; i++) {
        int item = order[i], into = -1;
        for (int bin = 0; bin < bins; bin++)
            if (room[bin] >= size[item] && (into < 0 || room[bin] < room[into]))
                into = bin;
        if (into < 0)
            room[into = bins++] = capacity;
        room[into] -= size[item];
        bin_of[item] = into;
    }
    for (int bin = 0; bin < bins; bin++) {
        const char *space = "";
        for (int item = 0; item < count; item++)
            if (bin_of[item] == bin) {
                printf("%s%d", space, item + 1);
                space = " ";
            }
        putchar('\n');
    }
    return 0;
}
