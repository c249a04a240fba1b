count, on = map(int, input().split())
print(count, flush=True)
