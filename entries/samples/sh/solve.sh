#!/bin/sh
# A sample entry for Loyd's Dilemma for any POSIX shell; it starts no other program.
#
# Called as `solve.sh [ORDER] BOARD_FILE`; prints its moves on one line.
#
# The tiles are placed in an order that never walls one in, four moves before perfection; then `lluu`
# finishes the board. A tile is placed by the fewest moves that do not disturb placed tiles, by a
# breadth-first search over pairs of the tile's spot and the empty spot. ORDER is another order of the
# 24 tiles, in one word; an order that walls a tile in is an error.
#
# Spots are numbered 0 to 24. A POSIX shell has no arrays, so the script uses families of variables:
#   at_S       the tile on spot S              where_X    the spot of tile X
#   ways_S     the moves with S empty: letter and number of the spot the tile comes from (u17 d7 …)
#   seen_T_S   the last turn in which the search found the tile on spot T and spot S empty

set -uf

order=AEUTBDFJOPVXCKNWGHILMQRS
pattern=ABCDEFGHIJKL+MNPQRSOUVWXT

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
    has_all "$board" || fail "invalid board in $1: use A to X and + once each"
}

# Succeeds if a text has each symbol of the pattern once.
has_all() {
    missing=$pattern
    while [ -n "$missing" ]; do
        rest=${missing#?}
        case $1 in
        *"${missing%"$rest"}"*) ;;
        *) return 1 ;;
        esac
        missing=$rest
    done
    [ ${#1} -eq ${#pattern} ]
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

[ $# -eq 1 ] || [ $# -eq 2 ] || fail 'give the path of a board file as the last argument'
[ $# -eq 1 ] || {
    order=$1
    has_all "$order+" || fail "invalid order $order: use A to X once each"
    shift
}
read_board "$1"
lay_out
answer=
fixed=' '
turn=0
while [ -n "$order" ]; do
    rest=${order#?}
    symbol=${order%"$rest"}
    order=$rest
    before=${pattern%"$symbol"*}
    turn=$((turn + 1))
    find_ways
    eval "search \$where_$symbol ${#before}"
    follow
    fixed="$fixed${#before} "
done
printf '%s\n' "${answer}lluu"
