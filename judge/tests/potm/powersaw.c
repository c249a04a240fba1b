// POWERSAW, by the rules of its README. A piece is the lines along its edges; a corner is where two of them cross, in whole numbers
// (x / w, y / w), so the side of a line on which it lies is exact. Areas are not.
#include "read.h"

typedef __int128 big;
typedef struct { long a, b, c; } line;               // a x + b y + c = 0
typedef struct { int edges[40], count; } piece;

static line lines[20];
static piece pieces[200];
static int line_count, piece_count;

static void corner(const piece *p, int i, big *x, big *y, big *w) {
    line m = lines[p->edges[(i + p->count - 1) % p->count]], n = lines[p->edges[i]];
    *x = (big)m.b * n.c - (big)n.b * m.c;
    *y = (big)n.a * m.c - (big)m.a * n.c;
    *w = (big)m.a * n.b - (big)n.a * m.b;
    if (*w < 0)
        *x = -*x, *y = -*y, *w = -*w;
}

static int side(const piece *p, int i, line l) {
    big x, y, w;
    corner(p, i, &x, &y, &w);
    big value = l.a * x + l.b * y + l.c * w;
    return (value > 0) - (value < 0);
}

// Replaces the piece by its two parts, if the line goes through its inside.
static void cut(int which, int by) {
    piece p = pieces[which], parts[2] = {{.count = 0}, {.count = 0}};
    int plus = 0, minus = 0, sides[40];
    for (int i = 0; i < p.count; i++) {
        sides[i] = side(&p, i, lines[by]);
        plus |= sides[i] > 0;
        minus |= sides[i] < 0;
    }
    if (!plus || !minus)
        return;
    for (int part = 0; part < 2; part++) {
        int sign = part ? -1 : 1;
        piece *to = &parts[part];
        for (int i = 0; i < p.count; i++) {
            int here = sides[i] * sign, next = sides[(i + 1) % p.count] * sign;
            // The edge from corner i to the next one stays if a part of it is on this side; the cut follows where it is left.
            if (here > 0 || next > 0)
                to->edges[to->count++] = p.edges[i];
            if (here > 0 && next <= 0)
                to->edges[to->count++] = by;
        }
    }
    pieces[which] = parts[0];
    pieces[piece_count++] = parts[1];
}

static long double area(const piece *p) {
    long double twice = 0;
    for (int i = 0; i < p->count; i++) {
        big x, y, w, u, v, t;
        corner(p, i, &x, &y, &w);
        corner(p, (i + 1) % p->count, &u, &v, &t);
        twice += ((long double)x / w) * ((long double)v / t) - ((long double)u / t) * ((long double)y / w);
    }
    return twice < 0 ? -twice / 2 : twice / 2;
}

// Reads four numbers in a line: 1 if they are there, 0 for an empty line.
static int read_line(char **at) {
    long values[4];
    int found = 0;
    size_t length;
    for (char *start; (start = word(at, 1, &length)); found++) {
        int sign = *start == '-' ? -1 : 1, signed_ = *start == '-' || *start == '+';
        long value = number(start + signed_, length - signed_, 6);
        if (found == 4 || value < 0)
            wrong();
        values[found] = sign * value;
    }
    if (**at)
        ++*at;
    if (!found)
        return 0;
    if (found < 4 || (values[0] == values[2] && values[1] == values[3]))
        wrong();
    line l = {values[1] - values[3], values[2] - values[0], 0};
    l.c = -l.a * values[0] - l.b * values[1];
    lines[line_count++] = l;
    return 1;
}

int main(int count, char **arguments) {
    char *board = slurp(arguments[1]), *at = slurp(arguments[count - 1]);
    line edges[4] = {{0, 1, 0}, {1, 0, -100}, {0, 1, -100}, {1, 0, 0}};
    for (; line_count < 4; line_count++) {
        lines[line_count] = edges[line_count];
        pieces[0].edges[line_count] = line_count;
    }
    pieces[0].count = 4;
    piece_count = 1;
    read_line(&board);
    while (*at)
        if (read_line(&at) && line_count > 15)
            wrong();
    for (int by = 4; by < line_count; by++)
        for (int which = piece_count - 1; which >= 0; which--)
            cut(which, by);
    long double largest = 0, smallest = 1e9;
    for (int i = 0; i < piece_count; i++) {
        long double size = area(&pieces[i]);
        largest = size > largest ? size : largest;
        smallest = size < smallest ? size : smallest;
    }
    printf("diff=%.9Lf pieces=%d largest=%.9Lf smallest=%.9Lf\n", largest - smallest, piece_count, largest, smallest);
}
