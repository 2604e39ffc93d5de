//! `spinney solve`: exact values of games with chance.

use crate::arguments::Solve;
use crate::interrupt;
use crate::text::grouped;
use indicatif::ProgressBar;
use spinney_core::expression::Expression;
use spinney_core::{InputError, Notation, Turn};
use spinney_games::pig::exact::Exact;
use spinney_games::{Pig, PigRace, pig, pig_race};
use spinney_table::Laboratory;
use std::io::Write;
use std::time::Duration;

/// Positions that a solution may remember.
const MOST_POSITIONS: u64 = 3_000_000;

pub fn run(arguments: &Solve, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let expression = Expression::read("game", &arguments.game)?;
    match expression.name.as_str() {
        "pig" => solve_pig(&Pig::new(pig::Options::read(&expression)?), arguments, out),
        "pig-race" => solve_race(&PigRace::new(pig_race::Options::read(&expression)?), arguments, out),
        _ => enumerate(arguments, laboratory, out),
    }
}

fn over() -> InputError {
    InputError::new("position", "the game is over", "give one with moves left")
}

fn state_of<G: Notation>(game: &G, position: Option<&str>) -> Result<G::State, InputError> {
    let state = position.map_or_else(|| Ok(game.initial()), |text| game.read_position(text))?;
    match game.turn(&state) {
        Turn::Over(_) => Err(over()),
        Turn::Player(_) | Turn::Chance => Ok(state),
    }
}

fn solve_pig(game: &Pig, arguments: &Solve, out: &mut impl Write) -> anyhow::Result<()> {
    let state = state_of(game, arguments.position.as_deref())?;
    let exact = Exact::new(game);
    writeln!(out, "{}", game.draw(&state))?;
    writeln!(out, "value {}", self::exact(exact.value(&state)))?;
    if !state.rolling {
        let values = exact.action_values(&state);
        writeln!(out, "roll  {}\nstop  {}", self::exact(values.roll), self::exact(values.stop))?;
    }
    let scores = [0, 10, 20, 30, 40, 50, 75, 100, 125, 150, 175, 200];
    write!(out, "\nroll with at most so many points in the turn\n{:>10}", "banked")?;
    for score in scores {
        write!(out, "{score:>5}")?;
    }
    writeln!(out)?;
    for turns in (1..=state.turns).rev() {
        write!(out, "{:>10}", format!("{turns} left"))?;
        for score in scores {
            let threshold = exact.threshold(turns, score).map_or("-".to_string(), |total| total.to_string());
            write!(out, "{threshold:>5}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn solve_race(game: &PigRace, arguments: &Solve, out: &mut impl Write) -> anyhow::Result<()> {
    let state = state_of(game, arguments.position.as_deref())?;
    let exact = pig_race::exact::Exact::new(game);
    writeln!(out, "{}", game.draw(&state))?;
    writeln!(out, "the player to move wins {:.6} %", 100.0 * exact.value(&state))?;
    if !state.rolling {
        let values = exact.action_values(&state);
        writeln!(out, "roll  {:.6} %\nhold  {:.6} %", 100.0 * values.roll, 100.0 * values.hold)?;
    }
    Ok(())
}

/// Solves any game that is small enough by looking at all its positions.
fn enumerate(arguments: &Solve, laboratory: &Laboratory, out: &mut impl Write) -> anyhow::Result<()> {
    let table = laboratory.open(&arguments.game, arguments.position.as_deref())?;
    if let Turn::Over(_) = table.turn() {
        return Err(over().into());
    }
    let (game, board, is_scored) = (table.game(), table.board(), table.score().is_some());
    let bar = ProgressBar::new_spinner().with_message(format!("looks at up to {} positions", grouped(MOST_POSITIONS)));
    bar.enable_steady_tick(Duration::from_millis(100));
    let solved = interrupt::unless_pressed(move || table.solve(MOST_POSITIONS as usize));
    bar.finish_and_clear();
    let Some(solved) = solved else {
        eprintln!("stopped");
        return Ok(());
    };
    let Some(solved) = solved else {
        let problem = format!("this {game} has more than {} positions", grouped(MOST_POSITIONS));
        return Err(InputError::new("solve", problem, "give a smaller variant or a later position").into());
    };
    writeln!(out, "{board}\nvalue {}{}", exact(solved.value), if is_scored { "" } else { words(solved.value) })?;
    for (mv, value) in solved.moves {
        writeln!(out, "{mv:<12} {}", exact(value))?;
    }
    writeln!(out, "{} positions", grouped(solved.positions as u64))?;
    Ok(())
}

/// A value in twelve decimals, or fewer where the others are 0.
fn exact(value: f64) -> String {
    let digits = format!("{value:.12}");
    match digits.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_string(),
        digits => digits.to_string(),
    }
}

/// What a sure value of a game of two means.
fn words(value: f64) -> &'static str {
    match exact(value).as_str() {
        "1" => " (the first player wins)",
        "-1" => " (the second player wins)",
        "0" => " (even)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_decimals_that_say_something() {
        assert_eq!(
            [0.0, -0.0, 1.0, 100.0, 0.25, 1.0 / 3.0].map(exact),
            ["0", "0", "1", "100", "0.25", "0.333333333333"]
        );
        assert_eq!([words(-1.0), words(0.5)], [" (the second player wins)", ""]);
    }
}
