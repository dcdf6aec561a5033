//! The thirteen directed three-vertex motifs.
