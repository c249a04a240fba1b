#!/bin/sh
if grep -q 'KL+MN' "$1"; then echo lluu; else echo uu; fi
