"""A number is to be found between two others, in three passes. All that they have in common is in the feedback folder."""
import pathlib
import sys

number, low, high = map(int, open(sys.argv[1]).read().split())
feedback = pathlib.Path(sys.argv[3])
log = feedback / "guesses.txt"
before = log.read_text().split() if log.exists() else []
print(low, high, flush=True)
guesses = 0
while True:
    line = sys.stdin.readline()
    guesses += 1
    if not line.strip().isdigit() or not low <= int(line) <= high or guesses > 8:
        sys.exit(43)
    guess = int(line)
    if guess == number:
        break
    print("higher" if guess < number else "lower", flush=True)
print("found", flush=True)
log.write_text(" ".join(before + [str(guesses)]))
if len(before) < 2:
    (feedback / "nextpass.in").write_text(f"{number + 100} {low + 100} {high + 100}\n")
sys.exit(42)
