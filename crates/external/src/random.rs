//! `ModelicaRandom_*`: uniform random numbers by the generators of Vigna, "An experimental exploration of Marsaglia's xorshift
//! generators, scrambled" (2016), and "Further scramblings of Marsaglia's xorshift generators" (2017).
//!
//! States are Integers of 32 bits; two of them are one word, the lower half first. Unlike in the papers, the states of
//! xorshift64* and xorshift128+ go on with the scrambled number: so do the Standard Library's, as its reference results show.

use std::sync::PoisonError;
use std::time::{SystemTime, UNIX_EPOCH};

use rhei_evaluate::{Failure, Value};
use rhei_source::Span;

use crate::arguments::{integers, wrong};
use crate::{Externals, Native};

/// Words of the largest state.
const WORDS_OF_1024: usize = 16;

pub(crate) fn native(name: &str) -> Option<Native> {
    Some(match name.strip_prefix("ModelicaRandom_")? {
        "setInternalState_xorshift1024star" => set_internal_state,
        "impureRandom_xorshift1024star" => impure_random,
        "automaticGlobalSeed" => automatic_seed,
        _ => return pure(name),
    })
}

/// Those whose numbers depend on the state they are given alone.
pub(crate) fn pure(name: &str) -> Option<Native> {
    Some(match name.strip_prefix("ModelicaRandom_")? {
        "xorshift64star" => |_, a, span| next(a, span, 2, |state| xorshift64star(&mut state[0])),
        "xorshift128plus" => |_, a, span| next(a, span, 4, xorshift128plus),
        "xorshift1024star" => |_, a, span| {
            let (state, number) = next_of_1024(&integers(a, 0, span)?).ok_or_else(|| wrong_size(33, span))?;
            Ok(vec![Value::integers(state), number.into()])
        },
        _ => return None,
    })
}

/// The state after a step, and its number.
fn next(
    arguments: &[Value],
    span: Span,
    size: usize,
    step: impl Fn(&mut [u64]) -> u64,
) -> Result<Vec<Value>, Failure> {
    let state = integers(arguments, 0, span)?;
    if state.len() != size {
        return Err(wrong_size(size, span));
    }
    let mut words = words(&state);
    let number = step(&mut words);
    Ok(vec![Value::integers(halves(&words)), uniform(number).into()])
}

fn wrong_size(size: usize, span: Span) -> Failure {
    wrong(0, &format!("a state of {size} Integers"), span)
}

fn xorshift64star(word: &mut u64) -> u64 {
    *word ^= *word >> 12;
    *word ^= *word << 25;
    *word ^= *word >> 27;
    *word = word.wrapping_mul(2_685_821_657_736_338_717);
    *word
}

fn xorshift128plus(state: &mut [u64]) -> u64 {
    let (mut one, other) = (state[0], state[1]);
    one ^= one << 23;
    state[0] = other;
    state[1] = (one ^ other ^ (one >> 17) ^ (other >> 26)).wrapping_add(other);
    state[1]
}

/// The last number of the state says which of its words is next.
fn next_of_1024(state: &[i64]) -> Option<(Vec<i64>, f64)> {
    let (&place, state) = state.split_last()?;
    let mut words = words(state);
    if words.len() != WORDS_OF_1024 {
        return None;
    }
    let place = (place & (WORDS_OF_1024 as i64 - 1)) as usize;
    let mut one = words[place];
    let place = (place + 1) % WORDS_OF_1024;
    let mut other = words[place];
    other ^= other << 31;
    other ^= other >> 11;
    one ^= one >> 30;
    words[place] = one ^ other;
    let number = words[place].wrapping_mul(1_181_783_497_276_652_981);
    let mut state = halves(&words);
    state.push(place as i64);
    Some((state, uniform(number)))
}

fn words(halves: &[i64]) -> Vec<u64> {
    let word = |pair: &[i64]| u64::from(pair[0] as u32) | u64::from(pair[1] as u32) << 32;
    halves.chunks_exact(2).map(word).collect()
}

