//! Members that few of many values have.

use std::ops::{Deref, DerefMut};

use serde::{Serialize, Serializer};

/// Members that most values lack.
pub trait Absent: Default + PartialEq + 'static {
    /// The members of most values, equal to [`Default`].
    const NONE: &'static Self;
}

/// Members behind one pointer, which is null if all of them are absent. A change to one allocates all of them.
#[derive(Debug, Clone, Default)]
pub struct Rare<T>(Option<Box<T>>);

impl<T: Absent> Rare<T> {
    /// Takes the members and leaves none.
    pub fn take(&mut self) -> T {
        self.0.take().map_or_else(T::default, |members| *members)
    }

    #[cfg(test)]
    pub(crate) fn needs_no_room(&self) -> bool {
        self.0.is_none()
    }
}

impl<T: Absent> From<T> for Rare<T> {
    fn from(members: T) -> Self {
        Self(Some(members).filter(|members| *members != *T::NONE).map(Box::new))
    }
}

impl<T: Absent> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::NONE)
    }
}

impl<T: Absent> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Absent> PartialEq for Rare<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Absent + Eq> Eq for Rare<T> {}

impl<T: Absent + Serialize> Serialize for Rare<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}
