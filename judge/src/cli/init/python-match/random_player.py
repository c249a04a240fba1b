#!/usr/bin/env python3
"""Takes any number, the same one whenever it sees the same heap."""
import random
import sys

for line in sys.stdin:
    heap = int(line)
    print(random.Random(heap).randint(1, min(3, heap)), flush=True)
