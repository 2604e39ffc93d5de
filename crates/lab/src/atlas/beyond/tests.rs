#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::*;
use crate::record::{Moves, Record};
use spinney_table::Laboratory;

/// Pairs of which A wins `won` games of each seat and B the others.
fn play(part: &mut Part, game: &str, idea: &str, is_timed: bool, pairs: u64, won: u64) {
    let is_wanted = |cell: &Cell| name_of(&cell.game) == game && cell.names[0] == idea && cell.is_timed == is_timed;
    play_at(part, is_wanted, pairs, won);
}

fn play_at(part: &mut Part, is_wanted: impl Fn(&Cell) -> bool, pairs: u64, won: u64) {
    let place = part.plan.cells.iter().position(is_wanted).unwrap();
    for pair in 0..pairs {
        for seat in 0..2 {
            let winner = if pair < won { 1 + seat } else { 2 - seat };
            let record = Record {
                v: 1,
                cell: part.plan.cells[place].key.clone(),
                pair,
                game: seat,
                seats: ["A".to_string(), "B".to_string()],
                seed: 0,
                winner,
                plies: 40,
                simulations: [1000, 1000],
                lost_on_time: false,
                moves: Moves::Known(String::new()),
            };
            part.contents.games.insert((place, pair, seat), record);
        }
    }
    part.judge();
}

#[test]
fn time_decides_where_it_was_played_and_doubt_is_told() {
    let mut parts = super::super::parts::all(&Laboratory::standard()).unwrap();
    parts.retain(|part| part.name == "atlas/beyond-ideas");
    let told = chapter(&parts);
    assert!(told.guides.is_empty() && told.findings[0].contains("not yet played"), "{:?}", told.findings);
    let part = &mut parts[0];
    play(part, "breakthrough", "MAST", false, 100, 80);
    play(part, "breakthrough", "RAVE", false, 100, 80);
    play(part, "breakthrough", "RAVE", true, 100, 20);
    play(part, "breakthrough", "GRAVE", false, 100, 52);
    let told = chapter(&parts);
    assert_eq!(
        told.findings,
        [
            "A game like breakthrough (a race that one move decides): switch on MAST (80.0); leave off RAVE (20.0); 1 more \
          makes no difference that these games show."
        ]
    );
    let guide = &told.guides[0];
    let column = guide.columns.iter().position(|[name, _]| name == "breakthrough").unwrap();
    let of = |idea: &str| guide.rows.iter().find(|row| row.name == idea).unwrap().worth[column].clone();
    let rave = of("RAVE").unwrap();
    assert_eq!(rave.effect, Effect::Hurts);
    assert!(rave.lines[0].starts_with("80.0 ± 7") && rave.lines[1].starts_with("20.0 ± 7"), "{:?}", rave.lines);
    let mast = of("MAST").unwrap();
    assert_eq!((mast.effect, mast.decisive, mast.lines[1].as_str()), (Effect::Helps, 0, "–"));
    assert_eq!(of("GRAVE").unwrap().effect, Effect::Unclear);
    assert_eq!(of("policy"), None);
    let row = guide.rows.iter().find(|row| row.name == "MAST").unwrap();
    assert_eq!(row.setting, "mcts(playout=uniform+mast)", "as written, without its limit");
}

/// The same change has one row, whether a game has a policy or not.
#[test]
fn games_without_a_policy_share_their_rows() {
    let mut parts = super::super::parts::all(&Laboratory::standard()).unwrap();
    parts.retain(|part| part.name == "atlas/beyond-together");
    play(&mut parts[0], "breakthrough", "together", false, 100, 80);
    play(&mut parts[0], "checkers", "together, no policy", false, 100, 20);
    let told = chapter(&parts);
    assert_eq!(told.guides[0].rows.len(), 10);
    assert_eq!(told.guides[0].rows[0].name, "plainest search");
    assert_eq!(told.guides[0].rows[0].worth.iter().flatten().count(), 2);
    assert_eq!(
        told.findings[2],
        "All of it together in checkers: it beats nothing beyond doubt; it loses to plainest search (20.0)."
    );
    let begin = &told.findings[0];
    assert!(begin.starts_with("What to begin with, by game, where all together is policy, MAST"), "{begin}");
    for part in [
        "breakthrough: all together, which nothing tried beats beyond doubt (at the same number of simulations, time was not played); ",
        "checkers: the plainest search (80.0 against all together at the same number of simulations, time was not played)",
        "cannon: not played together, see each idea alone; ",
    ] {
        assert!(begin.contains(part), "{begin}");
    }
    // Two that beat it, between which a hundred pairs cannot tell, stand together; a third that is clearly weaker does not.
    for (row, won) in [("without MAST", 20), ("with GRAVE too", 22), ("without the solver", 35)] {
        let place = |cell: &Cell| name_of(&cell.game) == "breakthrough" && cell.names[1] == row && !cell.is_timed;
        play_at(&mut parts[0], place, 100, won);
    }
    let begin = &chapter(&parts).findings[0];
    let wanted = "breakthrough: all together, without MAST (80.0 against all together at the same number of simulations, time was not played) or all \
                  together, with GRAVE too (78.0 against all together at the same number of simulations, time was not played); ";
    assert!(begin.contains(wanted), "{begin}");
}

#[test]
fn tuned_settings_have_a_sentence_for_each_limit() {
    let mut parts = super::super::parts::all(&Laboratory::standard()).unwrap();
    parts.retain(|part| part.name == "atlas/beyond-tuned");
    play(&mut parts[0], "breakthrough", "tuned for breakthrough", false, 100, 80);
    play(&mut parts[0], "breakthrough", "tuned for breakthrough", true, 100, 80);
    play(&mut parts[0], "cannon", "tuned for cannon", true, 100, 20);
    let told = chapter(&parts);
    assert_eq!(
        told.findings,
        [
            "Tuned, at the number of simulations it was tuned for: gain in breakthrough (80.0); harm in no game; neither beyond \
          doubt in no game (corrected for 3 comparisons).",
            "Tuned, at the same time: gain in breakthrough (80.0); harm in cannon (20.0); neither beyond doubt in no game \
          (corrected for 3 comparisons)."
        ]
    );
}
