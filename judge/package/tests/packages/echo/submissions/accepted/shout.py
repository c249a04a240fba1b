words = [input() for _ in range(int(input()))]
print(" ".join(words[::2]).upper())
