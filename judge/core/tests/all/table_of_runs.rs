//! Files of runs as CSV, written briefly. The tests of the command use them, too.

pub(crate) const HEAD: &str = "contest,game,entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,exit_code,failed_at,token,reason\n";

/// A file of runs: entry, board, what it came to, microseconds.
pub(crate) fn runs(limit_ms: u64, runs: &[(&str, &str, &str, u64)]) -> String {
    let rows = runs.iter().map(|(entry, board, came_to, wall_us)| {
        let (verdict, figures) = match came_to.split_once('/') {
            Some((progress, moves)) => {
                let verdict = if progress == "25" { "solved" } else { "unsolved" };
                (verdict, format!("{progress},25,{moves},{},{wall_us},{limit_ms},,,,", moves.len()))
            }
            None if *came_to == "ILL" => ("illegal_move", format!("7,25,3,0,{wall_us},{limit_ms},,4,x,it is no move")),
            None if *came_to == "TIM" => ("timed_out", format!(",,,,{wall_us},{limit_ms},,,,")),
            None if *came_to == "CRA" => ("crashed", format!(",,,,{wall_us},{limit_ms},3,,,")),
            None if *came_to == "JUD" => ("judge_error", format!(",,,,,{limit_ms},,,,disk full")),
            None => panic!("{came_to}"),
        };
        format!("Test,loyd,{entry},{board},{verdict},{figures}\n")
    });
    HEAD.to_owned() + &rows.collect::<String>()
}
