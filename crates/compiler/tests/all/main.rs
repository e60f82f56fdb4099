//! Whole models, from their text to their curves.
//!
//! | file | what |
//! |---|---|
//! | `language` | `tests/language/*.md`: prose, a model, and what is expected of it |
//! | `textbook` | `tests/models/*.mo`: problems with known solutions, and the work they take |
//! | `compiled_functions` | functions as machine code |
//! | `conformance` | the tables from clauses of the specification to those models speak of models that are there |
//! | `library_flat` | `tests/flat/*.mo`: examples of the Standard Library as flat models |
//! | `library_states` | how many states the examples of the Standard Library have, beside another tool's figures |
//! | `architecture` | the stages printed in `ARCHITECTURE.md` are what the code prints |
//! | `manual` | the manual speaks of every diagnostic, and its models are as it says |
//! | `pieces_of_modes` | modes put together of pieces are the same as modes analysed as a whole |
//! | `round_trip` | the text of a flat model reads back to the same flat model |
//! | `expectation` | numbers that are expected of a run |
//! | `any_order` | the order of the text does not matter, and events are where they belong |
//! | `threads` | one compiled model, many runs at once |
//! | `state_cases` | cases of state selection that compare runs, and the table of all of them |
//! | `tumbling` | mechanisms whose states change, for a hundred seconds |
//! | `assembly` | mechanisms that are put together from rough guesses |
//! | `mechanisms` | `tests/mechanisms/*.mo`: a thousand seconds on their constraints |
//! | `names_and_matrices` | what has many names, and matrices that do not change, are computed once |
//! | `sparse_landings` | landings in large modes: what their matrices take, and what is conserved |
//! | `open_loops` | loops between many states and their derivatives: what the Jacobian takes, and that curves are the same |
//! | `sparse_loops` | large loops: what their matrices take, and what is said where they have no solution |
//! | `setting_states` | the models that came with the proposal of states set from measurements |
//! | `air_cycle` | the air cycle of the examples, three ways |
//! | `balances` | what balances cost, beside other ways to solve the same |
//! | `large_sets` | state sets with many candidates: what they take, and that they come to what small ones do |
//! | `charts` | states that change on the way: how often, how well, and without a restart |
//! | `ticks` | very many ticks: none is late, and none is lost; a mechanism that ticks |
//! | `untouched` | events that the integrator does not see cost it nothing |
//! | `coupled_inductors` | inductors between switches, as components that exchange sums and as equations |
//! | `induction_motor` | a ring of windings and bridges, with diodes and without |
//! | `switching_limits` | `tests/switching/*.mo`: what is conserved at each event, and what they are the limit of |
//! | `variable_structure` | `tests/switching/*.mo` and others: runs through several modes |
//! | `pencils` | linear models drawn at random, beside solutions by matrix pencils |
//! | `massless` | mechanisms drawn at random, some coordinates of which carry no mass, beside their motion with multipliers |
//! | `crossings` | crossings of relations, counted: fast ones, pairs within a step, tangents |
//! | `rest` | `tests/rest/Rest.mo`: what comes to rest, sticks or locks, with every method |
//! | `workshop` | text in, curves out, nothing written |

mod air_cycle;
mod any_order;
mod architecture;
mod asked_to_end;
mod assembly;
mod balances;
mod change_points;
mod charts;
mod compiled_functions;
mod conformance;
mod coupled_inductors;
mod crossings;
mod dice;
mod expectation;
mod formula;
mod induction_motor;
mod language;
mod large_sets;
mod library_flat;
mod library_states;
mod manual;
mod massless;
mod mechanisms;
mod names_and_matrices;
mod open_loops;
mod pencils;
mod pieces_of_modes;
mod rest;
mod round_trip;
mod setting_states;
mod sparse_landings;
mod sparse_loops;
mod state_cases;
mod switching_limits;
mod textbook;
mod threads;
mod ticking_modes;
mod ticks;
mod tumbling;
mod untouched;
mod variable_structure;
mod workshop;
