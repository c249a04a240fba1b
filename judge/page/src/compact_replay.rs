//! A replay in the form embedded in the page, move by move: the first picture, then the changes from picture to
//! picture.
//!
//! The page's script needs no rules: a step lists the cells that changed and the cells that the move touched. Most
//! moves of most games swap two cells, and most swaps begin at the cell where the last one ended. Such a step is one
//! number.

use std::io::{self, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use judge_core::external::{self, FrameView};
use judge_core::game::{IllegalMove, Puzzle, Score};
use judge_core::picture::{Picture, PictureCell};
use judge_core::referee::{self, ReplayResult};
use judge_core::verdict::Verdict;

/// The most cells of all pictures of one film while it is recorded.
const MAX_CELLS: usize = 4_000_000;

/// A replay as frames, all of which except the first are only changes.
#[derive(Debug, Serialize)]
pub(super) struct CompactReplay {
    /// Moves from one frame to the next, a power of two; above 1 only for long answers. The last frame is always the
    /// end of the answer.
    pub(super) stride: u64,
    /// The number of moves of the answer, up to an illegal one.
    pub(super) moves: u64,
    /// The progress that solves the board, or, if `open`, the largest progress.
    pub(super) of: u64,
    /// True if the puzzle has no target progress: some position has more progress than the goal that the ruling names.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    open: bool,
    /// Progress at the first frame, then its change from frame to frame; empty if it is unknown.
    progress: Vec<i64>,
    /// The distance to the goal at the first frame, then its change from frame to frame; empty if the referee has no
    /// such figure.
    distance: Vec<i64>,
    /// The number of bytes of the answer read at the first frame, then its change from frame to frame.
    read: Vec<i64>,
    /// The labels of the goal by cell, a space for a cell that is not part of it; empty without a goal.
    #[serde(skip_serializing_if = "String::is_empty")]
    goal: String,
    /// The picture before the first move.
    start: Grid,
    /// The changes from each frame to the next.
    steps: Vec<Step>,
    /// The illegal move after the last frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) illegal: Option<Illegal>,
    /// The image of each frame, which replaces its picture, as an SVG file in base 64; `null` for none. Empty if no
    /// frame has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<Option<String>>,
}

/// A picture without its touched cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Grid {
    width: usize,
    /// One character per cell; a space for a cell outside the board.
    cells: String,
}

/// The change from one frame to the next.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Step {
    /// The cell at the end of the last swap, and the cell at this offset from it, swap their labels.
    Next(i64),
    /// Two cells swap their labels.
    Swap([usize; 2]),
    /// These cells get new labels, and the move touched exactly them.
    Labels(String, Vec<usize>),
    /// These cells get new labels, and the move touched the cells of the second list.
    Touched(String, Vec<usize>, Vec<usize>),
    /// A new picture of another size, and the cells that the move touched.
    Whole(Grid, Vec<usize>),
}

/// An illegal move as text.
#[derive(Debug, Serialize)]
pub(super) struct Illegal {
    /// Its index in the answer, from 1.
    pub(super) index: u64,
    token: String,
    reason: String,
}

/// A film with other results of its replay.
pub(super) struct Recording {
    pub(super) film: CompactReplay,
    /// The score at the end.
    pub(super) score: Score,
    /// The last position in one line.
    pub(super) last: String,
    /// Progress at each frame, the first before the first move.
    pub(super) progress: Vec<u64>,
}

/// A frame while the film is recorded.
struct Frame {
    picture: Picture,
    progress: u64,
    distance: u64,
    /// Bytes of the answer that were read up to this frame.
    read: usize,
}

