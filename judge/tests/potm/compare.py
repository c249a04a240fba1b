#!/usr/bin/env python3
"""Compares each referee of contests/potm with the checker here, which follows the README of the month and shares no code with it.

    compare.py CONTESTS FOLDER [ANSWERS] [MONTH]...

CONTESTS is contests/potm, and FOLDER a folder for compiled checkers and answers. Per month, ANSWERS answers (1000) are judged by both:
those of the entries to the boards of the month and to new ones, the same with random changes, and hostile ones. With fewer than 500,
only those of the first entry to boards of the month. Of months in which entries play each other, an answer in ten begins a game, which
has many more: see games.py.
The checkers are in C and Perl. Ends with exit code 1 at the first difference, and leaves board and answer in FOLDER.
"""

import importlib.util
import json
import os
import random
import subprocess
import sys
import tomllib

import games

HERE = os.path.dirname(os.path.abspath(__file__))
HOSTILE = [b"", b"\n", b"\0", b"\xff" * 40, b"9" * 5000, b"-1", b"1e99999999", b"0x10", b"none", b"none\n", b"none none", b" \t\r\n",
           b"\x1b[31m", "\u0663".encode(), "\u00b2".encode(), b"1 2 3 4 5 6 7 8\n", b"a" * 3000, b"\n" * 3000]
NEW_BOARDS, FEW = 4, 500


