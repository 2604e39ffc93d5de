//! What makes a rule sheet a game: the static restrictions of the language.
//!
//! The restrictions are those of the specification (Love, Hinrichs, Haley, Schkufza and Genesereth, *General Game
//! Playing: Game Description Language Specification*, Stanford LG-2006-01): safety, stratified negation, the recursion
//! restriction that keeps models finite, and where each keyword may stand.

use std::collections::{HashMap, HashSet};

use crate::expression::Place;
use crate::graph::Graph;
use crate::limits::Budget;
use crate::rules::{
    BASE, DOES, GOAL, INIT, INPUT, KEYWORDS, LEGAL, Literal, NEXT, Name, Predicate, ROLE, Remark, Rule, Rules,
    Sentence, TERMINAL, TRUE, Term,
};

/// Which restriction a sheet breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A game needs roles, legal moves, goals and an end.
    Missing,
    /// A variable that no positive condition binds.
    Unsafe,
    /// A relation that depends on its own negation.
    Negation,
    /// Recursion that could build terms without end.
    Recursion,
    /// A keyword where it must not stand.
    Keyword,
    /// A relation that depends on what it must not depend on.
    Dependency,
    /// A name in two spellings; a player may tolerate it, since names are compared without regard to case.
    Spelling,
    /// Not wrong, but seldom meant.
    Style,
}

/// One remark of the checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// What kind it is.
    pub fault: Fault,
    /// Where the rule begins, or the word stands; `None` if it concerns the whole sheet.
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub remedy: String,
}

impl std::fmt::Display for Issue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place {
            Some(place) => write!(formatter, "{place}: {}; {}", self.problem, self.remedy),
            None => write!(formatter, "rule sheet: {}; {}", self.problem, self.remedy),
        }
    }
}

/// Everything the checker found, in the order of the sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What makes the sheet invalid.
    pub errors: Vec<Issue>,
    /// What is odd.
    pub warnings: Vec<Issue>,
}

impl Report {
    /// Whether the sheet keeps all restrictions.
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// The first error that a player cannot live with: all but spellings in mixed case.
    pub fn first_grave(&self) -> Option<&Issue> {
        self.errors.iter().find(|issue| issue.fault != Fault::Spelling)
    }
}

/// Everything that is wrong or odd about the sheet; not all of it if a limit is reached.
pub(crate) fn check(rules: &Rules, budget: &mut Budget) -> Report {
    let mut checker = Checker { rules, report: Report::default(), budget };
    checker.remarks();
    checker.missing();
    checker.perception();
    for rule in &rules.rules {
        if !checker.budget.spend(rule.body.len() as u64 + 1) {
            break;
        }
        checker.head(rule);
        checker.safety(rule);
        for literal in &rule.body {
            checker.body(rule, literal, false);
        }
        if rule.arrow && rule.body.is_empty() {
            checker.warn(rule.place, "a rule without conditions", "write its head as a fact");
        }
    }
    checker.dependencies();
    checker.usage();
    checker.goals();
    let order = |issue: &Issue| issue.place;
    checker.report.errors.sort_by_key(order);
    checker.report.warnings.sort_by_key(order);
    checker.report
}

struct Checker<'a> {
    rules: &'a Rules,
    report: Report,
    budget: &'a mut Budget,
}

