# INVERSE BOGGLE, by the rules of its README. A word is found by the set of squares at which its first letters can end, path by path.
use strict;
use warnings;

local $/;
open my $board, '<', $ARGV[0] or die;
open my $answer, '<:raw', $ARGV[1] or die;
my %list = map { $_ => 1 } split ' ', <$board>;
my ($r1, $r2, $r3, $r4, $r5, @words) = grep { length } split /[ \t\n\x0b\f\r]+/, <$answer>;
my @letters;
for ($r1, $r2, $r3, $r4, $r5) {
    defined && /\A[A-Z]{5}\z/ or wrong();
    push @letters, split //;
}

sub next_to {
    my ($a, $b) = @_;
    return $a != $b && abs(int($a / 5) - int($b / 5)) <= 1 && abs($a % 5 - $b % 5) <= 1;
}

sub spell {
    my ($word, @path) = @_;
    return 1 if @path == length $word;
    for my $square (0 .. 24) {
        next if $letters[$square] ne substr $word, scalar @path, 1;
        next if grep { $_ == $square } @path;
        next if @path && !next_to($path[-1], $square);
        return 1 if spell($word, @path, $square);
    }
    return 0;
}

my ($score, %said) = (0);
for my $word (@words) {
    wrong() if !$list{$word} || $said{$word}++ || !spell($word);
    $score += length $word;
}
print "score=$score words=${\ scalar @words}\n";

sub wrong { print "wrong\n"; exit }
