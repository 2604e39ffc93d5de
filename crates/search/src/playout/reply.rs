//! Last good replies: what a player answered in the last simulation it won is answered again
//! (Drake, 2009; with forgetting: Baier and Drake, "The Power of Forgetting", 2010).

use super::learner::{Before, Choice, Learner, Lesson, NO_MOVE, Offer, Scope};
use super::settings::ReplySettings;
use super::{ActionValues, Base, Seats};
use alloc::{vec, vec::Vec};
use spinney_core::game::{Game, Player};
use spinney_core::random::mix;

/// The learner with its options.
#[derive(Debug)]
pub struct Replies {
    /// By the number of the move that is answered.
    ones: Vec<Reply>,
    /// By two moves, in a place found by hashing: the later one takes it.
    twos: Vec<Reply>,
    generation: u64,
    forgets: bool,
}

/// The number of a reply. The key holds the generation in its high bits, and for two moves their hash in the others;
/// with another key there is no reply.
#[derive(Clone, Copy, Debug, Default)]
struct Reply {
    key: u64,
    reply: u32,
}

const PLACES: usize = 1 << 16;
const GENERATION_BITS: u32 = 12;

impl Replies {
    /// A learner with nothing learned.
    pub fn new(settings: &ReplySettings, scope: &Scope) -> Self {
        Self {
            ones: vec![Reply::default(); scope.seats.numbers(scope.move_ids)],
            twos: vec![Reply::default(); if settings.order >= 2 { PLACES } else { 0 }],
            generation: 1,
            forgets: settings.forget,
        }
    }

    #[inline(always)]
    fn key_of_one(&self) -> u64 {
        self.generation << (64 - GENERATION_BITS)
    }

    /// Place and key of a reply to two moves, where those are learned.
    #[inline(always)]
    fn place_of_two(&self, before: Before) -> Option<(usize, u64)> {
        let hash = mix(u64::from(before[0]) << 32 | u64::from(before[1]));
        let place = (hash as usize % PLACES, hash >> GENERATION_BITS | self.key_of_one());
        (!self.twos.is_empty() && before[1] != NO_MOVE).then_some(place)
    }

    /// The numbers of the replies to what was before, the one to two moves first.
    #[inline(always)]
    pub fn replies(&self, before: Before) -> [u32; 2] {
        if before[0] == NO_MOVE {
            return [NO_MOVE; 2];
        }
        let known = |reply: Reply, key| if reply.key == key { reply.reply } else { NO_MOVE };
        let two = self.place_of_two(before).map_or(NO_MOVE, |(place, key)| known(self.twos[place], key));
        [two, known(self.ones[before[0] as usize], self.key_of_one())]
    }
}

impl Learner for Replies {
    #[inline]
    fn clear(&mut self, _: Player) {
        self.generation += 1;
        if self.generation == 1 << GENERATION_BITS {
            self.ones.fill(Reply::default());
            self.twos.fill(Reply::default());
            self.generation = 1;
        }
    }

    #[inline]
    fn teach(&mut self, lesson: &Lesson<'_>) {
        let mut before = lesson.before;
        for &index in lesson.played {
            let outcome = super::in_view_of(ActionValues::player(index), lesson.outcome);
            if before[0] != NO_MOVE && (outcome > 0.0 || outcome < 0.0 && self.forgets) {
                let key = self.key_of_one();
                change(&mut self.ones[before[0] as usize], key, index, outcome > 0.0);
                if let Some((place, key)) = self.place_of_two(before) {
                    change(&mut self.twos[place], key, index, outcome > 0.0);
                }
            }
            before = [index, before[0]];
        }
    }

    /// A reply that is known and can be made.
    #[inline(always)]
    fn choose<G: Game, B: Base>(&mut self, choice: &mut Choice<'_, G, B>) -> Offer<G::Move> {
        let replies = self.replies(choice.context.before);
        let known = replies.into_iter().filter(|&reply| reply != NO_MOVE);
        for reply in known {
            if let Some(mv) = choice.find(Seats::TWO.id(reply)) {
                return Offer::Play(mv);
            }
        }
        Offer::Pass
    }
}

/// A good reply is kept; one that turned out bad is forgotten.
#[inline(always)]
fn change(reply: &mut Reply, key: u64, index: u32, good: bool) {
    if good {
        *reply = Reply { key, reply: index };
    } else if reply.key == key && reply.reply == index {
        *reply = Reply::default();
    }
}

#[cfg(test)]
mod tests {
    use super::super::learner::Outcomes;
    use super::*;

    const SCOPE: Scope = Scope::new(9, Outcomes::Results);

    fn number(ply: usize, id: usize) -> u32 {
        ActionValues::index(Player::BOTH[ply % 2], id)
    }

    fn line(ids: [usize; 3]) -> Vec<u32> {
        (0..).zip(ids).map(|(ply, id)| number(ply, id)).collect()
    }

    /// First player 0 and 2, second player 1: the reply 2 to 1, and to 0 and 1, is good until it loses.
    #[test]
    fn replies_that_won_are_kept_until_they_lose() {
        for (forget, order) in [(true, 2), (false, 2), (true, 1)] {
            let mut replies = Replies::new(&ReplySettings { order, forget }, &SCOPE);
            let (none, before) = ([NO_MOVE; 2], [number(1, 1), number(0, 0)]);
            let to_two = |reply| if order == 2 { reply } else { NO_MOVE };
            replies.teach(&Lesson::new(&line([0, 1, 2]), none, 1.0));
            assert_eq!(replies.replies(before), [to_two(number(2, 2)), number(2, 2)]);
            assert_eq!(replies.replies([number(1, 1), number(0, 5)]), [NO_MOVE, number(2, 2)]);
            assert_eq!(replies.replies([number(0, 0), NO_MOVE]), none, "the loser's replies are not kept");
            replies.teach(&Lesson::new(&line([0, 1, 3]), none, -1.0));
            assert_eq!(replies.replies(before)[1], number(2, 2), "another reply was bad");
            assert_eq!(replies.replies([number(0, 0), NO_MOVE]), [NO_MOVE, number(1, 1)]);
            replies.teach(&Lesson::new(&line([0, 1, 2]), none, 0.0));
            assert_eq!(replies.replies(before)[1], number(2, 2), "a draw teaches nothing");
            replies.teach(&Lesson::new(&line([0, 1, 2]), none, -1.0));
            assert_eq!(replies.replies(before)[1], if forget { NO_MOVE } else { number(2, 2) });
            replies.clear(Player::First);
            assert_eq!(replies.replies(before), none);
        }
    }

    #[test]
    fn every_generation_is_empty_at_first() {
        let mut replies = Replies::new(&ReplySettings::default(), &SCOPE);
        for _ in 0..(3 << GENERATION_BITS) {
            assert_eq!(replies.replies([number(1, 1), number(0, 0)]), [NO_MOVE; 2]);
            replies.teach(&Lesson::new(&line([0, 1, 2]), [NO_MOVE; 2], 1.0));
            replies.clear(Player::First);
        }
    }
}
