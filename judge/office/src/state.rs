//! The state of the office: the fold of the lines of its log.

mod changes;
mod clock;
mod holders;
mod list;
mod permits;
mod phases;
mod refusal;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use judge_contest::office::OfficeRules;
use judge_core::fingerprint::Hash;
use judge_core::journal::ContestState;
use judge_core::key::Name;
use judge_core::names::Names;

use self::clock::Clock;
pub(crate) use self::holders::same;
pub use self::holders::{Access, Holder, ORGANISER};
pub use self::list::List;
pub use self::refusal::Refusal;
pub use crate::line::{Dated, Decision, FORMAT, Line, Message, Order, Submission};
use crate::people::People;

/// The numbers of the submissions that a team has chosen, by the identifiers of their problems.
pub type Choices = BTreeMap<String, u32>;

/// A team, without its people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Team {
    /// When it was added, in seconds since the beginning of 1970 in UTC.
    pub since: u64,
    /// Numbers of its submissions by the identifiers of their problems, in the order in which they arrived. A submission whose
    /// upload took long may have a higher number than later ones.
    pub submissions: BTreeMap<String, Vec<u32>>,
    /// The submissions that it has chosen.
    pub chosen: Choices,
    /// The chosen submissions that are publicly known.
    pub publicly_chosen: Choices,
    /// The chosen submissions that were publicly known before the thaw.
    pub chosen_before_thaw: Choices,
    /// The times of its choices in the last hour, oldest first.
    pub(crate) choices: Vec<u64>,
    /// True if it registered through the public link.
    pub registered: bool,
    /// The organiser's last decision whether it takes part; `None` if there was none.
    pub(crate) disqualified: Option<Disqualified>,
}

impl Team {
    /// Numbers of its submissions to a problem, in the order in which they arrived.
    pub fn submissions_to(&self, problem: &str) -> &[u32] {
        self.submissions.get(problem).map_or(&[], Vec::as_slice)
    }

    /// Numbers of its submissions to all problems.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.submissions.values().flatten().copied()
    }
}

/// The organiser's last decision whether a team takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Disqualified {
    /// The reason of the disqualification.
    pub(crate) because: String,
    /// False if the team was reinstated since.
    pub(crate) holds: bool,
}

/// The decisions on a submission, on which its judging waits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gate {
    /// True if it arrived late.
    pub late: bool,
    /// True if it arrived late but is judged.
    pub admitted: bool,
    /// The reason why it is held; empty if there is none.
    pub held: Option<String>,
    /// True if its team cancelled it.
    pub cancelled: bool,
    /// The reason why it does not count; empty if there is none.
    pub ignored: Option<String>,
    /// The number of times that it was released.
    pub releases: u32,
}

impl Gate {
    /// Tests whether the submission is to be judged, and may count.
    pub fn is_open(&self) -> bool {
        let out = self.held.is_some() || self.cancelled || self.ignored.is_some();
        !out && (!self.late || self.admitted)
    }
}

/// The public link with which anybody can add a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The most teams that can register through it.
    pub most: u32,
    /// The number of teams that have registered through it.
    pub used: u32,
}

/// The office after the lines of its log. States of different moments share their equal parts: a clone is cheap, and the cost
/// of a line depends on its changes, not on the number of earlier lines.
#[derive(Debug, Clone, Default)]
pub struct State {
    format: u32,
    teams: Arc<BTreeMap<Name, Arc<Team>>>,
    names: Arc<Names>,
    /// The tokens that are valid. They are no part of the log.
    access: Arc<Access>,
    /// The people of teams, who are no part of the log either.
    people: Arc<People>,
    submissions: List<(u64, Submission)>,
    gates: List<Gate>,
    /// The total time by which the clock was set back before each submission, in seconds.
    set_back: List<u64>,
    clock: Clock,
    /// Numbers of the released submissions, which are judged although the judge failed on them.
    released: Arc<BTreeSet<u32>>,
    frozen: Option<Freeze>,
    /// The last freeze that is over.
    before_thaw: Option<Freeze>,
    /// The planned moment of the freeze, once the board was frozen for it: by the clock, or earlier by hand.
    froze: Option<u64>,
    thawed: Option<u64>,
    frozen_at: Option<u64>,
    /// When the log began, in seconds since the beginning of 1970 in UTC.
    begun: u64,
    finals: bool,
    /// The last submission that was called to play.
    called: u32,
    /// The later rounds that have closed, with the moments when they did.
    published: Vec<(u64, u32)>,
    finalised: Option<u64>,
    /// The number of times that the results became final.
    finalisations: u32,
    /// The moments when they were reopened, with the reasons.
    reopened: Vec<(u64, String)>,
    /// The planned moments that the clock has reached, each with its time on a clock that is never set back.
    passed: Arc<BTreeMap<u64, u64>>,
    rules: Arc<OfficeRules>,
    /// The last recorded rules of the contest file.
    of_file: Option<Arc<OfficeRules>>,
    /// Reasons of other times than those of the file, with the moments when they were given.
    extensions: Vec<(u64, String)>,
    /// The number of reasons about times that the file has since replaced.
    replaced: usize,
    messages: List<(u64, Message)>,
    claims: Arc<BTreeMap<u32, String>>,
    registration: Option<Registration>,
    rejudging: Option<Rejudging>,
    /// The number of requested rejudgings.
    rejudgements: u32,
}

