# SUITCASE, by the rules of its README. The suitcase is drawn, square by square.
use strict;
use warnings;

local $/;
open my $board, '<', $ARGV[0] or die;
open my $answer, '<:raw', $ARGV[1] or die;
my @lines = map { [split ' '] } grep { /\S/ } split /\n/, <$board>;
my ($rows, $columns) = @{shift @lines};
my (%size, %square);
my $outside = $lines[-1][0];
for (@lines) {
    my ($item, $high, $wide, $row, $column) = @$_;
    $size{$item} = [$high, $wide];
    put($item, $row, $column) if defined $row;
}

# Lifts the item and puts it there. False if that is not possible.
sub put {
    my ($item, $row, $column) = @_;
    delete @square{grep { $square{$_} eq $item } keys %square};
    for my $r ($row .. $row + $size{$item}[0] - 1) {
        for my $c ($column .. $column + $size{$item}[1] - 1) {
            return 0 if $r < 1 || $c < 1 || $r > $rows || $c > $columns || $square{"$r,$c"};
            $square{"$r,$c"} = $item;
        }
    }
    return 1;
}

my $text = <$answer>;
if ($text =~ /\A\s*none\s*\z/a) {
    print(($ARGV[2] // '') eq 'none' ? "moves=0\n" : "wrong\n");
    exit;
}
my ($moves, $over) = (0, 0);
for (split /\n/, $text) {
    next if !/\S/a;
    my @words = grep { length } split /[ \t\x0b\f\r]+/;
    wrong() if $over || @words != 3 || !$size{$words[0]} || grep { !/\A[0-9]{1,2}\z/ } @words[1, 2];
    $moves++;
    put(@words) or wrong();
    $over = $words[0] eq $outside;
}
$over or wrong();
print "moves=$moves\n";

sub wrong { print "wrong\n"; exit }
