# MOO, by the rules of its README. The answer is all that the entry says; what the referee would say is printed before the figures.
use strict;
use warnings;

local $/;
open my $board, '<', $ARGV[0] or die;
open my $answer, '<:raw', $ARGV[1] or die;
my ($word) = split ' ', <$board>;
my $length = length $word;
my $said = '';
my $guesses = 0;
for (split /(?<=\n)/, <$answer>) {
    wrong() if ++$guesses > 1000 || !/\A[ \t\x0b\f\r]*([A-Z]{$length})[ \t\x0b\f\r]*\n\z/;
    my $guess = $1;
    my $right = grep { substr($word, $_, 1) eq substr($guess, $_, 1) } 0 .. $length - 1;
    my $common = 0;
    for my $letter ('A' .. 'Z') {
        my ($in_word, $in_guess) = map { my $text = $_; scalar(() = $text =~ /$letter/g) } $word, $guess;
        $common += $in_word < $in_guess ? $in_word : $in_guess;
    }
    $said .= "$guess $right " . ($common - $right) . "\n";
    if ($guess eq $word) {
        print "$length\n${said}guesses=$guesses\n";
        exit;
    }
}
wrong();

sub wrong { print "wrong\n"; exit }
