//! Folders that are searched for libraries.

use std::path::PathBuf;

use rhei_source::World;

/// The folders with libraries in the order they are searched: those given, those of `MODELICAPATH`, `~/.rhei/libraries`.
pub fn default_roots(world: &dyn World, given: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let listed = world.variable("MODELICAPATH").unwrap_or_default();
    let home =
        world.variable("HOME").or_else(|| world.variable("USERPROFILE")).filter(|home| !home.is_empty());
    let own = home.map(|home| PathBuf::from(home).join(".rhei").join("libraries"));
    let mut roots = Vec::new();
    for root in given.into_iter().chain(std::env::split_paths(&listed)).chain(own) {
        if !root.as_os_str().is_empty() && !roots.contains(&root) {
            roots.push(root);
        }
    }
    roots
}
