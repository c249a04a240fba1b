# Pipes, subshells, here-documents, background jobs, traps, files.
set -eu
board=$(cat "$1")
[ -n "$board" ]
trap 'rm -rf "$TMPDIR/work"' EXIT
trap : USR1
mkdir "$TMPDIR/work"
cd "$TMPDIR/work"
cat > text <<END
$board
END
mv text words
ls -l . | wc -l > count
sort words | tr -d ' ' | head -c 3 > /dev/null
(sleep 0.01; echo background > done) &
kill -USR1 $$
wait
test -s done
ulimit -n > /dev/null
umask > /dev/null
ln words linked
ln -s words symbolic
readlink symbolic > /dev/null
date +%s > /dev/null
seq 1000 | awk '{ sum += $1 } END { exit sum == 500500 ? 0 : 1 }'
printf 'll'
/bin/echo uu
