#!/bin/sh
# The least an entry can be: it is called as `nothing.sh BOARD_FILE` and prints its moves, here none.
echo
