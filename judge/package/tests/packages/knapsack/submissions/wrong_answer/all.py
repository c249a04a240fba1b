print(*range(1, int(input().split()[1]) + 1))
