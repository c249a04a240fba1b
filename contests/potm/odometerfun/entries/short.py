import sys
for n in open(sys.argv[-1]):
 n=int(n)+1;h=n//1000
 while(p:=int(f"{h:03}"+f"{h:03}"[::-1]))<n:h+=1
 print(min(p,10**6)-n+1)