/// Replays an answer into a film of at most `most` frames plus the last one.
pub(super) fn record(puzzle: &dyn Puzzle, answer: impl Read, most: usize) -> io::Result<Recording> {
    let mut frames: Vec<Frame> = Vec::new();
    let (mut positions, mut stride, mut read_by_end) = (0, 1, 0);
    let ruling = referee::walk(puzzle, answer, |replay, read| {
        if positions % stride == 0 {
            let (picture, Score { progress, .. }) = (replay.picture(), replay.score());
            let room = MAX_CELLS / picture.cells.len().max(1);
            frames.push(Frame { picture, progress, distance: replay.distance(), read });
            if frames.len() > most.min(room).max(2) {
                frames = std::mem::take(&mut frames).into_iter().step_by(2).collect();
                stride *= 2;
            }
        }
        positions += 1;
        read_by_end = read;
        Ok(())
    })?;
    let moves = positions - 1;
    let ReplayResult { score, illegal, picture, distance, .. } = ruling;
    let last = picture.one_line();
    if moves % stride != 0 {
        frames.push(Frame { picture, progress: score.progress, distance, read: read_by_end });
    }
    let progress: Vec<u64> = frames.iter().map(|frame| frame.progress).collect();
    let film = CompactReplay {
        stride,
        moves,
        of: score.of,
        open: false,
        progress: changes(progress.iter().copied()),
        distance: changes(frames.iter().map(|frame| frame.distance)),
        read: changes(frames.iter().map(|frame| frame.read as u64)),
        goal: puzzle.goal().into_iter().map(|label| label.unwrap_or(' ')).collect(),
        start: Grid::from_picture(&frames[0].picture),
        steps: steps(frames.iter().map(|frame| &frame.picture)),
        illegal: illegal.map(|IllegalMove { index, token, reason }| Illegal { index, token, reason }),
        images: Vec::new(),
    };
    Ok(Recording { film, score, last, progress })
}

/// The film of at most `most` positions that a referee left, and the progress at each if it is known for all. Images
/// beyond the given number of bytes are left out. `None` if there is no position.
pub(super) fn of_frames(
    left: Vec<external::Frame>,
    verdict: &Verdict,
    most: usize,
    mut image_bytes: usize,
) -> Option<(CompactReplay, Option<Vec<u64>>)> {
    let goal = verdict.given()?.goal();
    let all = left.len().checked_sub(1)?;
    let room = left.iter().filter_map(|frame| match &frame.view {
        FrameView::Picture(picture) => Some(MAX_CELLS / picture.cells.len().max(1)),
        _ => None,
    });
    let most = room.min().unwrap_or(most).min(most).max(2);
    let mut stride = 1;
    while all / stride > most {
        stride *= 2;
    }
    let shown = left.into_iter().enumerate().filter(|(number, _)| number % stride == 0 || *number == all);
    let shown: Vec<external::Frame> = shown.map(|(_, frame)| frame).collect();
    let mut images: Vec<Option<String>> = Vec::with_capacity(shown.len());
    for frame in &shown {
        let image = match &frame.view {
            FrameView::Image(svg) => Some(svg),
            _ => frame.drawing.as_ref(),
        };
        let image = image.filter(|svg| svg.len() <= image_bytes);
        image_bytes -= image.map_or(0, String::len);
        images.push(image.map(|svg| STANDARD.encode(svg)));
    }
    // The page shows an image instead of its grid, so the grid is left out.
    let blank = Picture { width: 1, cells: vec![PictureCell { label: None, touched: false }] };
    let pictures: Vec<&Picture> = shown
        .iter()
        .zip(&images)
        .map(|(frame, image)| match &frame.view {
            FrameView::Picture(picture) if image.is_none() => picture,
            _ => &blank,
        })
        .collect();
    if images.iter().all(Option::is_none) {
        images.clear();
    }
    let progress: Option<Vec<u64>> = shown.iter().map(|frame| frame.progress).collect();
    let most_progress = shown.iter().filter_map(|frame| frame.progress).max().unwrap_or(0);
    let film = CompactReplay {
        stride: stride as u64,
        moves: all as u64,
        of: goal.max(most_progress),
        open: most_progress > goal,
        progress: progress.as_ref().map_or(Vec::new(), |progress| changes(progress.iter().copied())),
        distance: Vec::new(),
        read: changes(shown.iter().map(|frame| frame.at)),
        goal: String::new(),
        start: Grid::from_picture(pictures[0]),
        steps: steps(pictures.iter().copied()),
        illegal: match verdict {
            Verdict::IllegalMove { illegal, .. } => {
                let IllegalMove { index, token, reason } = &**illegal;
                Some(Illegal { index: *index, token: token.clone(), reason: reason.clone() })
            }
            _ => None,
        },
        images,
    };
    Some((film, progress))
}

