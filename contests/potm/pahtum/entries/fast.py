"""After Fast_and_Furious, the winner of 2000: the value of a grid is a sum of 14 terms, one for each row and column, and each term is
looked up. A search by alpha-beta uses it. The winner had learnt the terms from games with itself; here they are guessed.
"""

from functools import cache

from next_free import free, mark_of, play, put

POINTS = [0, 0, 0, 3, 10, 25, 56, 119]
HOPE = [0.1, 0.4, 1.2, 0]


@cache
def term(line, mark):
    """The points of the lines of a mark in a row or column, and something for each three squares that can still become one."""
    other = "XO".replace(mark, "")
    value = sum(POINTS[len(run)] for run in line.replace(other, " ").replace("-", " ").replace("+", " ").split())
    threes = (line[at:at + 3] for at in range(5))
    return value + sum(HOPE[three.count(mark)] for three in threes if other not in three and "+" not in three)


@cache
def both(line, mark):
    return term(line, mark) - term(line, "XO".replace(mark, ""))


def gain(rows, square, mark):
    """The change of the value, for this mark, by a mark in this square."""
    row, column = square
    down, after = "".join(line[column] for line in rows), put(rows, row, column, mark)
    return both(after[row], mark) - both(rows[row], mark) + both(down[:row] + mark + down[row + 1:], mark) - both(down, mark)


def search(rows, mark, depth, low, high):
    """The best change of the value for the seat that is to move, and its square."""
    squares = sorted(((gain(rows, square, mark), square) for square in free(rows)), reverse=True)
    best = (float("-inf"), None) if squares else (0, None)
    # Less promising squares are left out, except near the end.
    for value, square in squares[:12 if depth < len(squares) else None]:
        if depth > 1:
            value -= search(put(rows, *square, mark), "XO".replace(mark, ""), depth - 1, value - high, value - low)[0]
        if value > best[0]:
            best = (value, square)
        low = max(low, value)
        if low >= high:
            break
    return best


def best(rows):
    left = len(free(rows))
    depth = left if left <= 7 else 4 if left <= 12 else 3
    return put(rows, *search(rows, mark_of(rows), depth, float("-inf"), float("inf"))[1], mark_of(rows))


if __name__ == "__main__":
    play(best)
