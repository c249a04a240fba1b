"""The flag is the score of the group; each accepted test case brings its share."""
import sys

lines = [line.split() for line in sys.stdin if line.strip()]
accepted = sum(verdict == "AC" for verdict, _ in lines)
print("AC" if accepted else lines[0][0], float(sys.argv[-1]) * accepted / len(lines))
