//! Texts of models of any size; the same size gives the same text.

mod chain;
mod circuit;
mod families;
mod gears;
mod grid;
mod heat;
mod links;
mod random;
mod switches;
mod tied;
mod train;

pub use chain::chain;
pub use circuit::circuit;
pub use families::families;
pub use gears::gears;
pub use grid::grid;
pub use heat::heat;
pub use links::links;
pub use switches::switches;
pub use tied::tied;
pub use train::train;
