//! Which games an option is for: declared with the option, said by help texts, and held against a game in one place.

use super::{OptionInfo, OptionKind, OptionPart};
use crate::error::InputError;
use crate::expression::Expression;
use crate::game::Game;
use std::fmt;

/// The games that an option, a word, a part or an agent is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Games {
    /// All of them.
    #[default]
    All,
    /// Two players, with or without chance.
    TwoPlayers,
    /// Two players and no chance.
    Certain,
    /// Chance, whether one plays or two do.
    Chance,
    /// Chance, or one player.
    ChanceOrSolitaire,
    /// Roles who move at the same time.
    Roles,
}

/// What decides which options a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameKind {
    /// Whether there is chance.
    pub chance: bool,
    /// Whether one player plays for a score.
    pub solitaire: bool,
    /// Whether it has roles.
    pub roles: bool,
}

impl GameKind {
    /// The kind of the game `G`.
    pub const fn of<G: Game>() -> Self {
        Self { chance: G::LUCK.is_some(), solitaire: G::SCORE.is_some(), roles: G::ROLES.is_some() }
    }
}

impl Games {
    /// Whether a game of this kind is among them.
    pub const fn include(self, game: GameKind) -> bool {
        match self {
            Games::All => true,
            Games::TwoPlayers => !game.solitaire,
            Games::Certain => !game.solitaire && !game.chance,
            Games::Chance => game.chance,
            Games::ChanceOrSolitaire => game.chance || game.solitaire,
            Games::Roles => game.roles,
        }
    }

    /// As one word that stays the same from version to version.
    pub const fn word(self) -> &'static str {
        match self {
            Games::All => "all",
            Games::TwoPlayers => "two_players",
            Games::Certain => "certain",
            Games::Chance => "chance",
            Games::ChanceOrSolitaire => "chance_or_solitaire",
            Games::Roles => "roles",
        }
    }
}

impl fmt::Display for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Games::All => "all games",
            Games::TwoPlayers => "games of two players",
            Games::Certain => "games of two players without chance",
            Games::Chance => "games with chance",
            Games::ChanceOrSolitaire => "games with chance or of one player",
            Games::Roles => "games of roles, which rule sheets describe",
        })
    }
}

/// Refuses what stands in the brackets of `written` and is for other games than this one, as its declaration says.
pub(super) fn refuse_unfit(
    place: &str,
    options: &[OptionInfo],
    written: &Expression,
    game: GameKind,
) -> Result<(), InputError> {
    for argument in &written.arguments {
        let Some(option) = options.iter().find(|option| option.key == argument.key) else { continue };
        let place = format!("{place}, option {}", option.key);
        check(&place, None, option.games, game)?;
        refuse_value(&place, &option.kind, &argument.value, game)?;
    }
    Ok(())
}

fn refuse_value(place: &str, kind: &OptionKind, value: &[Expression], game: GameKind) -> Result<(), InputError> {
    match kind {
        OptionKind::Words(words) => {
            let given = words.iter().filter(|word| matches!(value, [one] if one.name == word.word));
            given.into_iter().try_for_each(|word| check(place, Some(word.word), word.games, game))
        }
        OptionKind::Parts { one_of, any_of } => value.iter().try_for_each(|given| {
            let of_name = |part: &&OptionPart| part.name == given.name;
            let Some(part) = one_of.iter().chain(any_of).find(of_name) else { return Ok(()) };
            check(place, Some(part.name), part.games, game)?;
            refuse_unfit(&format!("{place}, {}", part.name), &part.options, given, game)
        }),
        OptionKind::Brackets(options) => value.iter().try_for_each(|given| refuse_unfit(place, options, given, game)),
        OptionKind::Either(kinds) => kinds.iter().try_for_each(|kind| refuse_value(place, kind, value, game)),
        OptionKind::Flag | OptionKind::Whole(_) | OptionKind::Number(_) | OptionKind::Text => Ok(()),
    }
}

fn check(place: &str, value: Option<&str>, games: Games, game: GameKind) -> Result<(), InputError> {
    if games.include(game) {
        return Ok(());
    }
    let subject = value.map_or("it".to_string(), |value| format!("`{value}`"));
    Err(InputError::unsupported(place, format!("{subject} is for {games}"), "leave it out for this game"))
}
