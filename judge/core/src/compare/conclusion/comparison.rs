//! A comparison in sentences.

use super::{Conclusion, Missing, PairVerdict, RankingFigures};
use crate::compare::pair::{EntryRef, Pair};
use crate::results::Results;
use crate::text::shortened;

impl Conclusion {
    /// The summary of a comparison: of the entries in several sources, or of the only pair, or of each source.
    pub(crate) fn from_comparison(
        sources: &[(&str, &Results)],
        pairs: &[Pair],
        changes: &[Pair],
        figures: &RankingFigures<'_>,
    ) -> Self {
        let missing = Missing::of(sources.iter().map(|(_, results)| *results));
        let of_changes = || changes.iter().map(|pair| Self::from_pair(pair, &names(pair, change_label), figures));
        let of_sources = || sources.iter().map(|(name, results)| (name, Self::from_results(results)));
        let label = |entry: &EntryRef| label(sources.len(), entry);
        let answer = match (changes, pairs) {
            ([_], _) => of_changes().next().unwrap_or_default(),
            ([_, ..], _) => Self::several([of_many(changes)]),
            ([], [pair]) => Self::from_pair(pair, &names(pair, label), figures),
            ([], _) if sources.len() == 1 => of_sources().next().map(|(_, answer)| answer).unwrap_or_default(),
            ([], _) => {
                Self::several(of_sources().map(|(name, answer)| format!("{}: {}", shortened(name), answer.text)))
            }
        };
        Self { complete: missing.runs == 0, missing: missing.runs, ..answer }
    }

    fn several(texts: impl IntoIterator<Item = String>) -> Self {
        Self { text: texts.into_iter().collect::<Vec<_>>().join(" "), ..Self::default() }
    }
}

impl Pair {
    /// The summary of this pair in a comparison of this many sources.
    pub(crate) fn answer(&self, sources: usize, figures: &RankingFigures<'_>) -> Conclusion {
        let label = |entry: &EntryRef| {
            if self.first.entry == self.second.entry { change_label(entry) } else { label(sources, entry) }
        };
        Conclusion::from_pair(self, &names(self, label), figures)
    }
}

/// The name of an entry, qualified by its source if there are several.
fn label(sources: usize, EntryRef { source, entry, .. }: &EntryRef) -> String {
    if sources == 1 { shortened(entry) } else { shortened(&format!("{source}:{entry}")) }
}

/// The name of an entry that is in several sources.
fn change_label(EntryRef { source, entry, .. }: &EntryRef) -> String {
    format!("{} in {}", shortened(entry), shortened(source))
}

fn names(pair: &Pair, label: impl Fn(&EntryRef) -> String) -> [String; 2] {
    [label(&pair.first), label(&pair.second)]
}

/// The number of entries that became better and worse.
fn of_many(changes: &[Pair]) -> String {
    let count = |verdict: PairVerdict| changes.iter().filter(|pair| pair.verdict() == verdict).count();
    let (better, worse) = (count(PairVerdict::Second), count(PairVerdict::First));
    let verb = if better == 1 { "is" } else { "are" };
    format!(
        "Of {} changes of an entry from one of these results to the next, {better} {verb} better by more than chance and \
         {worse} worse.",
        changes.len()
    )
}
