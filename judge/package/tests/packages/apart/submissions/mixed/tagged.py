# @EXPECTED_RESULTS@: WRONG-ANSWER, RUN-ERROR
number = int(input())
print(0, number - 1)
