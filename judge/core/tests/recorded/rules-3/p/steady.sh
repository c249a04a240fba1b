#!/bin/sh
if grep -q "UVWX+" "$1"; then echo rl; elif grep -q "KL+MN" "$1"; then echo lluu; else echo uu; fi
