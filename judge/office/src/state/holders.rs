//! The holders of tokens.

use judge_core::fingerprint::Hash;

use super::State;

/// The holder of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// The organiser, who may do everything.
    Organiser,
    /// A team, by its name.
    Team(String),
}

impl State {
    /// Tests whether the organiser has a token.
    pub fn has_organiser(&self) -> bool {
        !self.organiser.is_empty()
    }

    /// Hashes of the organiser's valid tokens.
    pub fn organiser_tokens(&self) -> &[Hash] {
        &self.organiser
    }

    /// The holder of the token with this hash. All hashes are compared, in a time that does not depend on where they
    /// differ.
    pub fn holder(&self, hash: &Hash) -> Option<Holder> {
        let mut holder = None;
        for known in &self.organiser {
            if same(known, hash) {
                holder = Some(Holder::Organiser);
            }
        }
        for (name, team) in &*self.teams {
            for known in &team.tokens {
                if same(known, hash) {
                    holder = Some(Holder::Team(name.to_string()));
                }
            }
        }
        holder
    }
}

/// Compares two hashes in a time that does not depend on where they differ.
pub(crate) fn same(a: &Hash, b: &Hash) -> bool {
    let (a, b) = (a.to_string(), b.to_string());
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}
