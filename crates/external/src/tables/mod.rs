//! `ModelicaStandardTables_*`: interpolation in tables of one and two dimensions, and in tables over time.
//!
//! | file | what |
//! |---|---|
//! | `grid` | abscissae, and how points of them make up a value between or outside of them |
//! | `slopes` | the slopes of cubic curves at the points of a table |
//! | `curve` | tables of one dimension |
//! | `time_table` | tables over time, with the events at their jumps and kinks |
//! | `surface` | tables of two dimensions |
//! | `files` | tables in text and CSV files |

mod curve;
mod files;
mod grid;
mod slopes;
mod surface;
mod time_table;

use rhei_evaluate::{Failure, Value};
use rhei_source::Span;

use crate::arguments::{integer, integers, matrix, number, text};
use crate::{Externals, Native, Object};
pub(crate) use curve::Curves;
use grid::{Extrapolation, Outside, Smoothness};
pub(crate) use surface::Surface;
use time_table::TimeEvents;
pub(crate) use time_table::TimeTable;

/// A table as rows of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Row by row.
    pub(crate) elements: Vec<f64>,
}

impl Matrix {
    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.elements[row * self.columns + column]
    }

    pub(crate) fn column(&self, column: usize) -> Vec<f64> {
        (0..self.rows).map(|row| self.at(row, column)).collect()
    }
}

/// A value with its first and second derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Jet {
    pub(crate) value: f64,
    pub(crate) slope: f64,
    pub(crate) bend: f64,
}

pub(crate) fn native(name: &str) -> Option<Native> {
    Some(match name.strip_prefix("ModelicaStandardTables_")? {
        "CombiTimeTable_init2" | "CombiTimeTable_init3" => new_time_table,
        "CombiTimeTable_close" | "CombiTable1D_close" | "CombiTable2D_close" => close,
        "CombiTimeTable_getValue" => time_table_value,
        "CombiTimeTable_getDerValue" => time_table_derivative,
        "CombiTimeTable_getDer2Value" => time_table_second_derivative,
        "CombiTimeTable_minimumTime" => |objects, a, span| time_table_end(objects, a, span, TimeTable::first),
        "CombiTimeTable_maximumTime" => |objects, a, span| time_table_end(objects, a, span, TimeTable::last),
        "CombiTimeTable_nextTimeEvent" => next_time_event,
        "CombiTable1D_init2" | "CombiTable1D_init3" => new_curves,
        "CombiTable1D_getValue" => curve_value,
        "CombiTable1D_getDerValue" => curve_derivative,
        "CombiTable1D_getDer2Value" => curve_second_derivative,
        "CombiTable1D_minimumAbscissa" => |objects, a, span| curve_end(objects, a, span, Curves::first),
        "CombiTable1D_maximumAbscissa" => |objects, a, span| curve_end(objects, a, span, Curves::last),
        "CombiTable2D_init2" | "CombiTable2D_init3" => new_surface,
        "CombiTable2D_getValue" => surface_value,
        "CombiTable2D_getDerValue" => surface_derivative,
        "CombiTable2D_getDer2Value" => surface_second_derivative,
        "CombiTable2D_minimumAbscissa" => |objects, a, span| surface_corner(objects, a, span, Surface::first),
        "CombiTable2D_maximumAbscissa" => |objects, a, span| surface_corner(objects, a, span, Surface::last),
        _ => return None,
    })
}

/// Objects live as long as the run; there is nothing to give back.
fn close(_: &Externals, _: &[Value], _: Span) -> Result<Vec<Value>, Failure> {
    Ok(Vec::new())
}

// ---- tables over time

fn new_time_table(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    objects.object(a, || {
        let table = given_table(a, 13, span)?;
        let (smoothness, extrapolation) = (smoothness(a, 8, span)?, extrapolation(a, 9, span)?);
        let columns = integers(a, 6, span)?;
        let events = match a.get(11).map(|_| integer(a, 11, span)).transpose()? {
            Some(2) => TimeEvents::AtDiscontinuities,
            Some(3) => TimeEvents::Never,
            _ => TimeEvents::Always,
        };
        let (start, shift) = (number(a, 5, span)?, number(a, 10, span)?);
        let curves = Curves::new(&table, &columns, smoothness, extrapolation);
        let curves = curves.map_err(|what| Failure::WrongArgument { what, span })?;
        Ok(Object::TimeTable(TimeTable::new(curves, start, shift, events)))
    })
}

