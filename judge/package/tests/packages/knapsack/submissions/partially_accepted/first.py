room, count = map(int, input().split())
for thing in range(1, count + 1):
    size = float(input().split()[0])
    if size <= room:
        room -= size
        print(thing)