impl Checker<'_> {
    fn error(&mut self, fault: Fault, place: impl Into<Option<Place>>, problem: impl Into<String>, remedy: &str) {
        let issue = Issue { fault, place: place.into(), problem: problem.into(), remedy: remedy.to_string() };
        self.report.errors.push(issue);
    }

    fn warn(&mut self, place: impl Into<Option<Place>>, problem: impl Into<String>, remedy: &str) {
        let issue =
            Issue { fault: Fault::Style, place: place.into(), problem: problem.into(), remedy: remedy.to_string() };
        self.report.warnings.push(issue);
    }

    fn word(&self, name: Name) -> &str {
        self.rules.names.spelling(name)
    }

    fn remarks(&mut self) {
        for (place, remark) in &self.rules.remarks {
            match remark {
                Remark::Spelling { first, other } => self.error(
                    Fault::Spelling,
                    *place,
                    format!("`{other}` is written `{first}` elsewhere"),
                    "write one name one way",
                ),
                Remark::EmptyBrackets(word) => {
                    self.warn(*place, format!("`({word})` is read as `{word}`"), "leave the brackets out");
                }
                Remark::Keyword(word) => {
                    self.warn(*place, format!("the keyword `{word}` as an object"), "choose another name");
                }
                Remark::Character(word) => {
                    self.warn(*place, format!("unusual characters in `{word}`"), "use letters, digits, `_` and `-`");
                }
            }
        }
    }

    /// What some see and others do not (M. Thielscher, *A General Game Description Language for Incomplete Information
    /// Games*, AAAI 2010) is beyond a search that knows the state.
    fn perception(&mut self) {
        let is_perception =
            |rule: &&Rule| rule.head.arguments.len() == 2 && self.word(rule.head.name).eq_ignore_ascii_case("sees");
        if let Some(place) = self.rules.rules.iter().find(is_perception).map(|rule| rule.place) {
            let problem = "`sees` says what each role can see (GDL-II), which is not played";
            self.error(Fault::Keyword, place, problem, "describe a game in which all see everything");
        }
    }

    fn missing(&mut self) {
        for name in [ROLE, LEGAL, GOAL, TERMINAL] {
            if !self.rules.rules.iter().any(|rule| rule.head.name == name) {
                let word = KEYWORDS[name as usize];
                self.error(Fault::Missing, None, format!("nothing says `{word}`"), "every game needs it: add a rule");
            }
        }
    }

    fn head(&mut self, rule: &Rule) {
        let name = rule.head.name;
        let word = KEYWORDS.get(name as usize).copied().unwrap_or_default();
        if matches!(name, TRUE | DOES) {
            let problem = format!("`{word}` is given, not derived");
            self.error(Fault::Keyword, rule.place, problem, "use `init` or `next` for facts and `legal` for moves");
        }
        if name == ROLE && !rule.body.is_empty() {
            self.error(Fault::Keyword, rule.place, "a role that depends on conditions", "state roles as facts");
        }
    }

    fn body(&mut self, rule: &Rule, literal: &Literal, in_or: bool) {
        match literal {
            Literal::Sentence(sentence) => {
                if matches!(sentence.name, INIT | NEXT | BASE | INPUT) {
                    let problem = format!("`{}` in the body of a rule", KEYWORDS[sentence.name as usize]);
                    self.error(Fault::Keyword, rule.place, problem, "read `true` facts or a relation of your own");
                }
            }
            Literal::Not(inner) => {
                if !matches!(**inner, Literal::Sentence(_)) {
                    let remedy = "negate a relation, defined by rules of its own if need be";
                    self.error(Fault::Keyword, rule.place, "`not` around something other than a sentence", remedy);
                }
                self.body(rule, inner, in_or);
            }
            Literal::Or(members) => {
                if members.is_empty() {
                    self.warn(rule.place, "an `or` without members never holds", "remove the rule or fill the `or`");
                }
                if in_or {
                    self.warn(rule.place, "an `or` directly inside an `or`", "join them");
                }
                members.iter().for_each(|member| self.body(rule, member, true));
            }
            Literal::Distinct(..) => {}
        }
    }

    fn safety(&mut self, rule: &Rule) {
        let mut bound = HashSet::new();
        rule.body.iter().for_each(|literal| bound.extend(binds(literal)));
        let mut needed = Vec::new();
        rule.head.variables(&mut |variable| needed.push((variable, "head")));
        rule.body.iter().for_each(|literal| needs(literal, &mut needed));
        let mut told = HashSet::new();
        for (variable, where_) in needed {
            if !bound.contains(&variable) && told.insert(variable) {
                let written = &rule.variables[variable as usize];
                let problem = if rule.body.is_empty() {
                    format!("the variable `{written}` in a fact")
                } else {
                    format!("`{written}` in the {where_} of the rule is bound by no positive condition")
                };
                self.error(
                    Fault::Unsafe,
                    rule.place,
                    problem,
                    "add a condition that says which objects it ranges over",
                );
            }
        }
    }

    fn dependencies(&mut self) {
        let mut numbers: HashMap<Predicate, u32> = HashMap::new();
        let mut predicates = Vec::new();
        let number = |predicate: Predicate, numbers: &mut HashMap<Predicate, u32>, predicates: &mut Vec<Predicate>| {
            *numbers.entry(predicate).or_insert_with(|| {
                predicates.push(predicate);
                predicates.len() as u32 - 1
            })
        };
        let mut edges: Vec<(u32, u32, bool, usize)> = Vec::new();
        for (at, rule) in self.rules.rules.iter().enumerate() {
            let head = number(rule.head.predicate(), &mut numbers, &mut predicates);
            for literal in &rule.body {
                sentences(literal, false, &mut |sentence, negated| {
                    let body = number(sentence.predicate(), &mut numbers, &mut predicates);
                    edges.push((head, body, negated, at));
                });
            }
        }
        let mut successors: Vec<Vec<u32>> = vec![Vec::new(); predicates.len()];
        for &(head, body, ..) in &edges {
            successors[head as usize].push(body);
        }
        let mut graph = Graph::default();
        successors.into_iter().for_each(|each| graph.push(each));
        let components = graph.components(self.budget);
        if self.budget.stopped().is_some() {
            return;
        }
        let of = components.of();
        self.negation(
            &edges
                .iter()
                .filter(|edge| edge.2 && of[edge.0 as usize] == of[edge.1 as usize])
                .map(|edge| edge.3)
                .collect(),
        );
        let cyclic: HashSet<u32> =
            edges.iter().filter(|edge| of[edge.0 as usize] == of[edge.1 as usize]).map(|e| e.0).collect();
        for rule in &self.rules.rules {
            let head = numbers[&rule.head.predicate()];
            if cyclic.contains(&head) {
                let together = |sentence: &Sentence| {
                    let body = numbers.get(&sentence.predicate());
                    body.is_some_and(|&body| of[body as usize] == of[head as usize])
                };
                if let Some(sentence) = unbounded(rule, &together) {
                    let word = self.word(sentence.name).to_string();
                    let problem = format!("recursion through `{word}` could build terms without end");
                    let remedy =
                        "let a relation outside the recursion bind the arguments, or pass on those of the head";
                    self.error(Fault::Recursion, rule.place, problem, remedy);
                }
            }
        }
        // Components come with what they depend on first.
        let forbidden = |roots: &[Name]| -> Vec<bool> {
            let mut tainted = vec![false; predicates.len()];
            for component in components.iter() {
                let taint = component.iter().any(|&member| {
                    roots.contains(&predicates[member as usize].0)
                        || graph.successors(member).iter().any(|&next| tainted[next as usize])
                });
                component.iter().for_each(|&member| tainted[member as usize] = taint);
            }
            tainted
        };
        let (on_moves, on_state) = (forbidden(&[DOES]), forbidden(&[DOES, TRUE]));
        for (at, &(name, _)) in predicates.iter().enumerate() {
            let (tainted, what) = match name {
                LEGAL | GOAL | TERMINAL => (on_moves[at], "the moves of the same step (`does`)"),
                INIT | BASE | INPUT => (on_state[at], "the state or the moves (`true`, `does`)"),
                _ => continue,
            };
            if tainted {
                let word = KEYWORDS[name as usize];
                let place = self.rules.rules.iter().find(|rule| rule.head.name == name).map(|rule| rule.place);
                self.error(Fault::Dependency, place, format!("`{word}` depends on {what}"), "use other conditions");
            }
        }
    }

    /// Rules whose head and negated condition belong to one cycle of relations. What counts is whether the *rules* form
    /// a cycle: `(goal r 100)` if not `(goal r 0)` is sound though `goal` depends on `goal`.
    fn negation(&mut self, suspects: &HashSet<usize>) {
        let rules = &self.rules.rules;
        if suspects.is_empty() {
            return;
        }
        let mut heads: HashMap<Predicate, Vec<u32>> = HashMap::new();
        for (rule, at) in rules.iter().zip(0..) {
            heads.entry(rule.head.predicate()).or_default().push(at);
        }
        // Conditions are compared with the heads of all rules for them.
        let mut pairs = 0;
        for rule in rules {
            let count = |sentence: &Sentence| heads.get(&sentence.predicate()).map_or(0, Vec::len);
            rule.body.iter().for_each(|literal| sentences(literal, false, &mut |each, _| pairs += count(each)));
        }
        if pairs > MOST_PAIRS {
            let problem = "too many rules for relations that depend on their own negation";
            self.error(Fault::Negation, None, problem, "break the circle: what is negated must be settled before");
            return;
        }
        let graph = rule_graph(rules, &heads);
        let of = graph.components(self.budget).of();
        if !self.budget.spend(pairs as u64) {
            return;
        }
        for (at, rule) in rules.iter().enumerate().filter(|(at, _)| suspects.contains(at)) {
            let mut guilty = None;
            for literal in &rule.body {
                sentences(literal, false, &mut |sentence, negated| {
                    let circular =
                        |&other: &u32| of[other as usize] == of[at] && may_match(sentence, &rules[other as usize].head);
                    let mut candidates = heads.get(&sentence.predicate()).into_iter().flatten();
                    if negated && candidates.any(circular) {
                        guilty = Some(sentence.name);
                    }
                });
            }
            match guilty {
                Some(name) => {
                    let problem = format!("`{}` is negated in a rule that it depends on itself", self.word(name));
                    let remedy = "break the circle: what is negated must be settled before";
                    self.error(Fault::Negation, rule.place, problem, remedy);
                }
                None => {
                    let problem =
                        format!("`{}` depends on its own negation for other arguments", self.word(rule.head.name));
                    self.warn(rule.place, problem, "many reasoners refuse it: use a relation in between");
                }
            }
        }
    }

    /// Arities, names used in two ways, relations that nobody states or reads.
    fn usage(&mut self) {
        let mut use_of = Usage::default();
        for rule in &self.rules.rules {
            use_of.sentence(&rule.head, rule.place);
            use_of.produced.insert(rule.head.predicate());
            for literal in &rule.body {
                sentences(literal, false, &mut |sentence, _| {
                    use_of.sentence(sentence, rule.place);
                    use_of.read.entry(sentence.predicate()).or_insert(rule.place);
                });
                distinct_terms(literal, &mut |term| use_of.term(term, rule.place));
            }
        }
        let Usage { relations, functions, produced, read } = use_of;
        for (kind, table) in [("relation", &relations), ("function", &functions)] {
            for (name, uses) in table {
                if let [_, (_, place), ..] = uses.as_slice() {
                    let problem = format!("the {kind} `{}` has different numbers of arguments", self.word(*name));
                    self.warn(*place, problem, "they are different things to the reasoner: use two names");
                }
            }
        }
        for (name, uses) in &functions {
            if relations.contains_key(name) && uses.iter().any(|(arity, _)| *arity > 0) {
                let problem = format!("`{}` is a relation and a function", self.word(*name));
                self.warn(uses[0].1, problem, "use two names");
            }
        }
        for (predicate, place) in &read {
            if !produced.contains(predicate) && !matches!(predicate.0, TRUE | DOES) {
                let problem = format!("nothing says `{}`, so it never holds", self.word(predicate.0));
                self.warn(*place, problem, "add a rule, or check the spelling and the number of arguments");
            }
        }
        let mut told = HashSet::new();
        for rule in &self.rules.rules {
            let predicate = rule.head.predicate();
            let own = rule.head.name as usize >= KEYWORDS.len();
            if own && !read.contains_key(&predicate) && told.insert(predicate) {
                self.warn(rule.place, format!("`{}` is never read", self.word(predicate.0)), "remove it, or use it");
            }
        }
    }

    fn goals(&mut self) {
        let mut constants: HashMap<&Term, &Term> = HashMap::new();
        for rule in self.rules.rules.iter().filter(|rule| rule.head.name == GOAL) {
            let [role, Term::Compound(value, nothing)] = rule.head.arguments.as_slice() else { continue };
            let number = nothing.is_empty().then(|| self.word(*value).parse::<u8>().ok()).flatten();
            if number.is_none_or(|number| number > 100) {
                let problem = format!("`{}` as a goal", self.word(*value));
                self.warn(rule.place, problem, "goals are whole numbers from 0 to 100");
            }
            let value = &rule.head.arguments[1];
            if rule.body.is_empty() && constants.insert(role, value).is_some_and(|other| other != value) {
                self.warn(rule.place, "two goals of one role that always hold", "keep one of them");
            }
        }
    }
}

