//! What is searched where nobody says what.

use crate::train::{ModelKind, SETTING_KEYS};

/// The search space of a model as the text of a TOML file, with what each key means: its order and its
/// operators as far as it has any, the width, dropout, the learning rate and weight decay, each
/// around what the paper used. The keys of a configuration in `held` are left out.
///
/// ```
/// use motifnet::experiment::{SearchSpace, default_space};
/// use motifnet::train::ModelKind;
///
/// let text = default_space(ModelKind::Chebnet, &["model.width", "train.decay"]);
/// let space = SearchSpace::parse(&text)?;
/// assert!(space.keys().eq(["model.order", "model.dropout", "train.lr"]));
/// # Ok::<(), motifnet::experiment::SearchError>(())
/// ```
pub fn default_space(model: ModelKind, held: &[&str]) -> String {
    let learns = model != ModelKind::Labelprop;
    let is_searched = |key: &str| learns && !held.contains(&key) && model.heeds(key);
    let mut text = "[tune]\n".to_owned();
    for (key, domain) in DOMAINS.iter().filter(|(key, _)| is_searched(key)) {
        // The terms of a full polynomial are as many as a power of its operators.
        let is_full = model == ModelKind::Polynomial && *key == "model.order";
        let domain = if is_full { "[1, 2]" } else { domain };
        if let Some(setting) = SETTING_KEYS.iter().find(|setting| setting.path == *key) {
            text += &format!("# {}\n{} = {domain}\n", setting.about, setting.name());
        }
    }
    text
}

const DOMAINS: [(&str, &str); 7] = [
    ("model.order", "[1, 2, 3]"),
    (
        "model.motifs",
        r#"[
    ["U", "in", "out"],
    ["U", "in", "out", "M5", "M8", "M9"],
    ["U", "in", "out", "M5", "M8", "M9", "M10"],
]"#,
    ),
    ("model.heads", "[1, 2, 4]"),
    ("model.width", "[32, 64, 130]"),
    ("model.dropout", "{ from = 0.2, to = 0.7 }"),
    ("train.lr", "{ from = 3e-4, to = 1e-2, log = true }"),
    ("train.decay", "{ from = 1e-5, to = 1e-2, log = true }"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::SearchSpace;
    use crate::nn::Network;
    use crate::train::{ModelConfig, Settings};

    fn space(model: ModelKind) -> Result<SearchSpace, String> {
        SearchSpace::parse(&default_space(model, &[])).map_err(|error| error.to_string())
    }

    #[test]
    fn every_model_that_learns_has_a_space_and_every_draw_is_a_setting() {
        for model in ModelKind::ALL {
            if model == ModelKind::Labelprop {
                assert!(space(model).unwrap_err().contains("nothing to try"));
                continue;
            }
            let space = space(model).unwrap();
            for trial in 0..20 {
                let mut settings = Settings::default();
                for (key, value) in space.sample(1, trial) {
                    settings.set(&key, value, "trial").unwrap();
                }
                let config = ModelConfig { kind: model, ..settings.config().model.clone() };
                let network = config.network().unwrap();
                if model.has_order() {
                    Network::new(&network, 8, 3, config.operators().len()).unwrap();
                }
            }
            // What a model does not have is not searched: all trials would be one.
            let keys: Vec<_> = space.keys().collect();
            assert_eq!(keys.contains(&"model.order"), model.has_order(), "{model}");
            assert_eq!(keys.contains(&"model.heads"), model == ModelKind::MotifnetM, "{model}");
        }
    }

    #[test]
    fn what_is_held_is_not_searched() {
        let text = default_space(ModelKind::MotifnetM, &["model.motifs", "train.lr"]);
        assert!(!text.contains("motifs = ") && !text.contains("lr = "), "{text}");
        assert!(text.contains("heads = [1, 2, 4]"), "{text}");
    }
}
