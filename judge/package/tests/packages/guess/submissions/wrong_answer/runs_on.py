# Rejected after its first line; it goes on for ever.
print("help", flush=True)
while True:
    pass
