//! Which operators an attention is over.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::motif::{MotifKind, UnknownMotif};

/// The operators of MotifNet-m and of the full polynomial: named, or to be found.
///
/// ```
/// use motifnet::motif::MotifKind;
/// use motifnet::train::MotifChoice;
///
/// let choice: MotifChoice = "U,M5,u".parse()?;
/// assert_eq!(choice.kinds(), [MotifKind::Undirected, MotifKind::M5]);
/// assert_eq!("auto".parse(), Ok(MotifChoice::Auto));
/// # Ok::<(), motifnet::motif::UnknownMotif>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MotifChoice {
    /// Those that a network over [`CANDIDATES`] attends to.
    Auto,
    /// These, each once.
    These(Vec<MotifKind>),
}

/// What the paper chose its operators from: the thirteen motifs, `U`, `in` and `out`.
pub const CANDIDATES: [MotifKind; 16] = [
    MotifKind::Undirected,
    MotifKind::In,
    MotifKind::Out,
    MotifKind::M1,
    MotifKind::M2,
    MotifKind::M3,
    MotifKind::M4,
    MotifKind::M5,
    MotifKind::M6,
    MotifKind::M7,
    MotifKind::M8,
    MotifKind::M9,
    MotifKind::M10,
    MotifKind::M11,
    MotifKind::M12,
    MotifKind::M13,
];

impl MotifChoice {
    /// The operators; the candidates where they are still to be found.
    pub fn kinds(&self) -> &[MotifKind] {
        match self {
            Self::Auto => &CANDIDATES,
            Self::These(kinds) => kinds,
        }
    }

    fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, UnknownMotif> {
        let mut kinds: Vec<MotifKind> = Vec::new();
        for word in words.into_iter().map(str::trim) {
            let named = match word.to_ascii_lowercase().as_str() {
                "auto" => return Ok(Self::Auto),
                "all" => MotifKind::ALL.to_vec(),
                _ => vec![word.parse()?],
            };
            kinds.extend(named);
        }
        let mut seen = Vec::new();
        kinds.retain(|kind| {
            !seen.contains(kind) && {
                seen.push(*kind);
                true
            }
        });
        Ok(Self::These(kinds))
    }
}

impl FromStr for MotifChoice {
    type Err = UnknownMotif;

    fn from_str(text: &str) -> Result<Self, UnknownMotif> {
        Self::of_words(text.split(','))
    }
}

impl fmt::Display for MotifChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::These(kinds) => {
                let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

impl Serialize for MotifChoice {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => to.serialize_str("auto"),
            Self::These(kinds) => kinds.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for MotifChoice {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected motifs, as [\"U\", \"M5\"] or \"U,M5\"")]
        enum Form {
            Text(String),
            List(Vec<String>),
        }
        let choice = match Form::deserialize(from)? {
            Form::Text(text) => text.parse(),
            Form::List(words) => Self::of_words(words.iter().map(String::as_str)),
        };
        choice.map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_lists_mean_the_same_and_come_back() {
        let choice: MotifChoice = "U, m5 ,U".parse().unwrap();
        assert_eq!(choice.to_string(), "U,M5");
        assert_eq!(choice.to_string().parse(), Ok(choice.clone()));
        let json = serde_json::to_string(&choice).unwrap();
        assert_eq!(json, r#"["U","M5"]"#);
        for json in [json.as_str(), r#""U,M5""#] {
            assert_eq!(serde_json::from_str::<MotifChoice>(json).unwrap(), choice);
        }
        assert_eq!(serde_json::from_str::<MotifChoice>("\"auto\"").unwrap(), MotifChoice::Auto);
        let MotifChoice::These(all) = "all".parse().unwrap() else { panic!("not these") };
        assert_eq!(all, MotifKind::ALL);
    }

    #[test]
    fn what_is_no_motif_is_told() {
        let message = |json| serde_json::from_str::<MotifChoice>(json).unwrap_err().to_string();
        assert!(message("[\"M14\"]").starts_with("there is no motif \"M14\""));
        assert!(message("7").starts_with("expected motifs, as"));
    }
}
