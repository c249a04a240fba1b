"""Judges sources: `short N` gives less for more than N bytes, `without WORD…` rejects words. No program has `eval`."""
import os
import re
import sys

language, entry_point, feedback, *rule = sys.argv[1:]
assert feedback.endswith("/") and os.path.isdir(feedback)
files = {name: open(name, "rb").read() for name in os.listdir(".") if os.path.isfile(name)}
assert entry_point in files and "validate.py" not in files, files.keys()
assert (language == "cpp") == entry_point.endswith(".cpp"), (language, entry_point)
# What was built is there too, as are included files.
assert ("program" in files) == (language == "cpp"), files.keys()
assert ("given.py" in files) == (language == "python3"), files.keys()
source = files[entry_point].decode()
words = re.findall("[a-z]+", source)


def leave(name, text):
    with open(feedback + name, "w") as file:
        file.write(text)


for word in ["eval"] + (rule[1:] if rule[:1] == ["without"] else []):
    if word in words:
        leave("teammessage.txt", f"no {word} is allowed\n")
        leave("judgemessage.txt", f"{entry_point} has {word}\n")
        sys.exit(43)
if rule[:1] == ["short"]:
    size, most = len(source), int(rule[1])
    if size > 4 * most:
        leave("score.txt", "5")
    elif size > most:
        leave("score_multiplier.txt", "0.5\n")
sys.exit(42)
