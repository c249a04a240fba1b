number = input()
print(number, number)
