# NUMBERSGAME, by the rules of its README. Reads the board and the replies of the judge to a referee.
use strict;
use warnings;

open my $board, '<', $ARGV[0] or die;
open my $replies, '<:raw', $ARGV[1] or die;
my $number = <$board> + 0;
my $seat = 1;
while ($number > 0) {
    my ($who, $state, $lines) = split ' ', scalar <$replies>;
    die "seat $who, expected $seat" if $who != $seat;
    lose() if $state ne 'ok';
    my $answer = join '', map { scalar <$replies> } 1 .. $lines;
    my ($next) = $answer =~ /\A(0|[1-9][0-9]*)\n\z/ or breaks();
    my $digit = length $next > 5 ? 0 : $number - $next;
    breaks() if $digit < 1 || $digit > 9 || index($number, $digit) < 0;
    $number = $next;
    lose() if $number == 0;
    $seat = 3 - $seat;
}

sub breaks { print "out $seat\n"; lose() }
sub lose { print $seat == 1 ? "end 0 1\n" : "end 1 0\n"; exit }
