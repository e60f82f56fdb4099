//! Requests for inverses, and their results.

use std::fmt;
use std::time::Duration;

use rhei_source::{Diagnostic, Files};

use super::text::{differentiated, times};
use crate::UnreadableFile;

/// A request for the inverse of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseRequest {
    /// Variables of the model that are given: the inputs of its inverse.
    pub given: Vec<String>,
    /// Inputs of the model that are computed; all if none are listed.
    pub computed: Vec<String>,
    /// States of the model that are measured, or `all`: integrators and feedback take the place of a filter.
    pub measured: Vec<String>,
    /// The order of the filter in front of each input; by default the number of times that the input is differentiated.
    pub filter_order: Option<u32>,
    /// The period of the clock, in seconds.
    pub period: f64,
    /// Frequency of filter and feedback, in Hz; by default a hundredth of that of the clock.
    pub frequency: Option<f64>,
    /// How states are integrated from tick to tick: a method of clocked partitions.
    pub method: String,
    /// The name of the block; by default that of the model with `Inverse`.
    pub name: Option<String>,
}

impl InverseRequest {
    /// The default period.
    pub const PERIOD: f64 = 1.0;
    /// The default method.
    pub const METHOD: &str = "ExplicitEuler";
}

impl Default for InverseRequest {
    fn default() -> InverseRequest {
        InverseRequest {
            given: Vec::new(),
            computed: Vec::new(),
            measured: Vec::new(),
            filter_order: None,
            period: InverseRequest::PERIOD,
            frequency: None,
            method: InverseRequest::METHOD.into(),
            name: None,
        }
    }
}

/// The result of a request.
#[derive(Clone, Debug)]
pub struct Inverted {
    /// The given variables, and inputs of the model that stay; empty if the model has no such inverse.
    pub inputs: Vec<InverseInput>,
    /// The inverse; none if `diagnostics` hold an error.
    pub inverse: Option<Inverse>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that diagnostics refer to.
    pub files: Files,
    /// How long each pass over the model took.
    pub timings: Vec<(&'static str, Duration)>,
}

impl Inverted {
    /// No inverse, for one reason, which is no place in a text.
    pub(crate) fn refused(said: Diagnostic) -> Inverted {
        let (inputs, files, timings) = (Vec::new(), Files::default(), Vec::new());
        Inverted { inputs, inverse: None, diagnostics: vec![said], files, timings }
    }
}

/// The inverse of a model, which compiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Inverse {
    /// The block, as Modelica.
    pub text: String,
    /// Inputs of the model that it computes.
    pub outputs: Vec<String>,
    /// Its states.
    pub states: Vec<String>,
}

/// An input of an inverse.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseInput {
    /// The variable of the model.
    pub name: String,
    /// How often it is differentiated.
    pub differentiated: u32,
    /// The order of the filter in front of it.
    pub filter_order: u32,
    /// Whether integrators stand in front of it, whose states follow from measured ones.
    pub is_fed_back: bool,
}

impl fmt::Display for InverseInput {
    /// As a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is {}", self.name, differentiated(self.differentiated))?;
        match (self.is_fed_back, self.filter_order) {
            (true, _) => {
                write!(f, ": integrated {}, fed back from what is measured", times(self.differentiated))
            }
            (false, 0) => Ok(()),
            (false, order) => write!(f, ": behind a filter of order {order}"),
        }
    }
}

/// A part of an [`InverseRequest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // named as the fields
pub enum InversePart {
    Given,
    Computed,
    Measured,
    FilterOrder,
    Period,
    Frequency,
    Method,
    Name,
}

impl InversePart {
    pub(super) fn wrong(self, what: String) -> WrongInverse {
        WrongInverse::Part { part: self, what }
    }
}

/// A mistake in a request.
#[derive(Debug)]
pub enum WrongInverse {
    /// A file cannot be read.
    Unreadable(UnreadableFile),
    /// No variables are given.
    NothingGiven {
        /// The model.
        model: String,
        /// The variables that could be, as a sentence.
        hint: Option<String>,
    },
    /// There are not as many inputs to be computed as variables are given.
    Numbers {
        /// How many are given.
        given: usize,
        /// The names of those to be computed.
        computed: Vec<String>,
    },
    /// A part of the request is wrong.
    Part {
        /// Which.
        part: InversePart,
        /// The mistake, as a sentence.
        what: String,
    },
}

impl fmt::Display for WrongInverse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongInverse::Unreadable(unreadable) => unreadable.fmt(f),
            WrongInverse::NothingGiven { model, hint } => {
                write!(f, "it is not said which variables of `{model}` are given")?;
                hint.as_ref().map_or(Ok(()), |hint| write!(f, ": {hint}"))
            }
            WrongInverse::Numbers { given, computed } => write!(
                f,
                "an inverse computes as many inputs as variables are given: {given} given, and {} to be computed",
                computed.len()
            ),
            WrongInverse::Part { what, .. } => f.write_str(what),
        }
    }
}

impl std::error::Error for WrongInverse {}
