//! `frames.jsonl`: the positions of an answer, one per line, which a referee leaves for the replay.

use std::borrow::Cow;
use std::collections::HashMap;

use judge_job::{Bytes, Count};
use serde::{Deserialize, Serialize};

use crate::picture::{Picture, PictureCell};

/// The most frames that a referee may leave for one answer.
pub const MAX_FRAMES: usize = 4096;
/// The longest file, and the most bytes of all its images together.
pub const MAX_FRAMES_BYTES: u64 = 4 << 20;
/// The largest stored file of frames, in bytes. In results of 0.2, a cell of a grid takes some thirty bytes.
pub const MAX_STORED_FRAMES_BYTES: u64 = 256 << 20;
/// The most rows of a grid, and the most cells of a row.
const MAX_ROWS: usize = 512;

/// A position of the replay that a referee left.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// The number of bytes of the answer up to this position.
    pub at: u64,
    /// The progress up to this position; `None` if the referee gives none.
    pub progress: Option<u64>,
    /// The drawn position: a grid or an image.
    pub view: FrameView,
    /// The text of an SVG image of a position that is also a grid, for readers that show images. It is untrusted, like
    /// [`FrameView::Image`].
    pub drawing: Option<String>,
}

impl Frame {
    /// A position after this number of bytes of the answer, with unknown progress.
    pub fn new(at: u64, view: FrameView) -> Self {
        Self { at, progress: None, view, drawing: None }
    }
}

/// The picture of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameView {
    /// A grid of labelled cells.
    Picture(Picture),
    /// The text of an SVG image. It is untrusted, so it is shown as an image and never as a part of a page.
    Image(String),
}

/// The reason why frames were refused, as a fragment with the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("frames.jsonl: {0}")]
pub struct FramesError(String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(deserialize_with = "Bytes::number")]
    at: u64,
    #[serde(default, deserialize_with = "Count::optional")]
    progress: Option<u64>,
    grid: Option<Vec<String>>,
    #[serde(default)]
    touched: Vec<(usize, usize)>,
    svg: Option<String>,
}

/// Parses frames. `image` returns the image file of that name if the referee left one.
///
/// # Errors
///
/// A line is not a frame, or frames or bytes exceed their limits.
pub fn parse_frames(jsonl: &[u8], mut image: impl FnMut(&str) -> Option<Vec<u8>>) -> Result<Vec<Frame>, FramesError> {
    if jsonl.len() as u64 > MAX_FRAMES_BYTES {
        return Err(FramesError(format!("more than {MAX_FRAMES_BYTES} bytes")));
    }
    let mut frames: Vec<Frame> = Vec::new();
    let mut images: HashMap<String, String> = HashMap::new();
    let mut bytes = 0;
    let lines = jsonl.split(|&byte| byte == b'\n').enumerate();
    for (number, line) in lines.filter(|(_, line)| !line.iter().all(u8::is_ascii_whitespace)) {
        let refuse = |reason: String| FramesError(format!("line {}: {reason}", number + 1));
        if !line.trim_ascii_start().starts_with(b"{") {
            return Err(refuse("expected an object".into()));
        }
        let line: Line = serde_json::from_slice(line).map_err(|error| refuse(error.to_string()))?;
        let last = frames.last().map_or(0, |frame| frame.at);
        if frames.len() == MAX_FRAMES {
            return Err(refuse(format!("more than {MAX_FRAMES} frames")));
        }
        if line.at < last {
            return Err(refuse(format!("at is {}, and {last} in the frame before", line.at)));
        }
        let drawn = match line.svg {
            None => None,
            Some(name) => {
                let text = match images.get(&name) {
                    Some(text) => text.clone(),
                    None => {
                        let file = image(&name).ok_or_else(|| refuse(format!("image {name:?} is missing")))?;
                        let text = String::from_utf8(file);
                        text.map_err(|_| refuse(format!("image {name:?} is not UTF-8")))?
                    }
                };
                // Repeated images count again, because they are stored with each frame.
                bytes += text.len() as u64;
                if bytes > MAX_FRAMES_BYTES {
                    return Err(refuse(format!("images of more than {MAX_FRAMES_BYTES} bytes")));
                }
                images.insert(name, text.clone());
                Some(text)
            }
        };
        let (view, drawing) = match (line.grid, drawn) {
            (Some(grid), drawn) => (FrameView::Picture(picture(&grid, &line.touched).map_err(refuse)?), drawn),
            (None, Some(text)) => (FrameView::Image(text), None),
            (None, None) => return Err(refuse("a frame has a grid, an svg, or both".into())),
        };
        frames.push(Frame { at: line.at, progress: line.progress, view, drawing });
    }
    Ok(frames)
}