fn time_table<T>(
    objects: &Externals,
    a: &[Value],
    span: Span,
    ask: impl FnOnce(&TimeTable) -> Result<T, Outside>,
) -> Result<T, Failure> {
    objects.with(a, span, |object| match object {
        Object::TimeTable(table) => Some(ask(table).map_err(|outside| outside.failure(span))),
        _ => None,
    })
}

/// Object, column, time, next event, next event before.
fn time_jet(objects: &Externals, a: &[Value], span: Span) -> Result<Jet, Failure> {
    let (column, t) = (integer(a, 1, span)?, number(a, 2, span)?);
    let (next, before) = (number(a, 3, span)?, number(a, 4, span)?);
    time_table(objects, a, span, |table| table.at(column, t, next, before))
}

fn time_table_value(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    Ok(vec![time_jet(objects, a, span)?.value.into()])
}

fn time_table_derivative(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    Ok(vec![(time_jet(objects, a, span)?.slope * number(a, 5, span)?).into()])
}

fn time_table_second_derivative(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let jet = time_jet(objects, a, span)?;
    let (speed, acceleration) = (number(a, 5, span)?, number(a, 6, span)?);
    Ok(vec![(jet.bend * speed * speed + jet.slope * acceleration).into()])
}

fn time_table_end(
    objects: &Externals,
    a: &[Value],
    span: Span,
    end: impl Fn(&TimeTable) -> f64,
) -> Result<Vec<Value>, Failure> {
    Ok(vec![time_table(objects, a, span, |table| Ok(end(table)))?.into()])
}

fn next_time_event(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let t = number(a, 1, span)?;
    let event = time_table(objects, a, span, |table| Ok(table.next_event(t)))?;
    // the largest number of the library's own constants stands for "never"
    Ok(vec![event.min(f64::MAX).into()])
}

// ---- tables of one dimension

fn new_curves(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    objects.object(a, || {
        let table = given_table(a, 10, span)?;
        let columns = integers(a, 5, span)?;
        let (smoothness, extrapolation) = (smoothness(a, 7, span)?, extrapolation(a, 8, span)?);
        let curves = Curves::new(&table, &columns, smoothness, extrapolation);
        curves.map(Object::Curves).map_err(|what| Failure::WrongArgument { what, span })
    })
}

fn curves<T>(
    objects: &Externals,
    a: &[Value],
    span: Span,
    ask: impl FnOnce(&Curves) -> Result<T, Outside>,
) -> Result<T, Failure> {
    objects.with(a, span, |object| match object {
        Object::Curves(curves) => Some(ask(curves).map_err(|outside| outside.failure(span))),
        _ => None,
    })
}

fn curve_jet(objects: &Externals, a: &[Value], span: Span) -> Result<Jet, Failure> {
    let (column, u) = (integer(a, 1, span)?, number(a, 2, span)?);
    curves(objects, a, span, |curves| curves.at(column, u))
}

fn curve_value(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    Ok(vec![curve_jet(objects, a, span)?.value.into()])
}

fn curve_derivative(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    Ok(vec![(curve_jet(objects, a, span)?.slope * number(a, 3, span)?).into()])
}

fn curve_second_derivative(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let jet = curve_jet(objects, a, span)?;
    let (speed, acceleration) = (number(a, 3, span)?, number(a, 4, span)?);
    Ok(vec![(jet.bend * speed * speed + jet.slope * acceleration).into()])
}

fn curve_end(
    objects: &Externals,
    a: &[Value],
    span: Span,
    end: impl Fn(&Curves) -> f64,
) -> Result<Vec<Value>, Failure> {
    Ok(vec![curves(objects, a, span, |curves| Ok(end(curves)))?.into()])
}

// ---- tables of two dimensions

