//! Experiment files that come with the program.

/// An experiment file.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its folder and name below `experiments`, such as `quality-rewards/table-1`.
    pub name: &'static str,
    /// What is in it.
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        /// All of them, folder by folder.
        pub const FILES: &[File] = &[$(File {
            name: $name,
            text: include_str!(concat!("../../../experiments/", $name, ".toml")),
        }),+];
    };
}

files![
    "contextual/ablation",
    "contextual/helps-where",
    "contextual/over-b",
    "contextual/over-prob",
    "contextual/readings",
    "ggp/relative-bonus",
    "ggp/table-2",
    "ggp/table-2-at-250",
    "ggp/table-2-at-4000",
    "ggp/table-2-by-the-clock",
    "mast",
    "playouts",
    "quality-rewards/beyond",
    "quality-rewards/breakthrough-sigmoid",
    "quality-rewards/one-second",
    "quality-rewards/right-rules",
    "quality-rewards/table-1",
    "quality-rewards/table-3",
    "quality-rewards/table-4",
    "solver",
];

/// The file of this name.
pub fn find(name: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Experiment;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_file_is_there_and_can_be_read() {
        for file in FILES {
            assert!(Experiment::read(file.name, file.text).is_ok(), "{}", file.name);
        }
        fn count(folder: &Path) -> usize {
            let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
        assert_eq!(count(&folder), FILES.len(), "a file of {} is not listed", folder.display());
        assert!(find("quality-rewards/table-1").is_some() && find("../Cargo").is_none());
    }
}
