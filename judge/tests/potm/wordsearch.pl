# WORDSEARCH, by the rules of its README.
use strict;
use warnings;

local $/;
open my $board, '<', $ARGV[0] or die;
open my $answer, '<:raw', $ARGV[1] or die;
my ($grid, $list) = split /\n\n/, <$board>, 2;
my @rows = split ' ', $grid;
my %list = map { $_ => 1 } split ' ', $list;
my %way = (n => [-1, 0], ne => [-1, 1], e => [0, 1], se => [1, 1], s => [1, 0], sw => [1, -1], w => [0, -1], nw => [-1, -1]);
my ($score, %found, %used) = (0);
for (split /\n/, <$answer>) {
    my @parts = grep { length } split /[ \t\x0b\f\r]+/;
    next if !@parts;
    wrong() if @parts != 4;
    my ($word, $row, $column, $way) = @parts;
    wrong() if !$list{$word} || $found{$word}++ || !$way{$way} || "$row $column" !~ /\A[0-9]{1,3} [0-9]{1,3}\z/;
    for my $letter (split //, $word) {
        wrong() if $row < 1 || $column < 1 || $row > @rows || $column > length $rows[0];
        wrong() if $letter ne substr($rows[$row - 1], $column - 1, 1) || $used{0 + $row, 0 + $column}++;
        $score++;
        $row += $way{$way}[0];
        $column += $way{$way}[1];
    }
}
print "score=$score words=${\ scalar keys %found}\n";

sub wrong { print "wrong\n"; exit }
