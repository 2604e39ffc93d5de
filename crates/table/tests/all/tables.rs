//! What needs tables: all games alike, and what only a table shows.

use spinney_core::Seed;
use spinney_core::scene::Item;
use spinney_games::entries;
use spinney_search::AgentSettings;
use spinney_table::{Table, open_table};
use std::sync::atomic::AtomicBool;

fn whole_game(game: &str, agent: &str) -> Vec<String> {
    let mut table = open_table(game, None).unwrap();
    let settings: AgentSettings = agent.parse().unwrap();
    let seats = [(); 2].map(|()| table.seat(&settings).unwrap());
    table.play_game(seats, 0, Seed::new(7), &AtomicBool::new(false)).unwrap().moves
}

/// Bonuses of no weight cost time and change nothing: not one move of a whole game.
#[test]
fn without_weight_every_move_is_the_same() {
    for entry in entries().into_iter().filter(|entry| !entry.chance) {
        let plain = whole_game(entry.name, "mcts(sims=60)");
        let weightless = "mcts(sims=60, rb(a=0), qb(a=0, k=online, mean=depth), samples=2, warmup=0)";
        let altered = whole_game(entry.name, weightless);
        assert_eq!(plain, altered, "{}", entry.name);
        let weighty = whole_game(entry.name, "mcts(sims=60, rb(a=1), qb(a=1))");
        assert!(entry.name == "tic-tac-toe" || weighty != plain, "{}: the bonuses do nothing", entry.name);
    }
}

/// A position of Pig forgets its last roll; the table shows it.
#[test]
fn a_table_shows_the_last_roll() {
    let mut table = open_table("pig-race", None).unwrap();
    let dice = |table: &dyn Table| -> Vec<Item> {
        let scene = table.scene();
        scene.trays.into_iter().filter(|tray| tray.title == "last roll").flat_map(|tray| tray.items).collect()
    };
    for (mv, expected) in
        [("roll", vec![]), ("5", vec![Item::Die(5)]), ("roll", vec![Item::Die(5)]), ("1", vec![Item::Die(1)])]
    {
        table.play(mv).unwrap();
        assert_eq!(dice(&*table), expected, "after {mv}");
    }
    assert!(table.steps(&table.scene(), "roll").is_empty());
}

/// A move by its number is the same move as by its text, and a copy goes its own way.
#[test]
fn moves_have_numbers_and_tables_copies() {
    for entry in entries() {
        let mut table = open_table(entry.name, None).unwrap();
        let start = table.position();
        for ply in 0..12usize {
            let moves = table.moves();
            if moves.is_empty() {
                break;
            }
            let number = ply * 7 % moves.len();
            let mut copy = table.copy();
            copy.play(&moves[number]).unwrap();
            assert_ne!(copy.history(), table.history(), "{}", entry.name);
            table.play_number(number).unwrap();
            assert_eq!((copy.position(), copy.history()), (table.position(), table.history()), "{}", entry.name);
            assert_eq!(table.start(), start);
        }
        let error = table.play_number(usize::MAX).unwrap_err().to_string();
        let expected =
            if table.moves().is_empty() { "move: the game is over" } else { "move: there is no move number" };
        assert!(error.starts_with(expected), "{error}");
    }
}
