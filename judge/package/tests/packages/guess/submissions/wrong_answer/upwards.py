# The validator rejects it before it ends: that decides, and not the failure of its next input.
for guess in range(1, 1001):
    print(guess, flush=True)
    if input() == "correct":
        break
