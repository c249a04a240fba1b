low, high = map(int, input().split())
if low > 200:
    input()
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "found":
        break
    low, high = (middle + 1, high) if answer == "higher" else (low, middle - 1)
