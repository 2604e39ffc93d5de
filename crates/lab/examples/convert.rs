use spinney_core::Seed;
use spinney_lab::Store;
use spinney_lab::measure::Quantity;
use spinney_lab::plan::{PortionId, Shard};
use spinney_lab::record::{Portion, VERSION};
use std::collections::{BTreeMap, HashMap};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let store = Store::open(arguments[1].as_ref()).unwrap();
    let places: HashMap<u64, usize> =
        store.plan.measurements.iter().enumerate().map(|(index, one)| (one.seed.value(), index)).collect();
    let mut found = BTreeMap::new();
    for line in std::fs::read_to_string(&arguments[2]).unwrap().lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let seed = Seed::new(2011).named(value["point"].as_str().unwrap()).value();
        let Some(&measurement) = places.get(&seed) else { continue };
        let one = &store.plan.measurements[measurement];
        let portion = value["portion"].as_u64().unwrap();
        assert!(portion < one.portions(), "{} {portion}", one.label());
        let count = if one.quantity == Quantity::Score { 1 } else { 2 };
        let list = |key: &str| -> Vec<f64> {
            value[key].as_array().unwrap()[..count].iter().map(|x| x.as_f64().unwrap()).collect()
        };
        let line = Portion {
            v: VERSION,
            cell: one.key.clone(),
            portion,
            count: value["count"].as_u64().unwrap(),
            sums: list("sums"),
            squares: list("squares"),
        };
        assert!(found.insert(PortionId { measurement, portion }, line).is_none());
    }
    let planned: u64 = store.plan.measurements.iter().map(|one| one.portions()).sum();
    let mut appender = store.append(Shard::WHOLE).unwrap();
    for line in found.values() {
        appender.add_portion(line).unwrap();
    }
    println!("{} of {planned} portions", found.len());
}
