//! A tree of cases: a hop is made at most a number of times, or more often; no man starts on a point, or one does.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;

use crate::lattice::{Hop, Point};

/// A count by which a case can be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Count {
    /// The number of times that this hop is made.
    Hop(Hop),
    /// The number of men who start on this point: 0 or 1.
    Man(Point),
}

impl From<Hop> for Count {
    fn from(hop: Hop) -> Self {
        Self::Hop(hop)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hop(hop) => hop.fmt(f),
            Self::Man(point) => point.fmt(f),
        }
    }
}

/// The lower and upper bounds on counts; a count without an entry is not limited by the case.
pub type Bounds = BTreeMap<Count, (u32, Option<u32>)>;

/// The lower and upper bound on a count.
pub(crate) fn count_bounds(bounds: &Bounds, count: impl Into<Count>) -> (u32, Option<u32>) {
    bounds.get(&count.into()).copied().unwrap_or_default()
}

/// A case with its subcases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree<End> {
    /// A case without subcases, and the reason why it needs none.
    Leaf(End),
    /// A case that is split by a count.
    Split {
        /// The count of men by which the subcases differ.
        count: Count,
        /// The largest count in `fewer`.
        most: u32,
        /// The case in which the count is at most `most`.
        fewer: Box<Tree<End>>,
        /// The case in which the count is larger.
        more: Box<Tree<End>>,
    },
    /// A case that weightings tighten before it is split or refuted.
    Tightened {
        /// The indices of the weightings, in the order in which they are applied.
        by: Vec<usize>,
        /// The case after these weightings.
        case: Box<Tree<End>>,
    },
}

impl<End> Tree<End> {
    /// Splits a case into two.
    pub fn split(count: impl Into<Count>, most: u32, fewer: Self, more: Self) -> Self {
        Self::Split { count: count.into(), most, fewer: Box::new(fewer), more: Box::new(more) }
    }

    /// Calls `visit` with each node and the bounds of the splits above it, a node before its subcases and `fewer` before
    /// `more`.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub(crate) fn walk<E>(&self, visit: &mut impl FnMut(&Self, &Bounds) -> Result<(), E>) -> Result<(), E> {
        self.walk_below(&mut Bounds::new(), visit)
    }

    /// As [`Tree::walk`], for a `visit` that cannot fail.
    pub(crate) fn visit(&self, visit: &mut impl FnMut(&Self, &Bounds)) {
        let walked: Result<(), Infallible> = self.walk(&mut |case, bounds| {
            visit(case, bounds);
            Ok(())
        });
        match walked {
            Ok(()) => (),
        }
    }

    /// As [`Tree::walk`], for a tree whose root has these bounds.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub(crate) fn walk_below<E>(
        &self,
        bounds: &mut Bounds,
        visit: &mut impl FnMut(&Self, &Bounds) -> Result<(), E>,
    ) -> Result<(), E> {
        visit(self, bounds)?;
        let (count, most, fewer, more) = match self {
            Self::Leaf(_) => return Ok(()),
            Self::Tightened { case, .. } => return case.walk_below(bounds, visit),
            Self::Split { count, most, fewer, more } => (*count, *most, fewer, more),
        };
        let (old, (least, highest)) = (bounds.get(&count).copied(), count_bounds(bounds, count));
        bounds.insert(count, (least, Some(highest.map_or(most, |highest| highest.min(most)))));
        fewer.walk_below(bounds, visit)?;
        bounds.insert(count, (least.max(most + 1), highest));
        more.walk_below(bounds, visit)?;
        match old {
            Some(old) => bounds.insert(count, old),
            None => bounds.remove(&count),
        };
        Ok(())
    }

    /// Replaces each leaf by another tree.
    pub(crate) fn graft<Other>(self, other: &mut impl FnMut(End) -> Tree<Other>) -> Tree<Other> {
        match self {
            Self::Leaf(end) => other(end),
            Self::Split { count, most, fewer, more } => {
                let fewer = fewer.graft(other);
                Tree::split(count, most, fewer, more.graft(other))
            }
            Self::Tightened { by, case } => Tree::Tightened { by, case: Box::new(case.graft(other)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_visited_with_the_bounds_of_its_branch() {
        let [one, two] = [2, 4].map(|column| Hop::onto(Point { row: 0, column }, (0, 2)));
        // The inner limits are looser than the outer ones, so they change nothing.
        let inner = Tree::split(one, 5, Tree::Leaf('a'), Tree::split(two, 0, Tree::Leaf('b'), Tree::Leaf('c')));
        let tree = Tree::split(one, 2, inner, Tree::split(one, 4, Tree::Leaf('d'), Tree::Leaf('e')));
        let mut seen = Vec::new();
        tree.visit(&mut |case, bounds| {
            if let Tree::Leaf(name) = case {
                seen.push((*name, count_bounds(bounds, one), count_bounds(bounds, two)));
            }
        });
        let free = (0, None);
        let expected = [
            ('a', (0, Some(2)), free),
            ('b', (6, Some(2)), (0, Some(0))),
            ('c', (6, Some(2)), (1, None)),
            ('d', (3, Some(4)), free),
            ('e', (5, None), free),
        ];
        assert_eq!(seen, expected);
        let doubled = tree.graft(&mut |name| Tree::split(two, 1, Tree::Leaf(name), Tree::Leaf('z')));
        let mut leaves = String::new();
        doubled.visit(&mut |case, _| leaves.extend(if let Tree::Leaf(name) = case { Some(*name) } else { None }));
        assert_eq!(leaves, "azbzczdzez");
    }
}
