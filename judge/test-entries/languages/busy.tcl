# An event loop, a pipeline, files.
set board [read [open [lindex $argv end]]]
after 5 {set rang 1}
vwait rang
set word [exec echo word | cat]
set name [file join $env(TMPDIR) busy]
set file [open $name w]
puts $file $board
close $file
file rename $name $name.new
if {$word ne "word" || [file size $name.new] == 0 || [llength [glob -directory $env(TMPDIR) busy*]] != 1} { exit 3 }
file delete $name.new
puts lluu
