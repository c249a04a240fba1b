//! The binary form in which a plan is passed to the process that carries it out.
//!
//! The reader allocates nothing and copies nothing: it runs after a clone. Every item begins at a multiple of eight bytes.

use std::ffi::CStr;
use std::marker::PhantomData;

const WORD: usize = size_of::<u64>();

/// Builds the bytes, as words so that they are aligned.
#[derive(Clone, Default)]
pub(super) struct Writer(Vec<u64>);

impl Writer {
    pub(super) fn number(&mut self, number: u64) -> &mut Self {
        self.0.push(number);
        self
    }

    pub(super) fn flag(&mut self, flag: bool) -> &mut Self {
        self.number(flag.into())
    }

    /// Writes an item that may be missing, preceded by its flag.
    pub(super) fn optional<T>(
        &mut self,
        item: Option<T>,
        write: impl for<'w> FnOnce(&'w mut Self, T) -> &'w mut Self,
    ) -> &mut Self {
        self.flag(item.is_some());
        match item {
            Some(item) => write(self, item),
            None => self,
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64);
        self.0.extend(bytes.chunks(WORD).map(|piece| {
            let mut word = [0; WORD];
            word[..piece.len()].copy_from_slice(piece);
            u64::from_ne_bytes(word)
        }));
        self
    }

    pub(super) fn text(&mut self, text: &CStr) -> &mut Self {
        self.bytes(text.to_bytes_with_nul())
    }

    /// Writes items, preceded by their number and their length.
    pub(super) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl for<'w> FnMut(&'w mut Self, T) -> &'w mut Self,
    ) -> &mut Self {
        let head = self.0.len();
        self.number(0).number(0);
        let mut count = 0;
        for item in items {
            write(self, item);
            count += 1;
        }
        let length = self.0.len() - head - 2;
        self.0[head] = count;
        self.0[head + 1] = (length * WORD) as u64;
        self
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }
}

/// Reads the output of a [`Writer`], in the same order. `None` for bytes that no writer produces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn read<T: Part<'a>>(&mut self) -> Option<T> {
        T::read(self)
    }
}

/// An item that can be read.
pub(super) trait Part<'a>: Sized {
    fn read(from: &mut Reader<'a>) -> Option<Self>;
}

impl Part<'_> for u64 {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self::from_ne_bytes(from.take(WORD)?.try_into().ok()?))
    }
}

impl Part<'_> for u32 {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Self::try_from(from.read::<u64>()?).ok()
    }
}

impl Part<'_> for usize {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Self::try_from(from.read::<u64>()?).ok()
    }
}

impl Part<'_> for bool {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(from.read::<u64>()? != 0)
    }
}

impl<'a, T: Part<'a>> Part<'a> for Option<T> {
    fn read(from: &mut Reader<'a>) -> Option<Self> {
        if from.read()? { from.read().map(Some) } else { Some(None) }
    }
}

impl<'a> Part<'a> for &'a [u8] {
    fn read(from: &mut Reader<'a>) -> Option<Self> {
        let length: usize = from.read()?;
        from.take(length.checked_next_multiple_of(WORD)?)?.get(..length)
    }
}

impl<'a> Part<'a> for &'a CStr {
    fn read(from: &mut Reader<'a>) -> Option<Self> {
        CStr::from_bytes_with_nul(from.read()?).ok()
    }
}

impl<'a, A: Part<'a>, B: Part<'a>> Part<'a> for (A, B) {
    fn read(from: &mut Reader<'a>) -> Option<Self> {
        Some((from.read()?, from.read()?))
    }
}

/// Items that are read one by one.
#[derive(Debug, Clone, Copy)]
pub(super) struct List<'a, T> {
    count: usize,
    items: Reader<'a>,
    of: PhantomData<T>,
}

impl<'a, T: Part<'a>> Part<'a> for List<'a, T> {
    fn read(from: &mut Reader<'a>) -> Option<Self> {
        let (count, length) = (from.read()?, from.read()?);
        Some(Self { count, items: Reader(from.take(length)?), of: PhantomData })
    }
}

impl<'a, T: Part<'a>> List<'a, T> {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The items, up to the first one that no writer produced.
    pub(super) fn iter(&self) -> impl Iterator<Item = T> + use<'a, T> {
        let mut items = self.items;
        (0..self.count).map_while(move |_| items.read())
    }
}

#[cfg(test)]
mod tests;
