//! Memory: everything that a kernel can reach, in one piece.

/// Where memory begins: no small number is an address.
pub const ORIGIN: u64 = 1 << 40;

/// What memory holds before anybody writes to it: what is read too early is not just 0.
pub const FILL: u8 = 0xA5;

/// Bytes with addresses. What is taken lies one after the other and is given back together.
pub struct Memory {
    bytes: Vec<u8>,
    used: usize,
}

impl Memory {
    /// Memory that begins with `image`.
    pub fn new(image: &[u8], size: usize) -> Self {
        let mut bytes = image.to_vec();
        bytes.resize(size.max(image.len()), FILL);
        Self { bytes, used: image.len() }
    }

    /// Bytes in all.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Takes bytes, aligned as a card aligns them, and tells their address.
    pub fn take(&mut self, size: usize) -> u64 {
        let start = self.used.next_multiple_of(256);
        self.used = start + size;
        assert!(self.used <= self.bytes.len(), "{} bytes of memory are too few", self.bytes.len());
        ORIGIN + start as u64
    }

    /// Takes memory for these bytes.
    pub fn put(&mut self, bytes: &[u8]) -> u64 {
        let address = self.take(bytes.len());
        let start = (address - ORIGIN) as usize;
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        address
    }

    /// How much is taken, for [`Self::give_back`].
    pub fn taken(&self) -> usize {
        self.used
    }

    /// Gives back what was taken since.
    pub fn give_back(&mut self, taken: usize) {
        self.used = taken;
    }

    /// The bytes at an address.
    pub fn get(&self, address: u64, count: usize) -> Option<&[u8]> {
        self.bytes.get(address.wrapping_sub(ORIGIN) as usize..)?.get(..count)
    }

    /// Writes [`FILL`] over bytes.
    pub fn fill(&mut self, address: u64, count: usize) -> Option<()> {
        self.bytes.get_mut(address.wrapping_sub(ORIGIN) as usize..)?.get_mut(..count)?.fill(FILL);
        Some(())
    }

    /// The number of 1, 2, 4 or 8 bytes at an address.
    #[inline]
    pub fn read(&self, address: u64, bytes: u8) -> Option<u64> {
        let from = self.bytes.get(address.wrapping_sub(ORIGIN) as usize..)?;
        Some(match bytes {
            1 => u64::from(*from.first()?),
            2 => u64::from(u16::from_le_bytes(*from.first_chunk()?)),
            4 => u64::from(u32::from_le_bytes(*from.first_chunk()?)),
            _ => u64::from_le_bytes(*from.first_chunk()?),
        })
    }

    /// Writes the low 1, 2, 4 or 8 bytes of a number.
    #[inline]
    pub fn write(&mut self, address: u64, bytes: u8, value: u64) -> Option<()> {
        let to = self.bytes.get_mut(address.wrapping_sub(ORIGIN) as usize..)?;
        match bytes {
            1 => *to.first_mut()? = value as u8,
            2 => *to.first_chunk_mut()? = (value as u16).to_le_bytes(),
            4 => *to.first_chunk_mut()? = (value as u32).to_le_bytes(),
            _ => *to.first_chunk_mut()? = value.to_le_bytes(),
        }
        Some(())
    }
}
