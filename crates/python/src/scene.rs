//! Scenes as plain values of Python: what `state.scene()` gives, and what a game in Python may give. `docs/web.md`
//! describes the same fields.

use crate::error::wrong;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use spinney_core::Player;
use spinney_core::scene::{Cell, Figure, Item, Piece, Scene, Shape, Tone, Tray};

const SHAPES: [(&str, Shape); 4] =
    [("square", Shape::Square), ("hexagon", Shape::Hexagon), ("point", Shape::Point), ("hole", Shape::Hole)];

const TONES: [(&str, Tone); 5] = [
    ("plain", Tone::Plain),
    ("dark", Tone::Dark),
    ("marked", Tone::Marked),
    ("home1", Tone::Home(Player::First)),
    ("home2", Tone::Home(Player::Second)),
];

const FIGURES: [(&str, Figure); 10] = [
    ("stone", Figure::Stone),
    ("king", Figure::King),
    ("pawn", Figure::Pawn),
    ("queen", Figure::Queen),
    ("soldier", Figure::Soldier),
    ("town", Figure::Town),
    ("burnt", Figure::Burnt),
    ("cross", Figure::Cross),
    ("ring", Figure::Ring),
    ("runner", Figure::Runner),
];

/// The word of a value.
fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> Option<&'static str> {
    words.iter().find(|(_, own)| own == value).map(|(word, _)| *word)
}

/// The value of a word.
fn value<T: Clone>(what: &str, words: &[(&str, T)], given: &str) -> PyResult<T> {
    let found = words.iter().find(|(word, _)| *word == given).map(|(_, value)| value.clone());
    let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    found.ok_or_else(|| wrong("scene", format!("there is no {what} `{given}`"), &format!("write {}", known.join(", "))))
}

fn owner(player: Option<Player>) -> Option<u8> {
    player.map(Player::number)
}

fn player(number: Option<u8>) -> PyResult<Option<Player>> {
    match number {
        None | Some(0) => Ok(None),
        Some(1) => Ok(Some(Player::First)),
        Some(2) => Ok(Some(Player::Second)),
        Some(other) => Err(wrong("scene", format!("there is no player {other}"), "write 1, 2 or None")),
    }
}

/// A scene as a dictionary.
pub fn write_scene<'py>(py: Python<'py>, scene: &Scene) -> PyResult<Bound<'py, PyDict>> {
    let cells = PyList::empty(py);
    for cell in &scene.cells {
        let one = PyDict::new(py);
        one.set_item("name", &cell.name)?;
        one.set_item("x", cell.x)?;
        one.set_item("y", cell.y)?;
        one.set_item("tone", word(&TONES, &cell.tone))?;
        cells.append(one)?;
    }
    let pieces = PyList::empty(py);
    for piece in &scene.pieces {
        let one = PyDict::new(py);
        one.set_item("cell", piece.cell)?;
        one.set_item("owner", owner(piece.owner))?;
        match &piece.figure {
            Figure::Text(text) => {
                one.set_item("figure", "text")?;
                one.set_item("text", text)?;
            }
            figure => one.set_item("figure", word(&FIGURES, figure))?,
        }
        pieces.append(one)?;
    }
    let trays = PyList::empty(py);
    for tray in &scene.trays {
        let items = PyList::empty(py);
        for item in &tray.items {
            let one = PyDict::new(py);
            match item {
                Item::Die(eyes) => one.set_item("die", eyes)?,
                Item::Card { name, count, note } => {
                    one.set_item("card", name)?;
                    one.set_item("count", count)?;
                    one.set_item("note", note)?;
                }
                Item::Counter { name, value } => {
                    one.set_item("counter", name)?;
                    one.set_item("value", value)?;
                }
                Item::Fact(fact) => one.set_item("fact", fact)?,
            }
            items.append(one)?;
        }
        let one = PyDict::new(py);
        one.set_item("title", &tray.title)?;
        one.set_item("owner", owner(tray.owner))?;
        one.set_item("items", items)?;
        trays.append(one)?;
    }
    let written = PyDict::new(py);
    written.set_item("shape", word(&SHAPES, &scene.shape))?;
    written.set_item("cells", cells)?;
    written.set_item("lines", scene.lines.iter().map(|[from, to]| (*from, *to)).collect::<Vec<_>>())?;
    written.set_item("pieces", pieces)?;
    written.set_item("trays", trays)?;
    Ok(written)
}

/// A scene from a dictionary; what it does not have is left out.
pub fn read_scene(given: &Bound<'_, PyAny>) -> PyResult<Scene> {
    let given = given.cast::<PyDict>()?;
    let list = |name: &str| -> PyResult<Vec<Bound<'_, PyDict>>> {
        let Some(list) = given.get_item(name)? else { return Ok(Vec::new()) };
        list.try_iter()?.map(|one| Ok(one?.cast_into::<PyDict>()?)).collect()
    };
    let mut scene = Scene::default();
    if let Some(shape) = given.get_item("shape")? {
        scene.shape = value("shape", &SHAPES, &shape.extract::<String>()?)?;
    }
    for cell in list("cells")? {
        let tone = match cell.get_item("tone")? {
            Some(tone) => value("tone", &TONES, &tone.extract::<String>()?)?,
            None => Tone::Plain,
        };
        let (x, y) = (part(&cell, "x")?, part(&cell, "y")?);
        scene.cells.push(Cell { name: part(&cell, "name")?, x, y, tone });
    }
    if let Some(lines) = given.get_item("lines")? {
        scene.lines = lines.try_iter()?.map(|line| line?.extract::<[usize; 2]>()).collect::<PyResult<_>>()?;
    }
    for piece in list("pieces")? {
        let name: String = part(&piece, "figure")?;
        let figure = match name.as_str() {
            "text" => Figure::Text(part(&piece, "text")?),
            name => value("figure", &FIGURES, name)?,
        };
        let cell: usize = part(&piece, "cell")?;
        if cell >= scene.cells.len() {
            let problem = format!("a piece stands on cell {cell}, and there are {} cells", scene.cells.len());
            return Err(wrong("scene", problem, "cells are numbered from 0"));
        }
        let owner = piece.get_item("owner")?.map(|owner| owner.extract::<Option<u8>>()).transpose()?.flatten();
        scene.pieces.push(Piece { cell, owner: player(owner)?, figure });
    }
    for tray in list("trays")? {
        let mut items = Vec::new();
        for item in part::<Vec<Bound<'_, PyDict>>>(&tray, "items")? {
            items.push(match () {
                () if item.contains("die")? => Item::Die(part(&item, "die")?),
                () if item.contains("counter")? => Item::Counter {
                    name: part(&item, "counter")?,
                    value: part::<Bound<'_, PyAny>>(&item, "value")?.str()?.to_string(),
                },
                () => Item::Fact(part(&item, "fact")?),
            });
        }
        let owner = tray.get_item("owner")?.map(|owner| owner.extract::<Option<u8>>()).transpose()?.flatten();
        scene.trays.push(Tray { title: part(&tray, "title")?, owner: player(owner)?, items });
    }
    Ok(scene)
}

fn part<'py, T>(given: &Bound<'py, PyDict>, name: &str) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
{
    let missing = || wrong("scene", format!("`{name}` is missing"), "see docs/python.md");
    given.get_item(name)?.ok_or_else(missing)?.extract().map_err(Into::into)
}
