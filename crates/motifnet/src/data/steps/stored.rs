//! Fitted steps from what was stored of them: nothing that stands in a file is believed.

use super::StepTensor;
use super::pipeline::FeaturePipeline;
use super::projection::Projection;
use super::scale::Scale;
use super::standardize::Standardize;
use super::tf_idf::TfIdf;
use crate::data::FeatureError;

const ONE_HOT: &str = "one_hot.n_nodes";
const IDF: &str = "tf_idf.idf";
const ROW_SUM: &str = "normalize_rows.sum";
const STANDARDIZE: [&str; 2] = ["standardize.mean", "standardize.deviation"];
const PCA: [&str; 3] = ["pca.mean", "pca.components", "pca.captured_variance"];
const FACTOR: &str = "scale.factor";

impl FeaturePipeline {
    /// What the steps were fitted to, to be stored; [`FeaturePipeline::from_tensors`] makes the
    /// same steps of it, to the bit.
    ///
    /// With d columns and k components: `one_hot.n_nodes` \[1\] (= d), `tf_idf.idf` \[d\],
    /// `normalize_rows.sum` \[1\] (= 1), `standardize.mean` and `standardize.deviation` \[d\],
    /// `pca.mean` \[d\], `pca.components` \[k, d\], `pca.captured_variance` \[1\], `scale.factor`
    /// \[1\]; those of steps that are not taken are left out.
    pub fn tensors(&self) -> Vec<StepTensor> {
        let n_columns = self.n_columns_in();
        let column = |name, values: &[f64]| StepTensor::new(name, &[n_columns], values);
        let number = |name, value: f64| StepTensor::new(name, &[1], &[value]);
        let mut tensors = Vec::new();
        if self.is_one_hot {
            tensors.push(number(ONE_HOT, n_columns as f64));
        }
        tensors.extend(self.tf_idf.iter().map(|step| column(IDF, &step.idf)));
        if self.normalize_rows {
            tensors.push(number(ROW_SUM, 1.0));
        }
        if let Some(step) = &self.standardize {
            tensors.push(column(STANDARDIZE[0], &step.mean));
            tensors.push(column(STANDARDIZE[1], &step.deviation));
        }
        if let Some(step) = &self.projection {
            tensors.push(column(PCA[0], &step.mean));
            tensors.push(StepTensor::new(PCA[1], &[step.k, n_columns], &step.components));
            tensors.push(number(PCA[2], step.captured_variance));
        }
        tensors.extend(self.scale.iter().map(|step| number(FACTOR, step.factor)));
        tensors
    }

    /// How many numbers these are, but for single ones.
    pub(crate) fn n_numbers(&self) -> usize {
        let n_rows = usize::from(self.tf_idf.is_some())
            + 2 * usize::from(self.standardize.is_some())
            + self.projection.as_ref().map_or(0, |step| 1 + step.k);
        n_rows * self.n_columns_in()
    }

    /// The steps that were stored as [`FeaturePipeline::tensors`], for features of `n_columns_in`
    /// columns.
    ///
    /// # Errors
    /// If a name is unknown or there twice, a step lacks a part, a shape is not what these columns
    /// need, or a number is not finite or not what it can be.
    pub fn from_tensors(n_columns_in: usize, tensors: &[StepTensor]) -> Result<Self, FeatureError> {
        let stored = Stored::new(tensors)?;
        let d = n_columns_in;
        Ok(Self {
            n_columns_in,
            is_one_hot: stored.mark(ONE_HOT, d as f64)?,
            tf_idf: stored.tf_idf(d)?,
            normalize_rows: stored.mark(ROW_SUM, 1.0)?,
            standardize: stored.standardize(d)?,
            projection: stored.projection(d)?,
            scale: stored.scale()?,
        })
    }
}

/// Tensors of known names, each once, with as many finite numbers as their shapes say.
struct Stored<'a>(&'a [StepTensor]);

