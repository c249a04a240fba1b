n=int(input())
print(eval("n*(n+1)//2"))