def load(folder):
    spec = importlib.util.spec_from_file_location("referee", os.path.join(folder, "referee.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_referee(module, board, answer, args):
    """What the referee says of an answer, as text that a checker would print."""
    text = answer.decode("ascii", errors="replace")
    read = module.read_board(board)
    if hasattr(module, "talk"):
        lines, said = iter(text.splitlines(keepends=True) if "\r" not in text else text.replace("\n", "\n\0").split("\0")), []
        figures, _, reason = module.talk(read, lambda: next(lines, "")[:100], said.append)
        return "wrong" if reason else "\n".join([*said, f"guesses={figures['guesses']}"])
    frames = []
    try:
        figures = module.rule(read, text, frames, *args)
        ruling = " ".join(f"{name}={value}" for name, value in figures.items())
    except module.Wrong:
        ruling = "wrong"
    ends = [frame["at"] for frame in frames]
    assert ends == sorted(ends) and (not ends or ends[-1] <= len(answer)), f"positions end at {ends} of {len(answer)}"
    assert len(json.dumps(frames)) < 4 << 20, f"{len(frames)} positions are too long"
    return ruling


def same(month, ours, other):
    """Areas of POWERSAW are exact in one program only."""
    if month != "powersaw" or "wrong" in (ours, other):
        return ours == other
    pairs = zip(ours.replace("=", " ").split(), other.replace("=", " ").split())
    return all(a == b or a[0].isdigit() and -1e-8 < float(b) - float(a) < 1.1e-6 for a, b in pairs)


def checker(month, folder):
    """The command of a checker."""
    perl, source = os.path.join(HERE, f"{month}.pl"), os.path.join(HERE, f"{month}.c")
    if os.path.exists(perl):
        return ["perl", perl]
    program = os.path.join(folder, month)
    subprocess.run(["cc", "-std=gnu11", "-O2", "-o", program, source], check=True)
    return [program]


def changed(answer, chance):
    """The answer with one to three random changes."""
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        lines, words = answer.split(b"\n"), answer.split()
        line, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(10)
        if kind == 0:
            del lines[line]
        elif kind == 1:
            lines.insert(other, lines[line])
        elif kind == 2:
            lines[line], lines[other] = lines[other], lines[line]
        elif kind == 3 and words:
            parts = lines[line].split(b" ")
            parts[chance.randrange(len(parts))] = chance.choice(words)
            lines[line] = b" ".join(parts)
        elif kind == 4 and answer:
            at = chance.randrange(len(answer))
            return answer[:at] + bytes([chance.choice(answer)]) + answer[at + 1:]
        elif kind == 5 and answer:
            at = chance.randrange(len(answer))
            return answer[:at] + chance.choice(HOSTILE) + answer[at:]
        elif kind == 6:
            return answer[:chance.randrange(len(answer) + 1)]
        elif kind == 7:
            return answer.replace(b"\n", b"\r\n") + b"\n" * chance.randrange(3)
        elif kind == 8:
            lines[line] = b"  " + lines[line].replace(b" ", b"\t") + b" "
        elif kind == 9:
            del lines[min(line, other):max(line, other)]
        answer = b"\n".join(lines)
    return answer


def boards_of(contest, module, chance, folder, new):
    """Paths of boards, with the arguments of the referee: those of the contest file, and some that the referee makes."""
    boards = [(os.path.join(contest["folder"], board["file"]), board.get("args", [])) for board in contest["board"]]
    for seed in chance.sample(range(100, 1000), new) if hasattr(module, "make") else []:
        path = os.path.join(folder, f"board-{seed}.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write(module.make(seed))
        boards.append((path, []))
    return boards


def answer_of(contest, entry, board, module):
    """What the entry prints for a board."""
    if hasattr(module, "talk"):
        # As there is nobody to talk to here, words of the list are guessed, and at last the right one.
        with open(os.path.join(contest["folder"], "entries", "words.txt"), encoding="ascii") as file:
            word = module.read_board(board)
            words = [each for each in file.read().split() if len(each) == len(word)]
        return "".join(f"{each}\n" for each in words[:20] + [word]).encode()
    command = [sys.executable, "-B", *entry["command"][1:], board]
    return subprocess.run(command, capture_output=True, check=True, cwd=contest["folder"]).stdout


def compare(month, contest, folder, count):
    module, command, chance = load(contest["folder"]), checker(month, folder), random.Random(f"{month} {count}")
    boards = boards_of(contest, module, chance, folder, 0 if count < FEW else NEW_BOARDS)
    if "match" in contest:
        games.compare(month, contest, module, folder, count // 10 or count, command, boards, changed, HOSTILE, chance)
        return
    entries = contest["entry"][:1] if count < FEW else contest["entry"]
    good = [(board, args, answer_of(contest, entry, board, module)) for board, args in boards for entry in entries]
    # The large answers of the lottery take a second each; changes of small ones are as good.
    small = [case for case in good if len(case[2]) < 10_000]
    cases = (small if count < FEW else good) + [(*chance.choice(boards), hostile) for hostile in HOSTILE]
    while len(cases) < count:
        board, args, answer = chance.choice(small)
        cases.append((board, args, changed(answer, chance)))
    accepted = 0
    for board, args, answer in cases:
        path = os.path.join(folder, "answer")
        with open(path, "wb") as file:
            file.write(answer)
        ours = by_referee(module, board, answer, args)
        run = subprocess.run([*command, board, path, *args], capture_output=True, text=True, check=False)
        if run.returncode or not same(month, ours, run.stdout.strip()):
            sys.exit(f"{month}: {board}, {path}: the referee says {ours!r}, the checker {run.stdout!r} {run.stderr!r}")
        accepted += ours != "wrong"
    assert 0 < accepted < len(cases), f"{month}: {accepted} of {len(cases)} answers are right"
    print(f"{month}: {len(cases)} answers, {accepted} of them right, no difference", flush=True)


def main(contests, folder, count="1000", *months):
    sys.dont_write_bytecode = True
    found = sorted(name for name in os.listdir(contests) if os.path.exists(os.path.join(contests, name, "referee.py")))
    for month in months or found:
        with open(os.path.join(contests, month, "contest.toml"), "rb") as file:
            compare(month, {**tomllib.load(file), "folder": os.path.abspath(os.path.join(contests, month))}, folder, int(count))


if __name__ == "__main__":
    main(*sys.argv[1:])
