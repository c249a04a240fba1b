//! Data of an engine. Only its own crate has the types.

use std::any::Any;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// A value of a type of the engine's crate: a message for the organiser, or the engine's figures. A program that has the type
/// gets the value back and converts it to text.
#[derive(Clone)]
pub struct EngineData(Arc<dyn Value>);

/// The operations of every such type.
trait Value: Any + Debug + Send + Sync {
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<T: Any + Debug + PartialEq + Send + Sync> Value for T {
    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>() == Some(self)
    }
}

impl EngineData {
    /// Wraps a value and hides its type.
    pub fn new<T: Any + Debug + PartialEq + Send + Sync>(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// The value, if it is of this type.
    pub fn get<T: Any>(&self) -> Option<&T> {
        let value: &dyn Any = &*self.0;
        value.downcast_ref()
    }
}

impl PartialEq for EngineData {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Debug for EngineData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_equals_only_one_of_its_type() {
        let data = EngineData::new(7_u32);
        assert_eq!((data.get::<u32>(), data.get::<u64>()), (Some(&7), None));
        assert_eq!(data, EngineData::new(7_u32).clone());
        assert_ne!(data, EngineData::new(8_u32));
        assert_ne!(data, EngineData::new(7_u64));
        assert_eq!(format!("{data:?}"), "7");
    }
}
