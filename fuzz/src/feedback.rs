//! The feedback files of an output validator: `score.txt`, then a NUL and `score_multiplier.txt` if there are both.

use judge_core::external::{ACCEPTED, Feedback, REJECTED, decode_kattis};

use crate::common::{check_ruled, terms};

/// Decodes both exit codes, with the bytes as each of the files.
pub fn check(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |&byte| byte == 0).map(<[u8]>::to_vec);
    let (score, multiplier) = (parts.next(), parts.next());
    let message = Some(bytes.to_vec());
    let feedbacks = [
        Feedback { score: score.clone(), ..Feedback::default() },
        Feedback { score_multiplier: score.clone(), ..Feedback::default() },
        Feedback { score, score_multiplier: multiplier, ..Feedback::default() },
        Feedback { judge_message: message.clone(), team_message: message, ..Feedback::default() },
    ];
    for (feedback, terms) in feedbacks.iter().flat_map(|feedback| terms().map(|terms| (feedback, terms))) {
        for code in [ACCEPTED, REJECTED] {
            check_ruled(decode_kattis(code, feedback, terms).expect("a known code"), terms);
        }
        assert!(decode_kattis(0, feedback, terms).is_none());
    }
}
