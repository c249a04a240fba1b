print((0, 1, 3, 6, 10)[int(input()) % 5])
