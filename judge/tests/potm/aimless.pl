# AIMLESS, by the rules of its README.
use strict;
use warnings;

local $/;
open my $board, '<', $ARGV[0] or die;
open my $answer, '<:raw', $ARGV[1] or die;
my @lines = split /\n/, <$board>, -1;
my (undef, $high, $wide, $floors) = split ' ', $lines[0];
my (%open, @entry);
for my $floor (0 .. $floors - 1) {
    for my $row (0 .. $high - 1) {
        my @squares = split //, sprintf "%-${wide}s", $lines[$floor * ($high + 1) + 1 + $row];
        for my $column (0 .. $wide - 1) {
            $open{"$floor,$row,$column"} = 1 if $squares[$column] ne '#';
            @entry = ($floor, $row, $column) if $squares[$column] eq 'E';
        }
    }
}
my %step = (n => [0, -1, 0], s => [0, 1, 0], e => [0, 0, 1], w => [0, 0, -1], u => [1, 0, 0], d => [-1, 0, 0]);
my ($moves, $ups, %visited) = (0, 0);
my @place = @entry;
my $home = join ',', @entry;
for (split //, <$answer>) {
    next if /[ \t\r\n]/;
    my $step = $step{$_} or wrong();
    wrong() if $visited{$home};
    $moves++;
    $ups++ if /[ud]/;
    @place = map { $place[$_] + $step->[$_] } 0 .. 2;
    my $key = join ',', @place;
    wrong() if !$open{$key} || $visited{$key}++;
}
wrong() if join(',', @place) ne $home;
print "moves=$moves ups=$ups\n";

sub wrong { print "wrong\n"; exit }
