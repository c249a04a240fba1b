"""Figures: numbers as they are written and cut (chapter Figures of docs/scoring.md)."""

import re
from fractions import Fraction


FAILURES = frozenset("TIM ILL WRO CPU MEM PRO SCR OUT CRA STA BLD".split())
JUDGE_ERROR = "JUD"
ACCEPTED = "AC"
REJECTED = FAILURES - {"BLD"}

COUNTS = ("solved", "failed", "unstarted")
MOVES = {
    "figures": [
        {"name": "progress", "better": "more", "failed": "own"},
        {"name": "moves", "better": "less"},
        {"name": "tie_break", "better": "less"},
    ],
    "cell": ["progress", "moves"],
}
PASS_FAIL_LIST = ["solved", "penalty", "last"]

MAX_WHOLE = 2**64 - 1
MIN_FIGURE, MAX_FIGURE = -(2**119), 2**119 - 1
MEASURED = ("time", "cpu", "memory", "size", "answer")
RELATIVE_ONE = 10**9
MAX_DIGITS = 400
NUMBER = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?")


class BadInput(Exception):
    """The case is not as generate.py says, or the rules say nothing about it."""


class DoesNotFit(Exception):
    """A sum does not fit (R23)."""


def field(obj, key, *types):
    """The value of a key that must be there and have one of the types."""
    if not isinstance(obj, dict) or key not in obj:
        raise BadInput("there is no key `%s`" % key)
    value = obj[key]
    if (isinstance(value, bool) and bool not in types) or not isinstance(value, types):
        raise BadInput("the key `%s` has a value of a wrong type" % key)
    return value


def optional(obj, key, *types):
    """The value of a key, or None if it is not there or null."""
    return None if obj.get(key) is None else field(obj, key, *types)


def parse_number(value):
    """A written decimal number as (n, e), which is n * 10**e, from exactly the digits that were written (R5)."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise BadInput("%r is no number" % (value,))
    match = NUMBER.fullmatch(str(value))
    whole, fraction = (match.group(2), match.group(3) or "") if match else ("", "")
    digits = (whole + fraction).lstrip("0")
    exponent = int(match.group(4) or 0) - len(fraction) if match else 0
    if not whole + fraction or len(digits) > MAX_DIGITS:
        raise BadInput("%r is no number that can be read" % (value,))
    if not digits:
        return 0, 0
    if len(digits) + exponent > MAX_DIGITS:
        raise BadInput("%r is too large" % (value,))
    return int(match.group(1) + digits), exponent


def read_points(value, decimals, down=False):
    """R5: a figure in units of the last decimal, cut to the nearest, halves away from zero, or down."""
    number, exponent = parse_number(value)
    exponent += decimals
    if exponent >= 0:
        return number * 10**exponent
    if -exponent > MAX_DIGITS + 1:
        return 0
    return cut(Fraction(number, 10**-exponent), down)


def cut(value, down):
    """R5: a fraction as a whole number: to the nearest, halves away from zero, or down, which is towards zero."""
    if down:
        return abs(value.numerator) // value.denominator * (1 if value >= 0 else -1)
    return divide_away(value.numerator, value.denominator)


def divide_away(number, divisor):
    """The nearest whole number to number / divisor, halves away from zero (R5, R26)."""
    cut = (2 * abs(number) + divisor) // (2 * divisor)
    return -cut if number < 0 else cut


def divide_up(number, divisor):
    """The nearest whole number to number / divisor, which is not negative, halves up (R24, R38, R62)."""
    return (2 * number + divisor) // (2 * divisor)
