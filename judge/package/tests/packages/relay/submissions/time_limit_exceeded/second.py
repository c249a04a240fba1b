kind, value = input().split()
while kind == "decode":
    pass
print("ab")
