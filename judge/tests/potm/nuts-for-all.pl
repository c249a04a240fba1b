# NUTS for all, by the rules of its README. Reads the board, the replies of the judge to a referee, and the number of seats.
use strict;
use warnings;
use Math::BigInt;
use Math::BigRat;

open my $board, '<', $ARGV[0] or die;
open my $replies, '<:raw', $ARGV[1] or die;
my @rows = map { /(\S+)/ } <$board>;
my ($high, $wide) = (scalar @rows, length $rows[0]);
my %squirrel = map { $_ => [($high + 1) / 2, ($wide + 1) / 2] } 1 .. $ARGV[2];
# Per seat: how often it shared a nut with how many, itself among them.
my %shares = map { $_ => {} } 1 .. $ARGV[2];
for my $turn (1 .. $high * $wide) {
    last if !%squirrel || !grep { /\*/ } @rows;
    my %on;
    for my $seat (sort { $a <=> $b } keys %squirrel) {
        my ($who, $state, $count) = split ' ', scalar <$replies>;
        die "seat $who, expected $seat" if $who != $seat;
        my $answer = $state eq 'ok' ? join '', map { scalar <$replies> } 1 .. $count : '';
        my ($row, $column) = @{$squirrel{$seat}};
        if ($answer =~ /\A([0-9][0-9]?) ([0-9][0-9]?)\n\z/ && $1 >= 1 && $1 <= $high && $2 >= 1 && $2 <= $wide
            && abs($1 - $row) <= 1 && abs($2 - $column) <= 1) {
            $squirrel{$seat} = [$1 + 0, $2 + 0];
            push @{$on{"$squirrel{$seat}[0] $squirrel{$seat}[1]"}}, $seat;
        } else {
            print "out $seat\n" if $state eq 'ok';
            delete $squirrel{$seat};
            $shares{$seat} = {};
        }
    }
    for my $square (keys %on) {
        my ($row, $column) = split ' ', $square;
        next if substr($rows[$row - 1], $column - 1, 1) ne '*';
        substr($rows[$row - 1], $column - 1, 1) = '.';
        $shares{$_}{scalar @{$on{$square}}}++ for @{$on{$square}};
    }
}
print 'end';
for my $seat (1 .. $ARGV[2]) {
    my $sum = Math::BigRat->new(0);
    $sum += Math::BigRat->new("$shares{$seat}{$_}/$_") for keys %{$shares{$seat}};
    my $thousandths = ($sum * 1000)->bfloor;
    my $digits = sprintf '%04s', "$thousandths";
    $digits =~ s/(...)\z/.$1/;
    print " $digits";
}
print "\n";
