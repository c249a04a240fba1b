#!/bin/sh
# A sample entry for Loyd's Dilemma for any POSIX shell; it starts no other program.
#
# Called as `solve.sh BOARD_FILE`; prints its moves on one line.
#
# The tiles are placed in an order that never walls one in, four moves before perfection; then `lluu`
# finishes the board. A tile is placed by the fewest moves that do not disturb placed tiles: a
# breadth-first search over pairs of the tile's spot and the empty spot.
#
# Spots are numbered 0 to 24. A shell has no arrays, so the script uses families of variables:
#   at_S       the tile on spot S              where_X    the spot of tile X
#   ways_S     the moves with S empty: letter and number of the spot the tile comes from (u17 d7 …)
#   seen_T_S   the last turn in which the search found the tile on spot T and spot S empty

set -uf

order='A E U T B D F J O P V X C K N W G H I L M Q R S'
goals='0 4 20 24 1 3 5 9 19 15 21 23 2 10 14 22 6 7 8 11 13 16 17 18'

fail() {
    printf '%s\n' "$1" >&2
    exit 2
}

# Sets board to the 25 symbols in the file.
read_board() {
    [ -f "$1" ] && [ -r "$1" ] || fail "cannot read $1"
    board=
    blank=$(printf ' \t\r\nx')
    while IFS= read -r line || [ -n "$line" ]; do
        IFS=${blank%x}
        for word in $line; do
            board=$board$word
        done
    done <"$1"
    unset IFS
    for symbol in $order +; do
        case $board in
        *"$symbol"*) ;;
        *) fail "invalid board in $1: $symbol is missing" ;;
        esac
    done
    [ ${#board} -eq 25 ] || fail "invalid board in $1: use A to X and + once each"
}

# Sets at_*, where_* and empty from board.
lay_out() {
    spot=0
    while [ -n "$board" ]; do
        rest=${board#?}
        symbol=${board%"$rest"}
        board=$rest
        case $symbol in
        +) empty=$spot ;;
        *) eval "at_$spot=$symbol where_$symbol=$spot" ;;
        esac
        spot=$((spot + 1))
    done
}

# Sets ways_* for all spots, without the moves of tiles on fixed spots.
find_ways() {
    spot=0
    while [ $spot -lt 25 ]; do
        ways=
        [ $spot -lt 20 ] && add_way u $((spot + 5))
        [ $spot -gt 4 ] && add_way d $((spot - 5))
        [ $((spot % 5)) -lt 4 ] && add_way l $((spot + 1))
        [ $((spot % 5)) -gt 0 ] && add_way r $((spot - 1))
        [ $spot -ne 12 ] && add_way t 12
        eval "ways_$spot=\$ways"
        spot=$((spot + 1))
    done
}

add_way() {
    case $fixed in
    *" $2 "*) ;;
    *) ways="$ways $1$2" ;;
    esac
}

# Sets path to the fewest moves that take the tile from spot $1 to spot $2.
# A node is written TILE.EMPTY.move.move…, and the nodes of one distance are the words of a list.
search() {
    path=
    [ "$1" -ne "$2" ] || return 0
    nodes=$1.$empty.
    while [ -n "$nodes" ]; do
        after=
        for node in $nodes; do
            tile=${node%%.*}
            node=${node#*.}
            hole=${node%%.*}
            taken=${node#*.}
            eval "ways=\$ways_$hole"
            for way in $ways; do
                source=${way#?}
                stands=$tile
                [ "$source" -ne "$tile" ] || stands=$hole
                eval "met=\${seen_${stands}_$source:-}"
                [ "$met" != "$turn" ] || continue
                eval "seen_${stands}_$source=\$turn"
                if [ "$stands" -eq "$2" ]; then
                    path=$taken$way
                    return 0
                fi
                after="$after $stands.$source.$taken$way."
            done
        done
        nodes=$after
    done
    fail 'the order walls a tile in'
}

# Makes the moves of path and adds their letters to answer.
follow() {
    IFS=.
    for way in $path; do
        source=${way#?}
        answer=$answer${way%"$source"}
        eval "symbol=\$at_$source"
        eval "at_$empty=$symbol where_$symbol=$empty"
        empty=$source
    done
    unset IFS
}

[ $# -eq 1 ] || fail 'give the path of a board file as the only argument'
read_board "$1"
lay_out
answer=
fixed=' '
turn=0
set -- $goals
for symbol in $order; do
    goal=$1
    shift
    turn=$((turn + 1))
    find_ways
    eval "search \$where_$symbol $goal"
    follow
    fixed="$fixed$goal "
done
printf '%s\n' "${answer}lluu"
