from heights import highest

input()
print(highest(list(map(int, input().split()))))
