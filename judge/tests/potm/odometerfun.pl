# ODOMETERFUN, from its README: drives mile by mile.
use strict;
use warnings;

local $/;
open my $board, '<', $ARGV[0] or die;
open my $answer, '<:raw', $ARGV[1] or die;
my @readings = split ' ', <$board>;
(my $text = <$answer>) =~ s/[ \t\n\x0b\f\r]+\z//;
my @lines = split /\n/, $text, -1;
wrong() if @lines > @readings;
my ($score, %miles) = (0);
for (@lines) {
    s/\A[ \t\x0b\f\r]+|[ \t\x0b\f\r]+\z//g;
    /\A[0-9]{1,9}\z/ or wrong();
    my $reading = shift @readings;
    my $miles = 1;
    $miles++ while ($reading + $miles) % 1_000_000 != reverse sprintf '%06d', ($reading + $miles) % 1_000_000;
    $score++ if $_ == $miles;
}
print "score=$score\n";

sub wrong { print "wrong\n"; exit }
