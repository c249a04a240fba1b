"""Measures how often the ranges of places that `judge compare` prints contain the true place.

Usage: coverage.py JUDGE SAMPLES [BOARDS …]
Draws contests of ten entries whose order on all possible boards is known, lets JUDGE compare each, and prints a row of
results/places.csv per kind of contest and number of boards: the share of entries whose true place is in the range of
the judge, in a range that this program computes itself, and the mean width of the former in places. It shares no code with
the judge.
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

ENTRIES = 10
RESAMPLES = 1000
# The step from an entry to the next in the logarithm of its moves, the share of boards on which it fails more often, and
# whether an answer is now and then much longer instead of a little longer or shorter.
KINDS = {"far": (0.05, 0, False), "close": (0.01, 0, False), "skewed": (0.02, 0, True), "failing": (0.01, 0.02, False)}


def contest(random, kind, boards):
    """Returns progress and moves of each entry on each board. Entry 0 is the best, entry 9 the worst, by what is expected."""
    step, fails, skewed = KINDS[kind]
    entry = np.arange(ENTRIES)[:, None]
    spread = random.exponential(0.1, (ENTRIES, boards)) if skewed else random.normal(0, 0.1, (ENTRIES, boards))
    moves = np.round(random.lognormal(4.5, 0.4, boards) * np.exp(entry * step + spread))
    failed = random.random((ENTRIES, boards)) < (0.02 + entry * fails if fails else 0)
    progress = np.where(failed, np.floor(random.random((ENTRIES, boards)) * 25), 25)
    return progress, np.where(failed, 0, moves)


def of_judge(judge, folder, progress, moves):
    """Returns the range that the judge prints for each entry."""
    path = os.path.join(folder, "contest.csv")
    with open(path, "w") as file:
        file.write("entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n")
        for (entry, board), done in np.ndenumerate(progress):
            verdict = "solved" if done == 25 else "unsolved"
            file.write(f"e{entry},B{board},{verdict},{int(done)},25,{int(moves[entry, board])},1,5,1000\n")
    printed = subprocess.run([judge, "compare", path, "--format", "json"], check=True, capture_output=True).stdout
    entries = json.loads(printed)["stability"][0]["entries"]
    ranges = {entry["entry"]: (entry["resampled"]["best"], entry["resampled"]["worst"]) for entry in entries}
    return np.array([ranges[f"e{entry}"] for entry in range(ENTRIES)])


def of_this_program(random, progress, moves):
    """Computes the range of each entry's places when boards are drawn with replacement."""
    boards = progress.shape[1]
    times = random.multinomial(boards, np.full(boards, 1 / boards), RESAMPLES).T
    # More progress is better, then fewer moves. Both are whole numbers, and no total of moves reaches the factor.
    merit = (progress @ times) * 1e9 - moves @ times
    places = np.sort(1 + (merit[None, :, :] > merit[:, None, :]).sum(axis=1), axis=1)
    return places[:, [RESAMPLES // 40, RESAMPLES - 1 - RESAMPLES // 40]]


def main():
    judge, samples = sys.argv[1], int(sys.argv[2])
    sizes = [int(size) for size in sys.argv[3:]] or [6, 10, 20, 50, 200]
    true = np.arange(1, ENTRIES + 1)
    covers = lambda ranges: float(np.mean((ranges[:, 0] <= true) & (true <= ranges[:, 1])))
    with tempfile.TemporaryDirectory() as folder:
        for boards in sizes:
            for number, kind in enumerate(KINDS):
                random = np.random.default_rng([1995, boards, number])
                shares = []
                for _ in range(samples):
                    progress, moves = contest(random, kind, boards)
                    judged = of_judge(judge, folder, progress, moves)
                    own = of_this_program(random, progress, moves)
                    shares.append((covers(judged), covers(own), np.mean(judged[:, 1] - judged[:, 0] + 1)))
                judged, own, wide = np.mean(shares, axis=0)
                print(f"{boards},{kind},{100 * judged:.1f},{100 * own:.1f},{wide:.1f}", flush=True)


main()