/// The picture of a grid. Short rows are filled with cells outside the board.
fn picture(grid: &[String], touched: &[(usize, usize)]) -> Result<Picture, String> {
    let width = grid.iter().map(|row| row.chars().count()).max().unwrap_or(0);
    if width == 0 || width > MAX_ROWS || grid.len() > MAX_ROWS {
        return Err(format!("a grid has 1 to {MAX_ROWS} rows of at most {MAX_ROWS} cells"));
    }
    let mut cells = Vec::with_capacity(width * grid.len());
    for row in grid {
        let labels = row.chars().map(Some).chain(std::iter::repeat(None)).take(width);
        cells.extend(labels.map(|label| PictureCell { label, touched: false }));
    }
    for &(row, column) in touched {
        match cells.get_mut(row.saturating_mul(width).saturating_add(column)).filter(|_| column < width) {
            Some(cell) => cell.touched = true,
            None => return Err(format!("touched [{row},{column}] is outside of the grid")),
        }
    }
    Ok(Picture { width, cells })
}

/// A line of a stored file: the grid as the referee wrote it, and the image instead of its name.
#[derive(Serialize, Deserialize)]
struct Stored<'f> {
    #[serde(deserialize_with = "Bytes::number")]
    at: u64,
    #[serde(default, deserialize_with = "Count::optional", skip_serializing_if = "Option::is_none")]
    progress: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grid: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    touched: Vec<(usize, usize)>,
    #[serde(default, alias = "drawing", skip_serializing_if = "Option::is_none")]
    image: Option<Cow<'f, str>>,
    /// The grid in results of 0.2.
    #[serde(default, skip_serializing)]
    picture: Option<Picture>,
}

/// Frames with their images, one per line, in the form of the results directory.
#[allow(clippy::missing_panics_doc, reason = "plain data has a JSON form")]
pub fn write_frames(frames: &[Frame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for frame in frames {
        serde_json::to_writer(&mut bytes, &frame.stored()).expect("plain data has a JSON form");
        bytes.push(b'\n');
    }
    bytes
}

impl Frame {
    /// Reads the output of [`write_frames`], also of judge 0.2; `None` if it is damaged.
    pub fn read(bytes: &[u8]) -> Option<Vec<Self>> {
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| Self::of_stored(serde_json::from_slice(line).ok()?)).collect()
    }

    fn stored(&self) -> Stored<'_> {
        let Self { at, progress, view, drawing } = self;
        let (grid, touched, image) = match view {
            FrameView::Picture(picture) => {
                let (grid, touched) = rows_of(picture);
                (Some(grid), touched, drawing.as_deref())
            }
            FrameView::Image(svg) => (None, Vec::new(), Some(&**svg)),
        };
        Stored { at: *at, progress: *progress, grid, touched, image: image.map(Cow::Borrowed), picture: None }
    }

    fn of_stored(stored: Stored<'_>) -> Option<Self> {
        let Stored { at, progress, grid, touched, image, picture: earlier } = stored;
        let image = image.map(Cow::into_owned);
        let drawn = match (grid, earlier) {
            (Some(grid), _) => Some(picture(&grid, &touched).ok()?),
            (None, Some(earlier)) => Some(as_made(earlier)?),
            (None, None) => None,
        };
        let (view, drawing) = match drawn {
            Some(picture) => (FrameView::Picture(picture), image),
            None => (FrameView::Image(image?), None),
        };
        Some(Self { at, progress, view, drawing })
    }
}

/// A picture that judge 0.2 stored; `None` if no grid can have produced it.
fn as_made(earlier: Picture) -> Option<Picture> {
    if earlier.width == 0 || !earlier.cells.len().is_multiple_of(earlier.width) {
        return None;
    }
    let (grid, touched) = rows_of(&earlier);
    picture(&grid, &touched).ok().filter(|made| *made == earlier)
}

