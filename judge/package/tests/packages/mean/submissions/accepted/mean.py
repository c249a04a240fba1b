numbers = [float(word) for word in input().split()]
print("MEAN", repr(sum(numbers) / len(numbers)))
