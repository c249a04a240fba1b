#!/usr/bin/env python3
"""Draws the pictures of docs/puzzles.md, from boards, and from answers and positions of the contests in results/potm.

    python3 contests/potm/pictures.py docs/gallery      # writes NAME.svg there for each game and month

A unit is a tenth of a square. Colours are classes, with others for dark screens.
"""

import json
import os
import re
import sys

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEPS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1), "ne": (-1, 1), "nw": (-1, -1), "se": (1, 1), "sw": (1, -1)}
# Paper, ink, soft, and colours a to d.
LIGHT = dict(zip("pisabcd", ["#fbfaf6", "#1f2328", "#dcd8cc", "#3b7dd8", "#cf4a33", "#e3a92c", "#3f9a5b"]))
DARK = dict(zip("pisabcd", ["#1b1e24", "#eceff3", "#434955", "#5c9bf0", "#e8705a", "#9a6d10", "#2f7d4b"]))


def read(path):
    with open(os.path.join(PROJECT, path), encoding="ascii") as file:
        return file.read()


def rows_of(path):
    return read(path).split()


def output(month, entry, board, end="out", stage=1):
    return read(f"results/potm/{month}/output/{stage}/{entry}/{board}.1.{end}")


def positions(month, entry, board, stage=1):
    lines = output(month, entry, board, "frames.jsonl", stage).splitlines()
    return [{"touched": [], **json.loads(line)} for line in lines]


