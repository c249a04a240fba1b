//! Enums whose variants have names in files.

/// Declares an enum, and the name of each variant in files, options and JSON.
///
/// ```
/// judge_job::named! {
///     /// The way home.
///     pub enum Way {
///         /// On foot.
///         OnFoot = "on_foot",
///         /// By bus.
///         Bus = "bus",
///     }
/// }
/// assert_eq!((Way::ALL.map(Way::name), Way::named("bus")), (["on_foot", "bus"], Some(Way::Bus)));
/// assert_eq!(serde_json::to_string(&Way::OnFoot).expect("a name"), r#""on_foot""#);
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$about:meta])* $vis:vis enum $name:ident { $($(#[$of_one:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        $vis enum $name {
            $($(#[$of_one])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// All of them, in the order in which help names them.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// The name in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// The one of that name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}