/// Returns the first value, then the change from each value to the next.
fn changes(values: impl Iterator<Item = u64>) -> Vec<i64> {
    let change = |last: &mut i64, value: u64| {
        let value = signed(value);
        Some(value - std::mem::replace(last, value))
    };
    values.scan(0, change).collect()
}

impl Grid {
    fn from_picture(picture: &Picture) -> Self {
        Self { width: picture.width, cells: picture.cells.iter().map(|cell| label(*cell)).collect() }
    }
}

/// Returns a cell's label, a space for none: no game has a label of white space.
fn label(cell: PictureCell) -> char {
    cell.label.unwrap_or(' ')
}

/// Returns the change from each picture to the next.
fn steps<'a>(pictures: impl Iterator<Item = &'a Picture> + Clone) -> Vec<Step> {
    // Both cells of the last swap, in the order in which the next swap is expected to continue.
    let mut ends = None;
    let pairs = pictures.clone().zip(pictures.skip(1));
    pairs.map(|(before, after)| step(before, after, &mut ends)).collect()
}

fn step(before: &Picture, after: &Picture, ends: &mut Option<[usize; 2]>) -> Step {
    let places = |is: &dyn Fn(usize) -> bool| (0..after.cells.len()).filter(|&cell| is(cell)).collect::<Vec<usize>>();
    let touched = places(&|cell| after.cells[cell].touched);
    if (before.width, before.cells.len()) != (after.width, after.cells.len()) {
        return Step::Whole(Grid::from_picture(after), touched);
    }
    let [old, new] = [before, after].map(|picture| move |cell: usize| label(picture.cells[cell]));
    let changed = places(&|cell| old(cell) != new(cell));
    let labels = || changed.iter().map(|&cell| new(cell)).collect();
    if changed != touched {
        return Step::Touched(labels(), changed, touched);
    }
    match changed[..] {
        [a, b] if old(a) == new(b) && old(b) == new(a) => {
            let last = ends.map(|ends| ends[1]);
            let known = |cell: usize| ends.is_some_and(|ends| ends.contains(&cell));
            let [from, to] = if last == Some(b) || last != Some(a) && known(b) { [b, a] } else { [a, b] };
            *ends = Some([from, to]);
            match last {
                Some(last) if last == from => Step::Next(offset(from, to)),
                _ => Step::Swap([from, to]),
            }
        }
        _ => Step::Labels(labels(), changed),
    }
}

/// Returns the offset from one cell to another.
fn offset(from: usize, to: usize) -> i64 {
    signed(to as u64) - signed(from as u64)
}

