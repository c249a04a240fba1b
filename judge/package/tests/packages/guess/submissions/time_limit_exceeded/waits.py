# It waits for the validator, which waits for it.
input()
