//! Messages between game manager and player.

use spinney_core::InputError;
use spinney_core::error::shorten;
use spinney_gdl::Rules;
use spinney_gdl::expression::Expression;
use std::time::Duration;

/// What a manager says.
#[derive(Clone, Debug)]
pub enum Message {
    /// Who are you?
    Info,
    /// A match begins.
    Start {
        /// Its name.
        id: String,
        /// The role to play.
        role: String,
        /// The game.
        rules: Box<Rules>,
        /// Until the first move.
        startclock: Duration,
        /// For each move.
        playclock: Duration,
    },
    /// What is your move? With the joint move before it, if there was one.
    Play {
        /// The match.
        id: String,
        /// The moves of all roles.
        moves: Option<Vec<String>>,
    },
    /// The match is over.
    Stop {
        /// The match.
        id: String,
        /// The last moves of all roles.
        moves: Option<Vec<String>>,
    },
    /// The match is called off.
    Abort {
        /// The match.
        id: String,
    },
    /// A game that will be played.
    Preview,
}

/// A term as it is written, one blank between names.
pub fn written(expression: &Expression) -> String {
    match expression {
        Expression::Name(_, name) => name.clone(),
        Expression::List(_, members) => {
            let members: Vec<String> = members.iter().map(written).collect();
            format!("({})", members.join(" "))
        }
    }
}

fn name(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Name(_, name) => Some(name),
        Expression::List(..) => None,
    }
}

/// NIL, an empty list, or moves.
fn moves(expression: Option<&Expression>) -> Option<Vec<String>> {
    match expression {
        Some(Expression::List(_, members)) if !members.is_empty() => Some(members.iter().map(written).collect()),
        _ => None,
    }
}

fn clock(expression: Option<&Expression>) -> Option<Duration> {
    let seconds: f64 = name(expression?)?.parse().ok()?;
    (0.0..=1e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

impl Message {
    /// Reads a message; keywords in any case.
    pub fn read(text: &str) -> Result<Self, InputError> {
        let refuse = |problem: &str| {
            let problem = format!("`{}` {problem}", shorten(text.trim()));
            InputError::new("message", problem, "send INFO, START, PLAY, STOP, ABORT or PREVIEW in brackets")
        };
        let expressions = Expression::read_all(text).map_err(|error| error.within("message"))?;
        let parts = match expressions.as_slice() {
            [Expression::List(_, parts)] => parts.as_slice(),
            // Some managers leave out the brackets of a message without arguments.
            [single @ Expression::Name(..)] => std::slice::from_ref(single),
            _ => return Err(refuse("is not one message")),
        };
        let word = parts.first().and_then(name).unwrap_or_default().to_ascii_uppercase();
        let id = || parts.get(1).and_then(name).map(str::to_string).ok_or_else(|| refuse("has no match id"));
        match word.as_str() {
            "INFO" | "PING" => Ok(Message::Info),
            "PREVIEW" => Ok(Message::Preview),
            "ABORT" => Ok(Message::Abort { id: id()? }),
            "PLAY" => Ok(Message::Play { id: id()?, moves: moves(parts.get(2)) }),
            "STOP" => Ok(Message::Stop { id: id()?, moves: moves(parts.get(2)) }),
            "START" => {
                let role = parts.get(2).map(written).ok_or_else(|| refuse("has no role"))?;
                let Some(Expression::List(_, sheet)) = parts.get(3) else { return Err(refuse("has no rules")) };
                let (Some(startclock), Some(playclock)) = (clock(parts.get(4)), clock(parts.get(5))) else {
                    return Err(refuse("has no clocks"));
                };
                let rules = Box::new(Rules::from_expressions(sheet).map_err(|error| error.within("rules"))?);
                Ok(Message::Start { id: id()?, role, rules, startclock, playclock })
            }
            _ => Err(refuse("is not known")),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_are_read_in_any_case() {
        let start = "( start m.1 ROBOT ((ROLE ROBOT) (LEGAL ROBOT GO) (GOAL ROBOT 100) TERMINAL) 30 15 surplus )";
        let Message::Start { id, role, startclock, playclock, .. } = Message::read(start).unwrap() else { panic!() };
        assert_eq!((id.as_str(), role.as_str()), ("m.1", "ROBOT"));
        assert_eq!((startclock.as_secs(), playclock.as_secs()), (30, 15));
        let Message::Play { id, moves } = Message::read("( PLAY m1 (( mark 2  1 ) noop ) )").unwrap() else { panic!() };
        assert_eq!((id.as_str(), moves.unwrap()), ("m1", vec!["(mark 2 1)".to_string(), "noop".to_string()]));
        assert!(matches!(Message::read("(play m1 nil)").unwrap(), Message::Play { moves: None, .. }));
        assert!(matches!(Message::read("info").unwrap(), Message::Info));
        assert!(matches!(Message::read("(STOP m ())").unwrap(), Message::Stop { moves: None, .. }));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for text in
            ["", "()", "(play", "(start m r)", "(start m r ((role r)) x 1)", "(hello)", "(play) (play)", "((a))"]
        {
            let error = Message::read(text).unwrap_err().to_string();
            assert!(error.starts_with("message") && !error.contains('\n'), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(text in "[()a-zA-Z ?;0-9]{0,80}") {
            let _ = Message::read(&text);
        }
    }
}
