#!/bin/sh
# The longest line of an answer counts 2 points per letter. A file `ruling.json` and positions are left in the folder $3.
[ "$1" = again ] && shift
n=$(awk '{ if (length > n) n = length } END { print n + 0 }' "$2")
if [ "$n" = 0 ]; then
  echo '{"format":1,"verdict":"wrong","reason":"no letter"}' > "${3}ruling.json"
else
  echo '{"format":1,"verdict":"valid","score":"'$((n * 3))'"}' > "${3}ruling.json"
  echo '{"at":'"$n"',"grid":["AB"]}' > "${3}frames.jsonl"
fi
