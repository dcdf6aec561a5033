//! The command line that trains with given settings.

use motifnet::train::{SETTING_KEYS, Settings};

/// The `motifnet train` that makes these settings: what differs from the defaults.
pub(super) fn train_line(settings: &Settings) -> String {
    let defaults = Settings::default();
    let mut line = "motifnet train".to_owned();
    for key in &SETTING_KEYS {
        let value = settings.text_of(key.path);
        if let Some(value) =
            value.filter(|value| defaults.text_of(key.path).as_ref() != Some(value))
        {
            line += &format!(" --set {}", quoted(&format!("{}={value}", key.path)));
        }
    }
    line
}

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./,=:+@%".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_set_and_comes_back() {
        let mut settings = Settings::default();
        let given = [
            "data.arcs=7",
            "data.split=stratified 60/20/20",
            "model.motifs=U,M5",
            "model.dropout=0.1,0.2,0.3,0.4",
            "train.lr=0.25",
            "features.scale=false",
        ];
        for text in given {
            settings.set_text(text, "--set").unwrap();
        }
        let line = train_line(&settings);
        assert_eq!(line.matches(" --set ").count(), given.len(), "{line}");
        let mut again = Settings::default();
        for set in line.split(" --set ").skip(1) {
            again.set_text(set.trim_matches('\''), "--set").unwrap();
        }
        assert_eq!(again.config(), settings.config(), "{line}");
        assert_eq!(train_line(&Settings::default()), "motifnet train");
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_cut_them() {
        assert_eq!(
            ["a/b.c=1,2", "a b", "it's", "", "$x", "20 per class"].map(quoted),
            ["a/b.c=1,2", "'a b'", r"'it'\''s'", "''", "'$x'", "'20 per class'"]
        );
    }
}
