# Within the relative tolerance of the group.
numbers = [float(word) for word in input().split()]
mean = sum(numbers) / len(numbers)
print("mean", "%.9e" % (mean + 100000 if mean > 1e9 else mean))
