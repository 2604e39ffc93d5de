//! Rule sheets as data: names, terms, literals and rules, as they were written.

use std::collections::{HashMap, HashSet};

use spinney_core::InputError;

use crate::check::{self, Report};
use crate::expression::{Expression, Place, quote};
use crate::limits::{Budget, Limits};

/// The number of a name; names that differ in case only are one name.
pub(crate) type Name = u32;

/// The words of the language, which every sheet knows under these numbers.
macro_rules! keywords {
    ($($constant:ident = $number:literal $word:literal),* $(,)?) => {
        $(#[doc = $word] pub(crate) const $constant: Name = $number;)*
        pub(crate) const KEYWORDS: &[&str] = &[$($word),*];
    };
}
keywords! {
    ROLE = 0 "role", INIT = 1 "init", TRUE = 2 "true", DOES = 3 "does", NEXT = 4 "next", LEGAL = 5 "legal",
    GOAL = 6 "goal", TERMINAL = 7 "terminal", BASE = 8 "base", INPUT = 9 "input", DISTINCT = 10 "distinct",
    NOT = 11 "not", OR = 12 "or", IF = 13 "<=",
}

/// Every name of a sheet in its first spelling.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    spellings: Vec<String>,
    numbers: HashMap<String, Name>,
}

impl Names {
    fn new() -> Self {
        let mut names = Self { spellings: Vec::new(), numbers: HashMap::new() };
        for word in KEYWORDS {
            names.intern(word);
        }
        names
    }

    fn intern(&mut self, spelling: &str) -> Name {
        let lower = spelling.to_lowercase();
        *self.numbers.entry(lower).or_insert_with(|| {
            self.spellings.push(spelling.to_string());
            self.spellings.len() as Name - 1
        })
    }

    pub(crate) fn find(&self, spelling: &str) -> Option<Name> {
        self.numbers.get(&spelling.to_lowercase()).copied()
    }

    pub(crate) fn spelling(&self, name: Name) -> &str {
        &self.spellings[name as usize]
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.spellings.iter().map(|spelling| spelling.len() * 2 + 112).sum()
    }

    /// Adds a name that no sheet can contain, for relations that the reasoner invents.
    pub(crate) fn invent(&mut self) -> Name {
        let number = self.spellings.len();
        self.intern(&format!("({number})"))
    }
}

/// A variable, or a name with arguments; a constant is a name without.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    Variable(u32),
    Compound(Name, Vec<Term>),
}

impl Term {
    /// Calls `visit` with each variable, as often as it occurs.
    pub(crate) fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Self::Variable(variable) => visit(*variable),
            Self::Compound(_, arguments) => arguments.iter().for_each(|argument| argument.variables(visit)),
        }
    }
}

/// A relation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sentence {
    pub(crate) name: Name,
    pub(crate) arguments: Vec<Term>,
}

impl Sentence {
    pub(crate) fn predicate(&self) -> Predicate {
        (self.name, self.arguments.len())
    }

    pub(crate) fn variables(&self, visit: &mut impl FnMut(u32)) {
        self.arguments.iter().for_each(|argument| argument.variables(visit));
    }
}

/// A relation: its name and number of arguments.
pub(crate) type Predicate = (Name, usize);

/// A condition in the body of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Literal {
    Sentence(Sentence),
    Not(Box<Literal>),
    Or(Vec<Literal>),
    Distinct(Term, Term),
}

/// A head that holds if all conditions hold; a fact has none.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) place: Place,
    pub(crate) head: Sentence,
    pub(crate) body: Vec<Literal>,
    /// How many variables it has; they are numbered from 0.
    pub(crate) variables: Vec<String>,
    /// Written with `<=`.
    pub(crate) arrow: bool,
}

/// A remark on how something was written that the terms no longer show.
#[derive(Clone, Debug)]
pub(crate) enum Remark {
    Spelling { first: String, other: String },
    EmptyBrackets(String),
    Keyword(String),
    Character(String),
}

