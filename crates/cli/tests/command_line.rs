//! The command as a user meets it: what it prints, what it refuses, and that it gives the same twice.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::prelude::*;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Output, Stdio};

fn spinney(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spinney")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_spinney"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&printed(output)).unwrap()
}

/// One line on standard error, exit code 2, nothing on standard output; returns the line.
fn refused(arguments: &[&str]) -> String {
    let output = spinney(arguments);
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {line}");
    assert_eq!(line.trim_end().lines().count(), 1, "{arguments:?}: {line}");
    assert!(line.starts_with("error: ") && line.contains("; "), "{arguments:?}: {line}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    line
}

#[test]
fn help_and_lists() {
    assert!(printed(&spinney(&["--help"])).contains("analyse"));
    assert_eq!(printed(&spinney(&[])), printed(&spinney(&["--help"])));
    assert_eq!(printed(&spinney(&["lab"])), printed(&spinney(&["lab", "--help"])));
    assert!(printed(&spinney(&["games"])).contains("gdl:zhadu"));
    assert!(printed(&spinney(&["games", "gdl:zhadu"])).contains("roles: light, dark"));
    assert!(printed(&spinney(&["games", "breakthrough(rows=6)"])).contains("breakthrough(rows=6, columns=8)  pawns"));
    assert!(printed(&spinney(&["agents", "mcts(c=1)"])).starts_with("mcts(c=1)  Monte-Carlo tree search"));
    assert!(refused(&["agents", "mcts(c=x)"]).contains("option c"));
    // The rules with a board, where one game is asked for.
    let rules = printed(&spinney(&["games", "cannon"]));
    assert!(
        rules.contains("a cannon shoots") && rules.contains(" 10  . . . . U . . . . .") && !rules.contains("**"),
        "{rules}"
    );
    assert!(!printed(&spinney(&["games"])).contains("How to play here"));
    assert!(printed(&spinney(&["lab", "plan"])).contains("solver "));
    assert!(printed(&spinney(&["match", "--help"])).contains("ci95"));
    assert!(printed(&spinney(&["--version"])).starts_with("spinney "));
    assert!(printed(&spinney(&["games"])).contains("breakthrough"));
    assert!(printed(&spinney(&["agents", "mcts"])).contains("final_move"));
    let line = json(&spinney(&["games", "breakthrough", "--json"]));
    assert_eq!(line["options"][0]["key"], "rows");
    assert_eq!(line["options"][0]["kind"]["high"], 8);
    assert!(printed(&spinney(&["games", "--help"])).contains("breakthrough(rows=6, columns=6)"));
    assert!(printed(&spinney(&["agents", "--help"])).contains("spinney agents mast"));
    assert!(printed(&spinney(&["completions", "bash"])).contains("spinney"));
    assert!(printed(&spinney(&["man"])).contains(".TH spinney"));
    assert!(printed(&spinney(&["man", "match"])).contains("seats swapped"));
}

#[test]
fn nested_options_are_explained() {
    let text = printed(&spinney(&["agents", "mcts"]));
    let row = |start: &str| text.lines().position(|line| line.starts_with(start)).expect(start);
    // Parts stand below their option, their options below them, further in each time.
    let (playout, mast, eps) = (row("    playout "), row("        mast "), row("            eps "));
    assert!(playout < mast && mast < eps && eps < row("    rb "), "{text}");
    assert!(text.lines().nth(eps).unwrap().ends_with("a number from 0 to 1"), "{text}");
    let trap = text.lines().nth(row("        loss_trap ")).unwrap();
    assert!(trap.contains("  a child that is lost") && row("    quirks ") < row("        loss_trap "), "{text}");
    // What is for some games says so.
    let said = |start: &str, games: &str| text.lines().nth(row(start)).is_some_and(|line| line.contains(games));
    assert!(
        said("    cv ", ", in games with chance: on or off") && said("    rb ", ", in games of two players without")
    );
    assert!(
        said("        tuned ", "without chance") && said("        lgr ", "two players") && !said("    c ", ", in ")
    );
    assert_eq!(json(&spinney(&["agents", "puct", "--json"]))["games"], "certain");
    assert!(printed(&spinney(&["games", "dominion"])).contains("        village      costs 3, +1 card, +2 actions"));

    let text = printed(&spinney(&["agents", "mast"]));
    assert!(text.contains("written mcts(playout=mast(…)) or flat(playout=mast(…))"), "{text}");
    assert!(text.contains("written decoupled(playout=mast(…))") && text.contains("    tau "), "{text}");
    assert!(printed(&spinney(&["agents", "puct"])).contains("written mcts(select=puct)"));
    let line = json(&spinney(&["agents", "cmc", "--json"]));
    assert_eq!((&line["written"][0], &line["options"][0]["key"]), (&"mcts(playout=cmc(…))".into(), &"prob".into()));
    assert!(refused(&["agents", "matts"]).contains("did you mean `mast`?"));
    assert!(refused(&["agents", "xyzzy"]).contains("known: mcts, flat, alphabeta"));
}

#[test]
fn perft_counts() {
    let line = json(&spinney(&["perft", "breakthrough", "3", "--json"]));
    assert_eq!((&line["depth"], &line["nodes"]), (&Value::from(3), &Value::from(11_132)));
    assert_eq!(line["game"], "breakthrough(rows=8, columns=8)");
    // The position determines the size of the board.
    let line =
        json(&spinney(&["perft", "breakthrough", "1", "--json", "--position", "bbbbb/bbbbb/...../wwwww/wwwww 1"]));
    assert_eq!((&line["nodes"], &line["game"]), (&Value::from(13), &Value::from("breakthrough(rows=5, columns=5)")));
    assert!(printed(&spinney(&["perft", "tic-tac-toe", "2"])).contains("72"));
}

#[test]
fn legal_moves_of_one_or_many_positions() {
    assert_eq!(printed(&spinney(&["moves", "breakthrough", "b..../...../...../...../w.... 1"])).trim(), "a1-a2 a1-b2");
    let positions = "b..../...../...../...../w.... 1\nb....w/....../....../....../....../...... 2\n";
    let lines: Vec<Value> = printed(&with_input(&["moves", "breakthrough", "-"], positions))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["moves"], serde_json::json!(["a1-a2", "a1-b2"]));
    assert_eq!((&lines[1]["over"], &lines[1]["winner"]), (&Value::from(true), &Value::from(1)));
    let wrong = with_input(&["moves", "breakthrough", "-"], "b..../...../...../...../w.... 1\nnonsense\n");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("line 2"));
}

