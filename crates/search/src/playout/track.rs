//! The moves of a simulation as numbers, as a card keeps them.

use alloc::{vec, vec::Vec};
use core::ops::Deref;

/// The moves of a simulation as numbers (see [`Seats`](super::Seats)). It reads as a slice; its memory is filled once and used
/// again.
#[derive(Debug)]
pub struct Track {
    room: Vec<u32>,
    made: usize,
}

impl Track {
    /// Without moves.
    pub fn with_capacity(moves: usize) -> Self {
        Self { room: vec![0; moves], made: 0 }
    }

    /// Forgets all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.made = 0;
    }

    /// One more move.
    #[inline(always)]
    pub fn push(&mut self, number: u32) {
        match self.room.get_mut(self.made) {
            Some(place) => *place = number,
            // By value: where a value is left in memory for others to change, it is read again after every write.
            None => self.room = widened(core::mem::take(&mut self.room), number),
        }
        self.made += 1;
    }

    /// Gives itself away for a while, and keeps nothing.
    #[inline(always)]
    pub fn lent(&mut self) -> Self {
        Self { room: core::mem::take(&mut self.room), made: core::mem::take(&mut self.made) }
    }

    /// Takes back what was given away.
    #[inline(always)]
    pub fn give_back(&mut self, own: Self) {
        *self = own;
    }
}

/// More room behind the last move, for which there is none.
#[cold]
#[inline(never)]
fn widened(mut room: Vec<u32>, number: u32) -> Vec<u32> {
    room.push(number);
    room.resize(room.len() * 2, 0);
    room
}

impl Deref for Track {
    type Target = [u32];

    #[inline(always)]
    fn deref(&self) -> &[u32] {
        &self.room[..self.made]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_kept_however_many_there_are() {
        let mut track = Track::with_capacity(4);
        let (mut all, mut away) = (Vec::new(), track.lent());
        for number in 0..100 {
            away.push(number);
            all.push(number);
            assert_eq!(away[..], all);
        }
        assert!(track.is_empty(), "what is lent is away");
        track.give_back(away);
        assert_eq!(track[..], all);
        track.clear();
        track.push(7);
        assert_eq!(track[..], [7]);
        // Nothing but room is left of what went before, and none at all at first.
        let mut empty = Track::with_capacity(0);
        (0..3).for_each(|number| empty.push(number));
        assert_eq!(empty[..], [0, 1, 2]);
    }
}