/// Stored answers that are to be refereed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejudging {
    /// Its number in this contest, from 1.
    pub number: u32,
    /// When it was asked for, in seconds since the beginning of 1970 in UTC.
    pub asked: u64,
    /// The proposal that the organiser has seen and wants to be recorded.
    pub approved: Option<Approved>,
}

/// The organiser's approval of a proposal, before it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approved {
    /// SHA-256 of the proposal that the organiser has seen.
    pub shown: Hash,
    /// True if answers on which the referee fails keep their verdicts.
    pub partial: bool,
}

/// The part of the contest that is public while the board is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Freeze {
    last: u32,
    /// The planned moment of its beginning, on a clock that is never set back.
    from: Option<u64>,
    /// The last round that was public when it began.
    round: u32,
}

impl State {
    /// Tests whether the office has begun.
    pub(crate) fn has_begun(&self) -> bool {
        self.format > 0
    }

    /// The current rules.
    pub fn rules(&self) -> &OfficeRules {
        &self.rules
    }

    /// Tests whether these are the rules of the contest file that were recorded last.
    pub fn has_rules(&self, rules: &OfficeRules) -> bool {
        self.of_file.as_deref().is_some_and(|known| known == rules)
    }

    /// The reasons of changed times that still apply, as [`Self::extensions`].
    pub fn announced(&self) -> &[(u64, String)] {
        &self.extensions[self.replaced..]
    }

    /// The reasons of changed times, oldest first, with the moments when they were given.
    pub fn extensions(&self) -> &[(u64, String)] {
        &self.extensions
    }

    /// The decisions on a submission.
    pub fn gate(&self, number: u32) -> &Gate {
        static NOTHING: Gate =
            Gate { late: false, admitted: false, held: None, cancelled: false, ignored: None, releases: 0 };
        index(number).and_then(|index| self.gates.get(index)).unwrap_or(&NOTHING)
    }

    /// Submissions that were released, by number.
    pub(crate) fn released(&self) -> impl Iterator<Item = &Submission> {
        self.released.iter().filter_map(|&number| Some(self.submission(number)?.1))
    }

    /// The reason why a team is disqualified; `None` if it takes part.
    pub fn out(&self, team: &str) -> Option<&str> {
        let last = self.teams.get(team)?.disqualified.as_ref().filter(|last| last.holds);
        last.map(|last| &*last.because)
    }

    /// Questions, answers and notices with their times, oldest first.
    pub fn messages(&self) -> &List<(u64, Message)> {
        &self.messages
    }

    /// A message with its time, by its number.
    pub fn message(&self, number: u32) -> Option<(u64, &Message)> {
        self.messages.get(index(number)?).map(|(at, message)| (*at, message))
    }

    /// The person who is about to answer a question.
    pub fn claim(&self, question: u32) -> Option<&str> {
        self.claims.get(&question).map(String::as_str)
    }

    /// The link by which anybody can add a team; `None` if there is none.
    pub fn registration(&self) -> Option<&Registration> {
        self.registration.as_ref()
    }

