import sys

# The value of the chosen things is the score. The things are numbered from 1.
with open(sys.argv[1]) as file:
    room, count = map(int, file.readline().split())
    things = [tuple(map(float, file.readline().split())) for _ in range(count)]
try:
    chosen = [int(word) - 1 for word in sys.stdin.read().split()]
    taken = [things[thing] for thing in chosen]
except (ValueError, IndexError):
    sys.exit(43)
if min(chosen, default=0) < 0 or len(set(chosen)) < len(chosen) or sum(size for size, _ in taken) > room:
    sys.exit(43)
with open(sys.argv[3] + "score.txt", "w") as file:
    file.write("%.12e" % sum(value for _, value in taken))
sys.exit(42)
