//! Methods that set one part of a value and return it.

/// Declares such methods. Each has its arguments and, after the arrow, the change of the value.
macro_rules! setters {
    ($type:ty as $value:ident: $($(#[$about:meta])* $name:ident($($argument:ident: $of:ty),*) => $change:expr;)*) => {
        impl $type {
            $(
                $(#[$about])*
                #[must_use]
                pub fn $name(self, $($argument: $of),*) -> Self {
                    let mut $value = self;
                    $change;
                    $value
                }
            )*
        }
    };
}

pub(crate) use setters;
