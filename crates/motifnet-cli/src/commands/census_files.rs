//! The tables that a census writes: counts of nodes and of edges, and roles.

use std::path::{Path, PathBuf};

use motifnet::graph::NodeNames;
use motifnet::io::{CsvFile, WriteError};
use motifnet::motif::{
    ClusteringKind, Instances, MotifEngine, MotifKind, N_TRIADS, NodeClustering, ROLES, Relation,
};
use motifnet::progress::Unit;
use serde::Serialize;

use super::census::CensusConfig;
use crate::failure::Failure;
use crate::session::Session;

/// The files of a census, begun and not yet there: all of them appear, or none.
pub(super) struct CensusFiles {
    per_node: Option<Begun>,
    per_edge: Option<Begun>,
    roles: Option<Begun>,
    clustering: Option<Begun>,
}

struct Begun {
    path: PathBuf,
    file: CsvFile,
    rows: u64,
}

/// A file that was written.
#[derive(Serialize)]
pub(super) struct FileReport {
    pub(super) path: String,
    pub(super) rows: u64,
    pub(super) bytes: u64,
}

impl CensusFiles {
    pub(super) fn create(config: &CensusConfig) -> Result<Self, WriteError> {
        let motifs = MotifKind::triads().map(|kind| kind.name().to_owned());
        let roles = ROLES.iter().map(|(kind, vertex)| format!("{kind}.{vertex}")).collect();
        Ok(Self {
            per_node: Begun::create(config.per_node.as_deref(), &["node"], motifs.to_vec())?,
            per_edge: Begun::create(
                config.per_edge.as_deref(),
                &["source", "target", "relation"],
                motifs.to_vec(),
            )?,
            roles: Begun::create(config.roles.as_deref(), &["node"], roles)?,
            clustering: Begun::create(
                config.clustering.as_deref(),
                &["node"],
                ClusteringKind::NAMES.map(str::to_owned).to_vec(),
            )?,
        })
    }

    /// Fills every file, then puts all of them in their places.
    pub(super) fn write(
        mut self,
        engine: &MotifEngine<'_>,
        clustering: &[NodeClustering],
        names: &NodeNames,
        instances: Instances,
        session: &Session,
    ) -> Result<Vec<FileReport>, Failure> {
        let wanted = [&self.per_node, &self.per_edge, &self.roles, &self.clustering];
        let wanted = wanted.into_iter().flatten().count();
        session.progress().begin("writing tables", Some(wanted as u64), Unit::Items);
        let n_nodes = names.len();
        if let Some(begun) = &mut self.per_node {
            MotifEngine::counts_need(n_nodes, N_TRIADS).check()?;
            begun.write_nodes(engine, names, instances)?;
            session.progress().advance(1);
        }
        if let Some(begun) = &mut self.per_edge {
            MotifEngine::counts_need(engine.pattern().n_edges(), N_TRIADS).check()?;
            begun.write_edges(engine, names, instances)?;
            session.progress().advance(1);
        }
        if let Some(begun) = &mut self.roles {
            MotifEngine::counts_need(n_nodes, ROLES.len()).check()?;
            begun.write_roles(engine, names)?;
            session.progress().advance(1);
        }
        if let Some(begun) = &mut self.clustering {
            begun.write_clustering(clustering, names)?;
            session.progress().advance(1);
        }
        session.progress().end();
        let written = [self.per_node, self.per_edge, self.roles, self.clustering];
        let written = written.into_iter().flatten();
        written.map(|begun| begun.commit().map_err(Failure::from)).collect()
    }
}

impl Begun {
    fn create(
        path: Option<&Path>,
        keys: &[&str],
        counted: Vec<String>,
    ) -> Result<Option<Self>, WriteError> {
        let Some(path) = path else { return Ok(None) };
        let header = keys.iter().map(|&key| key.to_owned()).chain(counted);
        let file = CsvFile::create(path, header)?;
        Ok(Some(Self { path: path.to_owned(), file, rows: 0 }))
    }

    fn write_nodes(
        &mut self,
        engine: &MotifEngine<'_>,
        names: &NodeNames,
        instances: Instances,
    ) -> Result<(), WriteError> {
        let counts = engine.node_counts();
        self.rows = counts.len() as u64;
        self.file.write_rows(counts.len(), |node, line| {
            let counts = instances.counts(&counts[node].map(u128::from));
            counts.into_iter().fold(line.text(&names.name(node as u32)), |line, n| line.integer(n))
        })
    }

    fn write_edges(
        &mut self,
        engine: &MotifEngine<'_>,
        names: &NodeNames,
        instances: Instances,
    ) -> Result<(), WriteError> {
        let pattern = engine.pattern();
        let (offsets, first_edges) = (pattern.offsets(), pattern.first_edges());
        let counts = engine.edge_counts();
        self.rows = counts.len() as u64;
        self.file.write_rows(counts.len(), |edge, line| {
            let lower = first_edges.partition_point(|&first| first <= edge) - 1;
            // The edges whose lower node this is stand at the end of its row.
            let entry = pattern.entry(offsets[lower + 1] - (first_edges[lower + 1] - edge));
            let relation = match entry.relation {
                Relation::Out => "out",
                Relation::In => "in",
                Relation::Both => "both",
            };
            let ends = line.text(&names.name(lower as u32)).text(&names.name(entry.neighbor));
            let counts = instances.counts(&counts[edge].map(u128::from));
            counts.into_iter().fold(ends.text(relation), |line, n| line.integer(n))
        })
    }

    fn write_roles(
        &mut self,
        engine: &MotifEngine<'_>,
        names: &NodeNames,
    ) -> Result<(), WriteError> {
        let roles = engine.role_counts();
        self.rows = roles.len() as u64;
        self.file.write_rows(roles.len(), |node, line| {
            roles[node].iter().fold(line.text(&names.name(node as u32)), |line, &n| line.integer(n))
        })
    }

    fn write_clustering(
        &mut self,
        clustering: &[NodeClustering],
        names: &NodeNames,
    ) -> Result<(), WriteError> {
        self.rows = clustering.len() as u64;
        self.file.write_rows(clustering.len(), |node, line| {
            let kinds = ClusteringKind::ALL.into_iter();
            kinds.fold(line.text(&names.name(node as u32)), |line, kind| {
                match clustering[node].coefficient(kind) {
                    Some(coefficient) => line.double(coefficient),
                    None => line.empty(),
                }
            })
        })
    }

    fn commit(self) -> Result<FileReport, WriteError> {
        let Self { path, file, rows } = self;
        file.commit()?;
        let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
        Ok(FileReport { path: path.display().to_string(), rows, bytes })
    }
}
