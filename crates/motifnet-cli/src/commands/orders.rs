//! Orders as they are typed.

use std::str::FromStr;

/// The largest order that makes sense to ask for.
const LARGEST: usize = 8;

/// Orders from 1 to 8, rising, each once.
///
/// `1,2,4` or `1-8`, or both mixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Orders(pub(super) Vec<usize>);

impl FromStr for Orders {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let order = |word: &str| match word.trim().parse() {
            Ok(order) if (1..=LARGEST).contains(&order) => Ok(order),
            _ => Err(format!("{word:?} is no order from 1 to {LARGEST}; write 1,2,4 or 1-8")),
        };
        let mut orders = Vec::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once('-') {
                Some((first, last)) => (order(first)?, order(last)?),
                None => (order(part)?, order(part)?),
            };
            if first > last {
                return Err(format!("{part:?} goes down; write {last}-{first}"));
            }
            orders.extend(first..=last);
        }
        orders.sort_unstable();
        orders.dedup();
        Ok(Self(orders))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_are_orders() {
        let orders = |text: &str| text.parse::<Orders>().map(|orders| orders.0);
        assert_eq!(orders("1,2,4"), Ok(vec![1, 2, 4]));
        assert_eq!(orders("1-3, 2-5,1"), Ok(vec![1, 2, 3, 4, 5]));
        assert!(orders("0").is_err_and(|message| message.starts_with("\"0\" is no order")));
        assert!(orders("9").is_err());
        assert!(orders("").is_err());
        assert_eq!(orders("5-2"), Err("\"5-2\" goes down; write 2-5".to_owned()));
    }
}
