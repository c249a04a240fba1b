"""First pass: a number becomes a word of a and b. Second pass: the word becomes the number again."""
import pathlib
import sys

given = open(sys.argv[1]).read().split()
feedback = pathlib.Path(sys.argv[3])
said = sys.stdin.read().split()
state = feedback / "state.txt"
next_input = feedback / "nextpass.in"
assert not next_input.exists(), "the input of this pass is still there"


def note(text):
    with open(feedback / "judgemessage.txt", "a") as message:
        message.write(text + "\n")


if given[0] == "encode":
    assert not state.exists()
    if len(said) != 1 or len(said[0]) > 20 or set(said[0]) - set("ab"):
        note("no word of at most 20 letters")
        sys.exit(43)
    state.write_text(given[1])
    next_input.write_text("decode " + said[0] + "\n")
    note("the word is " + said[0])
    sys.exit(42)
# The number is known from the first pass alone.
sys.exit(42 if said == [state.read_text()] else 43)
