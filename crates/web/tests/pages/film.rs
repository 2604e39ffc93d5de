//! The film at the top of the README, made from the real page: a game with live search, then a review.
//!
//! `cargo test -p spinney-web --test browser film -- --ignored` writes `docs/pictures/spinney.webp`.

use crate::chromium::Browser;
use crate::open;
use serde_json::json;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// Of the page, and of a picture of it.
const WIDTH: u32 = 1280;
const HEIGHT: u32 = 800;
const SCALE: f64 = 0.7;
/// Between two frames.
const STEP_MS: u32 = 250;
const MOST_BYTES: usize = 1_500_000;

/// An animated WebP: the frames that Chromium makes, in one container (RFC 9649).
#[derive(Default)]
struct Film {
    frames: Vec<(Vec<u8>, u32)>,
    size: (u32, u32),
}

fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut bytes = name.to_vec();
    bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
    bytes.extend_from_slice(body);
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    bytes
}

/// Three bytes.
fn short(number: u32) -> [u8; 3] {
    let [low, middle, high, _] = number.to_le_bytes();
    [low, middle, high]
}

impl Film {
    /// What is on the page now, for a while; the same as before is shown longer.
    fn shoot(&mut self, browser: &Browser, milliseconds: u32) {
        let clip = json!({"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "scale": SCALE});
        let shot = browser.call("Page.captureScreenshot", json!({"format": "webp", "quality": 46, "clip": clip}));
        let file = crate::chromium::decode(shot["data"].as_str().unwrap());
        let mut at = 12;
        let mut bits = Vec::new();
        while at + 8 <= file.len() {
            let length = u32::from_le_bytes(file[at + 4..at + 8].try_into().unwrap()) as usize;
            if &file[at..at + 4] == b"VP8 " {
                let frame = &file[at + 8..at + 8 + length];
                let number = |at: usize| u32::from(u16::from_le_bytes(frame[at..at + 2].try_into().unwrap())) & 0x3fff;
                self.size = (number(6), number(8));
                bits = chunk(b"VP8 ", frame);
            }
            at += 8 + length.next_multiple_of(2);
        }
        assert!(!bits.is_empty(), "the frame is not lossy WebP");
        match self.frames.last_mut() {
            Some((last, shown)) if *last == bits => *shown += milliseconds,
            _ => self.frames.push((bits, milliseconds)),
        }
    }

    /// Several frames while something goes on.
    fn roll(&mut self, browser: &Browser, frames: u32) {
        for _ in 0..frames {
            sleep(Duration::from_millis(STEP_MS.into()));
            self.shoot(browser, STEP_MS);
        }
    }

    fn write(&self) -> Vec<u8> {
        let (width, height) = self.size;
        let place = [short(width - 1), short(height - 1)].concat();
        let mut body = b"WEBP".to_vec();
        body.extend(chunk(b"VP8X", &[&[2, 0, 0, 0], place.as_slice()].concat()));
        body.extend(chunk(b"ANIM", &[255, 255, 255, 255, 0, 0]));
        for (bits, milliseconds) in &self.frames {
            let head = [&[0; 6], place.as_slice(), &short(*milliseconds), &[2]].concat();
            body.extend(chunk(b"ANMF", &[head, bits.clone()].concat()));
        }
        chunk(b"RIFF", &body)
    }
}

/// A game of two agents of different strength.
const GAME: &str = "a2-b3 d7-c6 g2-g3 g7-h6 a1-a2 h6-g5 g3-f4 e7-e6 h2-h3 h7-g6 b2-c3 e8-d7 c2-d3 f8-g7 b3-b4 a7-b6 e2-e3 \
    f7-f6 c1-c2 e6-d5 d3-e4 b7-a6 e4-e5 g5-h4 h1-g2 f6xe5 a2-b3 e5xf4 b4-b5 a6xb5 c3-c4 h4-g3 e3-e4 g3xf2 \
    g1xf2 d5-d4 e4-f5 f4-g3 f2xg3 b5-b4 f5-e6 b4-a3 e6-e7 d8xe7 c4-c5 a3-b2 e1-e2 b2-a1";

#[test]
#[ignore = "makes the film of the README"]
fn film() {
    let Some((server, browser)) = open("film") else { return };
    browser.appear(WIDTH, HEIGHT, false);
    browser.visit(&server.page("#/play?game=breakthrough&p1=person&p2=mcts@2s&seed=5"));
    browser.wait("document.querySelector('#board .grip')");
    let mut film = Film::default();
    film.shoot(&browser, 900);
    for (number, (from, to)) in [("d2", "d3"), ("e2", "e3"), ("d3", "d4")].into_iter().enumerate() {
        browser.drag(&format!("#board [data-cell=\"{from}\"]"), &format!("#board [data-cell=\"{to}\"]"));
        browser.wait(&format!("document.querySelector('#board').dataset.moves >= '{}'", 2 * number + 1));
        film.roll(&browser, 7);
        browser.wait(&format!("document.querySelector('#board').dataset.moves === '{}'", 2 * number + 2));
        film.shoot(&browser, 700);
    }
    browser
        .visit(&server.page(&format!("#/play?game=breakthrough&p1=person&p2=person&moves={}", GAME.replace(' ', "+"))));
    browser.wait("document.querySelector('#status').dataset.turn === 'over'");
    browser.click("[data-tab=\"review\"]");
    film.shoot(&browser, 900);
    browser.set("#review-seconds", "0.1");
    browser.click("#review-start");
    film.roll(&browser, 16);
    browser.wait("document.querySelector('#review-state').dataset.state === 'done'");
    film.shoot(&browser, 1500);
    for mistake in [1, 2] {
        let entry = format!("#mistakes li:nth-child({mistake}) [data-mistake]");
        browser.click(&entry);
        browser.wait(&format!(
            "document.querySelector('#board').dataset.moves === document.querySelector({entry:?}).dataset.mistake"
        ));
        sleep(Duration::from_millis(500));
        browser.wait("document.querySelectorAll('#board .spot').length === 2");
        film.shoot(&browser, 2200);
    }
    let bytes = film.write();
    println!("{} frames of {:?}, {} bytes", film.frames.len(), film.size, bytes.len());
    assert!(bytes.len() < MOST_BYTES, "{} bytes", bytes.len());
    std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures/spinney.webp"), bytes).unwrap();
}
