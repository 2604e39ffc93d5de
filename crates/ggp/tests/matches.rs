//! Whole matches over HTTP, with good players and bad ones.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use spinney_core::Seed;
use spinney_ggp::{Config, Opponent, Player, Setting, http, manager};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

/// Two roles add 1 or 2 in turn; whoever says ten wins. Who begins wins by leaving 7, 4 and 1 to go.
const TEN: &str = "
    (role White) (role black) ; the case of a name does not matter
    (init (count 0)) (init (control white))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
    (sum ?x 1 ?y) (<= (sum ?x 1 ?y) (succ ?x ?y)) (<= (sum ?x 2 ?z) (succ ?x ?y) (succ ?y ?z))
    (other white black) (other black white)
    (<= (legal ?p (add ?n)) (true (control ?p)) (true (count ?x)) (sum ?x ?n ?y))
    (<= (legal ?p noop) (true (control ?q)) (other ?p ?q))
    (<= (next (count ?y)) (true (count ?x)) (does ?p (add ?n)) (sum ?x ?n ?y))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
    (<= terminal (true (count 10)))
    (<= (goal ?p 100) (true (control ?q)) (other ?p ?q))
    (<= (goal ?p 0) (true (control ?p)))";

fn ten() -> String {
    TEN.replace("(sum ?x 1 ?y) (<=", "(<=")
}

/// A single role that has to find three right turns.
const LOCK: &str = "
    (role thief) (init (at 0)) (digit 1) (digit 2) (digit 3) (succ 0 1) (succ 1 2) (succ 2 3)
    (right 0 2) (right 1 3) (right 2 1)
    (<= (legal thief (turn ?d)) (digit ?d))
    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (next (open ?x)) (does thief (turn ?d)) (true (at ?x)) (right ?x ?d))
    (<= (next (open ?x)) (true (open ?x)))
    (<= all (true (open 0)) (true (open 1)) (true (open 2)))
    (<= terminal (true (at 3))) (<= (goal thief 100) all) (<= (goal thief 0) (not all))";

/// Starts a player and returns its address.
fn player(name: &str) -> String {
    let config = Config { name: name.to_string(), ..Config::default() };
    let player = Player::bind("127.0.0.1:0", config, Arc::new(|_| ())).unwrap();
    let address = player.address().unwrap().to_string();
    thread::spawn(move || player.serve());
    address
}

fn setting(id: &str, sheet: &str, players: &[Opponent]) -> Setting {
    Setting {
        id: id.to_string(),
        sheet: sheet.to_string(),
        players: players.to_vec(),
        startclock: Duration::from_secs(1),
        playclock: Duration::from_secs(1),
        seed: Seed::new(3),
        most_steps: 100,
        ..Setting::default()
    }
}

fn say(address: &str, message: &str) -> String {
    http::ask(address, message, Instant::now() + Duration::from_secs(5)).unwrap()
}

fn play(setting: &Setting) -> spinney_ggp::Played {
    manager::play(setting, &AtomicBool::new(false), |_| ()).unwrap()
}

#[test]
fn the_player_who_begins_wins_and_nobody_is_late() {
    let (first, second) = (Opponent::Remote(player("one")), Opponent::Remote(player("two")));
    let played = play(&setting("ten", &ten(), &[first, second]));
    assert_eq!(played.roles, ["White", "black"]);
    assert_eq!(played.goals, [Some(100), Some(0)], "{played:?}");
    for step in &played.steps {
        assert!(step.errors.iter().all(String::is_empty), "{step:?}");
        assert!(step.milliseconds.iter().all(|&time| time < 1000), "{step:?}");
    }
}

#[test]
fn a_lone_role_finds_the_combination() {
    let played = play(&setting("lock", LOCK, &[Opponent::Remote(player("thief"))]));
    assert_eq!(played.goals, [Some(100)], "{played:?}");
}

