#!/bin/sh
# An anytime sample entry for any POSIX shell with awk and date: it runs a solver again and again while there is time,
# and prints the best answer.
#
# Called as `anytime.sh SOLVER BOARD_FILE`. SOLVER is called as `SOLVER [ORDER] BOARD_FILE`, like `solve.sh` in this
# folder. In a contest file: command = "./anytime.sh ./solve.sh". Naming the solver makes it readable in the sandbox.
#
# The judge stops the clock when the program exits, and an answer counts only if it exits before the limit. So:
#   1. find any answer;
#   2. look for a shorter one, again and again, until the time is nearly up;
#   3. print the best one, and exit.
# A contest with a grace period sends SIGTERM at the limit; then 3 follows as well, after the solver that is running.
# A contest that takes a stream of answers sets JUDGE_STREAM. Then each better answer is printed at once, and the
# last one counts even if the limit ends the program.
#
# Step 2 changes the order of the tiles at random and keeps a change that does not make the answer longer.

set -uf

[ $# -eq 2 ] || {
    printf 'give a solver and the path of a board file\n' >&2
    exit 2
}
solver=$1
board=$2

# `date` counts whole seconds: with a limit below three seconds there is time for one answer only.
deadline=$(($(date +%s) + ${JUDGE_LIMIT_MS:-10000} / 1000 - 2))

warned=
trap 'warned=yes' TERM

order=AEUTBDFJOPVXCKNWGHILMQRS
best=$("$solver" "$order" "$board") || exit
[ -z "${JUDGE_STREAM:-}" ] || printf '%s\n' "$best"
seed=1 # the same seed always, so that a run can be repeated
while [ -z "$warned" ] && [ "$(date +%s)" -lt "$deadline" ]; do
    # Two tiles of the order change places.
    changed=$(awk -v order="$order" -v seed="$seed" 'BEGIN {
        srand(seed)
        split(order, tiles, "")
        a = int(rand() * 24) + 1
        b = int(rand() * 24) + 1
        tile = tiles[a]; tiles[a] = tiles[b]; tiles[b] = tile
        for (i = 1; i <= 24; i++) printf "%s", tiles[i]
    }')
    seed=$((seed + 1))
    # An order that walls a tile in has no answer.
    answer=$("$solver" "$changed" "$board" 2>/dev/null) || continue
    if [ ${#answer} -le ${#best} ]; then
        [ -z "${JUDGE_STREAM:-}" ] || [ ${#answer} -eq ${#best} ] || printf '%s\n' "$answer"
        best=$answer
        order=$changed
    fi
done
printf '%s\n' "$best"
