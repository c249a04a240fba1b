//! The content of a replay's screen: a sequence of positions, one of which is current. A built-in game replays its
//! moves; a referee program leaves pictures.

use crate::describe;
use judge_core::external::FrameView;
use judge_core::figure::RefereeFigures;
use judge_core::game::GameInfo;
use judge_core::indexed_replay::IndexedReplay;
use judge_core::picture::Picture;
use judge_core::referee::Ruling;
use judge_core::text::{counted, printable};
use judge_core::verdict::Verdict;

/// The longest part of an answer that is shown with a position, in characters.
const MAX_SHOWN: usize = 60;

/// A sequence of positions, one of which is current.
pub trait ReplayCursor {
    /// The number of the current position, from 0.
    fn at(&self) -> usize;

    /// The number of the last position.
    fn last(&self) -> usize;

    /// Makes a position the current one, or the last if there are fewer.
    fn go(&mut self, to: usize);

    /// The picture of the current position.
    fn picture(&self) -> Picture;

    /// The move or caption of the current position, in one line.
    fn step(&self) -> String;

    /// The figures of the current position, in one line.
    fn figures(&self) -> String;

    /// The name of the progress, and the target progress; `None` if there is no curve to draw.
    fn aim(&self) -> Option<(&str, u64)>;

    /// The progress at a position.
    fn progress(&self, at: usize) -> u64;

    /// The verdict on the whole answer.
    fn verdict(&self) -> String;

    /// True if the answer is a success.
    fn succeeds(&self) -> bool;

    /// A warning before the last position; `None` if the answer does not fail there.
    fn warning(&self) -> Option<String>;
}

/// The replay of a built-in game.
pub struct MoveReplay<'f, 'p> {
    /// The replay.
    pub indexed: &'f mut IndexedReplay<'p>,
    /// The game, which names its figures.
    pub game: &'f GameInfo,
}

impl ReplayCursor for MoveReplay<'_, '_> {
    fn at(&self) -> usize {
        self.indexed.at()
    }

    fn last(&self) -> usize {
        self.indexed.last()
    }

    fn go(&mut self, to: usize) {
        self.indexed.go(to);
    }

    fn picture(&self) -> Picture {
        self.indexed.picture()
    }

    fn step(&self) -> String {
        match (self.at(), self.last()) {
            (0, 0) => "no move to show".into(),
            (0, last) => format!("start of {last}"),
            (at, last) => printable(&format!("step {at} of {last}: {}", self.indexed.token())),
        }
    }

    fn figures(&self) -> String {
        describe::score(self.indexed.score(), self.game)
    }

    fn aim(&self) -> Option<(&str, u64)> {
        Some((self.game.figures[0].title(), self.indexed.score().of))
    }

    fn progress(&self, at: usize) -> u64 {
        self.indexed.progress(at)
    }

    fn verdict(&self) -> String {
        let ruling = self.indexed.ruling();
        match Verdict::from_replay(self.game, ruling.score, ruling.illegal.clone()) {
            Verdict::IllegalMove { illegal, .. } => illegal.to_string(),
            Verdict::Solved(_) => "solved".into(),
            _ => "not solved: the answer ends here".into(),
        }
    }

    fn succeeds(&self) -> bool {
        self.indexed.ruling().score.solved() && self.indexed.illegal().is_none()
    }

    fn warning(&self) -> Option<String> {
        self.indexed.illegal().map(|_| format!("an illegal move comes after step {}", self.indexed.last()))
    }
}

/// The pictures that a referee left, with the parts of the answer that led to them.
pub struct PictureReplay<'r> {
    ruling: &'r Ruling,
    answer: Vec<u8>,
    pictures: Vec<&'r Picture>,
    at: usize,
}

impl<'r> PictureReplay<'r> {
    /// The pictures of a ruling; `None` if there is none, or if some are images, which a terminal cannot show.
    pub fn new(ruling: &'r Ruling, answer: Vec<u8>) -> Option<Self> {
        let picture = |view: &'r FrameView| match view {
            FrameView::Picture(picture) => Some(picture),
            FrameView::Image(_) => None,
        };
        let pictures = ruling.frames.iter().map(|frame| picture(&frame.view)).collect::<Option<Vec<_>>>()?;
        (!pictures.is_empty()).then_some(Self { ruling, answer, pictures, at: 0 })
    }

    /// The largest progress of any position.
    fn most_progress(&self) -> u64 {
        self.ruling.frames.iter().filter_map(|frame| frame.progress).max().unwrap_or(0)
    }

    /// True if the puzzle has no target progress: some position has more progress than the goal that the ruling names.
    fn open(&self) -> bool {
        self.ruling.verdict.given().is_some_and(|given| self.most_progress() > given.goal())
    }

    /// The part of the answer between the position before and the current one.
    fn part(&self) -> String {
        let end = |at: usize| usize::try_from(self.ruling.frames[at].at).unwrap_or(usize::MAX).min(self.answer.len());
        let (from, to) = (self.at.checked_sub(1).map_or(0, end), end(self.at));
        let part = String::from_utf8_lossy(&self.answer[from.min(to)..to]);
        let words = part.split_whitespace().collect::<Vec<_>>().join(" ");
        match words.chars().nth(MAX_SHOWN) {
            Some(_) => words.chars().take(MAX_SHOWN).chain("…".chars()).collect(),
            None => words,
        }
    }
}

