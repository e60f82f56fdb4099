//! The session: sources in, compiled model out.
//!
//! In: a [`World`](rhei_source::World) and folders with libraries, the path or the name of a model. Out: a [`Compilation`], every stage of it as far as it got, with all diagnostics. The order
//! of the passes is [`Session::compile`].

mod deep;
mod generate;
mod mode_cache;
mod model_file;
mod modes;
mod session;
mod settings;
mod solved;
mod ticking_modes;
mod timings;

pub use deep::with_deep_stack;
pub use model_file::{BUILD, PortableModel, WrongModelFile};
pub use rhei_structure::relative_degrees;
pub use session::{Compilation, Session, Target, UnreadableFile, recompiled};
pub use settings::{Configured, OfCompiled, set_compiled, unanswered};
pub use timings::Timings;