#[derive(Default)]
struct Usage {
    relations: HashMap<Name, Vec<(usize, Place)>>,
    functions: HashMap<Name, Vec<(usize, Place)>>,
    produced: HashSet<Predicate>,
    read: HashMap<Predicate, Place>,
}

impl Usage {
    fn sentence(&mut self, sentence: &Sentence, place: Place) {
        note(&mut self.relations, sentence.name, sentence.arguments.len(), place);
        sentence.arguments.iter().for_each(|argument| self.term(argument, place));
    }

    fn term(&mut self, term: &Term, place: Place) {
        if let Term::Compound(name, arguments) = term {
            // A constant may share its name with a function: `(mark 1)` and `mark` are common.
            if !arguments.is_empty() {
                note(&mut self.functions, *name, arguments.len(), place);
            }
            arguments.iter().for_each(|argument| self.term(argument, place));
        }
    }
}

fn note(table: &mut HashMap<Name, Vec<(usize, Place)>>, name: Name, arity: usize, place: Place) {
    let uses = table.entry(name).or_default();
    if !uses.iter().any(|(known, _)| *known == arity) {
        uses.push((arity, place));
    }
}

/// Sheets with negation within a circle may compare so many conditions with heads of rules.
const MOST_PAIRS: usize = 10_000_000;

