//! Stacks apart. The words of the stacks of a warp's threads lie together, so that threads in step read them together; where
//! few threads of a warp play, each word is alone in its line of the cache. Here the largest stack of a kernel, that of
//! `play`, moves to memory of the thread's own behind all slices, where it takes as many lines as it has bytes.

use std::fmt::Write as _;

/// Bytes of a line of the cache.
pub const LINE: u64 = 128;

/// Before the stack of `play` stands this, and after it the bytes.
const DEPOT: &str = ".b8 \t__local_depot0[";

/// The line by which [`bytes`] knows a text that was changed.
const APART: &str = "// bytes of a stack apart: ";

/// Bytes between the stacks of two threads. An odd number of lines, so that stacks do not meet in the same places of a
/// cache.
fn stride(text: &str) -> Option<u64> {
    let (_, rest) = text.split_once(DEPOT)?;
    let bytes: u64 = rest.split(']').next()?.parse().ok()?;
    Some((bytes.div_ceil(LINE) | 1) * LINE)
}

/// Bytes that each thread needs behind the slices; none where the text was not changed.
pub fn bytes(text: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(APART));
    line.and_then(|bytes| bytes.parse().ok()).unwrap_or_default()
}

/// The text of a kernel, changed so that the stack of `play` lies behind the slices; `None` if it has another form than
/// what the compiler makes now.
pub fn stacks_apart(text: &str) -> Option<String> {
    let stride = stride(text)?;
    let start = text.find(".entry play(")?;
    let length = text[start..].find("\n}\n")?;
    let (before, rest) = text.split_at(start);
    let (play, after) = rest.split_at(length);
    let mut changed = String::with_capacity(text.len() + 2048);
    changed.push_str(before);
    let mut is_set = false;
    for line in play.lines() {
        if line.contains(DEPOT) {
            let _ = writeln!(changed, "{APART}{stride}");
            changed.push_str("\t.reg .b32 \t%apart<8>;\n\t.reg .b64 \t%aside<6>;\n");
        } else if line.contains("%SPL, __local_depot0;") {
            is_set = true;
            let _ = write!(
                changed,
                "\tmov.u32 \t%apart0, %tid.x;\n\tmov.u32 \t%apart1, %ntid.x;\n\tmov.u32 \t%apart2, %ctaid.x;\n\
                 \tmov.u32 \t%apart3, %nctaid.x;\n\tld.param.b32 \t%apart4, [play_param_3];\n\
                 \tmad.lo.u32 \t%apart5, %apart2, %apart1, %apart0;\n\tshr.u32 \t%apart5, %apart5, 5;\n\
                 \tand.b32 \t%apart6, %apart0, 31;\n\tmad.lo.u32 \t%apart5, %apart5, %apart4, %apart6;\n\
                 \tmul.lo.u32 \t%apart7, %apart3, %apart1;\n\tshr.u32 \t%apart7, %apart7, 5;\n\
                 \tmul.lo.u32 \t%apart7, %apart7, %apart4;\n\
                 \tld.param.b64 \t%aside0, [play_param_1];\n\tld.param.b64 \t%aside1, [play_param_2];\n\
                 \tcvt.u64.u32 \t%aside2, %apart7;\n\tmad.lo.u64 \t%aside3, %aside2, %aside1, %aside0;\n\
                 \tadd.u64 \t%aside3, %aside3, 127;\n\tand.b64 \t%aside3, %aside3, -128;\n\
                 \tmul.wide.u32 \t%aside4, %apart5, {stride};\n\tadd.u64 \t%SPL, %aside3, %aside4;\n"
            );
        } else if line.contains("cvta.local.u64") || line.contains("cvta.to.local.u64") {
            let line = line.replace("cvta.local.u64", "mov.b64").replace("cvta.to.local.u64", "mov.b64");
            changed.push_str(&line);
            changed.push('\n');
        } else {
            changed.push_str(&line.replace("ld.local.", "ld.global.").replace("st.local.", "st.global."));
            changed.push('\n');
        }
    }
    changed.pop();
    changed.push_str(after);
    is_set.then_some(changed)
}