def cells(rows, wanted):
    return [(row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell in wanted]


class Picture:
    def __init__(self, rows, columns, title):
        self.high, self.wide, self.title, self.parts = 10 * rows, 10 * columns, title, []

    def path(self, shape, css, more=""):
        if shape:
            self.parts.append(f'<path class="{css}"{more} d="{shape}"/>')

    def squares(self, places, css, inset=0.5, more=""):
        side = number(10 - 2 * inset)
        shapes = [f"M{number(10 * c + inset)} {number(10 * r + inset)}h{side}v{side}h-{side}z" for r, c in places]
        self.path("".join(shapes), css, more)

    def grid(self, rows, columns, inset=0.5):
        self.squares([(row, column) for row in range(rows) for column in range(columns)], "s", inset)

    def box(self, row, column, high, wide, css):
        self.parts.append(f'<rect class="{css}" x="{10 * column + 0.6:g}" y="{10 * row + 0.6:g}" width="{10 * wide - 1.2:g}" '
                          f'height="{10 * high - 1.2:g}" rx="1.5"/>')

    def discs(self, places, css, radius=4):
        r, d = number(radius), number(2 * radius)
        shapes = [f"M{number(10 * x + 5 - radius)} {number(10 * y + 5)}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0" for y, x in places]
        self.path("".join(shapes), css)

    def letters(self, rows, css="i", size=7):
        """A character per square; blanks are left out."""
        for row, line in enumerate(rows):
            found = [(column, cell) for column, cell in enumerate(line) if cell != " "]
            if found:
                at = " ".join(number(10 * column + 5) for column, _ in found)
                self.parts.append(f'<text class="{css}" font-size="{size}" y="{number(10 * row + 5 + 0.36 * size)}" x="{at}">'
                                  f'{"".join(cell for _, cell in found)}</text>')

    def text(self, row, column, text, css="i", size=7):
        self.parts.append(f'<text class="{css}" font-size="{size}" x="{number(10 * column)}" '
                          f'y="{number(10 * row + 5 + 0.36 * size)}">{text}</text>')

    def ways(self, ways, css, width, more=""):
        points = [" ".join(f"{number(10 * column + 5)} {number(10 * row + 5)}" for row, column in places) for places in ways]
        self.path("".join(f"M{line}" for line in points), f"w {css}", f' stroke-width="{width}"{more}')

    def way(self, places, css, width=1.6, more=""):
        self.ways([places], css, width, more)

    def svg(self):
        scale = min(180 / self.wide, 150 / self.high)

        def colours(of):
            return "".join(f".{name}{{fill:{colour}}}.w.{name}{{stroke:{colour};fill:none}}" for name, colour in of.items())

        return (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="-4 -4 {self.wide + 8} {self.high + 8}" '
                f'width="{round(scale * (self.wide + 8))}" height="{round(scale * (self.high + 8))}">\n<title>{self.title}</title>\n'
                f"<style>text{{font-family:sans-serif;text-anchor:middle}}.w{{stroke-linecap:round;stroke-linejoin:round}}{colours(LIGHT)}"
                f"@media(prefers-color-scheme:dark){{{colours(DARK)}}}</style>\n"
                f'<rect class="p" x="-4" y="-4" width="{self.wide + 8}" height="{self.high + 8}" rx="3"/>\n'
                + "\n".join(self.parts) + "\n</svg>\n")


def number(value):
    return f"{round(value, 2):g}"


def loyd():
    rows = rows_of("tests-boards/loyd/foxy.txt")
    picture = Picture(5, 5, "Twenty-four tiles with letters, and an empty spot")
    picture.squares(cells(rows, set("ABCDEFGHIJKLMNOPQRSTUVWX")), "s")
    picture.squares([(2, 2)], "c")
    picture.letters([row.replace("+", " ") for row in rows])
    return picture


def ufo():
    rows = rows_of("tests-boards/ufo/fig-1.txt")
    picture = Picture(5, 5, "Pieces on 5 by 5 squares, one of which has to stop in the middle")
    picture.grid(5, 5)
    picture.squares([(2, 2)], "c")
    picture.discs(cells(rows, "123456789"), "a")
    picture.discs(cells(rows, "XYZ"), "b")
    picture.letters([row.replace(".", " ") for row in rows], "p", 6)
    return picture


def shift():
    rows = [row for row in rows_of("tests-boards/shift/klotski.txt") if "goal" not in row]
    picture = Picture(len(rows), len(rows[0]), "Rectangular blocks in a tray; the big one has to get out at the bottom")
    for block in sorted(set("".join(rows)) - {"."}):
        places = cells(rows, block)
        (top, left), (bottom, right) = places[0], places[-1]
        small = len(places) == 1
        picture.box(top, left, bottom - top + 1, right - left + 1, "b" if block == "X" else "s" if small else "a")
        picture.text((top + bottom) / 2, (left + right + 1) / 2, block, "i" if small else "p", 6)
    return picture


def swap():
    row = read("tests-boards/swap/4.txt").split()[0]
    picture = Picture(2, len(row), "Four pieces of each colour that have to change places")
    picture.squares([(1, column) for column in range(len(row))], "s")
    picture.discs([(1, column) for column, cell in enumerate(row) if cell == "B"], "a", 3.8)
    picture.discs([(1, column) for column, cell in enumerate(row) if cell == "R"], "b", 3.8)
    middle = row.index(".")
    picture.way([(0.4, middle - 1), (0.1, middle - 0.5), (0.4, middle)], "i", 1)
    return picture


def hexa_draughts():
    picture = Picture(5, 6, "Three men below a line, and the point above it that one of them reaches")
    def at(row, column):
        return (2 - row) * 0.87 + 0.6, (column + 5) / 2
    points = [at(row, column) for row in range(-2, 3) for column in range(-5, 6) if (row + column) % 2 == 0]
    picture.discs(points, "s", 1.2)
    picture.way([at(0.5, -5), at(0.5, 5)], "s", 0.8)
    picture.way([at(-1, 1), at(1, -1)], "b", 0.9)
    picture.way([at(0, -2), at(2, 0)], "b", 0.9)
    picture.discs([at(-1, 1), at(0, -2), at(0, 0)], "a", 3)
    picture.discs([at(2, 0)], "c", 3)
    return picture


def aimless():
    lines = read("contests/potm/aimless/boards/seed-1.txt").split("\n")
    _, high, wide, count = map(int, lines[0].split())
    floors = [[line.ljust(wide) for line in lines[at + 1:at + 1 + high]] for at in range(0, count * (high + 1), high + 1)]
    picture = Picture(high, count * (wide + 1) - 1, "A walk over three floors")

    def on(floor, row, column):
        return row, column + floor * (wide + 1)

    floor, (row, column) = 0, cells(floors[0], "E")[0]
    ways, stairs = [[on(floor, row, column)]], set()
    for letter in output("aimless", "detours", "SEED-1").strip():
        if letter in "ud":
            stairs.add(on(floor, row, column))
            floor += 1 if letter == "u" else -1
            stairs.add(on(floor, row, column))
            ways.append([on(floor, row, column)])
        else:
            row, column = row + STEPS[letter][0], column + STEPS[letter][1]
            ways[-1].append(on(floor, row, column))
    for floor, rows in enumerate(floors):
        left = 10 * floor * (wide + 1)
        picture.parts.append(f'<rect class="s" x="{left}" width="{10 * wide}" height="{10 * high}"/>')
        picture.squares([on(floor, *place) for place in cells(rows, "#")], "i", 0)
    picture.ways([way for way in ways if len(way) > 1], "a", 2)
    picture.discs(sorted(stairs), "c", 2)
    picture.discs(cells(floors[0], "E"), "b", 3.5)
    return picture


def letters_in_a_grid(rows, title):
    picture = Picture(len(rows), len(rows[0]), title)
    picture.squares(cells(rows, set("abcdefghijklmnopqrstuvwxyz")), "s", 0.3)
    picture.letters([row.replace(".", " ") for row in rows], "i", 8)
    return picture


def crozzle():
    return letters_in_a_grid(rows_of("results/potm/crozzle/output/1/ruin-and-refill/SEED-1.1.out"), "A crossword")


def quilts():
    squares = [line.split() for line in read("contests/potm/quilts/boards/seed-1.txt").splitlines()]
    sides = {square[0]: square[1:] for square in squares}
    rows = [line.split() for line in output("quilts", "few-colours", "SEED-1").splitlines()]
    picture = Picture(len(rows), len(rows[0]), "Squares with coloured sides, sewn together")
    shapes = {}
    # The corners of the triangle of each side: top, right, bottom, left.
    turns = ["h10l-5 5", "m10 0v10l-5-5", "m0 10h10l-5-5", "v10l5-5"]
    for row, line in enumerate(rows):
        for column, square in enumerate(line):
            for turn, colour in zip(turns, sides.get(square, [])):
                shapes[colour] = shapes.get(colour, "") + f"M{10 * column} {10 * row}{turn}z"
    looks = [("a", ""), ("c", ""), ("s", ""), ("b", ""), ("i", ""), ("d", ""), ("a", 0.4)]
    for (css, pale), colour in zip(looks, sorted(shapes)):
        picture.path(shapes[colour], css, f' fill-opacity="{pale}"' if pale else "")
    lines = [f"M0 {10 * row}h{picture.wide}" for row in range(len(rows) + 1)]
    lines += [f"M{10 * column} 0v{picture.high}" for column in range(len(rows[0]) + 1)]
    picture.path("".join(lines), "w p", ' stroke-width="0.3"')
    return picture


def in_square(rows, word):
    """The squares of a word from one neighbour to the next, none twice."""
    def longer(way):
        if len(way) == len(word):
            return way
        for down, right in STEPS.values():
            row, column = way[-1][0] + down, way[-1][1] + right
            if 0 <= row < 5 and 0 <= column < 5 and rows[row][column] == word[len(way)] and (row, column) not in way:
                found = longer([*way, (row, column)])
                if found:
                    return found
        return None
    return next(filter(None, (longer([place]) for place in cells(rows, word[0]))))


def inverse_boggle():
    words = output("inverse-boggle", "climb", "SEED-1").split()
    rows, words = words[:5], words[5:]
    picture = Picture(5, 5, "A square of letters, and a way through it that reads as a word")
    picture.grid(5, 5)
    way = in_square(rows, max(words, key=len))
    picture.squares(way, "c")
    picture.way(way, "b", 1.2)
    picture.letters(rows)
    return picture


def elbonia_lottery():
    grid = positions("elbonia-lottery", "best-of-many", "N37")[-1]["grid"]
    picture = Picture(len(grid), len(grid[0]), "Tickets, one per row, and the numbers on each")
    picture.parts.append(f'<rect class="s" width="{picture.wide}" height="{picture.high}"/>')
    picture.squares(cells(grid, "#"), "a", 0)
    return picture


def scenic_tour():
    numbers = list(map(int, read("contests/potm/scenic-tour/boards/seed-1.txt").split()))
    size = numbers[1]
    heights = [numbers[2 + at:2 + at + size] for at in range(0, size * size, size)]
    picture = Picture(size, size, "A tour over a map of altitudes, there and back")
    for level in range(6):
        places = [(r, c) for r, line in enumerate(heights) for c, height in enumerate(line) if height * 6 // 256 == level]
        picture.squares(places, "d", 0, f' fill-opacity="{0.08 + 0.16 * level:g}"')
    ways, place = [[(0, 0)]], (0, 0)
    for move in output("scenic-tour", "valleys-and-peaks", "SEED-1").split():
        place = (place[0] + STEPS[move][0], place[1] + STEPS[move][1])
        ways[-1].append(place)
        if place == (size - 1, size - 1):
            ways.append([place])
    picture.way(ways[0], "a", 2.4)
    picture.way(ways[1], "b", 2.4)
    return picture


def powersaw():
    picture = Picture(10, 10, "A square of wood, cut by straight lines")
    picture.parts.append('<rect class="c" width="100" height="100"/>')
    first = read("contests/potm/powersaw/boards/seed-1.txt")
    lines = [first, *output("powersaw", "strips", "SEED-1").splitlines()]
    for line in reversed(lines):
        x, y, to_x, to_y = map(int, line.split())
        # The part of the endless line in the wood, as two parameters along it.
        begin, end = -1e9, 1e9
        for at, by in [(x, to_x - x), (y, to_y - y)]:
            if by:
                begin, end = max(begin, min(-at / by, (100 - at) / by)), min(end, max(-at / by, (100 - at) / by))
        points = [(x + (to_x - x) * t, 100 - y - (to_y - y) * t) for t in (begin, end)]
        css, width = ("b", 2) if line is lines[0] else ("i", 0.8)
        if begin < end:
            picture.path("M" + "L".join(f"{number(a)} {number(b)}" for a, b in points), f"w {css}", f' stroke-width="{width}"')
    return picture


def wordsearch():
    rows = []
    for line in read("contests/potm/wordsearch/boards/seed-1.txt").split("\n"):
        if not line:
            break
        rows.append(line)
    picture = Picture(len(rows), len(rows[0]), "Words in a grid of letters")
    for index, line in enumerate(filter(None, output("wordsearch", "groups", "SEED-1").splitlines())):
        word, row, column, way = line.split()
        (down, right), row, column = STEPS[way], int(row) - 1, int(column) - 1
        end = (row + down * (len(word) - 1), column + right * (len(word) - 1))
        picture.way([(row, column), end], "abcd"[index % 4], 8, ' stroke-opacity="0.45"')
    picture.letters(rows)
    return picture


def moo():
    frames = positions("moo", "letter-by-letter", "SKUNK")[-8:]
    picture = Picture(len(frames), 8, "Guesses of a word, with the number of letters that are right and of those that belong elsewhere")
    picture.grid(len(frames), 5)
    for row, frame in enumerate(frames):
        picture.squares([(row, column) for _, column in frame["touched"]], "d")
        picture.text(row, 6.7, frame["grid"][1])
    picture.letters([frame["grid"][0] for frame in frames])
    return picture


def wheels(picture, row, column, digits, css="s"):
    picture.squares([(row, column + at) for at in range(len(digits))], css)
    picture.letters([""] * row + [" " * column + digits])


def odometerfun():
    reading = rows_of("contests/potm/odometerfun/boards/seed-1.txt")[0]
    miles = int(output("odometerfun", "short", "SEED-1").split()[0])
    picture = Picture(3, 6, "An odometer, and the next of its readings that is the same from both ends")
    wheels(picture, 0, 0, reading)
    picture.text(1, 3, f"+ {miles}", "b")
    wheels(picture, 2, 0, f"{(int(reading) + miles) % 10**6:06}", "c")
    return picture


def reset():
    odometer, trip = map(int, read("contests/potm/reset/boards/seed-1.txt").split()[:2])
    miles = int(output("reset", "smallest-rest", "SEED-1").split()[0])
    def meters(after, trip):
        return f"{(odometer + after) % 10**6:06}{trip % 10**4:04}"
    rest = next(rest for rest in range(10**4) if len(set(meters(miles + rest, rest))) == 10)
    picture = Picture(5, 11, "An odometer and a trip meter, whose button is pressed between")
    lines = [(meters(0, trip), "s"), (meters(miles, 0), "s"), (meters(miles + rest, rest), "c")]
    for row, (digits, css) in enumerate(lines):
        wheels(picture, 2 * row, 0, digits[:6], css)
        wheels(picture, 2 * row, 7, digits[6:], css)
    picture.text(1, 3, f"+ {miles}", "b")
    picture.text(1, 9, "reset", "b")
    picture.text(3, 3, f"+ {rest}", "b")
    return picture


def pegged():
    frames = positions("pegged", "snail", "SEED-3")
    before, after = frames[len(frames) // 2 - 1:len(frames) // 2 + 1]
    rows = before["grid"]
    picture = Picture(len(rows), len(rows[0]), "Pegs in holes, and the jump of one of them")
    picture.discs(cells(rows, "OX"), "s", 4.3)
    picture.discs(cells(rows, "X"), "a", 3)
    if len(after["touched"]) == 3:
        picture.discs([tuple(after["touched"][1])], "b", 3)
    picture.way([after["touched"][0], after["touched"][-1]], "c", 1.4)
    return picture


def suitcase():
    lines = [line.split() for line in read("contests/potm/suitcase/boards/seed-23.txt").splitlines()]
    (high, wide), items, (name, rows, columns) = map(int, lines[0]), lines[1:-1], lines[-1]
    picture = Picture(high, wide + int(columns) + 1, "Items in a suitcase, and one more beside it")
    picture.parts.append(f'<rect class="s" width="{10 * wide}" height="{10 * high}" rx="2"/>')
    for item, *numbers in [*items, [name, rows, columns, "1", str(wide + 2)]]:
        tall, long, row, column = map(int, numbers)
        picture.box(row - 1, column - 1, tall, long, "b" if item == name else "a")
        picture.text(row - 1 + (tall - 1) / 2, column - 1 + long / 2, item, "p", 6)
    return picture


def nuts_alone():
    rows = rows_of("contests/potm/nuts-alone/boards/seed-2.txt")
    picture = Picture(len(rows), len(rows[0]), "A short way to all nuts")
    picture.grid(len(rows), len(rows[0]))
    way = [tuple(int(word) - 1 for word in line.split()) for line in output("nuts-alone", "guided", "SEED-2").splitlines()]
    middle = (len(rows) // 2, len(rows[0]) // 2)
    picture.way([middle, *way], "a", 1.4)
    picture.discs(cells(rows, "*"), "c", 3)
    picture.discs([middle], "b", 3)
    return picture


def nuts_for_all():
    folder = os.path.join(PROJECT, "results/potm/nuts-for-all/output/1")
    games = sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name == "SEED-2.1.frames.jsonl")
    with open(games[0], encoding="ascii") as file:
        rows = json.loads(file.read().splitlines()[3])["grid"]
    picture = Picture(len(rows), len(rows[0]), "Squirrels that collect nuts at once")
    picture.grid(len(rows), len(rows[0]))
    picture.discs(cells(rows, "*"), "c", 3)
    picture.discs(cells(rows, "123456789"), "a", 4)
    picture.letters([re.sub("[*.]", " ", row) for row in rows], "p", 6)
    return picture


def numbersgame():
    frames = [frame["grid"][0] for frame in positions("numbersgame", "perfect/against/any-digit", "FROM-27")]
    picture = Picture(3, 10, "The numbers that two seats write in turn")
    for index, text in enumerate(frames[:12]):
        row, column = index // 4, index % 4 * 2.5
        seat, value = text[0], text[1:].strip()
        picture.box(row, column, 1, 2.5, {"1": "a", "2": "b"}.get(seat, "s"))
        picture.text(row, column + 1.25, value, "i" if seat == " " else "p")
    return picture


def chomp():
    frames = positions("chomp", "any-bite/against/solved", "5X8")
    frame = frames[2]
    rows = frame["grid"]
    picture = Picture(len(rows), len(rows[0]), "A grid of cookies, bitten from the lower right; the poisoned one is at the upper left")
    picture.discs(cells(rows, "O"), "c", 4)
    picture.discs(cells(rows, "X"), "b", 4)
    picture.discs(cells(rows, "*"), "s", 1)
    return picture


def pahtum():
    rows = positions("pahtum", "fast/against/own-lines", "SEED-2", 3)[-1]["grid"]
    picture = Picture(7, 7, "A grid in which two seats make lines")
    picture.grid(7, 7)
    picture.squares(cells(rows, "+"), "i")
    picture.discs(cells(rows, "X"), "a", 3.5)
    picture.discs(cells(rows, "O"), "b", 3.5)
    return picture


def loaps():
    frames = positions("loaps", "answer-first/against/most-points", "START")
    frame = frames[min(7, len(frames) - 1)]
    rows = frame["grid"]
    picture = Picture(7, 7, "Lines of Action with squares that bring points, and the last move")
    picture.grid(7, 7)
    picture.squares([(1, 1), (1, 5), (3, 3), (5, 1), (5, 5)], "c")
    picture.way(frame["touched"], "i", 1.2)
    picture.discs(cells(rows, "R"), "b", 3.6)
    picture.discs(cells(rows, "B"), "a", 3.6)
    return picture


PICTURES = [
    loyd, ufo, shift, swap, hexa_draughts, aimless, chomp, crozzle, elbonia_lottery, inverse_boggle, loaps, moo, numbersgame, nuts_alone,
    nuts_for_all, odometerfun, pahtum, pegged, powersaw, quilts, reset, scenic_tour, suitcase, wordsearch,
]

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for draw in PICTURES:
        name = draw.__name__.replace("_", "-")
        with open(os.path.join(sys.argv[1], f"{name}.svg"), "w", encoding="ascii") as file:
            file.write(draw().svg())
