"""After the name of SplitMoo, the winner of 1999: each guess is the word of a list whose answers split what is left most evenly.

If no word of the list is left, the letters are found one by one.
"""

import os
from collections import Counter

from letter_by_letter import ask, spell


def compare(word, guess):
    right = sum(a == b for a, b in zip(word, guess))
    return right, (Counter(word) & Counter(guess)).total() - right


def best_guess(left, words):
    """The guess with the smallest sum of squares of what each answer would leave; of equal ones, one that may be right."""

    def cost(guess):
        return sum(count * count for count in Counter(compare(word, guess) for word in left).values()), guess not in left, guess

    return min(left if len(left) > 150 or len(left) < 3 else words, key=cost)


if __name__ == "__main__":
    length = int(input())
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "words.txt"), encoding="ascii") as file:
        words = [word for word in file.read().split() if len(word) == length]
    left = words
    while left:
        guess = best_guess(left, words)
        answer = ask(guess)
        if answer == (length, 0):
            break
        left = [word for word in left if compare(word, guess) == answer]
    else:
        spell(length)
