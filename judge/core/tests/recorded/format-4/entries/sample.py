"""Swaps neighbours that are in the wrong order, from left to right, until all are in order."""

import sys

row = [int(word) for word in open(sys.argv[1], encoding="ascii").read().split()]
swapped = True
while swapped:
    swapped = False
    for place in range(len(row) - 1):
        if row[place] > row[place + 1]:
            row[place], row[place + 1] = row[place + 1], row[place]
            print(place + 1)
            swapped = True
