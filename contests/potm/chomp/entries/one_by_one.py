"""The last cookie of the last row; but where there is one row or one column, all of it but the poisoned cookie."""

from any_bite import bite, bites, play


def careful(rows):
    left = bites(rows)
    if not any(row for row, _ in left) or not any(column for _, column in left):
        return bite(rows, *left[0])
    return bite(rows, *left[-1])


if __name__ == "__main__":
    play(careful)
