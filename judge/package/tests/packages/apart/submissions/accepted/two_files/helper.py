OFFSET = int(open("offset.txt").read())


def apart(difference):
    # Submissions of the legacy format may write files.
    with open("note.txt", "w") as note:
        note.write("x")
    return OFFSET - difference, OFFSET
