//! Facts about a machine that matter for timing.

use serde::{Deserialize, Serialize};

/// Properties of a machine, as far as the system reports them. They change only with its configuration.
///
/// [`Machine::default`] has no properties; the caller assigns those that it knows. Properties can be added in later
/// versions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Machine {
    /// Name of the node in its cluster; `None` if it is the machine of the judge itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Name of the operating system, such as `linux`.
    pub os: String,
    /// Architecture of the processor, such as `x86_64`.
    pub arch: String,
    /// Release of the kernel; `None` if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Model name of the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Logical processors that this process may use, or fewer if a quota allows fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<usize>,
    /// Physical cores that this process may use, regardless of quotas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<usize>,
    /// Memory of the machine in bytes; `None` if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Swap space, in bytes; 0 if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap_bytes: Option<u64>,
    /// Simultaneous multithreading: a core that this process may use runs two logical processors, usable or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smt: Option<bool>,
    /// Frequency governor of processor 0; virtual machines do not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Turbo: the clock may exceed its nominal speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turbo: Option<bool>,
    /// True for a virtual machine; `None` if that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtual_machine: Option<bool>,
}

impl Machine {
    /// Marks the machine as a node of a cluster, with this name.
    #[must_use]
    pub fn on_node(self, node: impl Into<String>) -> Self {
        Self { node: Some(node.into()), ..self }
    }

    /// Sets the name of the operating system.
    #[must_use]
    pub fn with_os(self, os: impl Into<String>) -> Self {
        Self { os: os.into(), ..self }
    }
}
