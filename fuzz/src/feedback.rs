//! The feedback files of an output validator: `score.txt`, then a NUL and `score_multiplier.txt` if there are both.
//!
//! What must hold: as for `ruling`, for both exit codes of a validator.

use judge_core::external::{ACCEPTED, Feedback, REJECTED, decode_kattis};

use crate::common::{check_ruled, scorings};

/// Decodes both exit codes, with the bytes as each of the files.
pub fn check(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |&byte| byte == 0).map(<[u8]>::to_vec);
    let (score, multiplier) = (parts.next(), parts.next());
    let message = Some(bytes.to_vec());
    let mut feedbacks: [Feedback; 4] = Default::default();
    feedbacks[0].score.clone_from(&score);
    feedbacks[1].score_multiplier.clone_from(&score);
    (feedbacks[2].score, feedbacks[2].score_multiplier) = (score, multiplier);
    (feedbacks[3].judge_message, feedbacks[3].team_message) = (message.clone(), message);
    for (feedback, scoring) in feedbacks.iter().flat_map(|feedback| scorings().map(|scoring| (feedback, scoring))) {
        for code in [ACCEPTED, REJECTED] {
            check_ruled(decode_kattis(code, feedback, scoring).expect("a known code"), scoring);
        }
        assert!(decode_kattis(0, feedback, scoring).is_none());
    }
}
