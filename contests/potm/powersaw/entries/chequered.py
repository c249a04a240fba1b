"""Five lines up and five across, whatever the first line is."""

for at in (17, 33, 50, 67, 83):
    print(at, 0, at, 100)
    print(0, at, 100, at)
