"""Takes any digit, always the same one of the same number."""

import random
import sys


def choices(lines):
    """All that may be answered to an ask, each as its lines."""
    number = int(lines[0])
    return [[str(number - int(digit))] for digit in sorted(set(lines[0]) - {"0"})]


def play(choose):
    """Answers each line that is read."""
    for line in sys.stdin:
        print(choose([line.strip()])[0], flush=True)


if __name__ == "__main__":
    play(lambda lines: random.Random(lines[0]).choice(choices(lines)))
