"""Counts each letter with guesses such as EEEEE, then finds the place of each. It needs no list of words."""

LETTERS = "ETAOINSHRDLCUMWFGYPBVKJXQZ"


def ask(guess):
    """Says a guess. Returns how many letters are right, and how many belong elsewhere."""
    print(guess, flush=True)
    _, right, elsewhere = input().split()
    return int(right), int(elsewhere)


def spell(length):
    left = ""
    for letter in LETTERS:
        right, _ = ask(letter * length)
        if right == length:
            return
        left += letter * right
        if len(left) == length:
            break
    absent = next(letter for letter in LETTERS if letter not in left)
    known = ""
    while len(known) < length:
        options = sorted(set(left))
        for letter in options:
            # The last letter that is possible here needs no guess.
            if letter == options[-1] and len(known) + 1 < length:
                break
            right, _ = ask((known + letter).ljust(length, absent))
            if right == length:
                return
            if right > len(known):
                break
        known += letter
        left = left.replace(letter, "", 1)


if __name__ == "__main__":
    spell(int(input()))
