//! What conversions between types mean.

use super::meaning::{Meaning, Value, on};
use super::text::bytes_of;

/// The expression with a type of whole numbers, by its name.
macro_rules! with_whole {
    ($name:expr, $alias:ident => $result:expr) => {
        match $name {
            "u8" => with_whole!(@ $alias, u8, $result),
            "u16" => with_whole!(@ $alias, u16, $result),
            "u32" => with_whole!(@ $alias, u32, $result),
            "u64" => with_whole!(@ $alias, u64, $result),
            "s8" => with_whole!(@ $alias, i8, $result),
            "s16" => with_whole!(@ $alias, i16, $result),
            "s32" => with_whole!(@ $alias, i32, $result),
            "s64" => with_whole!(@ $alias, i64, $result),
            _ => return None,
        }
    };
    (@ $alias:ident, $type:ty, $result:expr) => {{
        type $alias = $type;
        $result
    }};
}

/// The whole part of a number, the nearest there is; NaN is the highest bit if there are 64 bits on a side, else 0.
macro_rules! whole_part {
    ($from:ty, $to:ty) => {
        on!(|a: $from| {
            let is_long = size_of::<$from>() == 8 || size_of::<$to>() == 8;
            if a.is_nan() && is_long { 1 << (<$to>::BITS - 1) } else { a as $to }
        })
    };
}

/// The meaning of a conversion, by what stands after `cvt.` and the bytes of the register that it is written to; `None` if
/// it is unknown.
pub fn conversion(written: &str, bytes: u8) -> Option<(usize, Meaning)> {
    let parts: Vec<&str> = written.split('.').collect();
    let (rounding, to, from) = match parts[..] {
        [to, from] => ("", to, from),
        [rounding, to, from] => (rounding, to, from),
        _ => return None,
    };
    // A wider register would be filled up with the sign, which compilers do not ask for.
    if bytes_of(to) != Ok(bytes) {
        return None;
    }
    Some(match (rounding, to, from) {
        ("", "f64", "f32") => on!(|a: f32| f64::from(a)),
        ("rn", "f32", "f64") => on!(|a: f64| a as f32),
        ("rni", "f32", "f32") => on!(|a: f32| a.round_ties_even()),
        ("rni", "f64", "f64") => on!(|a: f64| a.round_ties_even()),
        ("rzi", "f32", "f32") => on!(|a: f32| a.trunc()),
        ("rzi", "f64", "f64") => on!(|a: f64| a.trunc()),
        ("rmi", "f32", "f32") => on!(|a: f32| a.floor()),
        ("rmi", "f64", "f64") => on!(|a: f64| a.floor()),
        ("rpi", "f32", "f32") => on!(|a: f32| a.ceil()),
        ("rpi", "f64", "f64") => on!(|a: f64| a.ceil()),
        ("rzi", to, "f32") => with_whole!(to, To => whole_part!(f32, To)),
        ("rzi", to, "f64") => with_whole!(to, To => whole_part!(f64, To)),
        ("rn", "f32", from) => with_whole!(from, From => on!(|a: From| a as f32)),
        ("rn", "f64", from) => with_whole!(from, From => on!(|a: From| a as f64)),
        ("", to, from) => with_whole!(from, From => with_whole!(to, To => on!(|a: From| a as To))),
        _ => return None,
    })
}
