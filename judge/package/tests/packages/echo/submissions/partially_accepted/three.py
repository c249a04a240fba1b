words = [input() for _ in range(int(input()))]
print(*(words[::2] if len(words) in (1, 3) else words), sep="\n")
