//! Verdicts of the checker on sheets with one fault each, and on sheets that have broken reasoners.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{public, read, table};
use spinney_gdl::{Fault, Rules};

fn verdict(text: &str) -> &'static str {
    match Rules::parse(text).map(|rules| rules.check()) {
        Err(_) => "reject",
        Ok(report) if !report.is_valid() => "reject",
        Ok(report) if !report.warnings.is_empty() => "warn",
        Ok(_) => "accept",
    }
}

#[test]
fn sheets_with_one_fault() {
    let folder = common::data("invalid");
    let mut seen = 0;
    for row in table(&folder.join("expected.tsv")) {
        let text = read(&folder.join(&row[0]));
        assert_eq!(verdict(&text), row[1], "{}: {:?}", row[0], Rules::parse(&text).map(|rules| rules.check()));
        seen += 1;
    }
    assert_eq!(seen, 54);
}

#[test]
fn every_error_says_where_and_what_to_do() {
    for row in table(&common::data("invalid").join("expected.tsv")) {
        let text = read(&common::data("invalid").join(&row[0]));
        let lines: Vec<String> = match Rules::parse(&text) {
            Err(error) => vec![error.to_string()],
            Ok(rules) => rules.check().errors.iter().map(ToString::to_string).collect(),
        };
        for line in lines {
            assert!(line.starts_with("line 1, column ") || line.starts_with("rule sheet: "), "{line}");
            assert!(line.contains("; ") && !line.contains('\n'), "{line}");
        }
    }
}

#[test]
fn kinds_of_fault() {
    let kind = |file: &str| {
        let text = read(&common::data("invalid").join(file));
        Rules::parse(&text).unwrap().check().errors[0].fault
    };
    assert_eq!(kind("08_neg_cycle_direct.kif"), Fault::Negation);
    assert_eq!(kind("09_neg_cycle_indirect.kif"), Fault::Negation);
    assert_eq!(kind("14_recursion_restriction.kif"), Fault::Recursion);
    assert_eq!(kind("27_goal_depends_does.kif"), Fault::Dependency);
    assert_eq!(kind("36_case_mismatch.kif"), Fault::Spelling);
}

#[test]
fn sheets_that_have_broken_reasoners() {
    let Some(folder) = public("cases") else { return };
    let rejected = ["test_case_3b", "test_case_3e", "test_case_3f", "test_clean_not_distinct"];
    let warned = [
        "test_invalid_function_arities_differ",
        "test_invalid_sentence_arities_differ",
        "test_case_1a",
        "test_case_5d",
        "test_case_3a",
        "test_case_3c",
        "test_case_2c",
    ];
    for (name, text) in common::sheets(&folder) {
        let found = verdict(&text);
        let expected_rejection = rejected.contains(&name.as_str());
        assert_eq!(found == "reject", expected_rejection, "{name}: {:?}", Rules::parse(&text).unwrap().check().errors);
        if warned.contains(&name.as_str()) {
            assert_eq!(found, "warn", "{name}");
        }
    }
}

#[test]
fn public_sheets_are_valid() {
    let Some(folder) = public("sheets") else { return };
    for (name, text) in common::sheets(&folder) {
        let report = Rules::parse(&text).unwrap().check();
        assert!(report.is_valid(), "{name}: {}", report.errors[0]);
    }
}
