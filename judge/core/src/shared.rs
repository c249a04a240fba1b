//! Values shared by contests at several moments.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value whose clones share it until one of them changes. So many moments of a contest need memory only for their differences.
/// It is used, compared, shown and stored like the value itself. `(*shared).clone()` is a separate value.
#[derive(Clone, Eq, Default)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Tests whether both share one value, without a comparison. If not, they may still be equal.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is(other) || **self == **other
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A change copies the value if a clone shares it.
impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_shares_the_value_until_one_of_them_changes() {
        let first: Shared<Vec<u8>> = vec![1, 2].into();
        let mut second = first.clone();
        assert!(first.is(&second));
        second.push(3);
        assert!(!first.is(&second));
        assert_eq!((&**first, &**second), (&[1, 2][..], &[1, 2, 3][..]));
        assert_ne!(first, second);
        let text = serde_json::to_string(&second).unwrap();
        assert_eq!((&*text, serde_json::from_str(&text).unwrap()), ("[1,2,3]", second));
    }
}
