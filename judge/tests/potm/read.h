// What all checkers share: they read an answer and print `wrong` or its figures.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void wrong(void) {
    puts("wrong");
    exit(0);
}

// The whole file with a zero at its end. Zero bytes in it become 1, which is in no answer.
static char *slurp(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    if (!file)
        exit(2);
    for (size_t got; (got = fread(text + size, 1, room - size, file)) > 0;) {
        size += got;
        if (size == room)
            text = realloc(text, (room *= 2) + 1);
    }
    fclose(file);
    for (size_t at = 0; at < size; at++)
        if (!text[at])
            text[at] = 1;
    text[size] = 0;
    return text;
}

// The next word, or NULL; stops at a line's end if asked to. Moves the place behind it and gives the length.
static char *word(char **at, int in_line, size_t *length) {
    while (isspace((unsigned char)**at) && !(in_line && **at == '\n'))
        ++*at;
    char *start = *at;
    while (**at && !isspace((unsigned char)**at))
        ++*at;
    *length = *at - start;
    return *length ? start : NULL;
}

// A number of so many digits at most, or -1.
static long number(const char *start, size_t length, size_t digits) {
    long value = 0;
    if (length == 0 || length > digits)
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)start[i]))
            return -1;
        value = value * 10 + start[i] - '0';
    }
    return value;
}