fn new_surface(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    objects.object(a, || {
        let table = given_table(a, 8, span)?;
        let (smoothness, extrapolation) = (smoothness(a, 5, span)?, extrapolation(a, 6, span)?);
        let surface = Surface::new(&table, smoothness, extrapolation);
        surface.map(Object::Surface).map_err(|what| Failure::WrongArgument { what, span })
    })
}

fn surface<T>(
    objects: &Externals,
    a: &[Value],
    span: Span,
    ask: impl FnOnce(&Surface) -> Result<T, Outside>,
) -> Result<T, Failure> {
    objects.with(a, span, |object| match object {
        Object::Surface(surface) => Some(ask(surface).map_err(|outside| outside.failure(span))),
        _ => None,
    })
}

fn surface_value(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let (u, v) = (number(a, 1, span)?, number(a, 2, span)?);
    Ok(vec![surface(objects, a, span, |surface| surface.at(u, v))?.value.into()])
}

fn surface_derivative(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let (u, v) = (number(a, 1, span)?, number(a, 2, span)?);
    let (du, dv) = (number(a, 3, span)?, number(a, 4, span)?);
    let at = surface(objects, a, span, |surface| surface.at(u, v))?;
    Ok(vec![(at.u * du + at.v * dv).into()])
}

fn surface_second_derivative(objects: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let (u, v) = (number(a, 1, span)?, number(a, 2, span)?);
    let (du, dv) = (number(a, 3, span)?, number(a, 4, span)?);
    let (ddu, ddv) = (number(a, 5, span)?, number(a, 6, span)?);
    let at = surface(objects, a, span, |surface| surface.at(u, v))?;
    let bend = at.uu * du * du + 2.0 * at.uv * du * dv + at.vv * dv * dv;
    Ok(vec![(bend + at.u * ddu + at.v * ddv).into()])
}

fn surface_corner(
    objects: &Externals,
    a: &[Value],
    span: Span,
    corner: impl Fn(&Surface) -> [f64; 2],
) -> Result<Vec<Value>, Failure> {
    Ok(vec![Value::reals(surface(objects, a, span, |surface| Ok(corner(surface)))?)])
}

// ---- what all constructors are given

/// File name, table name, and the matrix; from `delimiter` on the arguments about CSV files.
fn given_table(a: &[Value], delimiter: usize, span: Span) -> Result<Matrix, Failure> {
    let (file, name) = (text(a, 0, span)?, text(a, 1, span)?);
    let is_named = |text: &str| !text.trim().is_empty() && text != "NoName";
    if !is_named(file) {
        if is_named(name) {
            let what = format!("table `{name}` would be in a function `usertab`, and there is none");
            return Err(Failure::WrongArgument { what, span });
        }
        return matrix(a, 2, span);
    }
    let separator = if a.len() > delimiter { text(a, delimiter, span)? } else { "," };
    let header = if a.len() > delimiter + 1 { integer(a, delimiter + 1, span)? } else { 0 };
    files::read(file, name, separator, usize::try_from(header).unwrap_or(0))
        .map_err(|what| Failure::WrongArgument { what, span })
}

/// `Modelica.Blocks.Types.Smoothness`
fn smoothness(a: &[Value], place: usize, span: Span) -> Result<Smoothness, Failure> {
    Ok(match integer(a, place, span)? {
        1 => Smoothness::Linear,
        2 => Smoothness::Akima,
        3 => Smoothness::Constant,
        4 => Smoothness::FritschButland,
        5 => Smoothness::Steffen,
        6 => Smoothness::ModifiedAkima,
        other => return Err(unknown("smoothness", other, span)),
    })
}

/// `Modelica.Blocks.Types.Extrapolation`
fn extrapolation(a: &[Value], place: usize, span: Span) -> Result<Extrapolation, Failure> {
    Ok(match integer(a, place, span)? {
        1 => Extrapolation::Hold,
        2 => Extrapolation::LastTwoPoints,
        3 => Extrapolation::Periodic,
        4 => Extrapolation::None,
        other => return Err(unknown("extrapolation", other, span)),
    })
}

fn unknown(what: &str, number: i64, span: Span) -> Failure {
    Failure::WrongArgument { what: format!("there is no {what} number {number}"), span }
}