/// A rule sheet that can be read; [`Rules::check`] says whether it makes a game.
#[derive(Clone, Debug)]
pub struct Rules {
    pub(crate) names: Names,
    pub(crate) rules: Vec<Rule>,
    pub(crate) remarks: Vec<(Place, Remark)>,
}

impl Rules {
    /// Reads a rule sheet.
    ///
    /// ```
    /// let error = spinney_gdl::Rules::parse("(role white)\n(init (step 1)").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 1: `(` is never closed; add the `)` that belongs to it");
    /// ```
    ///
    /// # Errors
    /// What is not made of rules and sentences, with line, column and remedy.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        Self::from_expressions(&Expression::read_all(text)?)
    }

    /// Reads rules whose brackets have been read already, as when they came inside a message.
    ///
    /// # Errors
    /// What is not a rule or a sentence.
    pub fn from_expressions(expressions: &[Expression]) -> Result<Self, InputError> {
        let mut reader = RuleReader {
            names: Names::new(),
            remarks: Vec::new(),
            remarked: HashSet::new(),
            variables: Vec::new(),
            variable_numbers: HashMap::new(),
        };
        let rules = expressions.iter().map(|each| reader.rule(each)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { names: reader.names, rules, remarks: reader.remarks })
    }

    /// Everything that is wrong or odd about the sheet.
    pub fn check(&self) -> Report {
        check::check(self, &mut Budget::new(&Limits::endless()))
    }
}

struct RuleReader {
    names: Names,
    remarks: Vec<(Place, Remark)>,
    /// What was remarked once is not remarked again.
    remarked: HashSet<String>,
    variables: Vec<String>,
    /// Their numbers, in lower case.
    variable_numbers: HashMap<String, usize>,
}

fn wrong<T>(expression: &Expression, problem: &str, remedy: &str) -> Result<T, InputError> {
    Err(InputError::new(expression.place(), format!("{problem}: {}", quote(expression)), remedy))
}

impl RuleReader {
    fn rule(&mut self, expression: &Expression) -> Result<Rule, InputError> {
        self.variables.clear();
        self.variable_numbers.clear();
        let place = expression.place();
        let (head, body, arrow) = match expression {
            Expression::List(_, members) if is_word(members.first(), "<=") => {
                let Some(head) = members.get(1) else {
                    return wrong(expression, "a rule without head", "write `(<= head condition …)`");
                };
                let head = self.sentence(head)?;
                let body = members[2..].iter().map(|each| self.literal(each)).collect::<Result<Vec<_>, _>>()?;
                (head, body, true)
            }
            _ => (self.sentence(expression)?, Vec::new(), false),
        };
        Ok(Rule { place, head, body, variables: std::mem::take(&mut self.variables), arrow })
    }

    fn literal(&mut self, expression: &Expression) -> Result<Literal, InputError> {
        let Expression::List(_, members) = expression else { return Ok(Literal::Sentence(self.sentence(expression)?)) };
        if is_word(members.first(), "not") {
            let [_, inner] = members.as_slice() else {
                return wrong(expression, "`not` takes one condition", "write `(not condition)`");
            };
            Ok(Literal::Not(Box::new(self.literal(inner)?)))
        } else if is_word(members.first(), "or") {
            Ok(Literal::Or(members[1..].iter().map(|each| self.literal(each)).collect::<Result<_, _>>()?))
        } else if is_word(members.first(), "distinct") {
            let [_, left, right] = members.as_slice() else {
                return wrong(expression, "`distinct` takes two terms", "write `(distinct term term)`");
            };
            Ok(Literal::Distinct(self.term(left)?, self.term(right)?))
        } else {
            Ok(Literal::Sentence(self.sentence(expression)?))
        }
    }

