#!/usr/bin/env python3
"""Compute tables of contests between programs by the rules of docs/scoring.md.

Cases are read from standard input, one JSON object per line; one JSON object per case is written to standard output.
generate.py describes both. R1, R2 and so on are the numbers of the rules; each module has those of a chapter.

Every figure is an int: declared ones in units of their last decimal, time in microseconds (its totals in milliseconds),
`relative` in units of its ninth decimal. None is an unknown figure.
"""

import json
import sys

from figures import BadInput, DoesNotFit, field
from log import office_case
from office import Office
from table import Table


def solve(case):
    """The answer to one case."""
    answer = {"case": field(case, "case", str)}
    case = office_case(case) if "log" in case else case
    try:
        answer.update((Office(case) if "submissions" in case else Table(case)).answer())
    except DoesNotFit:
        answer["error"] = "R23"
    return answer


def refuse_constant(name):
    raise BadInput("%s is no number" % name)


def read_case(line):
    """One JSON object; numbers keep the digits that were written."""
    try:
        return json.loads(line.decode("utf-8"), parse_float=str, parse_constant=refuse_constant)
    except ValueError as error:
        raise BadInput("this is no JSON: %s" % error)


def main():
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        case = None
        try:
            case = read_case(line)
            answer = solve(case)
        except BadInput as error:
            name = case.get("case") if isinstance(case, dict) else None
            sys.stderr.write("scoring.py: line %d, case %r: %s\n" % (number, name, error))
            return 1
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
