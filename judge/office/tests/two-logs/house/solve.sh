#!/bin/sh
echo lluu
