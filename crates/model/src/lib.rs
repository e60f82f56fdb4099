//! What compilation leaves: a model that can be run, as data. It knows no run.
//!
//! In: equations, how they are solved, and their code. Out: a [`CompiledModel`], which never changes and may be shared by many runs,
//! with what is found out once of its structure: where its Jacobian can differ from zero, and which loops stay open in it
//! ([`JacobianPlan`]), and the pattern of its landings ([`LandingPlan`]). What it is in other modes its [`Structures`] know.

mod aliases;
mod carried;
mod jacobian_plan;
mod landing_plan;
mod model;
mod modes;
mod part;
mod places;
mod state_dependence;

pub use carried::Carried;
pub use jacobian_plan::{JacobianPlan, StateMatrix, state_matrix};
pub use landing_plan::{LandingMatrix, LandingPlan, landing_matrix, place_of};
pub use model::CompiledModel;
pub use modes::{Entered, ModeWork, Occasion, Structures};
pub use part::{CompiledPart, PartInMode, TickingStructures};
pub use places::Places;
