# The sum of the numbers from 1 to n is half of n pairs whose sum is n + 1 each: the first and the last, the second
# and the one before the last. So it needs no loop, and this remark makes the source long.
n = int(input())
print(n * (n + 1) // 2)