/// For each rule the rules whose heads one of its conditions may match.
fn rule_graph(rules: &[Rule], heads: &HashMap<Predicate, Vec<u32>>) -> Graph {
    let mut graph = Graph::default();
    for rule in rules {
        let mut found = Vec::new();
        for literal in &rule.body {
            sentences(literal, false, &mut |sentence, _| {
                let candidates = heads.get(&sentence.predicate()).into_iter().flatten().copied();
                found.extend(candidates.filter(|&other| may_match(sentence, &rules[other as usize].head)));
            });
        }
        graph.push(found);
    }
    graph
}

/// Whether two sentences of one relation can have an instance in common, taking variables for anything at all.
pub(crate) fn may_match(left: &Sentence, right: &Sentence) -> bool {
    fn terms(left: &Term, right: &Term) -> bool {
        match (left, right) {
            (Term::Compound(one, these), Term::Compound(other, those)) => {
                one == other && these.len() == those.len() && these.iter().zip(those).all(|(a, b)| terms(a, b))
            }
            _ => true,
        }
    }
    left.predicate() == right.predicate() && left.arguments.iter().zip(&right.arguments).all(|(a, b)| terms(a, b))
}

/// The variables that a condition binds whenever it holds.
fn binds(literal: &Literal) -> HashSet<u32> {
    let mut bound = HashSet::new();
    match literal {
        Literal::Sentence(sentence) => sentence.variables(&mut |variable| {
            bound.insert(variable);
        }),
        Literal::Or(members) => {
            let mut each = members.iter().map(binds);
            bound = each.next().unwrap_or_default();
            each.for_each(|other| bound.retain(|variable| other.contains(variable)));
        }
        Literal::Not(_) | Literal::Distinct(..) => {}
    }
    bound
}

