//! The first and the last items of a sequence that may be long, in bounded memory.

use std::collections::VecDeque;

/// The first and the last items of a sequence that fit, with a count of the items left out between them.
#[derive(Debug)]
pub struct Ends<T> {
    head: Vec<(u64, T)>,
    /// Remaining room for the head; 0 once an item did not fit.
    head_left: u64,
    tail: VecDeque<(u64, T)>,
    tail_weight: u64,
    each: u64,
    left_out: LeftOut,
}

/// Items that were left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Their number.
    pub items: u64,
    /// Their total weight.
    pub weight: u64,
}

impl<T> Ends<T> {
    /// Creates it without items. The head and the tail each have room for items of the total weight `each`. No item may
    /// have the weight 0.
    pub fn new(each: u64) -> Self {
        let (head, tail, left_out) = (Vec::new(), VecDeque::new(), LeftOut::default());
        Self { head, head_left: each, tail, tail_weight: 0, each, left_out }
    }

    /// Adds an item with its weight, and leaves out earlier ones if there is no room for it.
    pub fn add(&mut self, item: T, weight: u64) {
        if weight <= self.head_left {
            self.head_left -= weight;
            self.head.push((weight, item));
            return;
        }
        self.head_left = 0;
        self.tail_weight = self.tail_weight.saturating_add(weight);
        self.tail.push_back((weight, item));
        // The last one stays, however large it is.
        while self.tail_weight > self.each && self.tail.len() > 1 {
            let Some((weight, _)) = self.tail.pop_front() else { break };
            self.tail_weight -= weight;
            self.left_out.items += 1;
            self.left_out.weight = self.left_out.weight.saturating_add(weight);
        }
    }

    /// The head, the items left out after it, and the tail.
    pub fn into_parts(self) -> (impl Iterator<Item = T>, LeftOut, impl Iterator<Item = T>) {
        let item = |(_, item)| item;
        (self.head.into_iter().map(item), self.left_out, self.tail.into_iter().map(item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_items_between_head_and_tail_are_counted() {
        let mut ends = Ends::new(10);
        for number in 0..100_u64 {
            ends.add(number, 3);
        }
        let (head, left_out, tail) = ends.into_parts();
        assert_eq!((head.collect::<Vec<_>>(), tail.collect::<Vec<_>>()), (vec![0, 1, 2], vec![97, 98, 99]));
        assert_eq!(left_out, LeftOut { items: 94, weight: 282 });
    }

    #[test]
    fn an_item_larger_than_the_rest_is_left_out_alone() {
        let mut ends = Ends::new(10);
        ends.add('a', 4);
        ends.add('b', 40);
        ends.add('c', 2);
        let (head, left_out, tail) = ends.into_parts();
        assert_eq!((head.collect::<String>(), tail.collect::<String>()), ("a".into(), "c".into()));
        assert_eq!(left_out, LeftOut { items: 1, weight: 40 });
    }

    #[test]
    fn nothing_is_left_out_where_all_has_room() {
        let mut all = Ends::new(10);
        all.add('a', 10);
        all.add('b', 10);
        let (head, left_out, tail) = all.into_parts();
        assert_eq!((head.count(), left_out, tail.count()), (1, LeftOut::default(), 1));
    }
}
