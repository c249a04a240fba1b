numbers = [float(word) for word in input().split()]
print("Mean %.3f" % (sum(numbers) / len(numbers)))
