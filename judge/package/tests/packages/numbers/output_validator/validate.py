"""Accepts two numbers above 1 whose product is the number in the input."""
import sys

number = int(open(sys.argv[1]).read())
words = sys.stdin.read().split()
if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) < 20 for word in words):
    sys.exit(43)
a, b = map(int, words)
sys.exit(42 if a > 1 and b > 1 and a * b == number else 43)
