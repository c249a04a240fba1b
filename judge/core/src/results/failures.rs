//! Failures of one kind together: a list of two hundred equal lines shows less than one line.

use super::Fault;

/// The runs of an entry that failed in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failures<'a> {
    /// The first of these runs, in the order of the boards.
    pub first: &'a Fault,
    /// The number of runs that failed so.
    pub runs: usize,
    /// Names of their boards, each once.
    pub boards: Vec<&'a str>,
    /// The reason, if it is the same for all of them.
    pub reason: Option<&'a str>,
}

impl<'a> Failures<'a> {
    /// Puts failures with the same entry and code together, in the order of the first of each.
    pub fn from_faults(faults: impl IntoIterator<Item = &'a Fault>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for fault in faults {
            let same = |group: &&mut Self| (&group.first.entry, group.first.code) == (&fault.entry, fault.code);
            // An entry's failures follow one another, so its groups are the last ones.
            let near = groups.iter_mut().rev().take_while(|group| group.first.entry == fault.entry);
            match near.into_iter().find(same) {
                Some(group) => {
                    group.runs += 1;
                    // The repeats of a board follow one another.
                    if group.boards.last() != Some(&&*fault.board) {
                        group.boards.push(&fault.board);
                    }
                    group.reason = group.reason.filter(|reason| *reason == fault.reason);
                }
                None => {
                    let (boards, reason) = (vec![&*fault.board], Some(fault.reason.as_str()));
                    groups.push(Self { first: fault, runs: 1, boards, reason });
                }
            }
        }
        groups
    }

    /// The kind of failure: the common reason, or else the meaning of the code.
    pub fn kind(&self) -> &'a str {
        self.reason.unwrap_or_else(|| self.first.code.map_or("not solved", |code| first_part(code.meaning())))
    }
}

/// The meaning of a code without the rule that follows it.
fn first_part(meaning: &'static str) -> &'static str {
    meaning.split([';', ':']).next().unwrap_or(meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;

    fn fault(entry: &str, board: &str, code: Option<Code>, reason: &str) -> Fault {
        let (entry, board, reason) = (entry.into(), board.into(), reason.to_owned());
        Fault { entry, board, repeat: 1, code, reason, by_referee: false, can_be_rejudged: false, final_board: None }
    }

    #[test]
    fn failures_of_one_kind_are_together() {
        let faults = [
            fault("ant", "A", Some(Code::Crashed), "crashed with exit code 2"),
            fault("ant", "B", Some(Code::TimedOut), "still running at the limit"),
            fault("ant", "C", Some(Code::Crashed), "crashed with exit code 2"),
            fault("ant", "C", Some(Code::Crashed), "crashed with exit code 2"),
            fault("bee", "A", Some(Code::IllegalMove), "illegal move 1 `x`"),
            fault("bee", "B", Some(Code::IllegalMove), "illegal move 9 `y`"),
            fault("bee", "C", None, "no moves"),
            fault("bee", "D", None, "stops"),
        ];
        let groups = Failures::from_faults(&faults);
        let found: Vec<_> =
            groups.iter().map(|group| (&*group.first.entry, group.runs, group.boards.clone(), group.kind())).collect();
        assert_eq!(
            found,
            [
                ("ant", 3, vec!["A", "C"], "crashed with exit code 2"),
                ("ant", 1, vec!["B"], "still running at the limit"),
                ("bee", 2, vec!["A", "B"], "an illegal move"),
                ("bee", 2, vec!["C", "D"], "not solved"),
            ]
        );
    }
}