/// Converts a number of cells, moves or bytes, which is far below the limit.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;
    use judge_core::figure::RefereeFigures;
    use judge_core::game::HouseRules;
    use judge_core::games;
    use judge_core::points::Points;

    impl CompactReplay {
        /// Rebuilds the frames like the page's script: each as a grid, its touched cells, and the progress.
        fn frames(&self) -> Vec<(Grid, Vec<usize>, i64)> {
            let mut grid = self.start.clone();
            let (mut last, mut progress) = (0usize, self.progress[0]);
            let mut frames = vec![(grid.clone(), Vec::new(), progress)];
            for (step, change) in self.steps.iter().zip(&self.progress[1..]) {
                let mut cells: Vec<char> = grid.cells.chars().collect();
                let mut set = |labels: &str, places: &[usize]| {
                    places.iter().zip(labels.chars()).for_each(|(&place, label)| cells[place] = label);
                };
                let touched = match step {
                    Step::Next(offset) => {
                        let from = last;
                        last = from.checked_add_signed(isize::try_from(*offset).unwrap()).unwrap();
                        cells.swap(from, last);
                        vec![from.min(last), from.max(last)]
                    }
                    Step::Swap([from, to]) => {
                        last = *to;
                        cells.swap(*from, *to);
                        vec![*from.min(to), *from.max(to)]
                    }
                    Step::Labels(labels, places) => {
                        set(labels, places);
                        places.clone()
                    }
                    Step::Touched(labels, places, touched) => {
                        set(labels, places);
                        touched.clone()
                    }
                    Step::Whole(whole, touched) => {
                        grid.width = whole.width;
                        cells = whole.cells.chars().collect();
                        touched.clone()
                    }
                };
                grid.cells = cells.into_iter().collect();
                progress += change;
                frames.push((grid.clone(), touched, progress));
            }
            frames
        }
    }

    /// Returns every position of an answer, for comparison with [`record`].
    fn replayed(puzzle: &dyn Puzzle, answer: &[u8]) -> Vec<(Grid, Vec<usize>, i64)> {
        let mut positions = Vec::new();
        referee::trace(puzzle, answer, |score, picture| {
            let touched = (0..picture.cells.len()).filter(|&cell| picture.cells[cell].touched).collect();
            positions.push((Grid::from_picture(&picture), touched, signed(score.progress)));
            Ok(())
        })
        .unwrap();
        positions
    }

    /// Returns a board of the first game, in which a move is a letter and swaps two cells.
    fn perfection() -> Box<dyn Puzzle> {
        let game = (games::GAMES[0].open)(&HouseRules::default()).unwrap();
        game.parse(b"ABCDE FGHIJ KLMNO PQRST UVWX+").unwrap()
    }

    /// Returns the boards and answers of the fuzzing seeds.
    fn seeds() -> Vec<(Box<dyn Puzzle>, Vec<u8>, String)> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/game");
        let seeds =
            std::fs::read_dir(folder).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
        let games = seeds.filter_map(|seed| {
            let (game, rest) = seed.split_once('\n')?;
            let (board, answer) = rest.split_once("---\n")?;
            let game = (games::find(game)?.open)(&HouseRules::default()).unwrap();
            Some((game.parse(board.as_bytes()).ok()?, answer.as_bytes().to_vec(), seed.clone()))
        });
        games.collect()
    }

    #[test]
    fn a_film_has_every_position_of_the_replay() {
        let mut games_with_moves = std::collections::BTreeSet::new();
        for (puzzle, answer, seed) in seeds() {
            let Recording { film, score, last, progress } = record(&*puzzle, &answer[..], 4096).unwrap();
            let ruling = referee::rule(&*puzzle, &answer[..]).unwrap();
            assert_eq!(film.frames(), replayed(&*puzzle, &answer), "{seed}");
            assert_eq!((score, last), (ruling.score, ruling.picture.one_line()), "{seed}");
            assert_eq!(
                film.illegal.map(|illegal| illegal.index),
                ruling.illegal.map(|illegal| illegal.index),
                "{seed}"
            );
            assert_eq!((progress.len() as u64, film.stride), (film.moves + 1, 1), "{seed}");
            if film.moves > 0 {
                games_with_moves.insert(seed.lines().next().unwrap().to_owned());
            }
        }
        assert_eq!(games_with_moves.len(), games::GAMES.len(), "games with moves: {games_with_moves:?}");
    }

    #[test]
    fn a_long_replay_has_a_stride_and_its_last_frame() {
        let puzzle = perfection();
        for length in [1, 7, 8, 9, 100, 101, 127, 128, 129] {
            let answer = b"dtrlut".iter().copied().cycle().take(length).collect::<Vec<u8>>();
            let (film, all) = (record(&*puzzle, &answer[..], 8).unwrap().film, replayed(&*puzzle, &answer));
            let frames = film.frames();
            assert!(frames.len() <= 9 && film.moves == all.len() as u64 - 1, "{length}");
            let stride = usize::try_from(film.stride).unwrap();
            let mut kept: Vec<_> = all.iter().step_by(stride).map(|(grid, ..)| grid).collect();
            if (all.len() - 1) % stride != 0 {
                kept.push(&all.last().unwrap().0);
            }
            assert_eq!(frames.iter().map(|(grid, ..)| grid).collect::<Vec<_>>(), kept, "{length}");
        }
    }

    #[test]
    fn most_moves_are_a_single_number() {
        let puzzle = perfection();
        let film = record(&*puzzle, &b"ddrruldtlurd"[..], 4096).unwrap().film;
        assert_eq!(film.illegal.map(|illegal| illegal.token), None);
        // The first swap does not determine the cell at which the next one begins.
        assert_eq!(serde_json::to_string(&film.steps[..4]).unwrap(), "[[19,24],[19,14],-1,-1]");
        assert!(film.steps[2..].iter().all(|step| matches!(step, Step::Next(_))), "{:?}", film.steps);
    }

    #[test]
    fn positions_that_a_referee_left_are_a_film_of_pictures_and_images() {
        let frame = |at, text: &str| {
            let lines = format!("{{\"at\":{at},\"progress\":{at},{text}}}");
            external::parse_frames(lines.as_bytes(), |_| Some(b"<svg/>".to_vec())).unwrap().remove(0)
        };
        let left = vec![frame(0, r#""grid":["AB"]"#), frame(2, r#""svg":"x""#), frame(5, r#""grid":["BA"]"#)];
        let given = RefereeFigures { full: Some(Points::whole(9)), ..RefereeFigures::default() };
        let (film, progress) = of_frames(left.clone(), &Verdict::Unsolved(given.clone()), 100, 6).unwrap();
        assert_eq!(progress, Some(vec![0, 2, 5]));
        assert_eq!((film.moves, film.of, &film.read, &film.distance), (2, 9, &vec![0, 2, 3], &Vec::new()));
        assert_eq!(film.images, [None, Some(STANDARD.encode("<svg/>")), None]);
        assert_eq!(film.frames()[2].0.cells, "BA");
        // An image replaces its grid. Without room for the image, the grid is shown.
        let mut both = left[0].clone();
        both.drawing = Some("<svg/>".into());
        for (room, images, cells) in [(6, 1, " "), (5, 0, "AB")] {
            let (film, _) = of_frames(vec![both.clone()], &Verdict::Unsolved(given.clone()), 100, room).unwrap();
            assert_eq!((film.images.len(), film.start.cells.as_str()), (images, cells));
        }
        // Without room for the image, and with every second position only.
        let (film, _) = of_frames(left.clone(), &Verdict::Unsolved(given.clone()), 100, 5).unwrap();
        assert!(film.images.is_empty());
        let many: Vec<_> = (0..99).map(|at| frame(at, r#""grid":["A"]"#)).collect();
        let (film, _) = of_frames(many, &Verdict::Unsolved(given.clone()), 30, 0).unwrap();
        assert_eq!((film.stride, film.moves, film.steps.len()), (4, 98, 25));
        let mut past = external::Frame::new(9, left[0].view.clone());
        past.progress = Some(148);
        let (film, _) = of_frames(vec![left[0].clone(), past], &Verdict::Unsolved(given.clone()), 9, 9).unwrap();
        assert_eq!((film.of, film.open), (148, true), "not 148 of 9");
        assert!(of_frames(Vec::new(), &Verdict::Unsolved(given.clone()), 9, 9).is_none());
        assert!(of_frames(left, &Verdict::TimedOut, 9, 9).is_none());
    }
}
