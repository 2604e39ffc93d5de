use super::*;

crate::choices! {
    /// A colour.
    pub enum Colour {
        /// as grass
        Green = "green",
        /// as the sky
        Blue = "blue",
    }
}

crate::options! {
    /// What a brush does.
    struct Brush {
        /// its width
        width: u32 = 3, in 1 to 9;
        /// its colour
        colour: Option<Colour> = None;
        /// what is written
        text: String = String::new();
    }
}

impl OptionValue for Brush {
    fn read(parts: &[Expression]) -> Result<Self, String> {
        read_brackets(parts, &["brush"])
    }
    fn write(&self) -> Option<String> {
        Some(write_brackets(self))
    }
    fn kind() -> OptionKind {
        OptionKind::Brackets(Brush::options())
    }
}

crate::options! {
    /// A painting, made
    /// of two things.
    struct Painting {
        /// how high
        height: f64 = 0.5, in -1.0 to 2.5;
        /// with what
        brush: Option<Brush> = None;
    }
}

#[test]
fn kinds_are_data() {
    let [height, brush] = &Painting::options()[..] else { panic!() };
    let OptionKind::Number(Some(range)) = &height.kind else { panic!("{height:?}") };
    assert_eq!((range.low, range.high, height.default.as_str()), (-1.0, 2.5, "0.5"));
    let OptionKind::Brackets(inner) = &brush.kind else { panic!("{brush:?}") };
    assert_eq!(inner[0].kind, OptionKind::Whole(None).within(1.0, 9.0));
    let green = OptionWord::new("green", "as grass");
    assert!(matches!(&inner[1].kind, OptionKind::Words(words) if words[0] == green));
    assert_eq!((inner[1].default.as_str(), inner[1].help.as_str()), ("", "its colour"));
    assert_eq!(inner[2].kind, OptionKind::Text);
    assert_eq!(<Painting as OptionSet>::about(), "A painting, made of two things");
}

#[test]
fn kinds_are_said_in_words() {
    let plain = |names: &[&'static str]| names.iter().map(|name| OptionPart::plain(name, "")).collect::<Vec<_>>();
    let parts = |one: &[&'static str], any| OptionKind::Parts { one_of: plain(one), any_of: any }.to_string();
    let brush = vec![OptionPart::of::<Brush>("brush")];
    assert_eq!(
        parts(&["a", "b"], brush.clone()),
        "`a` or `b`, joined by `+` with any of brush(width=…, colour=…, text=…)"
    );
    assert_eq!(parts(&["a", "b", "c"], Vec::new()), "a, b or c");
    assert_eq!(OptionKind::Parts { one_of: brush, any_of: Vec::new() }.to_string(), "brush(…)");
    assert_eq!(parts(&[], plain(&["a", "b"])), "some of a, b joined by `+`");
    let either = OptionKind::Either(vec![f32::kind().within(0.0, 1.5), Colour::kind()]);
    assert_eq!(either.to_string(), "a number from 0 to 1.5, green, or blue");
    assert_eq!(Brush::kind().to_string(), "nothing, or options in brackets: (width=…, colour=…, text=…)");
}

#[test]
fn only_what_was_changed_is_written() {
    let read = |text: &str| Painting::read(&Expression::read("painting", text).unwrap());
    for text in ["p", "p(height=-0.5)", "p(brush=on)", "p(height=2, brush(width=4, colour=blue, text=a+b(c=1)))"] {
        assert_eq!(read(text).unwrap().changed("p").to_string(), text);
    }
    assert_eq!(read("p(brush=brush(width=3))").unwrap().changed("q").to_string(), "q(brush=on)");
    assert_eq!(Painting::default().written("p").to_string(), "p(height=0.5)");
}

#[test]
fn errors_have_their_kinds() {
    let kind = |text: &str| Painting::read(&Expression::read("painting", text).unwrap()).unwrap_err().kind;
    assert_eq!(kind("p(hight=1)"), InputErrorKind::Unknown);
    assert_eq!(kind("p(height=3)"), InputErrorKind::Misfit);
    assert_eq!(kind("p(height=x)"), InputErrorKind::Misfit);
    assert_eq!(kind("p(height)"), InputErrorKind::Missing);
    assert_eq!(kind("p(height=1, height=1)"), InputErrorKind::Twice);
}
