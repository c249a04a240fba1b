"""Makes a walk longer by detours: a step between two squares becomes three steps, around the squares beside it.

As long as a detour fits anywhere, it is made; those that change floors first, because ups and downs break ties. Then pieces of the
walk are cut out and replaced by the longest of some other ways, and detours are made again.
"""

import random
import sys

from first_way_home import STEPS, read, step, walk

BACK = {"n": "s", "s": "n", "e": "w", "w": "e", "u": "d", "d": "u"}
ROUNDS = 400


def stretch(places, entry, letters, chance):
    """Makes detours until none fits."""
    path = [entry]
    for letter in letters:
        path.append(step(path[-1], letter))
    used, at = set(path), 0
    while at < len(letters):
        sides = [side for side in STEPS if side not in (letters[at], BACK[letters[at]])]
        chance.shuffle(sides)
        for side in sorted(sides, key=lambda side: side not in "ud"):
            first, second = step(path[at], side), step(path[at + 1], side)
            if {first, second} <= places.keys() and not {first, second} & used:
                letters = letters[:at] + side + letters[at] + BACK[side] + letters[at + 1:]
                path[at + 1:at + 1] = [first, second]
                used |= {first, second}
                break
        else:
            at += 1
    return letters, path


def other_way(places, used, start, end, chance):
    """A walk of chance between two squares, over unused ones."""
    place, seen, letters = start, set(used), ""
    while place != end:
        ways = [letter for letter in STEPS if step(place, letter) == end or
                step(place, letter) in places and step(place, letter) not in seen]
        if not ways or len(letters) > 200:
            return None
        letter = chance.choice(ways)
        place = step(place, letter)
        seen.add(place)
        letters += letter
    return letters


def solve(places, entry):
    chance = random.Random(1)
    walks = list(filter(None, (walk(places, entry, chance) for _ in range(300))))
    if not walks:
        return ""
    letters, path = max((stretch(places, entry, letters, chance) for letters in walks), key=lambda each: len(each[0]))
    for _ in range(ROUNDS):
        start = chance.randrange(len(letters) - 1)
        end = min(len(letters), start + chance.randint(2, 12))
        other = other_way(places, path[:start + 1] + path[end:], path[start], path[end], chance)
        if other and (len(other) > 1 or start > 0):
            longer, way = stretch(places, entry, letters[:start] + other + letters[end:], chance)
            if len(longer) >= len(letters):
                letters, path = longer, way
    return letters


if __name__ == "__main__":
    print(solve(*read(sys.argv[-1])))
