"""Drives mile by mile until the reading is a palindrome."""

import sys

with open(sys.argv[-1], encoding="ascii") as board:
    for line in board:
        reading, miles = int(line), 1
        while True:
            text = f"{(reading + miles) % 1_000_000:06}"
            if text == text[::-1]:
                break
            miles += 1
        print(miles)
