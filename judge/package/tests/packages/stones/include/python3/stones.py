def read():
    return int(input())
