//! Bytes in bulk, on huge pages where the system has them.
//!
//! A look-up in a table of hundreds of megabytes misses the cache; on pages of 4 KiB it misses the translation cache
//! as well. The system hands out pages of 2 MiB to whoever advises it so, and `memmap2` does that without `unsafe`.

use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

/// A fixed number of bytes, zero at first.
#[derive(Debug)]
pub struct Cells(MmapMut);

impl Cells {
    /// So many zero bytes.
    ///
    /// # Errors
    /// If the system has not that much memory to give.
    pub fn zeroed(bytes: usize) -> io::Result<Cells> {
        let map = MmapMut::map_anon(bytes)?;
        // Advice that is not taken costs time and nothing else.
        #[cfg(target_os = "linux")]
        let _unheeded = map.advise(memmap2::Advice::HugePage);
        Ok(Cells(map))
    }
}

impl Deref for Cells {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Cells {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