impl<'a> Stored<'a> {
    fn new(tensors: &'a [StepTensor]) -> Result<Self, FeatureError> {
        let known: Vec<&str> =
            [ONE_HOT, IDF, ROW_SUM, FACTOR].into_iter().chain(STANDARDIZE).chain(PCA).collect();
        for (at, StepTensor { name, shape, values }) in tensors.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                return Err(wrong(name, "is no part of a step"));
            }
            if tensors[..at].iter().any(|before| before.name == *name) {
                return Err(wrong(name, "is there twice"));
            }
            let size = shape.iter().try_fold(1_usize, |size, &n| size.checked_mul(n));
            if size != Some(values.len()) {
                let problem = format!("has {} numbers for a shape of {shape:?}", values.len());
                return Err(wrong(name, problem));
            }
            if let Some(place) = values.iter().position(|value| !value.is_finite()) {
                return Err(wrong(name, format!("has {} at {place}", values[place])));
            }
        }
        Ok(Self(tensors))
    }

    /// Whether all of these are there; none may be there without the others.
    fn has(&self, names: &[&str]) -> Result<bool, FeatureError> {
        let is_there = |name: &&&str| self.0.iter().any(|tensor| tensor.name == **name);
        let n_there = names.iter().filter(is_there).count();
        match names.iter().find(|name| !is_there(name)) {
            Some(lacking) if n_there > 0 => Err(wrong(lacking, "is missing")),
            lacking => Ok(lacking.is_none()),
        }
    }

    fn values(&self, name: &str, shape: &[usize]) -> Result<&'a [f64], FeatureError> {
        let found = self.0.iter().find(|tensor| tensor.name == name);
        let tensor = found.ok_or_else(|| wrong(name, "is missing"))?;
        if tensor.shape == shape {
            Ok(&tensor.values)
        } else {
            let problem = format!("has the shape {:?}, which is not {shape:?}", tensor.shape);
            Err(wrong(name, problem))
        }
    }

    fn number(&self, name: &str, is_right: impl Fn(f64) -> bool) -> Result<f64, FeatureError> {
        let value = self.values(name, &[1])?[0];
        if is_right(value) { Ok(value) } else { Err(wrong(name, format!("is {value}"))) }
    }

    /// Whether a step that has no numbers of its own is taken: then `name` can only be `value`.
    fn mark(&self, name: &str, value: f64) -> Result<bool, FeatureError> {
        let is_taken = self.has(&[name])?;
        if is_taken {
            self.number(name, |found| found == value)?;
        }
        Ok(is_taken)
    }

    fn tf_idf(&self, d: usize) -> Result<Option<TfIdf>, FeatureError> {
        if !self.has(&[IDF])? {
            return Ok(None);
        }
        Ok(Some(TfIdf { idf: self.values(IDF, &[d])?.to_vec() }))
    }

    fn standardize(&self, d: usize) -> Result<Option<Standardize>, FeatureError> {
        if !self.has(&STANDARDIZE)? {
            return Ok(None);
        }
        let [mean, deviation] = STANDARDIZE;
        let (mean, values) = (self.values(mean, &[d])?.to_vec(), self.values(deviation, &[d])?);
        if let Some(place) = values.iter().position(|&value| value < 0.0) {
            return Err(wrong(deviation, format!("has {} at {place}", values[place])));
        }
        Ok(Some(Standardize { mean, deviation: values.to_vec() }))
    }

    fn projection(&self, d: usize) -> Result<Option<Projection>, FeatureError> {
        if !self.has(&PCA)? {
            return Ok(None);
        }
        let [mean, components, captured] = PCA;
        let shape = self.0.iter().find(|tensor| tensor.name == components);
        let k = shape.and_then(|tensor| tensor.shape.first().copied()).unwrap_or(0);
        // Else no numbers of any length could be claimed for no columns.
        if k > d {
            return Err(wrong(components, format!("has {k} components of {d} columns")));
        }
        Ok(Some(Projection {
            mean: self.values(mean, &[d])?.to_vec(),
            components: self.values(components, &[k, d])?.to_vec(),
            k,
            captured_variance: self.number(captured, |share| (0.0..=1.0).contains(&share))?,
        }))
    }

    fn scale(&self) -> Result<Option<Scale>, FeatureError> {
        if !self.has(&[FACTOR])? {
            return Ok(None);
        }
        Ok(Some(Scale { factor: self.number(FACTOR, |factor| factor > 0.0)? }))
    }
}

fn wrong(name: &str, problem: impl Into<String>) -> FeatureError {
    FeatureError::Stored { name: name.to_owned(), problem: problem.into() }
}
