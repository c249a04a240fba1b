number = int(input())
print(number if number < 100 else number // 2 if number == 1000 else number)