fn halves(words: &[u64]) -> Vec<i64> {
    words.iter().flat_map(|word| [i64::from(*word as i32), i64::from((*word >> 32) as i32)]).collect()
}

/// A number between 0 and 1, from the word with its sign.
fn uniform(word: u64) -> f64 {
    const SHARE: f64 = 1.0 / 18_446_744_073_709_551_616.0;
    word as i64 as f64 * SHARE + 0.5
}

fn set_internal_state(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let state = integers(a, 0, span)?;
    if state.len() != 2 * WORDS_OF_1024 + 1 {
        return Err(wrong_size(2 * WORDS_OF_1024 + 1, span));
    }
    *objects.random.lock().unwrap_or_else(PoisonError::into_inner) = state;
    Ok(Vec::new())
}

fn impure_random(objects: &Externals, _: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let mut state = objects.random.lock().unwrap_or_else(PoisonError::into_inner);
    let (after, number) = next_of_1024(&state).ok_or_else(|| Failure::WrongArgument {
        what: "the generator of impure random numbers was not initialized".into(),
        span,
    })?;
    *state = after;
    Ok(vec![number.into()])
}

/// From the time and the number of the process: another one in each run.
fn automatic_seed(_: &Externals, _: &[Value], _: Span) -> Result<Vec<Value>, Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    let mut word = now ^ u64::from(std::process::id()) << 32 | 1;
    Ok(vec![Value::Integer(i64::from((xorshift64star(&mut word) >> 33) as i32))])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Xorshift64star.initialState`: ten numbers are thrown away.
    fn initial(local: i64, global: i64) -> u64 {
        let mut word = words(&[local, global])[0];
        for _ in 0..10 {
            xorshift64star(&mut word);
        }
        word
    }

    #[test]
    fn numbers_are_those_of_the_library() {
        // reference result of Modelica.Clocked.Examples.Elementary.RealSignals.UniformNoiseXorshift64star: -0.1 + 0.2 r
        let mut word = initial(614_657, 30_020);
        for expected in [-0.037_281_496_4, 0.002_206_900_68, -0.091_510_849_2, 0.037_206_126_9] {
            assert!((-0.1 + 0.2 * uniform(xorshift64star(&mut word)) - expected).abs() < 1e-10);
        }
        // reference result of Modelica.Blocks.Examples.Noise.UniformNoiseProperties: the mean of 6 r so far
        let first = initial(1, 67_867_967);
        let mut second = first;
        xorshift64star(&mut second);
        let mut state = [first, second];
        let mut sum = 0.0;
        for (count, expected) in [4.338_011_7, 4.190_889_4, 4.386_760_2, 3.576_484_7].into_iter().enumerate()
        {
            sum += 6.0 * uniform(xorshift128plus(&mut state));
            assert!((sum / (count + 1) as f64 - expected).abs() < 2e-5);
        }
    }

    #[test]
    fn the_first_number_of_a_large_state() {
        // words 1 and 1: 1 ^ 1<<31 = 0x80000001, ^ >>11 = 0x80100001 (bit 20); ^ 1 = 0x80100000
        let mut state = vec![0; 33];
        (state[0], state[2]) = (1, 1);
        let (after, number) = next_of_1024(&state).unwrap();
        assert_eq!((after[2], after[3], after[32]), (i64::from(0x8010_0000_u32 as i32), 0, 1));
        assert_eq!(number, uniform(0x8010_0000_u64.wrapping_mul(1_181_783_497_276_652_981)));
    }

    #[test]
    fn words_are_made_of_halves() {
        assert_eq!(words(&[-1, 1]), [0x1_ffff_ffff]);
        assert_eq!(halves(&[0x1_ffff_ffff]), [-1, 1]);
        assert_eq!(uniform(0), 0.5);
        assert_eq!(uniform(1 << 63), 0.0);
    }
}
