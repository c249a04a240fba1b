# Fork, pipes, an alarm, files, sorting, a child program.
use strict;
use warnings;
use File::Temp qw(tempfile tempdir);
use POSIX ();
use Time::HiRes qw(sleep time);

open(my $file, '<', $ARGV[-1]) or die $!;
my $board = <$file>;
close $file;
pipe(my $reader, my $writer) or die $!;
my $child = fork() // die $!;
if ($child == 0) {
    close $reader;
    print $writer 'child';
    close $writer;
    POSIX::_exit(0);
}
close $writer;
my $line = <$reader>;
waitpid($child, 0) == $child or die;
$line eq 'child' && $? == 0 or die;
my $rang = 0;
local $SIG{ALRM} = sub { $rang = 1 };
Time::HiRes::ualarm(1000);
sleep(0.01) until $rang;
my $folder = tempdir(CLEANUP => 1);
my ($temporary, $name) = tempfile(DIR => $folder);
print $temporary $board x 1000;
close $temporary;
rename($name, "$folder/new") or die $!;
-s "$folder/new" or die;
opendir(my $items, $folder) or die $!;
my @names = grep { !/^\./ } readdir $items;
@names == 1 or die;
my %table = map { $_ => rand } 1 .. 100_000;
my @sorted = sort { $table{$a} <=> $table{$b} } keys %table;
my $word = `echo word`;
system('true') == 0 && $word eq "word\n" && @sorted == 100_000 or die;
print "lluu\n";