    /// The stored answers that are to be refereed again; `None` if there are none. The contest has those that were.
    pub fn rejudging<'c>(&self, contents: impl Into<Option<&'c ContestState>>) -> Option<&Rejudging> {
        let ended = contents.into().map_or(0, |contents| contents.rejudged);
        self.rejudging.as_ref().filter(|asked| asked.number > ended)
    }

    /// All teams, by name, including those that never submitted.
    pub fn teams(&self) -> &BTreeMap<Name, Arc<Team>> {
        &self.teams
    }

    /// All submissions in the order of their numbers, with the times at which they arrived.
    pub fn submissions(&self) -> &List<(u64, Submission)> {
        &self.submissions
    }

    /// A submission with the time at which it arrived, by its number.
    pub fn submission(&self, number: u32) -> Option<(u64, &Submission)> {
        self.submissions.get(index(number)?).map(|(at, submission)| (*at, submission))
    }

    /// The submissions of a team to a problem in the order in which they arrived, with their times.
    pub fn submissions_of(&self, team: &str, problem: &str) -> impl DoubleEndedIterator<Item = (u64, &Submission)> {
        let own = self.teams.get(team).map_or(&[][..], |team| team.submissions_to(problem));
        own.iter().filter_map(|&number| self.submission(number))
    }

    /// When the office was begun, in seconds since the beginning of 1970 in UTC.
    pub fn begun(&self) -> u64 {
        self.begun
    }

    /// The start of the contest: when submissions open, or otherwise when the office was begun.
    pub fn start(&self) -> u64 {
        self.rules.times.opens.unwrap_or(self.begun)
    }

    /// Applies a line.
    ///
    /// # Errors
    /// The reason why it is not allowed after the earlier ones. Nothing has changed.
    pub fn apply(&mut self, dated: Dated) -> Result<(), Refusal> {
        self.follows(&dated)?;
        let clock = self.clock.after(dated.at);
        let before = std::mem::replace(&mut self.clock, clock);
        let applied = self.follow_line(dated);
        if applied.is_err() {
            self.clock = before;
        }
        applied
    }

    fn follow_line(&mut self, Dated { at, line }: Dated) -> Result<(), Refusal> {
        match line {
            Line::Office { format: FORMAT } => (self.format, self.begun) = (FORMAT, at),
            Line::Office { format } => return Err(Refusal::Format(format)),
            Line::Team { team, registered } => {
                judge_core::names::usable("team", &team)?;
                if team.contains('.') || team.chars().count() > MAX_TEAM_CHARACTERS {
                    return Err(Refusal::TeamName(team));
                }
                Arc::make_mut(&mut self.names).insert(&team)?;
                let new = Team { since: at, registered, ..Team::default() };
                Arc::make_mut(&mut self.teams).insert(team.into(), new.into());
                if let Some(link) = self.registration.as_mut().filter(|_| registered) {
                    link.used += 1;
                }
            }
            Line::Submitted(submission) => {
                let (number, last) = (submission.number, self.next_number() - 1);
                if number != last + 1 {
                    return Err(Refusal::Number { what: "submission", number, last });
                }
                // Whoever asks when it came gets the moment by which it was found late or in time.
                let arrived = submission.arrived.unwrap_or(at);
                let problem = &*submission.problem;
                let own = self.teams.get(&*submission.team).map_or(&[][..], |team| team.submissions_to(problem));
                let before = own.partition_point(|&one| self.arrival(one) <= (self.clock.order(arrived), number));
                let own = &mut self.team_mut(&submission.team)?.submissions;
                own.entry(submission.problem.clone()).or_default().insert(before, number);
                self.gates.push(Gate { late: submission.late, ..Gate::default() });
                self.submissions.push((arrived, submission));
                self.set_back.push(self.clock.back);
            }
            Line::Registration { most } => {
                self.registration = (most > 0).then_some(Registration { most, used: 0 });
            }
            Line::Rules { rules } => {
                rules.check()?;
                self.follow_file(rules);
            }
            Line::Extended { round, times, because } => {
                let round = round.unwrap_or(1);
                if !(1..=MAX_ROUNDS).contains(&round) {
                    return Err(Refusal::UnknownRound(round));
                }
                let rules = OfficeRules::clone(&self.rules).with_round(round, times);
                rules.check()?;
                self.rules = Arc::new(rules);
                self.extensions.push((at, because));
            }
            Line::Disqualified { team, because } => {
                self.team_mut(&team)?.disqualified = Some(Disqualified { because, holds: true });
            }
            Line::Reinstated { team, .. } => {
                if let Some(last) = &mut self.team_mut(&team)?.disqualified {
                    last.holds = false;
                }
            }
            Line::RejudgeAsked => {
                self.rejudgements += 1;
                self.rejudging = Some(Rejudging { number: self.rejudgements, asked: at, approved: None });
            }
            Line::RejudgeApproved { shown, partial } => {
                if let Some(asked) = &mut self.rejudging {
                    asked.approved = Some(Approved { shown, partial });
                }
            }
            Line::RejudgeDropped => self.rejudging = None,
            Line::Decided { number, decision, because } => {
                self.decide(number, decision, because.as_deref().unwrap_or_default())?;
            }
            Line::Chosen { number } => {
                let (_, submission) = self.submission(number).ok_or(Refusal::UnknownSubmission(number))?;
                let (name, problem) = (submission.team.clone(), submission.problem.clone());
                let public = self.frozen.is_none();
                let team = self.team_mut(&name)?;
                team.choices.retain(|&chosen| is_recent(chosen, at));
                team.choices.push(at);
                if public {
                    team.publicly_chosen.insert(problem.clone(), number);
                }
                team.chosen.insert(problem, number);
            }
            // Nothing depends on a clock: the line names what is public.
            Line::Frozen { last, .. } if last >= self.next_number() => return Err(Refusal::UnknownSubmission(last)),
            Line::Frozen { last, from } => self.freeze(at, last, from),
            Line::Called { last } if last >= self.next_number() => return Err(Refusal::UnknownSubmission(last)),
            Line::Called { last } => self.called = self.called.max(last),
            Line::Thawed => {
                (self.before_thaw, self.frozen, self.thawed) = (self.frozen, None, Some(at));
                // A freeze by hand may have been there when the board was to freeze: that is over, too.
                self.froze = self.planned_freeze(at).or(self.froze);
                for team in Arc::make_mut(&mut self.teams).values_mut().map(Arc::make_mut) {
                    team.chosen_before_thaw = std::mem::replace(&mut team.publicly_chosen, team.chosen.clone());
                }
            }
            Line::Finals { .. } => self.finals = true,
            Line::Published { round } if round <= self.public_round() || round > MAX_ROUNDS => {
                return Err(Refusal::Published(round));
            }
            Line::Published { round } => self.published.push((at, round)),
            Line::Passed { moments } => {
                // What has come by another clock has come by now.
                let clock = self.clock;
                let steady = moments.into_iter().map(|moment| (moment, clock.order(moment).min(clock.last)));
                Arc::make_mut(&mut self.passed).extend(steady);
            }
            Line::Final => {
                self.finalised = Some(at);
                self.finalisations += 1;
            }
            Line::Reopened { because } => {
                self.finalised = None;
                self.reopened.push((at, because));
            }
            Line::Message(message) => self.send(at, message)?,
            Line::Claimed { question, by } => {
                let is_question = self.message(question).is_some_and(|(_, message)| message.from.is_some());
                if !is_question {
                    return Err(Refusal::UnknownQuestion(question));
                }
                Arc::make_mut(&mut self.claims).insert(question, by.to_string());
            }
        }
        Ok(())
    }

    /// A mutable reference to a team.
    fn team_mut(&mut self, name: &str) -> Result<&mut Team, Refusal> {
        // A team that is not there leaves the others shared.
        if !self.teams.contains_key(name) {
            return Err(Refusal::UnknownTeam(name.to_owned()));
        }
        let team = Arc::make_mut(&mut self.teams).get_mut(name).map(Arc::make_mut);
        team.ok_or_else(|| Refusal::UnknownTeam(name.to_owned()))
    }

    /// The number of the next message.
    pub fn next_message(&self) -> u32 {
        u32::try_from(self.messages.len()).unwrap_or(u32::MAX - 1) + 1
    }

    /// The number of the next submission.
    pub fn next_number(&self) -> u32 {
        u32::try_from(self.submissions.len()).unwrap_or(u32::MAX - 1) + 1
    }
}

/// The most characters of a team's name. In an entry's name of 64 characters, it is followed by a dot and a number.
const MAX_TEAM_CHARACTERS: usize = 48;
/// The most rounds of a contest that can have separate times.
const MAX_ROUNDS: u32 = 1000;
/// The longest text of a message.
const MAX_TEXT_BYTES: usize = 8 << 10;

/// The time for which a question or a choice of a team counts for its quotas, in seconds.
pub(crate) const HOUR: u64 = 3600;

/// Tests whether an action at a moment still counts.
pub(crate) fn is_recent(at: u64, now: u64) -> bool {
    at.saturating_add(HOUR) > now
}

/// The index of the item with this number, which counts from 1.
fn index(number: u32) -> Option<usize> {
    usize::try_from(number.checked_sub(1)?).ok()
}

#[cfg(test)]
mod tests;