#[test]
fn messages_are_answered_as_managers_expect() {
    let address = player("spinney");
    assert_eq!(say(&address, "( INFO )"), "( ( name spinney ) ( status available ) )");
    assert_eq!(say(&address, "( PLAY nothing NIL )"), "busy");
    assert_eq!(say(&address, "( STOP nothing NIL )"), "busy");
    assert_eq!(say(&address, "( ABORT nothing )"), "busy");
    assert_eq!(say(&address, "( HELLO )"), "");
    let start = |id: &str| {
        format!(
            "( START {id} BLACK ( {} ) 1 1 )",
            ten().to_uppercase().replace("; THE CASE OF A NAME DOES NOT MATTER", "")
        )
    };
    assert_eq!(say(&address, &start("M1")), "ready");
    assert_eq!(say(&address, "( INFO )"), "( ( name spinney ) ( status busy ) )");
    assert_eq!(say(&address, &start("M2")), "busy");
    assert_eq!(say(&address, "( PREVIEW ( (role r) ) 5 )"), "busy");
    // Black has nothing to choose, then answers 3 with 1 and so on; replies have the spelling of START.
    assert_eq!(say(&address, "( PLAY M1 NIL )"), "NOOP");
    let answer = say(&address, "( PLAY M1 ( ( ADD 2 ) NOOP ) )");
    assert_eq!(answer, "(ADD 2)");
    assert_eq!(say(&address, "( PLAY wrong ( NOOP ( ADD 2 ) ) )"), "busy");
    // What cannot be followed is answered with a legal move all the same.
    assert!(say(&address, "( PLAY M1 ( ( FLY ) ( ADD 7 ) ) )").starts_with("(ADD"));
    assert_eq!(say(&address, "( STOP M1 ( NOOP NOOP ) )"), "done");
    assert_eq!(say(&address, "( INFO )"), "( ( name spinney ) ( status available ) )");
    assert_eq!(say(&address, &start("M3")), "ready");
    assert_eq!(say(&address, "( ABORT M3 )"), "aborted");
}

/// With a start clock of nothing, PLAY comes before any machine exists: what it says is not forgotten.
#[test]
fn what_is_played_at_once_is_not_forgotten() {
    let address = player("hasty");
    let rules = ten().replace("; the case of a name does not matter", "");
    assert_eq!(say(&address, &format!("( START M1 white ( {rules} ) 0 2 )")), "ready");
    assert!(say(&address, "( PLAY M1 NIL )").starts_with("(add"));
    // 2, 4, 6: white wins by leaving seven to go, then four, then one.
    assert_eq!(say(&address, "( PLAY M1 ( ( add 2 ) noop ) )"), "noop");
    assert_eq!(say(&address, "( PLAY M1 ( noop ( add 1 ) ) )"), "(add 1)");
    assert_eq!(say(&address, "( ABORT M1 )"), "aborted");
}

/// Managers in use tell `(wait)` and `wait` apart.
#[test]
fn moves_are_written_as_the_sheet_writes_them() {
    for wait in ["(wait)", "wait"] {
        let sheet = format!(
            "(role me) (role you) (init on) (legal me {wait}) (legal you {wait}) (<= (next on) (does me {wait}))
             (<= terminal (not (true on))) (goal me 50) (goal you 50)"
        );
        let address = player("exact");
        assert_eq!(say(&address, &format!("( START m you ( {sheet} ) 1 1 )")), "ready");
        assert_eq!(say(&address, "( PLAY m NIL )"), wait);
        assert_eq!(say(&address, "( PLAY m ( (wait) wait ) )"), wait);
    }
}

