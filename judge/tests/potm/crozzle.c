// CROZZLE, by the rules of its README.
#include "read.h"

static char grid[22][22], list[300][32];
static int placed[300], listed, reached[22][22], in_word[22][22];

// Counts a run of letters as a word of the list, or refuses it.
static void run(int row, int column, int down, int length) {
    char text[32];
    for (int i = 0; i < length; i++) {
        text[i] = grid[row + i * down][column + i * !down];
        in_word[row + i * down][column + i * !down]++;
    }
    text[length] = 0;
    for (int i = 0; i < listed; i++)
        if (!strcmp(text, list[i])) {
            if (placed[i]++)
                wrong();
            return;
        }
    wrong();
}

static int spread(int row, int column) {
    if (!grid[row][column] || reached[row][column])
        return 0;
    reached[row][column] = 1;
    return 1 + spread(row - 1, column) + spread(row + 1, column) + spread(row, column - 1) + spread(row, column + 1);
}

int main(int count, char **arguments) {
    char *board = slurp(arguments[1]), *at = slurp(arguments[count - 1]), *start;
    size_t length;
    while ((start = word(&board, 0, &length)))
        memcpy(list[listed++], start, length);
    char *end = at + strlen(at);
    while (end > at && isspace((unsigned char)end[-1]))
        *--end = 0;
    int row = 1, column = 1, words = 0, conns = 0, letters = 0, first_row = 0, first_column = 0;
    for (; *at; at++) {
        if (*at == '\r')
            continue;
        if (*at == '\n') {
            if (column != 21)
                wrong();
            row++;
            column = 1;
        } else {
            if (row > 20 || column > 20 || !(islower((unsigned char)*at) || *at == '.'))
                wrong();
            grid[row][column++] = *at == '.' ? 0 : *at;
        }
    }
    if (row != 20 || column != 21)
        wrong();
    for (int down = 0; down < 2; down++)
        for (int one = 1; one <= 20; one++)
            for (int from = 1, to; from <= 20; from = to + 1) {
                for (to = from; down ? grid[to][one] : grid[one][to];)
                    to++;
                if (to - from > 1) {
                    run(down ? from : one, down ? one : from, down, to - from);
                    words++;
                }
            }
    for (row = 1; row <= 20; row++)
        for (column = 1; column <= 20; column++)
            if (grid[row][column]) {
                if (!in_word[row][column])
                    wrong();
                letters++;
                conns += in_word[row][column] - 1;
                first_row = row;
                first_column = column;
            }
    if (!words || spread(first_row, first_column) != letters)
        wrong();
    printf("words=%d conns=%d lettr=%d\n", words, conns, letters);
}
