//! Any game: a board is read and an answer to it refereed. The input is the game's name, a line end, the board, a line
//! `---`, the answer. What holds for every game: a refusal steers no terminal, the pieces in which an answer comes do not
//! matter, nobody gets further than the goal, and every position can be drawn.

#![no_main]

use judge_core::games;
use judge_core::picture::Picture;
use libfuzzer_sys::fuzz_target;

/// Between board and answer.
const BETWEEN: &[u8] = b"\n---\n";

fuzz_target!(|input: &[u8]| {
    let mut lines = input.splitn(2, |&byte| byte == b'\n');
    let (Some(name), Some(rest)) = (lines.next(), lines.next()) else { return };
    let Some(kind) = std::str::from_utf8(name).ok().and_then(games::find) else { return };
    let between = rest.windows(BETWEEN.len()).position(|piece| piece == BETWEEN);
    let (board, answer) = between.map_or((rest, &[][..]), |at| (&rest[..at], &rest[at + BETWEEN.len()..]));

    let game = (kind.open)(&toml::Table::new()).expect("every game has its usual rules");
    let puzzle = match game.parse(board) {
        Ok(puzzle) => puzzle,
        Err(refusal) => {
            assert!(!refusal.to_string().contains(char::is_control), "{refusal:?}");
            assert!([refusal.row, refusal.column].iter().all(|place| *place != Some(0)), "{refusal:?}");
            return;
        }
    };
    check(&puzzle.start().picture());
    let (ruling, _) = judge_fuzz::rule_in_every_way(&*puzzle, answer);
    check(&ruling.picture);
    assert!(ruling.score.progress <= ruling.score.of, "{:?}", ruling.score);
    if let Some(illegal) = &ruling.illegal {
        assert!(illegal.index > 0, "{illegal:?}");
        assert!(!illegal.to_string().contains(char::is_control), "{illegal:?}");
    }
});

/// A picture is whole rows, and what it writes steers no terminal.
fn check(picture: &Picture) {
    assert!(picture.width > 0 && picture.cells.len().is_multiple_of(picture.width), "{picture:?}");
    assert!(!picture.one_line().contains(char::is_control), "{picture:?}");
    assert!(!picture.draw().contains(|c: char| c.is_control() && c != '\n'), "{picture:?}");
}
