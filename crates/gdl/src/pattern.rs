//! Terms of clauses as a reasoner sees them: what is known of them beforehand, what they bind, what they build.

use crate::rules::{Name, Sentence, Term};
use crate::terms::{TermId, Terms, mix_in};

/// A key of an index. Multiplications leave the low bits poor, so the high ones are folded into them.
pub(crate) fn spread(key: u64) -> u64 {
    key ^ (key >> 32)
}

/// What part of a sentence a look-up knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum KeyShape {
    Key,
    Any,
    Compound(Name, Vec<KeyShape>),
}

pub(crate) fn collect_keys(terms: &Terms, shapes: &[KeyShape], arguments: &[TermId], keys: &mut Vec<TermId>) -> bool {
    shapes.iter().zip(arguments).all(|(shape, &argument)| match shape {
        KeyShape::Key => {
            keys.push(argument);
            true
        }
        KeyShape::Any => true,
        KeyShape::Compound(name, inner) => {
            let below = terms.arguments(argument);
            terms.name(argument) == *name && below.len() == inner.len() && collect_keys(terms, inner, below, keys)
        }
    })
}

pub(crate) fn key_of(terms: &Terms, shapes: &[KeyShape], tuple: TermId) -> Option<u64> {
    fn fold(terms: &Terms, shapes: &[KeyShape], arguments: &[TermId], key: &mut u64) -> bool {
        shapes.iter().zip(arguments).all(|(shape, &argument)| match shape {
            KeyShape::Key => {
                *key = mix_in(*key, argument);
                true
            }
            KeyShape::Any => true,
            KeyShape::Compound(name, inner) => {
                let below = terms.arguments(argument);
                terms.name(argument) == *name && below.len() == inner.len() && fold(terms, inner, below, key)
            }
        })
    }
    let mut key = 0;
    fold(terms, shapes, terms.arguments(tuple), &mut key).then(|| spread(key))
}

/// A term of a clause as the join sees it: which variables are met here for the first time.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Bind(usize),
    Check(usize),
    Ground(TermId),
    Compound(Name, Vec<Pattern>),
}

impl Pattern {
    pub(crate) fn matches(&self, terms: &Terms, term: TermId, bindings: &mut [TermId]) -> bool {
        match self {
            Self::Bind(variable) => {
                bindings[*variable] = term;
                true
            }
            Self::Check(variable) => bindings[*variable] == term,
            Self::Ground(ground) => *ground == term,
            Self::Compound(name, inner) => {
                let arguments = terms.arguments(term);
                terms.name(term) == *name
                    && arguments.len() == inner.len()
                    && inner.iter().zip(arguments).all(|(each, &argument)| each.matches(terms, argument, bindings))
            }
        }
    }
}

/// A term or sentence all of whose variables are known.
#[derive(Clone, Debug)]
pub(crate) enum Template {
    Variable(usize),
    Ground(TermId),
    Compound(Name, Vec<Template>),
}

impl Template {
    pub(crate) fn of(terms: &mut Terms, term: &Term) -> Self {
        match term {
            Term::Variable(variable) => Self::Variable(*variable as usize),
            Term::Compound(name, arguments) => match terms.ground(term) {
                Some(ground) => Self::Ground(ground),
                None => Self::Compound(*name, arguments.iter().map(|each| Self::of(terms, each)).collect()),
            },
        }
    }

    pub(crate) fn build(&self, terms: &mut Terms, bindings: &[TermId]) -> TermId {
        match self {
            Self::Variable(variable) => bindings[*variable],
            Self::Ground(term) => *term,
            Self::Compound(name, inner) => {
                let mut small = [0; 12];
                if inner.len() <= small.len() {
                    for (place, each) in small.iter_mut().zip(inner) {
                        *place = each.build(terms, bindings);
                    }
                    terms.intern(*name, &small[..inner.len()])
                } else {
                    let arguments: Vec<TermId> = inner.iter().map(|each| each.build(terms, bindings)).collect();
                    terms.intern(*name, &arguments)
                }
            }
        }
    }

    /// The term, if it has been met.
    pub(crate) fn find(&self, terms: &Terms, bindings: &[TermId]) -> Option<TermId> {
        match self {
            Self::Variable(variable) => Some(bindings[*variable]),
            Self::Ground(term) => Some(*term),
            Self::Compound(name, inner) => {
                let mut small = [0; 12];
                if inner.len() <= small.len() {
                    for (place, each) in small.iter_mut().zip(inner) {
                        *place = each.find(terms, bindings)?;
                    }
                    terms.find(*name, &small[..inner.len()])
                } else {
                    let found = inner.iter().map(|each| each.find(terms, bindings)).collect::<Option<Vec<_>>>()?;
                    terms.find(*name, &found)
                }
            }
        }
    }

    pub(crate) fn sentence(terms: &mut Terms, sentence: &Sentence) -> Self {
        Self::of(terms, &Term::Compound(sentence.name, sentence.arguments.clone()))
    }
}

/// Whether a sentence is as the pattern of its arguments says; binds what it meets.
#[inline]
pub(crate) fn fits(pattern: &[Pattern], terms: &Terms, tuple: TermId, bindings: &mut [TermId]) -> bool {
    fits_all(pattern, terms, terms.arguments(tuple), bindings)
}

/// Whether all terms are as their patterns say; binds what they meet.
#[inline]
pub(crate) fn fits_all(pattern: &[Pattern], terms: &Terms, arguments: &[TermId], bindings: &mut [TermId]) -> bool {
    pattern.iter().zip(arguments).all(|(each, &argument)| each.matches(terms, argument, bindings))
}

pub(crate) fn is_known(term: &Term, bound: &[bool]) -> bool {
    match term {
        Term::Variable(variable) => bound[*variable as usize],
        Term::Compound(_, arguments) => arguments.iter().all(|each| is_known(each, bound)),
    }
}

pub(crate) fn shape_of(term: &Term, bound: &[bool]) -> KeyShape {
    match term {
        _ if is_known(term, bound) => KeyShape::Key,
        Term::Variable(_) => KeyShape::Any,
        Term::Compound(name, arguments) => {
            KeyShape::Compound(*name, arguments.iter().map(|each| shape_of(each, bound)).collect())
        }
    }
}

/// A shape that says no more than the relation is looked through from end to end.
pub(crate) fn has_key(shapes: &[KeyShape]) -> bool {
    shapes.iter().any(|shape| !matches!(shape, KeyShape::Any))
}

pub(crate) fn key_templates(term: &Term, bound: &[bool], terms: &mut Terms, keys: &mut Vec<Template>) {
    match term {
        _ if is_known(term, bound) => keys.push(Template::of(terms, term)),
        Term::Variable(_) => {}
        Term::Compound(_, arguments) => arguments.iter().for_each(|each| key_templates(each, bound, terms, keys)),
    }
}

pub(crate) fn pattern_of(term: &Term, bound: &mut [bool], terms: &mut Terms) -> Pattern {
    match term {
        Term::Variable(variable) => {
            let variable = *variable as usize;
            if std::mem::replace(&mut bound[variable], true) {
                Pattern::Check(variable)
            } else {
                Pattern::Bind(variable)
            }
        }
        Term::Compound(name, arguments) => match terms.ground(term) {
            Some(ground) => Pattern::Ground(ground),
            None => Pattern::Compound(*name, arguments.iter().map(|each| pattern_of(each, bound, terms)).collect()),
        },
    }
}
