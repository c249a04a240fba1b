# RESET, from its README.
use strict;
use warnings;

local $/;
open my $board, '<', $ARGV[0] or die;
open my $answer, '<:raw', $ARGV[1] or die;
my @odometers = map { (split ' ')[0] } grep { /\S/ } split /\n/, <$board>;
(my $text = <$answer>) =~ s/[ \t\n\x0b\f\r]+\z//;
my @lines = split /\n/, $text, -1;
wrong() if @lines != @odometers;
my $score = 0;
for (@lines) {
    s/\A[ \t\x0b\f\r]+|[ \t\x0b\f\r]+\z//g;
    /\A[0-9]{1,6}\z/ or wrong();
    my ($odometer, $after) = (shift(@odometers) + $_, 0);
    # A digit that is there again makes the pattern match.
    $after++ while $after < 20_000 && sprintf('%06d%04d', ($odometer + $after) % 1_000_000, $after % 10_000) =~ /(.).*\1/;
    $score += $_ + $after;
}
print "score1=$score\n";

sub wrong { print "wrong\n"; exit }
