count, on = map(int, input().split())
for lamp in range(count):
    if on == count:
        break
    print(lamp, flush=True)
    now = int(input())
    if now < on:
        print(lamp, flush=True)
        now = int(input())
    on = now
