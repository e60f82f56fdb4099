//! Curves over time.
//!
//! A [`Plot`] holds the contents of a picture, apart from its form: `svg`, `html` and `terminal` draw it.

mod html;
mod polyline;
mod svg;
mod terminal;
mod ticks;

use crate::by_ending::ByEnding;
use crate::columns::Kind;
use crate::trajectories::Trajectories;
pub use html::html;
pub use svg::{COLOURS, Size, svg};
pub use terminal::{Terminal, terminal};

/// How each kind of file with a picture is drawn.
pub const PICTURES: ByEnding<fn(&Plot, Size) -> String> = ByEnding(&[("svg", svg), ("html", html)]);

/// Curves and marks to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// The heading; none where empty.
    pub title: String,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Events at single times.
    pub marks: Vec<Mark>,
}

/// An event at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// When.
    pub time: f64,
    /// Its description.
    pub text: String,
}

/// One variable over time.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its unit, where one is known.
    pub unit: Option<String>,
    /// Whether a value holds until the next one, instead of leading there in a straight line.
    pub stepped: bool,
    /// Times, never falling; the same twice is a jump.
    pub times: Vec<f64>,
    /// Values; one that is not finite leaves a gap.
    pub values: Vec<f64>,
}

impl Plot {
    /// The named variables of a run; `Err` names the first one that was not recorded.
    pub fn of<'a>(trajectories: &Trajectories, names: &[&'a str]) -> Result<Plot, &'a str> {
        let curve = |name: &&'a str| {
            let values = trajectories.get(name).ok_or(*name)?;
            let column = trajectories.columns().index(name).map(|index| &trajectories.columns()[index]);
            Ok(Curve {
                name: (*name).to_owned(),
                unit: column.and_then(|column| column.unit.clone()),
                stepped: column.is_some_and(|column| column.kind != Kind::Continuous),
                times: trajectories.time().to_vec(),
                values: values.to_vec(),
            })
        };
        let curves = names.iter().map(curve).collect::<Result<_, _>>()?;
        Ok(Plot { title: String::new(), curves, marks: Vec::new() })
    }
}
