//! Drawings of curves: for a page, for a text, on a terminal.

pub use rhei_results::plot::{Curve, Mark, PICTURES, Plot, Size, Terminal, html, svg, terminal};
