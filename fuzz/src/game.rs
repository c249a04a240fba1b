//! A board of any game and an answer on it.
//!
//! What must hold: messages are printable; the size of pieces does not matter; positions can be drawn.

use judge_core::games;
use judge_core::picture::Picture;

use crate::common::rule_in_every_way;

/// The line between board and answer.
const BETWEEN: &[u8] = b"\n---\n";

/// Reads a board and replays an answer on it. The input is the game's name, a line end, the board, a line `---`, the answer.
/// For every game: messages have no control character, the pieces in which an answer arrives do not matter, progress ends at
/// the goal, and every position can be drawn.
pub fn check(input: &[u8]) {
    let mut lines = input.splitn(2, |&byte| byte == b'\n');
    let (Some(name), Some(rest)) = (lines.next(), lines.next()) else { return };
    let Some(info) = std::str::from_utf8(name).ok().and_then(games::find) else { return };
    let between = rest.windows(BETWEEN.len()).position(|piece| piece == BETWEEN);
    let (board, answer) = between.map_or((rest, &[][..]), |at| (&rest[..at], &rest[at + BETWEEN.len()..]));

    let game = (info.open)(&Default::default()).expect("every game has its usual rules");
    let puzzle = match game.parse(board) {
        Ok(puzzle) => puzzle,
        Err(refusal) => {
            assert!(!refusal.to_string().contains(char::is_control), "{refusal:?}");
            assert!([refusal.row, refusal.column].iter().all(|place| *place != Some(0)), "{refusal:?}");
            return;
        }
    };
    check_picture(&puzzle.start().picture());
    let (ruling, _) = rule_in_every_way(&*puzzle, answer);
    check_picture(&ruling.picture);
    assert!(ruling.score.progress <= ruling.score.of, "{:?}", ruling.score);
    if let Some(illegal) = &ruling.illegal {
        assert!(illegal.index > 0, "{illegal:?}");
        assert!(!illegal.to_string().contains(char::is_control), "{illegal:?}");
    }
}

/// A picture has whole rows and no control character.
fn check_picture(picture: &Picture) {
    assert!(picture.width > 0 && picture.cells.len().is_multiple_of(picture.width), "{picture:?}");
    assert!(!picture.one_line().contains(char::is_control), "{picture:?}");
    assert!(!picture.draw().contains(|c: char| c.is_control() && c != '\n'), "{picture:?}");
}
