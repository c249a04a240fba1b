"""After Genetic_grouper, the winner of 1999: words that exclude each other form groups, and groups are solved one by one.

A place that is worth as much as all that it excludes is taken. Small groups are searched completely; in a large one, places are
taken by chance until what is left falls apart into small groups, and the best of many tries counts.
"""

import random
import sys

from first_come import places, read, show

SMALL, TRIES = 30, 60


def groups_of(left, excludes):
    left = set(left)
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            place = edge.pop()
            group.add(place)
            more = excludes[place] & left
            left -= more
            edge += sorted(more)
        yield group


def complete(group, excludes, worth):
    """The best choice of a small group, by trying with and without the place that excludes most."""
    if not group:
        return 0, []
    place = max(sorted(group), key=lambda place: len(excludes[place] & group))
    around = excludes[place] & group
    if worth[place] >= sum(worth[other] for other in around):
        value, taken = choose(group - around - {place}, excludes, worth)
        return value + worth[place], [place, *taken]
    value, taken = choose(group - around - {place}, excludes, worth)
    without = choose(group - {place}, excludes, worth)
    return max((value + worth[place], [place, *taken]), without)


def choose(left, excludes, worth, chance=None):
    """The best choice, group by group."""
    total, taken = 0, []
    for group in groups_of(left, excludes):
        if len(group) <= SMALL or chance is None:
            value, more = complete(group, excludes, worth)
        else:
            value, more = max(by_chance(group, excludes, worth, chance) for _ in range(TRIES))
        total += value
        taken += more
    return total, taken


def by_chance(group, excludes, worth, chance):
    total, taken = 0, []
    while max(map(len, groups_of(group, excludes)), default=0) > SMALL:
        # Out of a few by chance, the place that excludes least for its worth.
        place = min(chance.sample(sorted(group), 4), key=lambda place: sum(worth[other] for other in excludes[place] & group) - worth[place])
        total += worth[place]
        taken.append(place)
        group = group - excludes[place] - {place}
    value, more = choose(group, excludes, worth)
    return total + value, [*taken, *more]


if __name__ == "__main__":
    found = list(places(*read(sys.argv[-1])))
    worth = [len(word) for word, *_ in found]
    excludes = [{b for b in range(len(found)) if b != a and (found[a][0] == found[b][0] or found[a][4] & found[b][4])}
                for a in range(len(found))]
    _, taken = choose(range(len(found)), excludes, worth, random.Random(1))
    show([found[place] for place in taken])