/// The variables that a condition needs to be bound elsewhere.
fn needs(literal: &Literal, needed: &mut Vec<(u32, &'static str)>) {
    match literal {
        Literal::Sentence(_) => {}
        Literal::Or(members) => members.iter().for_each(|member| needs(member, needed)),
        Literal::Not(inner) => {
            sentences(inner, true, &mut |sentence, _| {
                sentence.variables(&mut |variable| needed.push((variable, "`not`")));
            });
            distinct_terms(inner, &mut |term| term.variables(&mut |variable| needed.push((variable, "`not`"))));
        }
        Literal::Distinct(left, right) => {
            for term in [left, right] {
                term.variables(&mut |variable| needed.push((variable, "`distinct`")));
            }
        }
    }
}

/// Calls `visit` with every sentence of a condition and whether it is negated.
pub(crate) fn sentences<'a>(literal: &'a Literal, negated: bool, visit: &mut impl FnMut(&'a Sentence, bool)) {
    match literal {
        Literal::Sentence(sentence) => visit(sentence, negated),
        Literal::Not(inner) => sentences(inner, true, visit),
        Literal::Or(members) => members.iter().for_each(|member| sentences(member, negated, visit)),
        Literal::Distinct(..) => {}
    }
}

fn distinct_terms<'a>(literal: &'a Literal, visit: &mut impl FnMut(&'a Term)) {
    match literal {
        Literal::Sentence(_) => {}
        Literal::Not(inner) => distinct_terms(inner, visit),
        Literal::Or(members) => members.iter().for_each(|member| distinct_terms(member, visit)),
        Literal::Distinct(left, right) => {
            visit(left);
            visit(right);
        }
    }
}

/// A recursive condition of the rule with an argument that nothing outside the recursion limits.
fn unbounded<'a>(rule: &'a Rule, together: &impl Fn(&Sentence) -> bool) -> Option<&'a Sentence> {
    let mut limited = HashSet::new();
    for literal in &rule.body {
        if let Literal::Sentence(sentence) = literal {
            if !together(sentence) {
                sentence.variables(&mut |variable| {
                    limited.insert(variable);
                });
            }
        } else if let Literal::Or(members) = literal {
            let outside = members.iter().all(|member| matches!(member, Literal::Sentence(each) if !together(each)));
            if outside {
                limited.extend(binds(literal));
            }
        }
    }
    let mut found = None;
    let of_head: HashSet<&Term> = rule.head.arguments.iter().collect();
    for literal in &rule.body {
        sentences(literal, false, &mut |sentence, _| {
            let free = |argument: &Term| {
                let mut all = true;
                argument.variables(&mut |variable| all &= limited.contains(&variable));
                !all && !of_head.contains(argument)
            };
            if together(sentence) && sentence.arguments.iter().any(free) {
                found = found.or(Some(sentence));
            }
        });
    }
    found
}
