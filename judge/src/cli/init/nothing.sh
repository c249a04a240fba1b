#!/bin/sh
# The smallest possible entry. It is called as `nothing.sh BOARD_FILE` and prints its moves: none.
echo
