number = int(input())
print(0, number)
assert number < 1000
