"""Asks for the middle of what is left."""

low, high = 1, int(input())
while True:
    middle = (low + high) // 2
    # Without flush=True the question would wait in this program, and both would wait for each other.
    print(middle, flush=True)
    answer = input()
    if answer == "correct":
        break
    if answer == "higher":
        low = middle + 1
    else:
        high = middle - 1
