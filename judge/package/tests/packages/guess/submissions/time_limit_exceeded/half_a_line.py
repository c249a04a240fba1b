# The validator waits for the rest of the line.
print(500, end="", flush=True)
input()
