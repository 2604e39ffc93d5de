//! What a person writes at the prompt, and what it means.

use crate::interrupt;
use crate::text::{grouped, screen_width, wrapped};
use spinney_core::error::{nearest, shorten};
use std::io::BufRead;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;

/// What a person can answer at the prompt.
const HELP: &str = "\
write a move as it is listed by `moves`, or
  moves      list the legal moves; `moves d1` those that begin with d1
  hint       ask an agent what it would play
  undo       take back your last move and the answer to it
  board      draw the board again
  position   print the position on one line
  quit       stop playing";

/// More moves than these are listed only in part.
const MANY: usize = 200;
/// Moves that are named where none was understood.
const NEAR: usize = 3;
/// Words for the end of a turn, which games call by different names.
const ENDS_OF_TURNS: [&str; 3] = ["stop", "hold", "bank"];

/// What a person wants.
#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    Nothing,
    Quit,
    /// To read this.
    Say(String),
    Position,
    Board,
    Hint,
    Undo,
    /// To make this legal move.
    Move(String),
}

/// Makes sense of a line, where these moves are legal.
pub fn wish(line: &str, moves: &[String]) -> Wish {
    // A move comes first: a game may call one by a word that means something else here.
    if let Some(mv) = find(line, moves) {
        return Wish::Move(mv.clone());
    }
    match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
        ("", _) => Wish::Nothing,
        ("quit" | "exit" | "q", "") => Wish::Quit,
        ("help" | "?", "") => Wish::Say(HELP.to_string()),
        ("moves", beginning) => Wish::Say(list(moves, beginning.trim())),
        ("position", "") => Wish::Position,
        ("board", "") => Wish::Board,
        ("hint", "") => Wish::Hint,
        ("undo", "") => Wish::Undo,
        _ => Wish::Say(no_move(line, moves)),
    }
}

fn find<'a>(line: &str, moves: &'a [String]) -> Option<&'a String> {
    let known = moves.iter().find(|mv| mv.eq_ignore_ascii_case(line));
    let ends_turn = |word: &str| ENDS_OF_TURNS.iter().any(|end| end.eq_ignore_ascii_case(word));
    known.or_else(|| moves.iter().find(|mv| ends_turn(line) && ends_turn(mv)))
}

/// The legal moves that begin so, in lines that fit; where they are many, how they begin.
fn list(moves: &[String], beginning: &str) -> String {
    let is_all = beginning == "all";
    let begins =
        |mv: &str| is_all || mv.get(..beginning.len()).is_some_and(|head| head.eq_ignore_ascii_case(beginning));
    let found: Vec<&str> = moves.iter().map(String::as_str).filter(|mv| begins(mv)).collect();
    if found.is_empty() {
        return format!("none of the {} legal moves begins with `{}`", grouped(moves.len() as u64), shorten(beginning));
    }
    if found.len() <= MANY || is_all || !beginning.is_empty() {
        return wrapped(found.into_iter(), "  ", 0, screen_width());
    }
    // Moves of one piece begin alike.
    let mut heads: Vec<(&str, usize)> = Vec::new();
    for mv in &found {
        let head = mv.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or(mv);
        match heads.iter_mut().find(|(known, _)| *known == head) {
            Some((_, count)) => *count += 1,
            None => heads.push((head, 1)),
        }
    }
    if 2 * heads.len() > found.len() {
        return wrapped(found.into_iter(), "  ", 0, screen_width());
    }
    let counts: Vec<String> = heads.iter().map(|(head, count)| format!("{head} ({count})")).collect();
    let head = heads.first().map_or("", |(head, _)| head);
    format!(
        "{} moves begin with\n{}`moves {head}` lists those of {head}, `moves all` everything",
        grouped(found.len() as u64),
        wrapped(counts.iter().map(String::as_str), "  ", 2, screen_width()),
    )
}

/// What is said of a line that is no move, in two lines: what comes near, and how to see all moves.
fn no_move(line: &str, moves: &[String]) -> String {
    let mut left: Vec<&str> = moves.iter().map(String::as_str).collect();
    let mut near: Vec<&str> = Vec::new();
    while let Some(next) = nearest(line, &left).filter(|_| near.len() < NEAR) {
        near.push(next);
        left.retain(|mv| *mv != next);
    }
    let is_near = !near.is_empty();
    if !is_near {
        near = moves.iter().map(String::as_str).take(NEAR).collect();
    }
    let (last, others) = near.split_last().map_or(("", &[][..]), |(last, others)| (*last, others));
    let names = if others.is_empty() { last.to_string() } else { format!("{} or {last}", others.join(", ")) };
    let advice = if is_near { format!("did you mean {names}?") } else { format!("try {names}") };
    format!(
        "`{}` is not a legal move here; {advice}\n{} moves are legal: `moves` lists them; `help` tells what else \
         can be written",
        shorten(line),
        grouped(moves.len() as u64)
    )
}

/// Lines of standard input, which are read on a thread of their own, so that Ctrl-C is heard while nobody writes.
#[derive(Default)]
pub struct Lines(Option<Receiver<std::io::Result<String>>>);

impl Lines {
    /// The next line; `None` at the end, or if Ctrl-C was pressed.
    pub fn next(&mut self) -> std::io::Result<Option<String>> {
        let lines = self.0.get_or_insert_with(|| {
            let (sender, receiver) = channel();
            thread::spawn(move || {
                for line in std::io::stdin().lock().lines() {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
            receiver
        });
        loop {
            match lines.recv_timeout(interrupt::LOOK) {
                Ok(line) => return line.map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if interrupt::pressed() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinney_table::open_table;

    fn moves(game: &str) -> Vec<String> {
        open_table(game, None).unwrap().moves()
    }

    fn said(line: &str, moves: &[String]) -> String {
        match wish(line, moves) {
            Wish::Say(text) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_turn_is_ended_in_the_words_of_any_game() {
        let legal = ["roll", "stop"].map(String::from);
        for word in ["stop", "hold", "bank", "Hold"] {
            assert_eq!(wish(word, &legal), Wish::Move("stop".to_string()), "{word}");
        }
        assert_eq!(wish("bank", &["roll", "hold"].map(String::from)), Wish::Move("hold".to_string()));
        assert!(said("hold", &["roll".to_string()]).contains("not a legal move"));
    }

    #[test]
    fn a_wrong_move_takes_two_lines() {
        let amazons = moves("amazons");
        for line in ["zz", "d1", "d1-d4/d9x", &"z".repeat(1000)] {
            let text = said(line, &amazons);
            assert!(text.lines().count() == 2 && text.contains("2 176 moves are legal"), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
        }
        assert!(said("a2-a4", &moves("breakthrough")).contains("did you mean a2-a3"));
    }

    #[test]
    fn many_moves_are_listed_in_parts() {
        let amazons = moves("amazons");
        let text = list(&amazons, "");
        assert!(text.starts_with("2 176 moves begin with\n") && text.contains("`moves d1` lists"), "{text}");
        let some = list(&amazons, "d1-d2");
        let words: Vec<&str> = some.split_whitespace().collect();
        assert!(
            !words.is_empty() && words.iter().all(|mv| mv.starts_with("d1-d2") && amazons.contains(&mv.to_string()))
        );
        assert_eq!(list(&amazons, "all").split_whitespace().count(), 2176);
        assert!(list(&amazons, "q").contains("none of the 2 176 legal moves"));
        assert_eq!(list(&moves("tic-tac-toe"), "").split_whitespace().count(), 9);
    }
}
