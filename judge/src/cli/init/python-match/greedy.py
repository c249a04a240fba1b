#!/usr/bin/env python3
"""Takes as much as possible."""
import sys

for line in sys.stdin:
    print(min(3, int(line)), flush=True)
