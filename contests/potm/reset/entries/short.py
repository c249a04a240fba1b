import sys
for l in open(sys.argv[-1]):
 m=0
 while len(s:={*"%06d"%((int(l[:6])+m)%10**6)})-6 or(t:=int("".join(sorted({*"0123456789"}-s))))>m:m+=1
 print(m-t)
