//! Motif Laplacians, the ends of a spectrum, eigenbases, principal components, clusters.

mod basis;
pub mod cluster;
mod eigenbasis;
mod filter;
mod gram;
mod krylov;
mod lanczos;
mod laplacian;
mod laplacian_config;
mod pca;
mod symmetric;

pub use eigenbasis::Eigenbasis;
pub(crate) use gram::centred_product;
pub use krylov::{
    Eigenpairs, KrylovError, KrylovOptions, eigenpairs_need, largest_eigenpairs,
    smallest_eigenpairs,
};
pub use laplacian::{LaplacianError, MotifLaplacian, NegativeWeights};
pub use laplacian_config::{LambdaMax, LaplacianConfig, LaplacianForm, Normalization};
pub(crate) use pca::components_bytes;
pub use pca::{PrincipalComponents, principal_components};