#[test]
fn analysis() {
    let line = json(&spinney(&["analyse", "breakthrough", "--sims", "2000", "--json"]));
    assert_eq!(line["simulations"], 2000);
    let visits: u64 = line["candidates"].as_array().unwrap().iter().map(|one| one["visits"].as_u64().unwrap()).sum();
    assert_eq!(visits, 2000);
    assert_eq!(line["best"], line["candidates"][0]["move"]);
    assert_eq!(line["candidates"][0]["ci95"].as_array().unwrap().len(), 2);
    let won = "b......./.......w/......../......../......../......../......../w....... 1";
    let text = printed(&spinney(&["analyse", "breakthrough", "--position", won, "--agent", "mcts(sims=100)"]));
    assert!(text.contains("best: h7-") && text.contains("proven win"), "{text}");
    for agent in ["flat(sims=500)", "alphabeta(depth=3)", "random"] {
        let line = json(&spinney(&["analyse", "breakthrough", "--agent", agent, "--json"]));
        assert!(line["best"].as_str().unwrap().contains('-'), "{agent}");
    }
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads() {
    let run = |threads: &str, seed: &str| {
        let agents = ["--a", "mcts(sims=60)", "--b", "mcts(sims=60, playout=uniform)"];
        let rest = ["--games", "21", "--opening", "2", "--json", "--threads", threads, "--seed", seed];
        printed(&spinney(&[&["match", "breakthrough"], &agents[..], &rest[..]].concat()))
    };
    let one = run("1", "7");
    assert_eq!(one, run("2", "7"));
    assert_eq!(one, run("5", "7"));
    assert_ne!(one, run("2", "8"));
    let line: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(line["games"], 21);
    let total = ["wins", "draws", "losses"].map(|key| line[key].as_u64().unwrap()).iter().sum::<u64>();
    assert_eq!(total, 21);
    let (score, wins) = (line["score"].as_f64().unwrap(), line["wins"].as_f64().unwrap());
    assert!((score - (wins + 0.5 * line["draws"].as_f64().unwrap()) / 21.0).abs() < 1e-12);
    let interval = line["ci95"].as_array().unwrap();
    assert!(interval[0].as_f64().unwrap() <= score && score <= interval[1].as_f64().unwrap());
}

#[test]
fn a_match_prints_its_table_and_how_to_repeat_it() {
    let text = printed(&spinney(&["match", "tic-tac-toe", "--a", "mcts(sims=200)", "--b", "random", "--games", "10"]));
    assert!(text.contains("95 % (paired)") && text.contains("10 games"), "{text}");
    assert!(text.contains("repeat with: spinney match 'tic-tac-toe' --a 'mcts(sims=200)' --b 'random'"), "{text}");
}

/// The paper says that play-out policies win 57 to 99 % against uniform play-outs.
#[test]
fn the_play_out_policy_is_strong() {
    let agents = ["--a", "mcts(sims=2000)", "--b", "mcts(sims=2000, playout=uniform)", "--games", "200", "--json"];
    let line = json(&spinney(&[&["match", "breakthrough"], &agents[..]].concat()));
    assert!(line["score"].as_f64().unwrap() >= 0.8, "{line}");
}

#[test]
fn a_diagnosis_has_its_keys_and_its_pictures() {
    let folder = std::env::temp_dir().join(format!("spinney-diagnosis-{}", std::process::id()));
    let page = folder.join("page.html");
    let [folder_text, page_text] = [&folder, &page].map(|path| path.to_str().unwrap());
    std::fs::create_dir_all(&folder).unwrap();
    let arguments = ["diagnose", "breakthrough", "--games", "1", "--sims", "60", "--json"];
    let line = json(&spinney(&[&arguments[..], &["--pictures", folder_text, "--page", page_text]].concat()));
    for (bonus, of) in line["bonuses"].as_array().unwrap().iter().zip(["length", "quality"]) {
        assert_eq!(bonus["of"], of);
        for key in ["k", "correlation", "removed", "weight", "recommended_k", "saturated", "verdict", "lambda"] {
            assert!(!bonus[key].is_null(), "{key}");
        }
    }
    assert_eq!(json(&spinney(&arguments)), line);
    for picture in ["lengths", "qualities", "lambda", "bonus"] {
        assert!(std::fs::read_to_string(folder.join(format!("{picture}.svg"))).unwrap().starts_with("<svg"));
    }
    assert!(std::fs::read_to_string(&page).unwrap().contains("in words"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(refused(&["diagnose", "pig"]).contains("two players without chance"));
    assert!(refused(&["diagnose", "breakthrough", "--agent", "flat"]).contains("write mcts"));
}

#[test]
fn games_of_one_player_are_solved_and_scored() {
    assert!(printed(&spinney(&["solve", "pig"])).contains("roll"));
    let arguments = ["score", "pig", "--agent", "mcts(sims=16, cv, crn)", "--games", "20", "--json"];
    let line = json(&spinney(&arguments));
    assert!((20.0..80.0).contains(&line["score"].as_f64().unwrap()), "{line}");
    assert_eq!(json(&spinney(&arguments)), line);
    assert!(refused(&["match", "pig", "--a", "mcts", "--b", "random"]).contains("one player"));
    assert!(refused(&["analyse", "breakthrough", "--agent", "mcts(cv)"]).contains("is for games with chance"));
    assert!(refused(&["analyse", "pig", "--agent", "mcts(qb)"]).contains("is for games of two players without chance"));
}

#[test]
fn bench_of_threads_stands_beside_searches_that_share_nothing() {
    let output = spinney(&["bench", "tic-tac-toe", "--threads", "1,2", "--seconds", "0.02", "--json"]);
    let lines: Vec<Value> = printed(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<(u64, usize, usize)> = lines
        .iter()
        .map(|line| {
            let rounds = |name: &str| line[name].as_array().unwrap().len();
            (line["threads"].as_u64().unwrap(), rounds("rounds"), rounds("apart"))
        })
        .collect();
    assert_eq!(numbers, [(1, 3, 0), (2, 3, 3)]);
    assert!(lines[0]["ceiling"].is_null() && lines[0]["factor"] == 1.0);
    assert!(lines[1]["ceiling"].as_f64().unwrap() > 0.0);
}

#[test]
fn bench_prints_the_promised_keys() {
    let output = spinney(&["bench", "breakthrough", "tic-tac-toe", "--seconds", "0.02", "--json"]);
    for line in printed(&output).lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        for key in ["simulations_per_second", "playouts_per_second"] {
            assert!(line[key].as_f64().unwrap() > 0.0, "{line}");
        }
        // An opened node takes 36 bytes and one that is not opened its move; in tic-tac-toe most are opened.
        let most = if line["game"] == "breakthrough" { 16.0 } else { 36.0 };
        assert!(line["bytes_per_node"].as_f64().unwrap() <= most, "{line}");
        assert!(line["game"].is_string() && line["agent"].is_string());
    }
    assert!(printed(&spinney(&["bench", "tic-tac-toe", "--seconds", "0.02"])).contains("bytes/node"));
}

#[test]
fn the_signature_is_stable() {
    let signature = printed(&spinney(&["bench", "--signature"]));
    assert_eq!(signature.trim().len(), 16);
    assert_eq!(signature, printed(&spinney(&["bench", "--signature"])));
}

#[test]
fn a_person_plays() {
    let input = "help\nmoves\na2-a4\na2-a3\nundo\na2-a3\nhint\nposition\nboard\n\nquit\n";
    let arguments = ["play", "breakthrough", "--second", "mcts(sims=50)"];
    let text = printed(&with_input(&arguments, input));
    for expected in
        ["take back", "a2-b3", "`a2-a4` is not a legal move here; did you mean a2-a3", "plays", "hint: ", "bbbb"]
    {
        assert!(text.contains(expected), "`{expected}` is missing in {text}");
    }
    // Two agents play to the end; a person who leaves ends the game.
    let text = printed(&spinney(&["play", "tic-tac-toe", "--first", "mcts(sims=300)", "--second", "mcts(sims=300)"]));
    assert!(text.contains("wins\nmoves:\n  ") || text.contains("a draw\nmoves:\n  "), "{text}");
    assert!(printed(&with_input(&["play", "tic-tac-toe"], "undo\n")).contains("no move of yours"));
}

#[test]
fn a_game_is_quiet_recorded_and_begins_with_a_seed_that_repeats_it() {
    let record = std::env::temp_dir().join(format!("spinney-record-{}.txt", std::process::id()));
    let path = record.to_str().unwrap();
    let arguments = ["play", "breakthrough", "--second", "mcts(sims=50)", "--quiet", "--record", path, "--seed", "5"];
    let text = printed(&with_input(&arguments, "a2-a3\nquit\n"));
    assert!(
        !text.contains("visits") && text.contains("plays") && text.ends_with(&format!("record: {path}\n")),
        "{text}"
    );
    let saved = std::fs::read_to_string(&record).unwrap();
    assert_eq!(printed(&with_input(&arguments, "a2-a3\nquit\n")), text);
    // The second game stands below the first.
    assert_eq!(std::fs::read_to_string(&record).unwrap(), saved.repeat(2));
    std::fs::remove_file(&record).unwrap();
    assert!(
        saved.contains("seed: 5\nfirst: you\nsecond: mcts(sims=50") && saved.contains("\nresult: unfinished\n"),
        "{saved}"
    );
    assert!(saved.contains("\nmoves: a2-a3 "), "{saved}");
    assert!(refused(&["play", "breakthrough", "--record", "/nowhere/game.txt"]).contains("name a file"));

    let fresh = || printed(&with_input(&["play", "tic-tac-toe", "--second", "random"], "quit\n"));
    let seeds: Vec<String> = (0..8).map(|_| fresh().lines().next().unwrap().to_string()).collect();
    assert!(seeds.iter().any(|seed| *seed != seeds[0]) && seeds[0].contains("repeats it"), "{seeds:?}");
    // An agent that does not search has nothing to show.
    let text = printed(&spinney(&["play", "tic-tac-toe", "--first", "random", "--second", "random"]));
    assert!(!text.contains("visits") && !text.contains("simulations"), "{text}");
}

/// Ring answers the middle with an edge, which loses.
#[test]
fn a_game_is_reviewed() {
    let folder = std::env::temp_dir().join(format!("spinney-review-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (file, page) = (folder.join("game.txt"), folder.join("review.html"));
    let text = "game: tic-tac-toe\nmoves: b2 a1\n\ngame: tic-tac-toe\nfirst: human\nmoves: b2 c2 a3 c1 c3 b3 a1\n";
    std::fs::write(&file, text).unwrap();
    let (file, page) = (file.to_str().unwrap(), page.to_str().unwrap());
    let found = json(&spinney(&["review", file, "2", "--sims", "2000", "--json", "--page", page]));
    assert_eq!((&found["result"], &found["mistakes"][0]["ply"]), (&"cross wins".into(), &1.into()));
    assert_eq!(found["mistakes"][0]["judgement"], "blunder");
    assert_eq!(found["plies"].as_array().unwrap().len(), 8);
    assert!(std::fs::read_to_string(page).unwrap().contains("Better was"));
    let two = printed(&spinney(&["review", file, "--sims", "200", "--agent", "mcts", "--agent", "mcts(qb)"]));
    assert!(two.contains("values: mcts(sims=200,") && two.contains("values of the second: mcts(sims=200,"), "{two}");
    assert!(refused(&["review", file, "3"]).contains("from 1 to 2"));
    assert!(refused(&["review", "no-such-file"]).contains("name a record or the folder of a run"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_search_without_simulations_shows_its_depth() {
    let text = printed(&spinney(&["analyse", "breakthrough", "--agent", "alphabeta(depth=3, nodes=1000000)"]));
    assert!(text.contains(" positions in ") && text.contains(" · depth 3 · ") && !text.contains("visits"), "{text}");
}

/// Whatever it does, it ends when it is asked to; this would take hours.
#[cfg(unix)]
#[test]
fn work_ends_when_somebody_asks_for_it() {
    for (arguments, signal) in [
        (&["perft", "amazons", "9"][..], "-INT"),
        (&["solve", "breakthrough"][..], "-TERM"),
        (&["diagnose", "cannon", "--games", "100000"][..], "-INT"),
        (&["play", "breakthrough", "--first", "mcts(time=100000)"][..], "-TERM"),
        (&["match", "amazons", "--a", "mcts(time=100000)", "--b", "mcts(time=100000)"][..], "-TERM"),
    ] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_spinney"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A signal that comes before the program listens ends it, too.
        std::thread::sleep(std::time::Duration::from_millis(300));
        Command::new("kill").args([signal, &process.id().to_string()]).status().unwrap();
        process.wait().unwrap();
    }
}

#[test]
fn the_protocol() {
    let session = "ugi\nisready\nuginewgame\nposition startpos\nquery p1turn\nsetoption name seed value 5\n\
        setoption name agent value mcts(sims=80)\nposition startpos moves b1 a1\nquery gameover\ngo\n";
    let text = printed(&with_input(&["ugi", "tic-tac-toe"], session));
    for expected in ["id name spinney", "ugiok", "readyok", "response true", "response false", "bestmove "] {
        assert!(text.contains(expected), "`{expected}` is missing in {text}");
    }
    let session = "position fen xx./oo./... 1 moves c3\nquery result\nquery gameover\ngo\nposition fen bad\nfly\n\
        setoption name agent value mtcs\ngo movetime\nisready\nquit\n";
    let text = printed(&with_input(&["ugi", "tic-tac-toe"], session));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0..2], ["response p1win", "response true"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("info string error: ")).count(), 5, "{text}");
    assert!(text.contains("did you mean `mcts`?"));
    assert_eq!(lines.last(), Some(&"readyok"));
}

#[test]
fn the_page_is_served_until_somebody_stops_it() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_spinney"))
        .args(["serve", "--port", "0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut messages = BufReader::new(process.stderr.take().unwrap());
    let mut line = String::new();
    messages.read_line(&mut line).unwrap();
    let address = line.strip_prefix("open http://").unwrap().split(' ').next().unwrap().to_string();
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>spinney"), "{page}");
    let port = address.rsplit(':').next().unwrap();
    assert!(refused(&["serve", "--port", port]).contains("choose another --port"));
    Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap();
    assert!(process.wait().unwrap().success());
    let mut rest = String::new();
    messages.read_to_string(&mut rest).unwrap();
    assert!(rest.starts_with("stopped"), "{rest}");
}

#[test]
fn what_cannot_be_read_is_refused_with_a_remedy() {
    assert!(refused(&["perft", "braekthrough", "1"]).contains("did you mean `breakthrough`?"));
    assert!(refused(&["perft", "breakthrough(rows=9)", "1"]).contains("from 5 to 8"));
    assert!(refused(&["perft", "breakthrough(row=6)", "1"]).contains("did you mean `rows`?"));
    assert!(refused(&["perft", "breakthrough(rows=6", "1"]).contains("column 20"));
    assert!(refused(&["perft", "breakthrough", "1", "--position", "bbb/www 1"]).contains("5 to 8"));
    assert!(
        refused(&["perft", "breakthrough", "1", "--position", "....x/...../...../...../..... 1"]).contains("row 1")
    );
    assert!(refused(&["perft", "breakthrough", "1", "--position", "bbbbb/bbbb/...../wwwww/wwwww 1"]).contains("row 2"));
    assert!(refused(&["perft", "breakthrough", "1", "--position", "....w/b..../...../...../..... 1"]).contains("won"));
    assert!(refused(&["perft", "breakthrough", "1", "--position", "bbbbb/bbbbb/bbbbb/wwwww/wwwww 1"]).contains("15"));
    assert!(
        refused(&["perft", "breakthrough", "1", "--position", "...../...../...../...../..... 1"]).contains("no pawn")
    );
    assert!(refused(&["perft", "breakthrough", "x"]).contains("DEPTH"));
    assert!(refused(&["perft", "breakthrough"]).contains("DEPTH"));
    assert!(refused(&["analyse", "breakthrough", "--agent", "mcts(simms=5)"]).contains("did you mean `sims`?"));
    assert!(refused(&["analyse", "breakthrough", "--sims", "0"]).contains("from 1 to 2000000000"));
    assert!(refused(&["analyse", "breakthrough", "--seed", "x"]).contains("`spinney analyse --help`"));
    assert!(refused(&["diagnose", "cannon", "--page", "/nowhere/page.html"]).contains("there is no folder /nowhere"));
    assert!(refused(&["lab", "plan", "solverr"]).contains("did you mean `solver`"));
    assert!(refused(&["analyse", "breakthrough", "--time", "-1"]).contains("time"));
    assert!(refused(&["analyse", "tic-tac-toe", "--position", "xxx/oo./... 2"]).contains("the game is over"));
    assert!(refused(&["match", "breakthrough", "--a", "mcts", "--b", "mcts", "--threads", "0"]).contains("threads"));
    assert!(refused(&["match", "breakthrough", "--a", "mcts", "--b", "mtcs"]).contains("did you mean `mcts`?"));
    assert!(refused(&["match", "breakthrough", "--a", "mcts"]).contains("--b"));
    assert!(refused(&["macth", "breakthrough"]).contains("match"));
    assert!(refused(&["games", "xyzzy"]).contains("known: amazons, breakthrough"));
    assert!(refused(&["man", "mathc"]).contains("match"));
    assert!(refused(&["bench", "--agent", "mcts(c=)"]).contains("column"));
}

#[test]
fn contradicting_choices_of_a_reproduction_are_refused() {
    let playouts = |rest: &[&str]| refused(&[&["reproduce", "playouts"], rest].concat());
    assert!(playouts(&["--quick", "--full"]).contains("cannot be used with '--full'"));
    assert!(playouts(&["--quick", "--wall-clock"]).contains("cannot be used with '--wall-clock'"));
    assert!(playouts(&["--full", "--games", "10"]).contains("cannot be used with"));
    assert!(playouts(&["--games", "10", "--pairs", "5"]).contains("cannot be used with"));
    assert!(playouts(&["--table", "7"]).contains("unknown table `7`; known: policies"));
    assert!(playouts(&["--game", "brekthrough"]).contains("did you mean `breakthrough`?"));
    assert!(playouts(&["--wall-clock"]).contains("no budget of this experiment is in seconds"));
    assert!(playouts(&["--only", "a"]).contains("COLUMN=VALUE"));
    assert!(refused(&["reproduce", "playout"]).contains("did you mean `playouts`?"));
    assert!(refused(&["reproduce", "--quick"]).contains("NAME"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever is written on the command line, it is obeyed or refused in one line.
    #[test]
    fn any_argument_is_read_or_refused(game in "\\PC{0,20}", position in "\\PC{0,40}", agent in "\\PC{0,30}") {
        let cases: [&[&str]; 3] = [
            &["perft", "breakthrough", "1", "--position", &position],
            &["perft", &game, "0"],
            &["analyse", "tic-tac-toe", "--sims", "1", "--json", "--agent", &agent],
        ];
        for arguments in cases {
            let output = spinney(arguments);
            if !output.status.success() {
                prop_assert_eq!(output.status.code(), Some(2), "{:?}", arguments);
                let error = String::from_utf8(output.stderr).unwrap();
                prop_assert_eq!(error.trim_end().lines().count(), 1, "{:?}: {}", arguments, error);
            }
        }
    }

    /// The protocol survives any line and is ready afterwards.
    #[test]
    fn any_line_of_the_protocol_is_survived(
        lines in prop::collection::vec("(go|position|setoption|query|stop|uginewgame|fen)?[ -~]{0,30}", 0..20)
    ) {
        let session = lines.iter().filter(|line| line.trim() != "quit").cloned().collect::<Vec<_>>().join("\n");
        let text = printed(&with_input(&["ugi", "tic-tac-toe", "--agent", "mcts(sims=5)"], &(session + "\nstop\nisready\n")));
        prop_assert!(text.contains("readyok"), "{}", text);
    }
}
