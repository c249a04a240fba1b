from stones import read

print(read())
