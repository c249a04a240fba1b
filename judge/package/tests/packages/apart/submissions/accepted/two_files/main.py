from helper import apart

print(*apart(int(input())))
