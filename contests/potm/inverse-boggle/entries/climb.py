"""Changes letters by chance, or swaps two, and keeps what contains more; a little worse is allowed at first, less and less."""

import math
import random
import sys

from snake import NEXT, PLACES, show, snake

STEPS = 2500


def tree_of(words):
    """Words by their letters: each node has its next letters, and the word that ends there."""
    root = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node["word"] = word
    return root


def score(square, tree):
    found = set()

    def walk(node, place, used):
        if "word" in node:
            found.add(node["word"])
        for other in NEXT[place]:
            if other not in used and square[other] in node:
                walk(node[square[other]], other, used | {other})

    for place in PLACES:
        if square[place] in tree:
            walk(tree[square[place]], place, {place})
    return sum(map(len, found))


def climb(words, chance):
    tree, letters = tree_of(words), "".join(words)
    square = snake(words)
    now = best = score(square, tree)
    kept = dict(square)
    for step in range(STEPS):
        first, second = chance.sample(PLACES, 2)
        before = square[first], square[second]
        if chance.random() < 0.7:
            square[first] = chance.choice(letters)
        else:
            square[first], square[second] = square[second], square[first]
        after = score(square, tree)
        if after >= now or chance.random() < math.exp((after - now) / (8 * (1 - step / STEPS) + 0.1)):
            now = after
            if now > best:
                best, kept = now, dict(square)
        else:
            square[first], square[second] = before
    return kept


if __name__ == "__main__":
    with open(sys.argv[-1], encoding="ascii") as board:
        words = board.read().split()
    show(climb(words, random.Random(1)), words)
