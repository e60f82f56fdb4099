//! The result of compilation: a model that can be run, as data. It knows nothing of runs.
//!
//! In: equations, how they are solved, and their code. Out: a [`CompiledModel`], which never changes and may be shared by many
//! runs. With it comes structure that is determined once: the pattern of its Jacobian with the loops that stay open
//! ([`JacobianPlan`]), and that of its projections ([`LandingPlan`]). Its other modes come from its [`Structures`].

mod aliases;
mod carried;
mod complementary_plan;
mod jacobian_plan;
mod landing_plan;
mod model;
mod modes;
mod part;
mod places;
mod state_dependence;

pub use carried::Carried;
pub use complementary_plan::{ComplementaryPlan, Residuals, Switching};
pub use jacobian_plan::{JacobianPlan, StateMatrix, state_matrix};
pub use landing_plan::{LandingMatrix, LandingPlan, landing_matrix, place_of};
pub use model::CompiledModel;
pub use modes::{Entered, ModeWork, Occasion, Structures};
pub use part::{CompiledPart, PartInMode, TickingStructures};
pub use places::Places;
