//! A large byte buffer, on huge pages if the system has them.
//!
//! A look-up in a table of hundreds of megabytes misses the cache; on pages of 4 KiB it misses the translation cache as
//! well. The system uses pages of 2 MiB for memory that a program marks for it, and `memmap2` does that without
//! `unsafe`.

use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// A fixed number of bytes, initially zero.
#[derive(Debug)]
pub struct Buffer(MmapMut);

impl Buffer {
    /// Allocates `bytes` zero bytes.
    ///
    /// # Errors
    /// If the system does not have that much memory.
    pub fn zeroed(bytes: usize) -> io::Result<Buffer> {
        let map = MmapMut::map_anon(bytes)?;
        // Without huge pages the program is only slower.
        #[cfg(target_os = "linux")]
        let _ignored = map.advise(memmap2::Advice::HugePage);
        Ok(Buffer(map))
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
