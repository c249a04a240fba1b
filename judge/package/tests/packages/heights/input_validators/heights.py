import re
import sys

lines = sys.stdin.read().split("\n")
assert len(lines) == 3 and lines[2] == "", "two lines"
assert re.fullmatch("[1-9][0-9]*", lines[0]) and int(lines[0]) <= int(sys.argv[1]), "the first line"
assert re.fullmatch("-?[0-9]+( -?[0-9]+)*", lines[1]) and len(lines[1].split()) == int(lines[0]), "the second line"
sys.exit(42)
