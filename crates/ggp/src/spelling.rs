//! Moves as a rule sheet writes them. To a reasoner `wait` and `(wait)` are the same; to managers in use they are not.

use spinney_gdl::expression::Expression;
use std::collections::HashSet;

/// The names that a sheet writes in brackets although nothing follows them.
#[derive(Clone, Debug, Default)]
pub struct Spelling {
    bracketed: HashSet<String>,
}

impl Spelling {
    /// Of the rules of a sheet.
    ///
    /// ```
    /// use spinney_gdl::expression::Expression;
    /// let rules = Expression::read_all("(role me) (legal me (wait)) (<= terminal (true (wait)))").unwrap();
    /// let spelling = spinney_ggp::spelling::Spelling::of(&rules);
    /// assert_eq!(spelling.write("wait"), "(wait)");
    /// assert_eq!(spelling.write("(go wait 1)"), "(go (wait) 1)");
    /// ```
    pub fn of(rules: &[Expression]) -> Self {
        let mut found = Self::default();
        let mut bare = HashSet::new();
        for rule in rules {
            let is_rule =
                |members: &[Expression]| matches!(members.first(), Some(Expression::Name(_, word)) if word == "<=");
            match rule {
                Expression::List(_, members) if is_rule(members) => {
                    members[1..].iter().for_each(|each| found.sentence(each, &mut bare));
                }
                sentence => found.sentence(sentence, &mut bare),
            }
        }
        // A name that stands both ways is written as in the heads that name moves, or else without brackets.
        let legal = legal_names(rules);
        found.bracketed.retain(|name| !bare.contains(name) || legal.contains(name));
        found
    }

    /// Notes the terms of a sentence or condition; sentences themselves are no terms.
    fn sentence(&mut self, expression: &Expression, bare: &mut HashSet<String>) {
        let Expression::List(_, members) = expression else { return };
        let word = match members.first() {
            Some(Expression::Name(_, word)) => word.to_ascii_lowercase(),
            _ => return,
        };
        for member in &members[1..] {
            match word.as_str() {
                "not" | "or" => self.sentence(member, bare),
                _ => self.term(member, bare),
            }
        }
    }

    fn term(&mut self, expression: &Expression, bare: &mut HashSet<String>) {
        match expression {
            Expression::Name(_, name) => drop(bare.insert(name.to_ascii_lowercase())),
            Expression::List(_, members) => {
                if let [Expression::Name(_, name)] = members.as_slice() {
                    self.bracketed.insert(name.to_ascii_lowercase());
                }
                members.iter().skip(1).for_each(|member| self.term(member, bare));
            }
        }
    }

    /// A term of the reasoner as the sheet writes it.
    pub fn write(&self, term: &str) -> String {
        if self.bracketed.is_empty() {
            return term.to_string();
        }
        match Expression::read_all(term).as_deref() {
            Ok([single]) => self.rewrite(single),
            _ => term.to_string(),
        }
    }

    fn rewrite(&self, expression: &Expression) -> String {
        match expression {
            Expression::Name(_, name) if self.bracketed.contains(&name.to_ascii_lowercase()) => format!("({name})"),
            Expression::Name(_, name) => name.clone(),
            Expression::List(_, members) => {
                let head = members.first().map(ToString::to_string).unwrap_or_default();
                let rest = members.iter().skip(1).map(|member| format!(" {}", self.rewrite(member)));
                format!("({head}{})", rest.collect::<String>())
            }
        }
    }
}

/// Names that stand in brackets, alone, as moves in heads of `legal`.
fn legal_names(rules: &[Expression]) -> HashSet<String> {
    let head = |rule: &Expression| -> Option<String> {
        let Expression::List(_, members) = rule else { return None };
        let sentence = match members.as_slice() {
            [Expression::Name(_, word), Expression::List(_, head), ..] if word == "<=" => head,
            members => members,
        };
        match sentence {
            [Expression::Name(_, legal), _, Expression::List(_, mv)] if legal.eq_ignore_ascii_case("legal") => {
                match mv.as_slice() {
                    [Expression::Name(_, name)] => Some(name.to_ascii_lowercase()),
                    _ => None,
                }
            }
            _ => None,
        }
    };
    rules.iter().filter_map(head).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;

    fn written(sheet: &str, term: &str) -> String {
        Spelling::of(&Expression::read_all(sheet).unwrap()).write(term)
    }

    #[test]
    fn brackets_stay_where_the_sheet_has_them() {
        assert_eq!(written("(legal me wait) (open)", "wait"), "wait");
        // A relation in brackets says nothing about an object.
        assert_eq!(written("(<= (legal me open) (open))", "open"), "open");
        assert_eq!(
            written("(<= (legal ?r (Wait)) (not (true (at ?r (base)))))", "(move base Wait)"),
            "(move (base) (Wait))"
        );
        // Written both ways: moves are written as `legal` writes them.
        assert_eq!(written("(<= (legal me (wait)) p) (<= q (does me wait))", "wait"), "(wait)");
        assert_eq!(written("(<= (legal me wait) p) (<= q (does me (wait)))", "wait"), "wait");
    }
}
