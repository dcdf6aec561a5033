//! Dropout rates in a configuration: one number, a list, or text with commas.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<S: Serializer>(rates: &[f64], to: S) -> Result<S::Ok, S::Error> {
    match rates {
        [rate] => rate.serialize(to),
        _ => rates.serialize(to),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a number, or a list with one for each layer")]
    enum Form {
        One(f64),
        List(Vec<f64>),
        Text(String),
    }
    match Form::deserialize(from)? {
        Form::One(rate) => Ok(vec![rate]),
        Form::List(rates) => Ok(rates),
        Form::Text(text) => {
            let rates = text.split(',').map(|rate| rate.trim().parse::<f64>());
            rates.collect::<Result<_, _>>().map_err(|_| {
                serde::de::Error::custom("expected a number, or one for each layer, as 0.5,0.5,0.2")
            })
        }
    }
}
