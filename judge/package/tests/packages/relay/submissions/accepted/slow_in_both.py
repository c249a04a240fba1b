# Each pass has the time limit to itself.
import time

kind, value = input().split()
while time.process_time() < 0.65:
    pass
if kind == "encode":
    print(format(int(value), "b").replace("0", "a").replace("1", "b"))
else:
    print(int(value.replace("a", "0").replace("b", "1"), 2))
