"""Takes the largest digit, except where that would write 0 and another would not."""

from any_digit import choices, play


def largest(lines):
    left = choices(lines)
    return min([each for each in left if each != ["0"]] or left, key=lambda each: int(each[0]))


if __name__ == "__main__":
    play(largest)
