/* An anytime sample entry for Loyd's Dilemma in C: it has an answer at once and improves it while there is time.
 *
 * Called as `anytime BOARD_FILE`; prints its moves on one line. Build: cc -O2 -o anytime anytime.c
 *
 * The judge stops the clock when the program exits, and an answer counts only if it exits before the limit. So:
 *   1. find any answer;
 *   2. look for a shorter one, again and again, until the time is nearly up;
 *   3. print the best one, and exit.
 * A contest with a grace period sends SIGTERM at the limit; then 3 follows as well.
 * A contest that takes a stream of answers sets JUDGE_STREAM. Then each better answer is printed at once, and the
 * last one counts even if the limit ends the program.
 *
 * An answer places one tile after the other, each by the fewest moves that disturb no placed tile. Step 2 changes the
 * order at random and keeps a change that does not make the answer longer.
 */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SPOTS = 25, TILES = 24, CENTRE = 12, LONGEST = 4096 };

static const char PERFECTION[] = "ABCDEFGHIJKLMNOPQRSTUVWX+";
static const char PATTERN[] = "ABCDEFGHIJKL+MNPQRSOUVWXT"; /* four moves before perfection */
static const char CLOSING[] = "lluu";
static const char ORDER[] = "AEUTBDFJOPVXCKNWGHILMQRS"; /* from the border inwards; walls no tile in */

static volatile sig_atomic_t warned = 0;

static void on_warning(int signal) {
    (void)signal;
    warned = 1;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

/* The spot of the tile that a move takes to the empty spot; -1 if the move is illegal. */
static int source(int empty, char move) {
    switch (move) {
    case 'u': return empty + 5 < SPOTS ? empty + 5 : -1;
    case 'd': return empty - 5;
    case 'l': return empty % 5 < 4 ? empty + 1 : -1;
    case 'r': return empty % 5 > 0 ? empty - 1 : -1;
    default: return empty != CENTRE ? CENTRE : -1; /* t */
    }
}

/* Writes the fewest moves that take the tile from its spot to the goal and touch no fixed spot; returns their number,
 * or -1 if there are none. A breadth-first search over pairs of the tile's spot and the empty spot. */
static int shortest(int tile, int empty, int goal, const char *fixed, char *moves) {
    static int queue[SPOTS * SPOTS], before[SPOTS * SPOTS];
    static char by[SPOTS * SPOTS];
    int head = 0, tail = 0, start = tile * SPOTS + empty;
    memset(by, 0, sizeof by);
    by[start] = '.';
    queue[tail++] = start;
    while (head < tail) {
        int pair = queue[head++];
        int length = 0;
        tile = pair / SPOTS, empty = pair % SPOTS;
        if (tile == goal) {
            for (int at = pair; at != start; at = before[at]) length++;
            for (int at = pair, left = length; at != start; at = before[at]) moves[--left] = by[at];
            return length;
        }
        for (const char *move = "udlrt"; *move; move++) {
            int from = source(empty, *move);
            if (from < 0 || fixed[from]) continue;
            int after = (from == tile ? empty : tile) * SPOTS + from;
            if (by[after]) continue;
            by[after] = *move;
            before[after] = pair;
            queue[tail++] = after;
        }
    }
    return -1;
}

/* Writes the answer that places the tiles in this order, and returns its length; -1 if the order walls a tile in. */
static int solve(const char *start, const char *order, char *answer) {
    char board[SPOTS + 1], fixed[SPOTS] = {0};
    int length = 0;
    strcpy(board, start);
    for (int turn = 0; turn < TILES; turn++) {
        int empty = strchr(board, '+') - board, tile = strchr(board, order[turn]) - board;
        int goal = strchr(PATTERN, order[turn]) - PATTERN;
        int moves = shortest(tile, empty, goal, fixed, answer + length);
        if (moves < 0 || length + moves > LONGEST / 2) return -1;
        for (int end = length + moves; length < end; length++) {
            int from = source(empty, answer[length]);
            board[empty] = board[from];
            board[from] = '+';
            empty = from;
        }
        fixed[goal] = 1;
    }
    strcpy(answer + length, CLOSING);
    return length + (int)strlen(CLOSING);
}

/* Reads the 25 symbols of a board file. */
static void read_board(const char *path, char *board) {
    FILE *file = fopen(path, "r");
    int symbol, count = 0;
    if (!file) {
        perror(path);
        exit(2);
    }
    while ((symbol = fgetc(file)) != EOF)
        if (!isspace(symbol) && count++ < SPOTS) board[count - 1] = (char)symbol;
    fclose(file);
    board[count < SPOTS ? count : SPOTS] = 0;
    for (const char *wanted = PERFECTION; *wanted; wanted++)
        if (count != SPOTS || !strchr(board, *wanted)) {
            fprintf(stderr, "invalid board in %s: use A to X and + once each\n", path);
            exit(2);
        }
}

/* Prints an answer at once, whatever standard output is. */
static void say(const char *answer) {
    puts(answer);
    fflush(stdout);
}

int main(int argc, char **argv) {
    double begun = now();
    char board[SPOTS + 1], order[TILES + 1], answer[LONGEST], best[LONGEST];
    if (argc != 2) {
        fprintf(stderr, "give the path of a board file as the only argument\n");
        return 2;
    }
    signal(SIGTERM, on_warning);
    read_board(argv[1], board);

    /* The limit counts from the start of the process to its end: leave time to start and to exit. */
    const char *variable = getenv("JUDGE_LIMIT_MS");
    double limit = (variable ? atof(variable) : 10000) / 1000, margin = limit / 10 + 0.1;
    double deadline = begun + limit - (margin < 2 ? margin : 2);

    int stream = getenv("JUDGE_STREAM") != NULL;

    strcpy(order, ORDER);
    int length = solve(board, order, best);
    if (stream) say(best);
    srand(1); /* the same seed always, so that a run can be repeated */
    while (!warned && now() < deadline) {
        char changed[TILES + 1];
        int a = rand() % TILES, b = rand() % TILES;
        strcpy(changed, order);
        changed[a] = order[b], changed[b] = order[a];
        int other = solve(board, changed, answer);
        if (other >= 0 && other <= length) {
            int shorter = other < length;
            length = other;
            strcpy(order, changed);
            strcpy(best, answer);
            if (stream && shorter) say(best);
        }
    }
    say(best);
    return 0;
}
