//! The modules of the pages as one script: a browser asks for each file on its own, and forty questions take longer than
//! all else.
//!
//! It understands what the pages use and no more: imports in braces or as `* as name`, exports before a declaration,
//! `import("…")`, and no circle of modules. A test holds the pages to that.

use std::fmt::Write as _;

/// Joins modules, given as name and text, so that `entry` runs last, after all that it needs.
pub fn bundle<'a>(modules: &[(&'a str, &'a str)], entry: &'a str) -> String {
    let mut joined = Joined { modules, begun: Vec::new(), script: String::new() };
    joined.add(entry);
    joined.script
}

struct Joined<'a> {
    modules: &'a [(&'a str, &'a str)],
    begun: Vec<&'a str>,
    script: String,
}

impl<'a> Joined<'a> {
    /// Adds a module behind those that it imports, once.
    fn add(&mut self, name: &'a str) {
        let Some((_, text)) = self.modules.iter().find(|(known, _)| *known == name) else { return };
        if self.begun.contains(&name) {
            return;
        }
        self.begun.push(name);
        for needed in needs(text) {
            self.add(needed);
        }
        let (body, exports) = rewritten(text);
        let _ = writeln!(
            self.script,
            "const {} = (() => {{\n{body}return {{ {} }};\n}})();",
            variable(name),
            exports.join(", ")
        );
    }
}

/// What a module imports, at its beginning or when it is wanted.
fn needs(text: &str) -> Vec<&str> {
    let quoted =
        text.lines().filter(|line| line.starts_with("import ") || line.contains(" import(\"")).filter_map(module);
    quoted.collect()
}

/// The name in `"./name.js"`.
fn module(line: &str) -> Option<&str> {
    line.split_once("\"./")?.1.split('"').next()
}

/// The object that holds the exports of a module.
fn variable(name: &str) -> String {
    format!("${}", name.trim_end_matches(".js"))
}

/// A module as the body of a function, and the names that it exports. Comments stay in the sources.
fn rewritten(text: &str) -> (String, Vec<&str>) {
    let (mut body, mut exports) = (String::with_capacity(text.len()), Vec::new());
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        if let (Some(import), Some(from)) = (line.strip_prefix("import "), module(line)) {
            let names = import.split(" from ").next().unwrap_or_default();
            let names = names.trim_start_matches("* as ").replace(" as ", ": ");
            let _ = writeln!(body, "const {names} = {};", variable(from));
        } else if let Some(declared) = line.strip_prefix("export ") {
            let word = |word: &&str| !matches!(*word, "async" | "function" | "class" | "const");
            let letters = |letter: char| !letter.is_alphanumeric() && letter != '_';
            exports.extend(declared.split(letters).find(word));
            let _ = writeln!(body, "{declared}");
        } else if let Some((before, after)) = line.split_once("import(\"./") {
            let (name, rest) = after.split_once("\")").unwrap_or((after, ""));
            let _ = writeln!(body, "{before}Promise.resolve({}){rest}", variable(name));
        } else {
            let _ = writeln!(body, "{line}");
        }
    }
    (body, exports)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::modules;

    #[test]
    fn modules_stand_behind_what_they_import() {
        let modules = [
            (
                "app.js",
                "import { one, two as second } from \"./low.js\";\nimport * as far from \"./far.js\";\nconst room = () => import(\"./room.js\");\nrun(one, second, far, room);\n",
            ),
            ("room.js", "// Seen when it is opened.\nimport { one } from \"./low.js\";\nexport class Room {}\n"),
            ("low.js", "export const one = 1;\nexport async function two() {}\n"),
            ("far.js", "export function look() {}\n"),
            ("unused.js", "export const never = 0;\n"),
        ];
        let expected = "const $low = (() => {\nconst one = 1;\nasync function two() {}\nreturn { one, two };\n})();\n\
            const $far = (() => {\nfunction look() {}\nreturn { look };\n})();\n\
            const $room = (() => {\nconst { one } = $low;\nclass Room {}\nreturn { Room };\n})();\n\
            const $app = (() => {\nconst { one, two: second } = $low;\nconst far = $far;\n\
            const room = () => Promise.resolve($room);\nrun(one, second, far, room);\nreturn {  };\n})();\n";
        assert_eq!(bundle(&modules, "app.js"), expected);
    }

    /// What a browser would find out only when the page is opened.
    #[test]
    fn the_pages_can_be_joined() {
        let pages = modules();
        let script = bundle(&pages, "app.js");
        let place = |name: &str| script.find(&format!("const {} = (()", variable(name)));
        for (name, text) in &pages {
            let own = place(name).unwrap_or_else(|| panic!("{name} is used by no page"));
            for needed in needs(text) {
                assert!(
                    place(needed).is_some_and(|place| place < own),
                    "{name} needs {needed}, which comes later: a circle"
                );
            }
            let open =
                text.lines().filter(|line| !line.trim_start().starts_with("//") && line.matches('`').count() % 2 == 1);
            assert_eq!(open.count(), 0, "{name}: a text over several lines may hold what looks like a comment");
        }
        let left = |word: &str| script.lines().find(|line| line.trim_start().starts_with(word));
        assert_eq!((left("import "), left("export ")), (None, None));
        assert!(!script.contains("import("));
    }
}
