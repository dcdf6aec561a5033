//! The trainings as a table for other programs.

use std::fmt::Write;

use super::results::PaperResults;

const HEADER: &str = "model,order,split,seed,parameters,test_accuracy,val_accuracy,test_loss,\
                      val_loss,best_epoch,epochs,n_train,n_validation,n_test\n";

impl PaperResults {
    /// A row a training, as CSV. Numbers have all their digits.
    pub fn to_csv(&self) -> String {
        let mut csv = HEADER.to_owned();
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        for result in &self.entries {
            for training in &result.trainings {
                let metrics = &training.metrics;
                // Writing to a string cannot fail.
                let _ = writeln!(
                    csv,
                    "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                    result.entry.contestant,
                    result.entry.order,
                    training.split + 1,
                    training.seed,
                    metrics.parameters,
                    number(metrics.test_accuracy),
                    metrics.val_accuracy,
                    number(metrics.test_loss),
                    number(metrics.val_loss),
                    metrics.best_epoch,
                    metrics.epochs,
                    training.n_train,
                    training.n_validation,
                    training.n_test,
                );
            }
        }
        csv
    }
}
