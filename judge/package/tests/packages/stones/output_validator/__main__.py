import sys

from distance import distance

LARGEST = {{largest}}

wanted = int(open(sys.argv[2]).read())
try:
    given = int(sys.stdin.read())
except ValueError:
    sys.exit(43)
kind = sys.argv[4] if len(sys.argv) > 4 else "exact"
if kind == "exact" or not 0 <= given <= LARGEST:
    with open(sys.argv[3] + "judgemessage.txt", "w") as file:
        file.write(f"exactly {wanted} expected, found {given}\n")
    sys.exit(42 if given == wanted else 43)
# A multiplier for how near the guess is.
with open(sys.argv[3] + "score_multiplier.txt", "w") as file:
    file.write(str(max(0.0, 1 - distance(wanted, given) / int(sys.argv[5]))))
sys.exit(42)
