# PEGGED, by the rules of its README.
use strict;
use warnings;
use integer;

local $/;
open my $board, '<', $ARGV[0] or die;
open my $answer, '<:raw', $ARGV[1] or die;
my @rows = map { [split //] } split ' ', <$board>;
my ($high, $wide) = (scalar @rows, scalar @{$rows[0]});
my %way = (n => [-1, 0], e => [0, 1], s => [1, 0], w => [0, -1]);

sub at {
    my ($r, $c) = @_;
    return $r < 0 || $c < 0 || $r >= $high || $c >= $wide ? '_' : $rows[$r][$c];
}

my $moves = 0;
for (grep { length } split /[ \t\n\x0b\f\r]+/, <$answer>) {
    $moves++;
    /\A([0-9]{1,3}),([0-9]{1,3})([nesw])\z/ or wrong();
    my ($r, $c, $d) = ($1 - 1, $2 - 1, $way{$3});
    at($r, $c) eq 'X' or wrong();
    my ($tr, $tc) = ($r + $d->[0], $c + $d->[1]);
    if (at($tr, $tc) eq 'X') {
        my ($or, $oc) = ($tr, $tc);
        ($tr, $tc) = ($tr + $d->[0], $tc + $d->[1]);
        at($tr, $tc) eq 'O' or wrong();
        $rows[$or][$oc] = 'O';
    }
    at($tr, $tc) eq 'O' or wrong();
    ($rows[$r][$c], $rows[$tr][$tc]) = ('O', 'X');
}
my @pegs = grep { at(@$_) eq 'X' } map { my $r = $_; map { [$r, $_] } 0 .. $wide - 1 } 0 .. $high - 1;
@pegs == 1 or wrong();
my ($r, $c) = map { $_ + 1 } @{$pegs[0]};
my $dist = abs(2 * $r - $high - 1) / 2 + abs(2 * $c - $wide - 1) / 2;
print "moves=$moves dist=$dist\n";

sub wrong { print "wrong\n"; exit }
