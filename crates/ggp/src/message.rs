//! Messages between game manager and player.

use crate::spelling::Spelling;
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
        /// How it writes moves.
        spelling: Spelling,
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

/// The clocks of a START message without reading its rules: the fifth and sixth of its parts.
pub fn clocks(text: &str) -> Option<(Duration, Duration)> {
    let (mut depth, mut part, mut from, mut is_comment) = (0_usize, 0, None, false);
    let mut found = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        let ends = byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b';');
        if ends
            && !is_comment
            && let Some(from) = from.take()
        {
            part += 1;
            if part > 4 {
                found.push(text.get(from..at)?);
            }
        }
        match byte {
            b'\n' | b'\r' => is_comment = false,
            _ if is_comment => {}
            b';' => is_comment = true,
            b'(' => depth += 1,
            b')' => {
                depth = depth.checked_sub(1)?;
                part += usize::from(depth == 1);
            }
            _ if depth == 1 && !ends && from.is_none() => from = Some(at),
            _ => {}
        }
        if found.len() == 2 {
            break;
        }
    }
    let [start, play] = found.as_slice() else { return None };
    Some((clock(start, 0.0)?, clock(play, 0.1)?))
}

/// A clock in seconds, if it is one that can be kept: nobody plays in no time, or for more than a day.
fn clock(text: &str, shortest: f64) -> Option<Duration> {
    const LONGEST: f64 = 86_400.0;
    let seconds: f64 = text.parse().ok()?;
    (shortest..=LONGEST).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// What a message says before it is read: its keyword in capitals and the match, if it names one.
pub fn glance(text: &str) -> (String, Option<&str>) {
    let is_between = |character: char| character.is_whitespace() || matches!(character, '(' | ')');
    let mut names = text.split(is_between).filter(|name| !name.is_empty());
    (names.next().map(shorten).unwrap_or_default().to_ascii_uppercase(), names.next())
}

/// Names and brackets of a text: what it costs to read it.
pub fn count_names(text: &str) -> usize {
    let mut is_within = false;
    let mut count = 0;
    for byte in text.bytes() {
        let is_bracket = matches!(byte, b'(' | b')');
        let ends = is_bracket || byte.is_ascii_whitespace();
        count += usize::from(is_bracket || (!ends && !is_within));
        is_within = !ends;
    }
    count
}

/// Names and brackets of a text that is read at most; the longest rule sheets known have 30,000.
pub const MOST_NAMES: usize = 300_000;
/// What a name costs to read, about.
pub const BYTES_OF_A_NAME: usize = 160;

/// Refuses rules that no game needs and that would take long to read.
pub fn refuse_absurd(rules: &[Expression]) -> Result<(), InputError> {
    const MOST_VARIABLES: usize = 2_000;
    fn variables(expression: &Expression) -> usize {
        match expression {
            Expression::Name(_, name) => usize::from(name.starts_with('?')),
            Expression::List(_, members) => members.iter().map(variables).sum(),
        }
    }
    match rules.iter().find(|rule| variables(rule) > MOST_VARIABLES) {
        Some(rule) => {
            let problem = format!("a rule names variables more than {MOST_VARIABLES} times");
            Err(InputError::new(rule.place(), problem, "split it into several rules"))
        }
        None => Ok(()),
    }
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
                let seconds = |part: usize, shortest| clock(parts.get(part).and_then(name)?, shortest);
                let clocks = (seconds(4, 0.0), seconds(5, 0.1));
                let (Some(startclock), Some(playclock)) = clocks else {
                    return Err(refuse("has no clocks that can be kept, of up to a day"));
                };
                refuse_absurd(sheet).map_err(|error| error.within("rules"))?;
                let rules = Box::new(Rules::from_expressions(sheet).map_err(|error| error.within("rules"))?);
                Ok(Message::Start { id: id()?, role, rules, spelling: Spelling::of(sheet), startclock, playclock })
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

    #[test]
    fn absurd_clocks_and_rules_are_refused() {
        let start = |clocks: &str| Message::read(&format!("(start m r ((role r)) {clocks})"));
        for clocks in ["0 1", "30 15", "1.5 0.5", "86400 86400"] {
            assert!(start(clocks).is_ok(), "{clocks}");
        }
        for clocks in ["1 0", "-1 1", "1 -1", "1 1e9", "1e300 1", "inf 1", "1 nan", "1", "x y", "1 0.001"] {
            assert!(start(clocks).unwrap_err().to_string().contains("clocks"), "{clocks}");
        }
        let seconds = |text| clocks(text).map(|(start, play)| (start.as_secs(), play.as_secs()));
        assert_eq!(seconds("( START m r ( (role r) (p (q)) ) ; (\n 30 15 surplus (x) )"), Some((30, 15)));
        assert_eq!(seconds("(start m (r x) ((role r))3 4)"), Some((3, 4)));
        for text in ["(start m r ((role r)) 1 0)", "(start m r ((role r)) 1)", "(start m r 1 2)", "", ")", "(((("] {
            assert_eq!(seconds(text), None, "{text}");
        }
        let wide = format!("(start m r ((role r) (<= p (q {}))) 1 1)", "?x ".repeat(2_001));
        assert!(Message::read(&wide).unwrap_err().to_string().contains("more than 2000"));
    }

    #[test]
    fn a_glance_tells_keyword_and_match() {
        assert_eq!(glance(" ( play m.1 NIL)"), ("PLAY".to_string(), Some("m.1")));
        assert_eq!(glance("info"), ("INFO".to_string(), None));
        assert_eq!(glance(""), (String::new(), None));
        assert_eq!(count_names("( a (bc d))"), 7);
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(text in "[()a-zA-Z ?;0-9]{0,80}") {
            let _ = Message::read(&text);
        }
    }
}