    fn sentence(&mut self, expression: &Expression) -> Result<Sentence, InputError> {
        let (place, word, arguments): (_, _, &[Expression]) = match expression {
            Expression::Name(place, word) => (*place, word, &[]),
            Expression::List(place, members) => match members.split_first() {
                Some((Expression::Name(_, word), rest)) => {
                    if rest.is_empty() {
                        self.remarks.push((*place, Remark::EmptyBrackets(word.clone())));
                    }
                    (*place, word, rest)
                }
                Some(_) => return wrong(expression, "a list in place of a name", "remove the surplus brackets"),
                None => return wrong(expression, "empty brackets", "remove them"),
            },
        };
        if word.starts_with('?') {
            return wrong(expression, "a variable in place of a relation", "write the name of a relation");
        }
        let name = self.name(place, word);
        if matches!(name, DISTINCT | NOT | OR | IF) {
            return wrong(
                expression,
                "`<=`, `or`, `not` and `distinct` are no relations",
                "use `<=` outermost only, and the others with conditions inside the body of a rule",
            );
        }
        let arguments = arguments.iter().map(|each| self.term(each)).collect::<Result<Vec<_>, _>>()?;
        let arity = match name {
            ROLE | INIT | TRUE | NEXT | BASE => Some(1),
            DOES | LEGAL | GOAL | INPUT => Some(2),
            TERMINAL => Some(0),
            _ => None,
        };
        if let Some(arity) = arity.filter(|arity| *arity != arguments.len()) {
            let word = KEYWORDS[name as usize];
            return wrong(
                expression,
                &format!("`{word}` with {} arguments", arguments.len()),
                &format!("`{word}` takes {arity}"),
            );
        }
        Ok(Sentence { name, arguments })
    }

    fn term(&mut self, expression: &Expression) -> Result<Term, InputError> {
        match expression {
            Expression::Name(place, word) if word.starts_with('?') => {
                let next = self.variables.len();
                let number = *self.variable_numbers.entry(word.to_ascii_lowercase()).or_insert(next);
                if number == next {
                    self.variables.push(word.clone());
                }
                if self.variables[number] != *word {
                    let first = self.variables[number].clone();
                    self.remarks.push((*place, Remark::Spelling { first, other: word.clone() }));
                }
                Ok(Term::Variable(number as u32))
            }
            Expression::Name(place, word) => {
                let name = self.name(*place, word);
                if matches!(name, DISTINCT | NOT | OR | IF) {
                    return wrong(expression, "a word of the language as an object", "choose another name");
                }
                if (name as usize) < KEYWORDS.len() {
                    self.remarks.push((*place, Remark::Keyword(word.clone())));
                }
                Ok(Term::Compound(name, Vec::new()))
            }
            Expression::List(_, members) => match members.split_first() {
                Some((Expression::Name(place, word), rest)) if !word.starts_with('?') => {
                    let name = self.name(*place, word);
                    if (name as usize) < KEYWORDS.len() {
                        return wrong(expression, "a word of the language as a function", "choose another name");
                    }
                    if rest.is_empty() {
                        self.remarks.push((*place, Remark::EmptyBrackets(word.clone())));
                    }
                    Ok(Term::Compound(name, rest.iter().map(|each| self.term(each)).collect::<Result<_, _>>()?))
                }
                Some(_) => wrong(expression, "a term must begin with a name", "remove the surplus brackets"),
                None => wrong(expression, "empty brackets", "remove them"),
            },
        }
    }

    fn name(&mut self, place: Place, word: &str) -> Name {
        let name = self.names.intern(word);
        let first = self.names.spelling(name);
        // Words of the language may be written as one likes.
        if (name as usize) >= KEYWORDS.len() && first != word && self.remarked.insert(format!("{first} {word}")) {
            self.remarks.push((place, Remark::Spelling { first: first.to_string(), other: word.to_string() }));
        }
        let usual = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.');
        if (name as usize) >= KEYWORDS.len()
            && !word.chars().all(usual)
            && self.remarked.insert(format!("character {word}"))
        {
            self.remarks.push((place, Remark::Character(word.to_string())));
        }
        name
    }
}

fn is_word(expression: Option<&Expression>, word: &str) -> bool {
    matches!(expression, Some(Expression::Name(_, written)) if written.eq_ignore_ascii_case(word))
}
