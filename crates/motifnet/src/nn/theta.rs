//! The weight matrices of a convolution.

use std::ops::Range;

use super::layer::Widths;
use super::parameters::{Initial, Layout};
use crate::dense::{Rows, RowsMut};

/// Matrices Θ_t of F_in × F_out, one after the other in the vector of parameters.
#[derive(Clone, Debug)]
pub(super) struct Theta {
    widths: Widths,
    range: Range<usize>,
}

impl Theta {
    /// `n_terms` matrices under the name of a layer.
    pub(super) fn new(name: &str, n_terms: usize, widths: Widths, layout: &mut Layout) -> Self {
        let shape = [n_terms, widths.input, widths.output];
        Self { widths, range: layout.add(format!("{name}.theta"), &shape, Initial::Glorot) }
    }

    pub(super) fn widths(&self) -> Widths {
        self.widths
    }

    /// Where all of them are.
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// One of them.
    pub(super) fn of<'a, T>(&self, parameters: &'a [T], term: usize) -> Rows<'a, T> {
        self.stack(parameters, term..term + 1)
    }

    /// One of them, to write on: gradients lie as the parameters do.
    pub(super) fn of_mut<'a, T>(&self, gradients: &'a mut [T], term: usize) -> RowsMut<'a, T> {
        self.stack_mut(gradients, term..term + 1)
    }

    /// Every one, row after row.
    pub(super) fn each<'a, T>(
        &self,
        parameters: &'a [T],
    ) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        let Widths { input, output } = self.widths;
        parameters[self.range()].chunks_exact(input * output)
    }

    /// Several on top of each other.
    pub(super) fn stack<'a, T>(&self, parameters: &'a [T], terms: Range<usize>) -> Rows<'a, T> {
        let (place, size) = self.place(terms);
        Rows::new(&parameters[place], size)
    }

    /// The same to write on.
    pub(super) fn stack_mut<'a, T>(
        &self,
        gradients: &'a mut [T],
        terms: Range<usize>,
    ) -> RowsMut<'a, T> {
        let (place, size) = self.place(terms);
        RowsMut::new(&mut gradients[place], size)
    }

    fn place(&self, terms: Range<usize>) -> (Range<usize>, [usize; 2]) {
        let Widths { input, output } = self.widths;
        let n = input * output;
        let start = self.range.start;
        (start + terms.start * n..start + terms.end * n, [terms.len() * input, output])
    }
}
