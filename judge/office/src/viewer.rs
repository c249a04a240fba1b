//! The viewers of a contest.

use judge_core::journal::ContestState;
use judge_core::key::{Name, RunKey};

use crate::line::number_of;
use crate::state::{Holder, Message, State, Submission};

/// The viewer, who determines what a view shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Everyone, even without a token.
    #[default]
    Public,
    /// A team. It sees the public view, and all of its own submissions.
    Team(String),
    /// The organiser, who sees everything.
    Organiser,
}

impl From<Holder> for Viewer {
    fn from(holder: Holder) -> Self {
        match holder {
            Holder::Organiser(_) => Self::Organiser,
            Holder::Team(team) => Self::Team(team),
        }
    }
}

impl Viewer {
    /// Tests whether the viewer is a team, or the organiser.
    pub(crate) fn may_act_for(&self, team: &str) -> bool {
        match self {
            Self::Organiser => true,
            Self::Team(own) => own == team,
            Self::Public => false,
        }
    }

    /// Tests whether the viewer may read a message.
    pub fn reads(&self, message: &Message) -> bool {
        match self {
            Self::Organiser => true,
            Self::Public => message.from.is_none() && message.to.is_none(),
            Self::Team(own) => match (&message.from, &message.to) {
                (Some(team), _) | (None, Some(team)) => team == own,
                (None, None) => true,
            },
        }
    }

    /// Tests whether the viewer may see the result of a game: it may see the results of all players.
    pub fn sees_game(&self, game: &RunKey, state: &State) -> bool {
        let player = |seat: &Name| number_of(seat).and_then(|number| state.submission(number));
        game.seats().all(|seat| player(seat).is_none_or(|(_, submission)| self.sees(submission, state)))
    }

    /// Tests whether the viewer may see the result of a submission on the board.
    pub fn sees(&self, submission: &Submission, state: &State) -> bool {
        match self {
            Self::Organiser => true,
            Self::Team(team) if *team == submission.team => true,
            Self::Team(_) | Self::Public => state.is_public(submission.number),
        }
    }
}

/// The last round that a viewer may see. The boards of a final round are sealed until it closes, or the results are final. While
/// the board is frozen, no further round opens to the public, because its entrants depend on hidden results.
pub fn last_round(state: &State, contents: &ContestState, viewer: &Viewer) -> u32 {
    match *viewer {
        Viewer::Organiser => contents.round(),
        Viewer::Team(_) | Viewer::Public => contents.round().min(state.public_round()).min(state.round_at_freeze()),
    }
}
