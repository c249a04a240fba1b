"""Drives on while the digits of the odometer are not all different, and thinks back from there.

The four digits that the odometer does not show, in their order, are the smallest number that the trip meter can show beside it. If
that many miles have been driven, the button was to be pressed so many miles before.
"""

import sys

with open(sys.argv[-1], encoding="ascii") as board:
    for line in board:
        odometer, miles = int(line.split()[0]), 0
        while True:
            shown = f"{(odometer + miles) % 10**6:06}"
            rest = int("".join(sorted(set("0123456789") - set(shown))))
            if len(set(shown)) == 6 and rest <= miles:
                break
            miles += 1
        print(miles - rest)
