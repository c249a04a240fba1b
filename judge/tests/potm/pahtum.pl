# PAHTUM, by the rules of its README. Reads the board and the replies of the judge to a referee.
use strict;
use warnings;
use integer;

open my $board, '<', $ARGV[0] or die;
open my $replies, '<:raw', $ARGV[1] or die;
my $grid = join '', map { /(\S+)/ } <$board>;
my @mark = ('', 'X', 'O');
my $seat = 1;
while ($grid =~ /-/) {
    my ($who, $state, $count) = split ' ', scalar <$replies>;
    die "seat $who, expected $seat" if $who != $seat;
    fault() if $state ne 'ok';
    my $answer = join '', map { scalar <$replies> } 1 .. $count;
    # All grids that may be answered, as text.
    my $good = 0;
    for my $square (grep { substr($grid, $_, 1) eq '-' } 0 .. 48) {
        my $next = $grid;
        substr($next, $square, 1) = $mark[$seat];
        my $text = $next =~ s/(.{7})/$1\n/gr;
        if ($text eq $answer) {
            ($grid, $good) = ($next, 1);
            last;
        }
    }
    if (!$good) {
        print "out $seat\n";
        fault();
    }
    $seat = 3 - $seat;
}
my ($x, $o) = (points('X'), points('O'));
if ($x == $o) { $x += 500; $o += 600 }
elsif ($x > $o) { $x += 1000 }
else { $o += 1200 }
print "end $x $o\n";

# The seat that is to move has lost.
sub fault {
    print $seat == 1 ? 'end 0 ' . (1200 + points('O')) : 'end ' . (1000 + points('X')) . ' 0', "\n";
    exit;
}

sub points {
    my ($mark) = @_;
    my $sum = 0;
    for my $line (0 .. 6) {
        for my $step (1, 7) {
            my $run = 0;
            for my $place (0 .. 7) {
                my $at = $step == 1 ? 7 * $line + $place : $line + 7 * $place;
                if ($place < 7 && substr($grid, $at, 1) eq $mark) { $run++; next }
                $sum += (0, 0, 0, 3, 10, 25, 56, 119)[$run];
                $run = 0;
            }
        }
    }
    return $sum;
}