impl ReplayCursor for PictureReplay<'_> {
    fn at(&self) -> usize {
        self.at
    }

    fn last(&self) -> usize {
        self.pictures.len() - 1
    }

    fn go(&mut self, to: usize) {
        self.at = to.min(self.last());
    }

    fn picture(&self) -> Picture {
        self.pictures[self.at].clone()
    }

    fn step(&self) -> String {
        let place = format!("position {} of {}", self.at + 1, self.pictures.len());
        match self.part() {
            part if part.is_empty() => place,
            part => printable(&format!("{place}: {part}")),
        }
    }

    fn figures(&self) -> String {
        let frame = &self.ruling.frames[self.at];
        let read = format!("after {} of the answer", counted(frame.at, "bytes"));
        match (frame.progress, self.aim()) {
            (Some(progress), Some((name, of))) if !self.open() => format!("{name} {progress} of {of}, {read}"),
            (Some(progress), _) => format!("progress {progress}, {read}"),
            (None, _) => read,
        }
    }

    fn aim(&self) -> Option<(&str, u64)> {
        let of = self.ruling.verdict.given().map(RefereeFigures::goal)?.max(self.most_progress());
        self.ruling.frames.iter().all(|frame| frame.progress.is_some()).then_some(("progress", of))
    }

    fn progress(&self, at: usize) -> u64 {
        self.ruling.frames[at].progress.unwrap_or_default()
    }

    fn verdict(&self) -> String {
        printable(&self.ruling.verdict.summary())
    }

    fn succeeds(&self) -> bool {
        self.ruling.verdict.is_success()
    }

    fn warning(&self) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::external::parse_frames;
    use judge_core::points::Points;

    fn ruling(frames: &str) -> Ruling {
        let given = RefereeFigures { full: Some(Points::whole(4)), ..RefereeFigures::default() };
        let image = |_: &str| Some(b"<svg/>".to_vec());
        let mut ruling = Ruling::from(Verdict::Unsolved(given));
        ruling.frames = parse_frames(frames.as_bytes(), image).expect("frames");
        ruling
    }

    #[test]
    fn pictures_have_the_parts_of_the_answer_that_led_to_them() {
        let left = ruling(
            "{\"at\":0,\"progress\":0,\"grid\":[\"A\"]}\n{\"at\":3,\"progress\":1,\"grid\":[\"B\"]}\n{\"at\":900,\"progress\":1,\"grid\":[\"C\"]}\n",
        );
        let mut cursor = PictureReplay::new(&left, b"a1 b2\x1b[2J c3".to_vec()).expect("pictures");
        assert_eq!((cursor.last(), cursor.step().as_str()), (2, "position 1 of 3"));
        cursor.go(1);
        assert_eq!((cursor.step().as_str(), cursor.picture().one_line()), ("position 2 of 3: a1", "B".into()));
        assert_eq!(cursor.figures(), "progress 1 of 4, after 3 bytes of the answer");
        cursor.go(9);
        let step = cursor.step();
        assert!(step.starts_with("position 3 of 3: b2") && step.ends_with("c3") && !step.contains('\x1b'), "{step:?}");
        assert_eq!((cursor.aim(), cursor.progress(2), cursor.succeeds()), (Some(("progress", 4)), 1, false));
        let solved = ruling("{\"at\":7,\"progress\":4,\"grid\":[\"A\"]}");
        let cursor = PictureReplay::new(&solved, Vec::new()).expect("pictures");
        assert_eq!(cursor.figures(), "progress 4 of 4, after 7 bytes of the answer");
        let past = ruling("{\"at\":7,\"progress\":148,\"grid\":[\"A\"]}");
        let cursor = PictureReplay::new(&past, Vec::new()).expect("pictures");
        assert_eq!(
            (cursor.figures().as_str(), cursor.aim()),
            ("progress 148, after 7 bytes of the answer", Some(("progress", 148)))
        );
        let long = ruling("{\"at\":500,\"grid\":[\"A\"]}");
        let cursor = PictureReplay::new(&long, "x".repeat(500).into_bytes()).expect("pictures");
        assert!(cursor.step().ends_with("x…") && cursor.aim().is_none());
    }

    #[test]
    fn images_are_not_for_a_terminal() {
        assert!(PictureReplay::new(&ruling("{\"at\":0,\"svg\":\"1.svg\"}"), Vec::new()).is_none());
        assert!(PictureReplay::new(&ruling(""), Vec::new()).is_none());
    }
}
