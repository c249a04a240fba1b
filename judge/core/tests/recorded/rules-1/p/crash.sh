#!/bin/sh
sleep 0.1
exit 3
