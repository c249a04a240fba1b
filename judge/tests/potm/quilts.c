// QUILTS, by the rules of its README.
#include "read.h"

static int colours[1000000][4], known[1000000], used[1000000], seen_colour[1000000];
static int quilt[502][502], reached[502][502];

static int spread(int row, int column) {
    if (!quilt[row][column] || reached[row][column])
        return 0;
    reached[row][column] = 1;
    return 1 + spread(row - 1, column) + spread(row + 1, column) + spread(row, column - 1) + spread(row, column + 1);
}

int main(int count, char **arguments) {
    char *board = slurp(arguments[1]), *at = slurp(arguments[count - 1]), *start;
    size_t length;
    while ((start = word(&board, 0, &length))) {
        long square = number(start, length, 6);
        known[square] = 1;
        for (int side = 0; side < 4; side++) {
            start = word(&board, 0, &length);
            colours[square][side] = number(start, length, 6);
        }
    }
    int squares = 0, cols = 0, open = 0, first_row = 0, first_column = 0;
    for (int row = 1; *at; row++, at += *at != 0) {
        for (int column = 1; (start = word(&at, 1, &length)); column++) {
            long square = number(start, length, 6);
            if (row > 500 || column > 500 || square < 0 || (square && (!known[square] || used[square])))
                wrong();
            quilt[row][column] = square;
            if (!square)
                continue;
            used[square] = 1;
            squares++;
            first_row = row;
            first_column = column;
            for (int side = 0; side < 4; side++)
                if (!seen_colour[colours[square][side]]++)
                    cols++;
        }
    }
    if (!squares)
        wrong();
    static const int down[4] = {-1, 0, 1, 0}, right[4] = {0, 1, 0, -1};
    for (int row = 1; row <= 500; row++)
        for (int column = 1; column <= 500; column++)
            for (int side = 0; quilt[row][column] && side < 4; side++) {
                int other = quilt[row + down[side]][column + right[side]];
                if (!other)
                    open++;
                else if (colours[other][(side + 2) % 4] != colours[quilt[row][column]][side])
                    wrong();
            }
    if (spread(first_row, first_column) != squares)
        wrong();
    // Nine decimals, cut, as the referee prints them.
    long long ratio = squares * 1000000000LL / open;
    printf("ratio=%lld.%09lld cols=%d ar=%d per=%d\n", ratio / 1000000000, ratio % 1000000000, cols, squares, open);
}
