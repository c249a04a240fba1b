def apart(difference):
    return -difference, 0
