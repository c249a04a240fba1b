//! A map whose clones share their common parts, so that snapshots of a contest with many entries are cheap.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Index;
use std::sync::Arc;

/// The most items of a chunk. A change copies the whole chunk if a clone shares it.
const CHUNK: usize = 64;

/// Items that are next to each other.
type Chunk<K, V> = Arc<Vec<(K, V)>>;

/// A map in the order of its keys, in chunks. A clone costs one reference; a change copies one chunk and a reference per chunk,
/// and only if a clone still has them.
pub struct Map<K, V> {
    /// None of them is empty.
    chunks: Arc<Vec<Chunk<K, V>>>,
    length: usize,
}

impl<K, V> Clone for Map<K, V> {
    fn clone(&self) -> Self {
        Self { chunks: self.chunks.clone(), length: self.length }
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self { chunks: Arc::default(), length: 0 }
    }
}

impl<K: Ord, V> Map<K, V> {
    /// The number of items.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Tests whether the map is empty.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The value of a key; `None` without one.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (chunk, place) = self.find(key);
        Some(&self.chunks.get(chunk)?[place.ok()?].1)
    }

    /// Tests whether a key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).1.is_ok()
    }

    /// The items in the order of their keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + Clone {
        self.chunks.iter().flat_map(|chunk| chunk.iter().map(|(key, value)| (key, value)))
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// The items in the pieces that this map and another one do not share. If one is a changed clone of the other, these are the
    /// changed items of both and others near them.
    pub fn unshared<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a K, &'a V)> {
        let pieces = |map: &'a Self| map.chunks.iter().map(Arc::as_ptr).collect::<HashSet<_>>();
        let only_in = |map: &'a Self, others: HashSet<_>| {
            map.chunks.iter().filter(move |chunk| !others.contains(&Arc::as_ptr(chunk))).flat_map(|chunk| chunk.iter())
        };
        let items = only_in(self, pieces(other)).chain(only_in(other, pieces(self)));
        items.map(|(key, value)| (key, value))
    }

    /// The chunk that has a key or would get it, and its place in the chunk, as in [`slice::binary_search`].
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> (usize, Result<usize, usize>)
    where
        K: Borrow<Q>,
    {
        let begins = |chunk: &Chunk<K, V>| chunk.first().is_some_and(|(first, _)| first.borrow() <= key);
        let chunk = self.chunks.partition_point(begins).saturating_sub(1);
        let place =
            self.chunks.get(chunk).map_or(Err(0), |items| items.binary_search_by(|(one, _)| one.borrow().cmp(key)));
        (chunk, place)
    }
}

impl<K: Ord + Clone, V: Clone> Map<K, V> {
    /// The value of a key, for changes.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (chunk, place) = self.find(key);
        let place = place.ok()?;
        Some(&mut Arc::make_mut(Arc::make_mut(&mut self.chunks).get_mut(chunk)?)[place].1)
    }

    /// Sets the value of a key, and returns the previous value.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let (chunk, place) = self.find(&key);
        let chunks = Arc::make_mut(&mut self.chunks);
        match (chunks.get_mut(chunk), place) {
            (Some(items), Ok(place)) => Some(std::mem::replace(&mut Arc::make_mut(items)[place].1, value)),
            (None, _) => {
                chunks.push(Arc::new(vec![(key, value)]));
                self.length = 1;
                None
            }
            (Some(items), Err(place)) => {
                let items = Arc::make_mut(items);
                items.insert(place, (key, value));
                self.length += 1;
                if items.len() > CHUNK {
                    let behind = items.split_off(CHUNK / 2);
                    chunks.insert(chunk + 1, Arc::new(behind));
                }
                None
            }
        }
    }

    /// Removes a key, and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (chunk, place) = self.find(key);
        let place = place.ok()?;
        let chunks = Arc::make_mut(&mut self.chunks);
        let items = Arc::make_mut(chunks.get_mut(chunk)?);
        let (_, value) = items.remove(place);
        if items.is_empty() {
            chunks.remove(chunk);
        }
        self.length -= 1;
        Some(value)
    }
}

impl<K: Ord + Clone, V: Clone + Default> Map<K, V> {
    /// The value of a key, for changes. A key without a value gets the default.
    #[allow(clippy::missing_panics_doc, reason = "the key has a value then")]
    pub fn or_default(&mut self, key: &K) -> &mut V {
        if !self.contains_key(key) {
            self.insert(key.clone(), V::default());
        }
        self.get_mut(key).expect("a value that was inserted")
    }
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(items: I) -> Self {
        let mut map = Self::default();
        items.into_iter().for_each(|(key, value)| drop(map.insert(key, value)));
        map
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for Map<K, V> {
    type Output = V;

    /// # Panics
    ///
    /// The key has no value.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("a key with a value")
    }
}

impl<'a, K: Ord, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Box<dyn DoubleEndedIterator<Item = (&'a K, &'a V)> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

impl<K: Ord, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.iter().eq(other.iter())
    }
}

impl<K: Ord, V: Eq> Eq for Map<K, V> {}

impl<K: Ord + fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::collections::BTreeMap;

    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn a_map_has_what_a_sorted_tree_has() {
        for seed in 0..20 {
            let mut dice = ChaCha8Rng::seed_from_u64(seed);
            let (mut map, mut tree) = (Map::<String, u32>::default(), BTreeMap::<String, u32>::new());
            for step in 0..2_000 {
                let key = dice.random_range(0..400_u32).to_string();
                match dice.random_range(0..8) {
                    0..4 => assert_eq!(map.insert(key.clone(), step), tree.insert(key, step)),
                    4..6 => assert_eq!(map.remove(&*key), tree.remove(&key)),
                    6 => {
                        *map.or_default(&key) += 1;
                        *tree.entry(key).or_default() += 1;
                    }
                    _ => {
                        assert_eq!((map.get(&*key), map.contains_key(&*key)), (tree.get(&key), tree.contains_key(&key)))
                    }
                }
                assert_eq!((map.len(), map.is_empty()), (tree.len(), tree.is_empty()));
            }
            assert!(map.iter().eq(tree.iter()) && map.iter().rev().eq(tree.iter().rev()), "seed {seed}");
            assert!(map.keys().eq(tree.keys()) && map.values().eq(tree.values()), "seed {seed}");
            assert_eq!((format!("{map:?}"), map.clone()), (format!("{tree:?}"), tree.into_iter().collect()));
        }
    }

    #[test]
    fn a_change_copies_one_piece() {
        let mut map: Map<u32, u32> = (0..1_000).map(|key| (key, key)).collect();
        let before = map.clone();
        map.insert(500, 0);
        let copied = map.chunks.iter().zip(&*before.chunks).filter(|(now, before)| !Arc::ptr_eq(now, before)).count();
        assert_eq!((copied, before[&500], map[&500]), (1, 500, 0));
        assert!(map.chunks.iter().all(|chunk| !chunk.is_empty() && chunk.len() <= CHUNK));
        assert_ne!(map, before);
        let unshared: Vec<(u32, u32)> = map.unshared(&before).map(|(&key, &value)| (key, value)).collect();
        assert!(unshared.contains(&(500, 0)) && unshared.contains(&(500, 500)), "{unshared:?}");
        assert_eq!((unshared.len() <= 2 * CHUNK, map.unshared(&map.clone()).count()), (true, 0));
    }
}
