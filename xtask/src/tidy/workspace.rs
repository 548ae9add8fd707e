//! The packages of the workspace, as cargo sees them.

use std::path::Path;

use anyhow::{Context as _, Result};
use cargo_metadata::MetadataCommand;

/// A package of the workspace.
pub(super) struct Package {
    pub(super) name: String,
    /// Its folder, from the root of the repository, with `/` on every platform.
    pub(super) folder: String,
    /// The names of the packages that it depends on, for whatever purpose.
    pub(super) dependencies: Vec<String>,
}

impl Package {
    /// The path of the file that declares the package.
    pub(super) fn manifest(&self) -> String {
        format!("{}/Cargo.toml", self.folder)
    }
}

/// All packages of the workspace, in cargo's order.
pub(super) fn packages(root: &Path) -> Result<Vec<Package>> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .other_options(["--offline".to_owned()])
        .exec()
        .context("cargo cannot describe the workspace")?;
    let packages = metadata.workspace_packages().into_iter().map(|package| {
        let folder = package.manifest_path.parent().unwrap_or(&package.manifest_path);
        let folder = folder.strip_prefix(&metadata.workspace_root).unwrap_or(folder);
        Package {
            name: package.name.to_string(),
            folder: folder.as_str().replace('\\', "/"),
            dependencies: package.dependencies.iter().map(|dependency| dependency.name.clone()).collect(),
        }
    });
    Ok(packages.collect())
}
