//! The text of a kernel: lines to statements, statements to data and functions.

use super::assemble::Assembler;
use super::memory::{FILL, ORIGIN};
use super::{Fault, Function};
use std::collections::HashMap;

/// A text that has been read.
pub struct Program {
    pub(super) functions: Vec<Function>,
    pub(super) numbers: HashMap<String, usize>,
    /// Data, as memory begins.
    pub(super) image: Vec<u8>,
}

/// What is known of the whole text while it is read.
#[derive(Default)]
pub(super) struct Names {
    /// Numbers of functions, also of those that come later.
    pub functions: HashMap<String, usize>,
    /// Addresses of data.
    pub data: HashMap<String, u64>,
}

impl Names {
    /// The number of a function.
    pub fn function(&mut self, name: &str) -> usize {
        if let Some(&number) = self.functions.get(name) {
            return number;
        }
        let number = self.functions.len();
        self.functions.insert(name.to_string(), number);
        number
    }
}

/// Bytes of a type.
pub(super) fn bytes_of(kind: &str) -> Result<u8, String> {
    match kind.trim_start_matches(['b', 'u', 's', 'f']) {
        "8" => Ok(1),
        "16" => Ok(2),
        "32" => Ok(4),
        "64" => Ok(8),
        _ => Err(format!("unknown type {kind}")),
    }
}

/// What is declared: `.align 8 .b8 name[12]`.
pub(super) struct Declared<'t> {
    pub name: &'t str,
    pub align: usize,
    /// Bytes of one element.
    pub element: u8,
    pub bytes: usize,
}

impl<'t> Declared<'t> {
    /// Reads it, without the word for its space.
    pub fn read(text: &'t str) -> Result<Self, String> {
        let (mut align, mut element, mut name) = (None, None, None);
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                ".align" => align = words.next().and_then(|number| number.parse().ok()),
                ".ptr" => {}
                _ if word.starts_with('.') => element = Some(bytes_of(&word[1..])?),
                _ => name = Some(word),
            }
        }
        let (Some(element), Some(name)) = (element, name) else { return Err(format!("{text:?} declares nothing")) };
        let (name, count) = match name.split_once('[') {
            None => (name, 1),
            Some((name, count)) => {
                (name, count.trim_end_matches(']').parse().map_err(|_| format!("the size of {name}"))?)
            }
        };
        Ok(Self { name, align: align.unwrap_or(element as usize), element, bytes: count * element as usize })
    }
}

impl Program {
    /// Reads a text; what is unknown in it is an error.
    pub fn read(text: &str) -> Result<Self, Fault> {
        let mut reader = Reader::default();
        for (line, number) in text.trim_end_matches('\0').lines().zip(1..) {
            reader.line(line, number).map_err(|problem| {
                let function = reader.function.as_ref().map_or("no function", |function| function.name());
                Fault { function: function.to_string(), line: number, problem }
            })?;
        }
        let Reader { names, image, functions, .. } = reader;
        let mut all: Vec<Function> = Vec::new();
        all.resize_with(names.functions.len(), Function::default);
        for function in functions {
            let number = names.functions[&function.name];
            all[number] = function;
        }
        if let Some((name, _)) = names.functions.iter().find(|(_, number)| all[**number].name.is_empty()) {
            let problem = "it is called and not there".to_string();
            return Err(Fault { function: name.clone(), line: 0, problem });
        }
        Ok(Self { functions: all, numbers: names.functions, image })
    }
}

#[derive(Default)]
struct Reader {
    names: Names,
    image: Vec<u8>,
    functions: Vec<Function>,
    function: Option<Assembler>,
    /// A statement that goes on in the next line.
    begun: String,
}

impl Reader {
    fn line(&mut self, line: &str, number: u32) -> Result<(), String> {
        let line = line.split("//").next().unwrap_or_default().trim();
        match (line, &mut self.function) {
            ("", _) => {}
            ("{", None) => {
                let head = std::mem::take(&mut self.begun);
                self.function = Some(begin(&head, &mut self.names)?);
            }
            ("{", Some(function)) => function.open(),
            ("}", Some(function)) => {
                if function.close() {
                    let function = self.function.take().map(Assembler::finish).transpose()?;
                    self.functions.extend(function);
                }
            }
            (_, None) if [".version", ".target", ".address_size"].iter().any(|word| line.starts_with(word)) => {}
            _ => {
                let mut rest = line;
                if let (Some(function), Some((label, after))) = (&mut self.function, line.split_once(':')) {
                    function.label(label)?;
                    rest = after.trim();
                }
                for piece in rest.split_inclusive(';') {
                    let piece = piece.trim();
                    match piece.strip_suffix(';') {
                        Some(whole) if self.begun.is_empty() => self.statement(whole, number)?,
                        Some(end) => {
                            let whole = std::mem::take(&mut self.begun) + " " + end;
                            self.statement(whole.trim(), number)?;
                        }
                        None => {
                            self.begun.push(' ');
                            self.begun.push_str(piece);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn statement(&mut self, text: &str, number: u32) -> Result<(), String> {
        match &mut self.function {
            Some(function) => function.statement(text, number, &mut self.names),
            None if text.is_empty() || text.contains(".func") => Ok(()),
            None => self.data(text),
        }
    }

    /// Lays out `.global .align 4 .u32 name = 1` or `.global .align 4 .b8 name[2] = {1, 2}`.
    fn data(&mut self, text: &str) -> Result<(), String> {
        let text = text.trim_start_matches(".visible ").trim();
        let Some(text) = text.strip_prefix(".global ") else { return Err(format!("unknown declaration {text:?}")) };
        let (declared, values) = text.split_once('=').unwrap_or((text, ""));
        let declared = Declared::read(declared)?;
        let start = self.image.len().next_multiple_of(declared.align);
        self.image.resize(start, FILL);
        // What has no value is 0.
        self.image.resize(start + declared.bytes, 0);
        let element = declared.element as usize;
        let values = values.trim().trim_start_matches('{').trim_end_matches('}');
        for (value, place) in values.split(',').filter(|value| !value.is_empty()).zip(0..) {
            let value: i128 = value.trim().parse().map_err(|_| format!("the value {value:?}"))?;
            let place = start + place * element;
            let to =
                self.image.get_mut(place..place + element).ok_or_else(|| format!("values of {}", declared.name))?;
            to.copy_from_slice(&value.to_le_bytes()[..element]);
        }
        self.names.data.insert(declared.name.to_string(), ORIGIN + start as u64);
        Ok(())
    }
}

/// Begins a function by its head: `.func (returned) name (given)`.
fn begin(head: &str, names: &mut Names) -> Result<Assembler, String> {
    let wrong = || format!("unknown head {head:?}");
    let (_, rest) = head.split_once(".func").or_else(|| head.split_once(".entry")).ok_or_else(wrong)?;
    let rest = rest.trim();
    let (returned, rest) = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')').ok_or_else(wrong)?,
        None => ("", rest),
    };
    let (name, given) = rest.split_once('(').unwrap_or((rest, ""));
    let (given, _) = given.split_once(')').unwrap_or((given, ""));
    let name = name.trim();
    names.function(name);
    let mut assembler = Assembler::new(name);
    for place in returned.split(',').chain(given.split(',')).map(str::trim).filter(|place| !place.is_empty()) {
        assembler.place(Declared::read(place.trim_start_matches(".param "))?.name)?;
    }
    Ok(assembler)
}
