kind, value = input().split()
if kind == "encode":
    print(format(int(value), "b").replace("0", "a").replace("1", "b"))
else:
    print(int(value.replace("a", "0").replace("b", "1"), 2))
