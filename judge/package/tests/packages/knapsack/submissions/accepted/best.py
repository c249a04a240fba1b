from itertools import combinations

room, count = map(int, input().split())
things = [tuple(map(float, input().split())) for _ in range(count)]
sets = [s for n in range(count + 1) for s in combinations(range(count), n) if sum(things[i][0] for i in s) <= room]
print(*(i + 1 for i in max(sets, key=lambda s: sum(things[i][1] for i in s))))
