// SCENIC TOUR, by the rules of its README.
#include "read.h"

static int heights[302][302], visited[302][302];

int main(int count, char **arguments) {
    char *board = slurp(arguments[1]), *at = slurp(arguments[count - 1]), *start;
    static const char *names[] = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};
    static const int down[] = {-1, -1, 0, 1, 1, 1, 0, -1}, right[] = {0, 1, 1, 1, 0, -1, -1, -1};
    long limit = strtol(board, &board, 10), size = strtol(board, &board, 10);
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            heights[row][column] = strtol(board, &board, 10);
    long climbs[2] = {0, 0}, moves = 0;
    int row = 0, column = 0, back = 0, over = 0;
    size_t length;
    while ((start = word(&at, 0, &length))) {
        int way = 0;
        while (way < 8 && (strlen(names[way]) != length || memcmp(names[way], start, length)))
            way++;
        if (way == 8 || ++moves > limit || over)
            wrong();
        int to_row = row + down[way], to_column = column + right[way];
        if (to_row < 0 || to_column < 0 || to_row >= size || to_column >= size || visited[to_row][to_column]++)
            wrong();
        climbs[back] += abs(heights[to_row][to_column] - heights[row][column]);
        row = to_row;
        column = to_column;
        if (row == size - 1 && column == size - 1)
            back = 1;
        if (row == 0 && column == 0) {
            if (!back)
                wrong();
            over = 1;
        }
    }
    if (!over)
        wrong();
    // Six decimals, cut, as the referee prints them.
    long long score = climbs[1] * 1000000LL / (climbs[0] ? climbs[0] : 1);
    printf("score=%lld.%06lld there=%ld back=%ld moves=%ld\n", score / 1000000, score % 1000000, climbs[0], climbs[1], moves);
}
