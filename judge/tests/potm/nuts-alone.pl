# NUTS alone, by the rules of its README.
use strict;
use warnings;
use integer;

local $/;
open my $board, '<', $ARGV[0] or die;
open my $answer, '<:raw', $ARGV[1] or die;
my @rows = split ' ', <$board>;
my ($high, $wide) = (scalar @rows, length $rows[0]);
my ($r, $c) = (($high + 1) / 2, ($wide + 1) / 2);
my $moves = 0;
for (split /\n/, <$answer>) {
    next if /\A[ \t\x0b\f\r]*\z/;
    /\A[ \t\x0b\f\r]*([0-9]{1,2})[ \t\x0b\f\r]+([0-9]{1,2})[ \t\x0b\f\r]*\z/ or wrong();
    my ($down, $right) = (abs($1 - $r), abs($2 - $c));
    wrong() if $1 < 1 || $2 < 1 || $1 > $high || $2 > $wide || $down > 1 || $right > 1 || $down + $right == 0;
    ($r, $c) = ($1 + 0, $2 + 0);
    substr($rows[$r - 1], $c - 1, 1) = '.';
    $moves++;
}
wrong() if grep { /\*/ } @rows;
print "moves=$moves\n";

sub wrong { print "wrong\n"; exit }
