number = int(input())
while number > 10:
    pass
print(number)
