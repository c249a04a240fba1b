"""Plays by a table of all numbers: leaves one from which whoever is to move loses, if it can."""

from any_digit import choices, play


def table(most):
    """For each number, whether the seat that is to move wins. At 0 it does, as the other one wrote the 0."""
    wins = [True]
    for number in range(1, most + 1):
        wins.append(any(not wins[number - int(digit)] for digit in str(number) if digit != "0"))
    return wins


def best(lines, wins):
    left = choices(lines)
    return next((each for each in left if not wins[int(each[0])]), left[0])


if __name__ == "__main__":
    WINS = table(99_999)
    play(lambda lines: best(lines, WINS))
