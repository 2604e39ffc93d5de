//! Lists the kernels that lie in `ptx/`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=ptx");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("ptx");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .map(|entries| {
            let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
            names.filter_map(|name| name.strip_suffix(".ptx.gz").map(str::to_string)).collect()
        })
        .unwrap_or_default();
    names.sort();
    let mut text = String::from("/// Names and compressed texts.\nstatic PACKED: &[(&str, &[u8])] = &[\n");
    for name in names {
        let file = folder.join(format!("{name}.ptx.gz"));
        let _ = writeln!(text, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    text += "];\n";
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("kernels.rs");
    fs::write(out, text).expect("the build folder can be written to");
}
