//! `frames.jsonl`, as a referee leaves it, with two images.
//!
//! What must hold: positions can be drawn, and stored ones read back.

use judge_core::external::{Frame, FrameView, MAX_FRAMES, parse_frames, write_frames};

/// Parses frames. What is accepted can be drawn and stored, and a refusal has one line.
pub fn check(jsonl: &[u8]) {
    let image = |name: &str| match name {
        "1.svg" => Some(b"<svg/>".to_vec()),
        "bad.svg" => Some(vec![0xff]),
        _ => None,
    };
    match parse_frames(jsonl, image) {
        Ok(frames) => {
            assert!(frames.len() <= MAX_FRAMES && frames.is_sorted_by_key(|frame| frame.at));
            for frame in &frames {
                if let FrameView::Picture(picture) = &frame.view {
                    assert!(picture.width > 0 && picture.cells.len() % picture.width == 0);
                    assert!(!picture.draw().is_empty() && !picture.one_line().is_empty());
                }
            }
            assert_eq!(Frame::read(&write_frames(&frames)), Some(frames), "stored frames read back");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    // What is stored is read by other commands, whatever became of it.
    if let Some(frames) = Frame::read(jsonl) {
        assert_eq!(Frame::read(&write_frames(&frames)), Some(frames));
    }
}
