"""Computes strengths by the model of Bradley and Terry with draws (Davidson 1970) with scipy's maximum likelihood from the
lines of `judge games --json`, and compares them with those of the judge, in JSON.

    strength.py GAMES.jsonl STRENGTHS.json
"""

import json
import math
import sys

import numpy
from scipy.optimize import minimize, root


def main():
    with open(sys.argv[1]) as file:
        games = [json.loads(line) for line in file]
    with open(sys.argv[2]) as file:
        judge = json.load(file)
    games = [game for game in games if game["counts"] and game["state"] == "played" and len(game["seats"]) == 2]
    names = sorted({seat["entry"] for game in games for seat in game["seats"]})
    one = numpy.array([names.index(game["seats"][0]["entry"]) for game in games])
    other = numpy.array([names.index(game["seats"][1]["entry"]) for game in games])
    result = numpy.array([{"won": 0, "lost": 1, "drawn": 2}[game["seats"][0]["result"]] for game in games])
    has_draws = bool((result == 2).any())

    def surprise_and_slope(at):
        logs = at[:len(names)]
        terms = [logs[one], logs[other]]
        if has_draws:
            terms.append(at[-1] + (logs[one] + logs[other]) / 2)
        terms = numpy.array(terms)
        top = terms.max(axis=0)
        weights = numpy.exp(terms - top)
        chosen = terms[result, numpy.arange(len(games))]
        # The likelihood depends on differences only; the last term chooses those with the mean 0.
        value = (top + numpy.log(weights.sum(axis=0)) - chosen).sum() + logs.sum() ** 2
        error = weights / weights.sum(axis=0)
        error[result, numpy.arange(len(games))] -= 1
        slope = numpy.zeros(len(at))
        half = error[2] / 2 if has_draws else 0
        numpy.add.at(slope, one, error[0] + half)
        numpy.add.at(slope, other, error[1] + half)
        if has_draws:
            slope[-1] = error[2].sum()
        slope[:len(names)] += 2 * logs.sum()
        return value, slope

    start = numpy.zeros(len(names) + has_draws)
    rough = minimize(surprise_and_slope, start, jac=True, method="BFGS", options={"gtol": 1e-9})
    # The likelihood is so flat at its top that a search by values ends early: find where the slope is 0.
    found = root(lambda at: surprise_and_slope(at)[1], rough.x, tol=1e-14).x
    for name, log in zip(names, found):
        expected, value = 400 / math.log(10) * log, judge["entries"][name]
        assert abs(expected - value) < 1e-6 * max(1, abs(expected)), (name, expected, value)
    draws = math.exp(found[-1]) if has_draws else 0
    assert abs(draws - judge["draws"]) < 1e-6 * max(1, draws), (draws, judge["draws"])
    print(f"{len(names)} strengths agree:", json.dumps(dict(zip(names, (400 / math.log(10) * found).tolist()))), draws)


main()