/// Two matches of one player at once, and no third.
#[test]
fn several_matches_are_played_at_once() {
    let config = Config { matches: 2, ..Config::default() };
    let player = Player::bind("127.0.0.1:0", config, Arc::new(|_| ())).unwrap();
    let own = Opponent::Remote(player.address().unwrap().to_string());
    thread::spawn(move || player.serve());
    let Opponent::Remote(address) = own.clone() else { panic!() };
    thread::scope(|scope| {
        let matches: Vec<_> = ["one", "two"]
            .map(|id| {
                let setting = setting(id, &ten(), &[own.clone(), Opponent::Random]);
                scope.spawn(move || play(&setting))
            })
            .into();
        thread::sleep(Duration::from_millis(500));
        assert_eq!(say(&address, "( INFO )"), "( ( name spinney ) ( status busy ) )");
        assert_eq!(say(&address, &format!("( START three white ( {} ) 1 1 )", ten())), "busy");
        for played in matches {
            let played = played.join().unwrap();
            assert!(played.steps.iter().all(|step| step.errors[0].is_empty()), "{played:?}");
            assert_eq!(played.goals, [Some(100), Some(0)], "{played:?}");
        }
    });
    assert_eq!(say(&address, "( INFO )"), "( ( name spinney ) ( status available ) )");
}

/// A player that never answers, one that answers nonsense, one that hangs up, and nobody at all.
fn bad_player(kind: usize) -> Opponent {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    if kind == 3 {
        return Opponent::Remote(address);
    }
    thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            match kind {
                0 => kept.push(stream),
                1 => {
                    let _ = stream.read(&mut [0; 100]);
                    let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n((( %)* )");
                }
                _ => drop(stream),
            }
        }
    });
    Opponent::Remote(address)
}

#[test]
fn bad_players_spoil_no_match() {
    for kind in 0..4 {
        let mut setting = setting("bad", &ten(), &[Opponent::Random, bad_player(kind)]);
        setting.startclock = Duration::from_secs(1);
        let played = play(&setting);
        assert_eq!(played.goals.len(), 2, "{played:?}");
        assert!(played.steps.iter().all(|step| step.errors[0].is_empty() && !step.errors[1].is_empty()), "{played:?}");
    }
}

/// Garbage, half requests and strangers during a match: the player goes on serving, and the match is played.
#[test]
fn a_player_outlives_its_callers() {
    let address = player("tough");
    let rival = player("rival");
    let done = Arc::new(AtomicBool::new(false));
    let noise = {
        let (address, done) = (address.clone(), Arc::clone(&done));
        thread::spawn(move || {
            let junk: [&[u8]; 7] = [
                b"\x00\xff\xfe garbage",
                b"POST / HTTP/1.0\r\nContent-Length: 500\r\n\r\n( PLAY ten",
                b"POST / HTTP/1.0\r\nContent-Length: 20\r\n\r\n((((((((((((((((((((",
                b"GET /%28START HTTP/1.1\r\n\r\n",
                b"POST / HTTP/1.0\r\nContent-Length: 17\r\n\r\n( PLAY other NIL )",
                b"POST / HTTP/1.0\r\nContent-Length: 41\r\n\r\n( START x y ( (role y) (legal y z) ) 1 1 )",
                b"",
            ];
            let mut calls = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                for bytes in junk {
                    if let Ok(mut stream) = TcpStream::connect(&address) {
                        let _ = stream.write_all(bytes);
                        calls += 1;
                    }
                }
                thread::sleep(Duration::from_millis(5));
            }
            calls
        })
    };
    for number in 0..3 {
        let id = format!("ten{number}");
        let players = [Opponent::Remote(address.clone()), Opponent::Remote(rival.clone())];
        let mut setting = setting(&id, &ten(), &players);
        setting.id = id;
        let played = play(&setting);
        let wrong = played.steps.iter().filter(|step| !step.errors.iter().all(String::is_empty)).count();
        assert_eq!((wrong, &played.goals[..]), (0, &[Some(100), Some(0)][..]), "{played:?}");
    }
    done.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(noise.join().unwrap() > 100);
    assert_eq!(say(&address, "( INFO )"), "( ( name tough ) ( status available ) )");
}
