//! What instructions that only compute mean. Operands are cut to their types, results are filled up with zeros.

/// What is computed of up to three operands.
pub type Meaning = fn(u64, u64, u64) -> u64;

/// A number as a register holds it.
pub trait Value: Copy {
    fn of(word: u64) -> Self;
    fn word(self) -> u64;
}

macro_rules! values {
    ($($type:ty, $unsigned:ty;)+) => {$(
        impl Value for $type {
            fn of(word: u64) -> Self {
                word as $type
            }

            fn word(self) -> u64 {
                self as $unsigned as u64
            }
        }
    )+};
}

values! { u8, u8; u16, u16; u32, u32; u64, u64; u128, u128; i8, u8; i16, u16; i32, u32; i64, u64; i128, u128; }

impl Value for bool {
    fn of(word: u64) -> Self {
        word != 0
    }

    fn word(self) -> u64 {
        u64::from(self)
    }
}

impl Value for f32 {
    fn of(word: u64) -> Self {
        f32::from_bits(word as u32)
    }

    fn word(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Value for f64 {
    fn of(word: u64) -> Self {
        f64::from_bits(word)
    }

    fn word(self) -> u64 {
        self.to_bits()
    }
}

/// The number of operands and the meaning of an expression over typed ones.
macro_rules! on {
    (|$a:ident: $x:ty| $result:expr) => {
        (1, (|a, _, _| on!(@ $result, $a: $x = a)) as Meaning)
    };
    (|$a:ident: $x:ty, $b:ident: $y:ty| $result:expr) => {
        (2, (|a, b, _| on!(@ $result, $a: $x = a, $b: $y = b)) as Meaning)
    };
    (|$a:ident: $x:ty, $b:ident: $y:ty, $c:ident: $z:ty| $result:expr) => {
        (3, (|a, b, c| on!(@ $result, $a: $x = a, $b: $y = b, $c: $z = c)) as Meaning)
    };
    (@ $result:expr, $($name:ident: $type:ty = $word:ident),+) => {{
        $(let $name = <$type as Value>::of($word);)+
        Value::word($result)
    }};
}
pub(super) use on;

macro_rules! whole {
    ($operation:expr, $type:ty, $twice:ty) => {
        match $operation {
            "mov" => on!(|a: $type| a),
            "add" => on!(|a: $type, b: $type| a.wrapping_add(b)),
            "sub" => on!(|a: $type, b: $type| a.wrapping_sub(b)),
            "mul.lo" => on!(|a: $type, b: $type| a.wrapping_mul(b)),
            "mul.hi" => on!(|a: $type, b: $type| ((a as $twice * b as $twice) >> <$type>::BITS) as $type),
            "mul.wide" => on!(|a: $type, b: $type| a as $twice * b as $twice),
            "mad.lo" => on!(|a: $type, b: $type, c: $type| a.wrapping_mul(b).wrapping_add(c)),
            "mad.wide" => on!(|a: $type, b: $type, c: $twice| (a as $twice * b as $twice).wrapping_add(c)),
            // What a division by zero gives is left open; this is what cards give.
            "div" => on!(|a: $type, b: $type| if b == 0 { !0 } else { a.wrapping_div(b) }),
            "rem" => on!(|a: $type, b: $type| if b == 0 { a } else { a.wrapping_rem(b) }),
            "neg" => on!(|a: $type| (0 as $type).wrapping_sub(a)),
            "abs" => on!(|a: $type| if a.cmp(&0).is_lt() { (0 as $type).wrapping_sub(a) } else { a }),
            "min" => on!(|a: $type, b: $type| a.min(b)),
            "max" => on!(|a: $type, b: $type| a.max(b)),
            "and" => on!(|a: $type, b: $type| a & b),
            "or" => on!(|a: $type, b: $type| a | b),
            "xor" => on!(|a: $type, b: $type| a ^ b),
            "not" => on!(|a: $type| !a),
            // Shifts by the width and more leave nothing, or the sign.
            "shl" => on!(|a: $type, n: u32| a.checked_shl(n).unwrap_or(0)),
            "shr" => on!(|a: $type, n: u32| a.checked_shr(n).unwrap_or(a >> (<$type>::BITS - 1) >> 1)),
            "popc" => on!(|a: $type| a.count_ones()),
            "clz" => on!(|a: $type| a.leading_zeros()),
            "brev" => on!(|a: $type| a.reverse_bits()),
            "selp" => on!(|a: $type, b: $type, p: bool| if p { a } else { b }),
            "setp.eq" => on!(|a: $type, b: $type| a == b),
            "setp.ne" => on!(|a: $type, b: $type| a != b),
            "setp.lt" => on!(|a: $type, b: $type| a < b),
            "setp.le" => on!(|a: $type, b: $type| a <= b),
            "setp.gt" => on!(|a: $type, b: $type| a > b),
            "setp.ge" => on!(|a: $type, b: $type| a >= b),
            _ => return None,
        }
    };
}

/// The bits of `a` from `p` on, `n` of them.
macro_rules! field {
    ($type:ty) => {
        on!(|a: $type, p: u8, n: u8| {
            let high = a.checked_shr(u32::from(p)).unwrap_or(0);
            (1 as $type).checked_shl(u32::from(n)).map_or(high, |bit| high & (bit - 1))
        })
    };
}

macro_rules! real {
    ($operation:expr, $type:ty) => {
        match $operation {
            // Without `.rn` a card may fuse a product and a sum into one: that is not what the library computes.
            "add.rn" => on!(|a: $type, b: $type| a + b),
            "sub.rn" => on!(|a: $type, b: $type| a - b),
            "mul.rn" => on!(|a: $type, b: $type| a * b),
            "div.rn" => on!(|a: $type, b: $type| a / b),
            "rcp.rn" => on!(|a: $type| 1.0 / a),
            "sqrt.rn" => on!(|a: $type| a.sqrt()),
            "fma.rn" => on!(|a: $type, b: $type, c: $type| a.mul_add(b, c)),
            "neg" => on!(|a: $type| -a),
            "abs" => on!(|a: $type| a.abs()),
            // The sign is that of the first.
            "copysign" => on!(|a: $type, b: $type| b.copysign(a)),
            // A number wins against NaN, and -0 is less than 0.
            "min" => on!(|a: $type, b: $type| {
                if a == b { <$type>::from_bits(a.to_bits() | b.to_bits()) } else { a.min(b) }
            }),
            "max" => on!(|a: $type, b: $type| {
                if a == b { <$type>::from_bits(a.to_bits() & b.to_bits()) } else { a.max(b) }
            }),
            "selp" => on!(|a: $type, b: $type, p: bool| if p { a } else { b }),
            "mov" => on!(|a: $type| a),
            "setp.eq" => on!(|a: $type, b: $type| a == b),
            "setp.ne" => on!(|a: $type, b: $type| a != b && !a.is_nan() && !b.is_nan()),
            "setp.lt" => on!(|a: $type, b: $type| a < b),
            "setp.le" => on!(|a: $type, b: $type| a <= b),
            "setp.gt" => on!(|a: $type, b: $type| a > b),
            "setp.ge" => on!(|a: $type, b: $type| a >= b),
            // With `u` it is also true of NaN.
            "setp.equ" => on!(|a: $type, b: $type| a == b || a.is_nan() || b.is_nan()),
            "setp.neu" => on!(|a: $type, b: $type| a != b),
            "setp.ltu" => on!(|a: $type, b: $type| a < b || a.is_nan() || b.is_nan()),
            "setp.leu" => on!(|a: $type, b: $type| a <= b || a.is_nan() || b.is_nan()),
            "setp.gtu" => on!(|a: $type, b: $type| a > b || a.is_nan() || b.is_nan()),
            "setp.geu" => on!(|a: $type, b: $type| a >= b || a.is_nan() || b.is_nan()),
            "setp.num" => on!(|a: $type, b: $type| !a.is_nan() && !b.is_nan()),
            "setp.nan" => on!(|a: $type, b: $type| a.is_nan() || b.is_nan()),
            _ => return None,
        }
    };
}

/// Four bytes out of eight; the highest bit of a choice asks for the sign of the byte alone.
fn permuted(a: u32, b: u32, choices: u32) -> u32 {
    let bytes = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
    u32::from_le_bytes([0, 4, 8, 12].map(|shift| {
        let choice = choices >> shift;
        let byte = bytes[choice as usize & 7];
        if choice & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
    }))
}

/// Two words as one.
fn joined(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The number of operands and the meaning of an instruction that only computes; `None` if it is unknown.
pub fn meaning(opcode: &str) -> Option<(usize, Meaning)> {
    Some(match opcode {
        "prmt.b32" => on!(|a: u32, b: u32, c: u32| permuted(a, b, c)),
        "shf.l.wrap.b32" => on!(|a: u32, b: u32, n: u32| ((joined(a, b) << (n & 31)) >> 32) as u32),
        "shf.r.wrap.b32" => on!(|a: u32, b: u32, n: u32| (joined(a, b) >> (n & 31)) as u32),
        "shf.l.clamp.b32" => on!(|a: u32, b: u32, n: u32| ((joined(a, b) << n.min(32)) >> 32) as u32),
        "shf.r.clamp.b32" => on!(|a: u32, b: u32, n: u32| (joined(a, b) >> n.min(32)) as u32),
        "bfe.u32" => field!(u32),
        "bfe.u64" => field!(u64),
        "cvta.local.u64" | "cvta.global.u64" | "cvta.to.local.u64" | "cvta.to.global.u64" => on!(|a: u64| a),
        // One thread alone answers for all.
        "vote.sync.any.pred" | "vote.sync.all.pred" => on!(|p: bool, _members: u32| p),
        _ => match opcode.rsplit_once('.')? {
            (operation, "pred") => match operation {
                "mov" => on!(|a: bool| a),
                "and" => on!(|a: bool, b: bool| a & b),
                "or" => on!(|a: bool, b: bool| a | b),
                "xor" => on!(|a: bool, b: bool| a ^ b),
                "not" => on!(|a: bool| !a),
                _ => return None,
            },
            (operation, "b16" | "u16") => whole!(operation, u16, u32),
            (operation, "b32" | "u32") => whole!(operation, u32, u64),
            (operation, "b64" | "u64") => whole!(operation, u64, u128),
            (operation, "s16") => whole!(operation, i16, i32),
            (operation, "s32") => whole!(operation, i32, i64),
            (operation, "s64") => whole!(operation, i64, i128),
            (operation, "f32") => real!(operation, f32),
            (operation, "f64") => real!(operation, f64),
            _ => return None,
        },
    })
}
