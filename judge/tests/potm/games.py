"""Plays games of a month in which entries play each other, and compares the referee with the checker of the month.

The seats answer by chance: mostly what the first entry says may be answered (`choices`), sometimes the same with random changes, an
earlier answer of the game, something hostile, or nothing. The referee runs in this process. The checker gets what the referee read:
the replies of the judge.
"""

import importlib.util
import os
import re
import subprocess
import sys
from unittest.mock import patch


def load(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(path).removesuffix(".py"), path)
    module = importlib.util.module_from_spec(spec)
    with patch.object(sys, "path", [os.path.dirname(path), *sys.path]):
        spec.loader.exec_module(module)
    return module


def lines_of(answer):
    """An answer as the judge hands it to a referee."""
    text = answer.replace(b"\r\n", b"\n").decode("utf-8", errors="replace")
    text = re.sub("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", "\ufffd", text)
    return text.removesuffix("\n").split("\n") if text else []


class Judge:
    """Stands for the judge, as the standard input and output of a referee."""

    def __init__(self, seats, answer):
        self.seats, self.answer = seats, answer
        self.said, self.open, self.waiting, self.replies = "", {}, [], []
        self.fault, self.out, self.end = {}, [], None

    def write(self, text):
        self.said += text

    def flush(self):
        lines, self.said = self.said.split("\n"), ""
        assert lines.pop() == "", "an incomplete line"
        lines.reverse()
        while lines:
            word, *rest = lines.pop().split(" ")
            assert self.end is None, f"{word} after the end"
            if word == "ask":
                seat, count = int(rest[0]), int(rest[1])
                assert 1 <= seat <= self.seats and seat not in self.open and seat not in self.out, f"ask {rest}"
                self.open[seat] = [lines.pop() for _ in range(count)]
            elif word == "wait":
                assert self.open, "wait without an open ask"
                self.reply()
            elif word == "out":
                assert int(rest[0]) not in self.open and len(rest) > 1, f"out {rest}"
                self.out.append(int(rest[0]))
            else:
                assert word == "end" and len(rest) == self.seats and not self.open, f"{word} {rest}"
                self.end = rest

    def reply(self):
        for seat, lines in sorted(self.open.items()):
            answer = self.fault.get(seat) or self.answer(seat, lines)
            if isinstance(answer, str):
                self.fault[seat] = answer
                reply = [f"{seat} {answer}"]
            else:
                lines = lines_of(answer)
                reply = [f"{seat} ok {len(lines)}", *lines]
            self.replies += reply
            self.waiting += reply
        self.open = {}

    def readline(self):
        assert self.waiting, "the referee reads more than was answered"
        return self.waiting.pop(0) + "\n"


def game(module, board, seats, folder, answer):
    """Plays a game. Returns what the referee says of it, and what it read."""
    judge = Judge(seats, answer)
    with patch.object(sys, "stdin", judge), patch.object(sys, "stdout", judge):
        module.main([board, str(seats), folder])
    assert judge.end, "no end"
    frames = os.path.join(folder, "frames.jsonl")
    assert os.path.getsize(frames) < 4 << 20, "positions are too long"
    ruling = [f"out {seat}" for seat in judge.out] + ["end " + " ".join(judge.end)]
    return "\n".join(ruling), "".join(line + "\n" for line in judge.replies)


def compare(month, contest, module, folder, count, checker, boards, changed, hostile, chance):
    """Plays COUNT games, and ends with exit code 1 at the first difference."""
    first = load(os.path.join(contest["folder"], contest["entry"][0]["command"][1]))
    clean = 0
    for number in range(count):
        board, _ = chance.choice(boards)
        seats = contest["match"]["seats"] if contest["match"]["seats"] != "all" else chance.randint(2, 5)
        faults, earlier = chance.choice([0, 0, 0.02, 0.2]), [b""]

        def answer(_, lines, faults=faults, earlier=earlier):
            right = "\n".join(chance.choice(first.choices(lines))).encode() + b"\n"
            earlier.append(right)
            if chance.random() >= faults:
                return right
            changes, old = [changed(right, chance) for _ in range(3)], [chance.choice(earlier) for _ in range(3)]
            return chance.choice([*changes, *old, chance.choice(hostile), chance.choice(["late", "crash", "output"])])

        ours, replies = game(module, board, seats, folder, answer)
        path = os.path.join(folder, "replies")
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(replies)
        run = subprocess.run([*checker, board, path, str(seats)], capture_output=True, text=True, check=False)
        if run.returncode or run.stdout.strip() != ours:
            sys.exit(f"{month}: game {number}, {board}, {path}: the referee says {ours!r}, the checker {run.stdout!r} {run.stderr!r}")
        clean += "out" not in ours and not re.search("^[0-9]+ (late|crash|output)$", replies, re.MULTILINE)
    assert 0 < clean < count, f"{month}: {clean} of {count} games without a fault"
    print(f"{month}: {count} games, {clean} of them without a fault, no difference", flush=True)
