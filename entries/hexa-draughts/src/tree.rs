//! A tree of cases: hops made at most so often, or more often.

use std::collections::BTreeMap;
use std::convert::Infallible;

use crate::lattice::Hop;

/// How often hops are made, at least and at most; a hop that is not here is made any number of times.
pub type Bounds = BTreeMap<Hop, (u32, Option<u32>)>;

/// How often this hop is made, at least and at most.
pub fn limit(bounds: &Bounds, hop: Hop) -> (u32, Option<u32>) {
    bounds.get(&hop).copied().unwrap_or_default()
}

/// A case, and those that it is split into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree<End> {
    /// It is not split.
    Leaf(End),
    /// One of two things holds.
    Split {
        /// The hop that is counted.
        hop: Hop,
        /// The most that `fewer` allows.
        most: u32,
        /// The hop is made at most `most` times.
        fewer: Box<Tree<End>>,
        /// It is made more often.
        more: Box<Tree<End>>,
    },
}

impl<End> Tree<End> {
    /// Two cases.
    pub fn split(hop: Hop, most: u32, fewer: Self, more: Self) -> Self {
        Self::Split { hop, most, fewer: Box::new(fewer), more: Box::new(more) }
    }

    /// Goes through leaves and splits, a split before its cases and `fewer` before `more`, and tells `visit` the bounds
    /// that hold at each.
    ///
    /// # Errors
    /// The first that `visit` gives.
    pub fn walk<E>(&self, visit: &mut impl FnMut(&Self, &Bounds) -> Result<(), E>) -> Result<(), E> {
        self.walk_below(&mut Bounds::new(), visit)
    }

    /// As [`Tree::walk`], for what cannot fail.
    pub fn visit(&self, visit: &mut impl FnMut(&Self, &Bounds)) {
        let walked: Result<(), Infallible> = self.walk(&mut |case, bounds| {
            visit(case, bounds);
            Ok(())
        });
        match walked {
            Ok(()) => (),
        }
    }

    /// As [`Tree::walk`], of a tree that splits the case of these bounds.
    ///
    /// # Errors
    /// The first that `visit` gives.
    pub fn walk_below<E>(
        &self,
        bounds: &mut Bounds,
        visit: &mut impl FnMut(&Self, &Bounds) -> Result<(), E>,
    ) -> Result<(), E> {
        visit(self, bounds)?;
        let Self::Split { hop, most, fewer, more } = self else {
            return Ok(());
        };
        let (old, (least, highest)) = (bounds.get(hop).copied(), limit(bounds, *hop));
        bounds.insert(*hop, (least, Some(highest.map_or(*most, |highest| highest.min(*most)))));
        fewer.walk_below(bounds, visit)?;
        bounds.insert(*hop, (least.max(most + 1), highest));
        more.walk_below(bounds, visit)?;
        match old {
            Some(old) => bounds.insert(*hop, old),
            None => bounds.remove(hop),
        };
        Ok(())
    }

    /// The tree with another tree in place of each leaf.
    pub fn graft<Other>(self, other: &mut impl FnMut(End) -> Tree<Other>) -> Tree<Other> {
        match self {
            Self::Leaf(end) => other(end),
            Self::Split { hop, most, fewer, more } => {
                let fewer = fewer.graft(other);
                Tree::split(hop, most, fewer, more.graft(other))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Point;

    #[test]
    fn bounds_gather_on_the_way_down_and_are_left_on_the_way_up() {
        let [one, two] = [2, 4].map(|column| Hop::onto(Point { row: 0, column }, (0, 2)));
        // The limits within limits are looser, so that they change nothing.
        let inner = Tree::split(one, 5, Tree::Leaf('a'), Tree::split(two, 0, Tree::Leaf('b'), Tree::Leaf('c')));
        let tree = Tree::split(one, 2, inner, Tree::split(one, 4, Tree::Leaf('d'), Tree::Leaf('e')));
        let mut seen = Vec::new();
        tree.visit(&mut |case, bounds| {
            if let Tree::Leaf(name) = case {
                seen.push((*name, limit(bounds, one), limit(bounds, two)));
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
