"""First fit decreasing: items from the largest to the smallest, each into the first bin with room."""

import sys

words = [int(word) for word in open(sys.argv[1], encoding="ascii").read().split()]
capacity, sizes = words[0], words[3:]
bins = []
for item in sorted(range(len(sizes)), key=lambda item: -sizes[item]):
    for bin in bins:
        if bin[0] >= sizes[item]:
            break
    else:
        bin = [capacity]
        bins.append(bin)
    bin[0] -= sizes[item]
    bin.append(item + 1)
for bin in bins:
    print(*bin[1:])