/// The grid and the touched cells from which [`picture`] created this one.
fn rows_of(picture: &Picture) -> (Vec<String>, Vec<(usize, usize)>) {
    let rows = picture.cells.chunks(picture.width);
    let touched = picture.cells.iter().enumerate().filter(|(_, cell)| cell.touched);
    let touched = touched.map(|(index, _)| (index / picture.width, index % picture.width));
    (rows.map(|row| row.iter().map_while(|cell| cell.label).collect()).collect(), touched.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<Frame>, String> {
        let image = |name: &str| (name == "1.svg").then(|| b"<svg/>".to_vec());
        parse_frames(text.as_bytes(), image).map_err(|error| error.to_string())
    }

    #[test]
    fn frames_survive_storage() {
        let frames = parse(
            "{\"at\":0,\"progress\":1,\"grid\":[\"AB\",\"+\"],\"touched\":[[1,0]]}\n\n{\"at\":3,\"svg\":\"1.svg\"}\n\
             {\"at\":4,\"grid\":[\"A\"],\"svg\":\"1.svg\"}\n",
        )
        .expect("frames");
        let FrameView::Picture(picture) = &frames[0].view else { panic!("a grid") };
        assert_eq!(picture.draw(), " A  B\n[+]\n");
        assert_eq!(
            (frames[0].progress, frames[1].at, &frames[1].view),
            (Some(1), 3, &FrameView::Image("<svg/>".into()))
        );
        let FrameView::Picture(_) = &frames[2].view else { panic!("a grid with its image") };
        assert_eq!(frames[2].drawing.as_deref(), Some("<svg/>"));
        let stored = String::from_utf8(write_frames(&frames)).expect("text");
        assert_eq!(
            stored,
            "{\"at\":0,\"progress\":1,\"grid\":[\"AB\",\"+\"],\"touched\":[[1,0]]}\n{\"at\":3,\"image\":\"<svg/>\"}\n\
             {\"at\":4,\"grid\":[\"A\"],\"image\":\"<svg/>\"}\n"
        );
        assert_eq!(Frame::read(stored.as_bytes()).as_ref(), Some(&frames));
        // The form in which judge 0.2 stored the same frames.
        let cell = |label: &str, touched: bool| format!("{{\"label\":{label},\"touched\":{touched}}}");
        let cells = [cell("\"A\"", false), cell("\"B\"", false), cell("\"+\"", true), cell("null", false)].join(",");
        let earlier = format!(
            "{{\"at\":0,\"progress\":1,\"picture\":{{\"width\":2,\"cells\":[{cells}]}}}}\n{{\"at\":3,\"image\":\"<svg/>\"}}\n\
             {{\"at\":4,\"picture\":{{\"width\":1,\"cells\":[{}]}},\"drawing\":\"<svg/>\"}}\n",
            cell("\"A\"", false)
        );
        assert_eq!(Frame::read(earlier.as_bytes()).as_ref(), Some(&frames));
        assert_eq!(parse(""), Ok(Vec::new()));
        let damages = [
            "{",
            "{\"at\":1}",
            "{\"at\":0,\"grid\":[]}",
            "{\"at\":0,\"grid\":[\"A\"],\"touched\":[[1,0]]}",
            "{\"at\":0,\"picture\":{\"width\":0,\"cells\":[]}}",
            "{\"at\":0,\"picture\":{\"width\":1,\"cells\":[{\"label\":null,\"touched\":true}]}}",
        ];
        for damaged in damages {
            assert_eq!(Frame::read(damaged.as_bytes()), None, "{damaged}");
        }
    }

    #[test]
    fn what_is_no_frame_is_refused_with_its_line() {
        for (text, reason) in [
            ("{\"at\":5,\"grid\":[\"A\"]}\n{\"at\":4,\"grid\":[\"A\"]}", "line 2: at is 4"),
            ("{\"at\":0}", "a grid, an svg, or both"),
            ("{\"at\":0,\"grid\":[]}", "1 to 512 rows"),
            ("{\"at\":0,\"grid\":[\"A\"],\"touched\":[[0,1]]}", "outside"),
            ("{\"at\":0,\"grid\":[\"A\"],\"touched\":[[18446744073709551615,1]]}", "outside"),
            ("{\"at\":0,\"svg\":\"2.svg\"}", "\"2.svg\" is missing"),
            ("{\"at\":-1,\"grid\":[\"A\"]}", "line 1"),
            ("{\"at\":0,\"grid\":[\"A\"],\"more\":1}", "unknown field"),
            ("no", "line 1"),
        ] {
            let refused = parse(text).expect_err(text);
            assert!(refused.contains(reason), "{text}: {refused}");
        }
        assert!(parse(&"{\"at\":0,\"grid\":[\"A\"]}\n".repeat(MAX_FRAMES + 1)).expect_err("many").contains("4096"));
        let large = " ".repeat(1 << 20);
        let image = |_: &str| Some(large.clone().into_bytes());
        let five = "{\"at\":0,\"svg\":\"x\"}\n".repeat(5);
        assert!(parse_frames(five.as_bytes(), image).is_err());
    }
}
