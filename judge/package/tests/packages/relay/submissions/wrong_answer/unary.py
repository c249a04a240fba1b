kind, value = input().split()
print("a" * int(value) if kind == "encode" else len(value))
