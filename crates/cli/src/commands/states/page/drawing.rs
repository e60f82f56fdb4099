//! Boxes and lines of the page.
//!
//! Dependent variables stand left, the constraints beside them, and the states they are given from right. Variables that are
//! given from the same states are one group, with its states at its head: lines stay short, however many variables there are.

use std::collections::BTreeMap;
use std::fmt::Write;

use rhei::{Role, StateReport, StateSet, VariableState};

use super::escaped;

/// Distances of the drawing, in pixels.
const ROW: usize = 34;
const HEIGHT: usize = 24;
const NAME: usize = 300;
const MIDDLE: usize = 420;
const GAP: usize = 48;
const BETWEEN_GROUPS: usize = 14;
/// Letters that fit into a box.
const LETTERS_OF_NAME: usize = 39;
const LETTERS_OF_EQUATION: usize = 55;
/// Most variables of a group that are drawn; the table has them all.
const MOST_OF_GROUP: usize = 12;
/// Sweeps of the barycentre ordering.
const SWEEPS: usize = 6;

const COLUMNS: [usize; 3] = [0, NAME + GAP, NAME + GAP + MIDDLE + GAP];

struct Node {
    text: String,
    class: &'static str,
}

/// Variables that constraints give from the same states.
struct Group<'a> {
    states: &'a [String],
    given: Vec<&'a VariableState>,
}

/// Each variable that constraints give, with the states they give it from; none if there are no such variables.
pub(super) fn of_dummies(report: &StateReport) -> Option<String> {
    let groups = groups(report);
    let mut svg = String::new();
    let mut y = 5;
    for group in &groups {
        y = drawn_group(&mut svg, group, y) + BETWEEN_GROUPS;
    }
    (!groups.is_empty()).then(|| framed(&svg, COLUMNS[2] + NAME, y))
}

/// In the order in which the first of each group is declared.
fn groups(report: &StateReport) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places: BTreeMap<&[String], usize> = BTreeMap::new();
    let dummies = report.variables.iter().filter(|variable| variable.role == Role::Dummy);
    for variable in dummies.filter(|variable| !variable.is_clocked) {
        let states = variable.given_from.as_slice();
        let place = *places.entry(states).or_insert_with(|| {
            groups.push(Group { states, given: Vec::new() });
            groups.len() - 1
        });
        groups[place].given.push(variable);
    }
    groups
}

/// Draws a group from `top` on; returns where it ends.
fn drawn_group(svg: &mut String, group: &Group<'_>, top: usize) -> usize {
    // a single further variable is drawn rather than reported as left out
    let n_drawn = if group.given.len() > MOST_OF_GROUP + 1 { MOST_OF_GROUP } else { group.given.len() };
    let y = |row: usize| top + row * ROW;
    let trunk = COLUMNS[2] - GAP / 2;
    let last = n_drawn.max(group.states.len()).saturating_sub(1);
    for row in 0..n_drawn {
        let middle = y(row) + HEIGHT / 2;
        let _ = write!(svg, "<path d=\"M{NAME} {middle}H{}\"/>", COLUMNS[1]);
        if !group.states.is_empty() {
            let _ = write!(svg, "<path d=\"M{} {middle}H{trunk}\"/>", COLUMNS[1] + MIDDLE);
        }
    }
    if !group.states.is_empty() {
        let _ = write!(svg, "<path d=\"M{trunk} {}V{}\"/>", y(0) + HEIGHT / 2, y(last) + HEIGHT / 2);
    }
    for (row, variable) in group.given.iter().take(n_drawn).enumerate() {
        let given = Node { text: variable.name.clone(), class: "dummy" };
        boxed(svg, &given, (COLUMNS[0], y(row)), NAME, LETTERS_OF_NAME);
        let node = Node { text: variable.given_by.join("\n"), class: "constraint" };
        boxed(svg, &node, (COLUMNS[1], y(row)), MIDDLE, LETTERS_OF_EQUATION);
    }
    for (row, state) in group.states.iter().enumerate() {
        let _ = write!(svg, "<path d=\"M{trunk} {}H{}\"/>", y(row) + HEIGHT / 2, COLUMNS[2]);
        let node = Node { text: state.clone(), class: "state" };
        boxed(svg, &node, (COLUMNS[2], y(row)), NAME, LETTERS_OF_NAME);
    }
    let end = y(last + 1);
    if n_drawn == group.given.len() {
        return end;
    }
    let left_out = group.given.len() - n_drawn;
    let _ = write!(
        svg,
        "<text class=\"more\" x=\"8\" y=\"{}\">and {left_out} more, which the table below lists</text>",
        end + HEIGHT - 8
    );
    end + ROW
}

/// A set: its candidates, and the constraints that tie them.
pub(super) fn of_set(set: &StateSet) -> String {
    let (mut left, mut middle): (Vec<usize>, Vec<usize>) =
        ((0..set.candidates.len()).collect(), (0..set.equations.len()).collect());
    let links = &set.ties;
    for _ in 0..SWEEPS {
        bring_closer(&mut middle, &left, links.iter().map(|&(place, row)| (row, place)));
        bring_closer(&mut left, &middle, links.iter().copied());
    }
    let rows = left.len().max(middle.len());
    // the column with fewer boxes has them farther apart
    let y = |order: &[usize], of: usize| {
        let place = order.iter().position(|&other| other == of).unwrap_or_default();
        let room = (rows.saturating_sub(1)) * ROW;
        5 + match order.len() {
            0 | 1 => room / 2,
            n => place * room / (n - 1),
        }
    };
    let mut svg = String::new();
    for &(place, row) in links {
        line(&mut svg, (NAME, y(&left, place) + HEIGHT / 2), (COLUMNS[1], y(&middle, row) + HEIGHT / 2));
    }
    for &place in &left {
        let node = Node { text: set.candidates[place].clone(), class: "set" };
        boxed(&mut svg, &node, (COLUMNS[0], y(&left, place)), NAME, LETTERS_OF_NAME);
    }
    for &row in &middle {
        let node = Node { text: set.equations[row].clone(), class: "constraint" };
        boxed(&mut svg, &node, (COLUMNS[1], y(&middle, row)), MIDDLE, LETTERS_OF_EQUATION);
    }
    framed(&svg, COLUMNS[1] + MIDDLE, rows * ROW + 10)
}

/// Orders the boxes of a column by the barycentre of their neighbours in the other (Sugiyama, Tagawa & Toda 1981).
fn bring_closer(column: &mut [usize], other: &[usize], links: impl Iterator<Item = (usize, usize)>) {
    let mut place_of = vec![0; other.len()];
    other.iter().enumerate().for_each(|(place, &of)| place_of[of] = place);
    let mut sums = vec![(0, 0); column.len()];
    for (own, tied) in links {
        sums[own].0 += place_of[tied];
        sums[own].1 += 1;
    }
    column.sort_by_key(|&own| 1000 * sums[own].0 / sums[own].1.max(1));
}

fn framed(svg: &str, width: usize, height: usize) -> String {
    let width = width + 2; // a little more than the boxes, for their outline
    format!(
        "<div class=\"graph\"><svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\
         {svg}</svg></div>"
    )
}

fn line(svg: &mut String, (x1, y1): (usize, usize), (x2, y2): (usize, usize)) {
    let bend = GAP / 2;
    let _ = write!(svg, "<path d=\"M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}\"/>", x1 + bend, x2 - bend);
}

fn boxed(svg: &mut String, node: &Node, (x, y): (usize, usize), width: usize, letters: usize) {
    let mut lines = node.text.lines();
    let first = lines.next().unwrap_or_default();
    let more = lines.count();
    let after = if more > 0 { format!(" and {more} more") } else { String::new() };
    let room = letters.saturating_sub(after.chars().count());
    let shown = if node.class == "constraint" { cut(first, room) } else { cut_within(first, room) } + &after;
    let _ = write!(
        svg,
        "<g class=\"{}\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HEIGHT}\" rx=\"5\"/>\
         <text x=\"{}\" y=\"{}\">{}</text></g>",
        node.class,
        escaped(&node.text),
        x + 8,
        y + HEIGHT - 8,
        escaped(&shown)
    );
}

/// A text, cut at its end if it is too long.
fn cut(text: &str, letters: usize) -> String {
    match text.chars().count() > letters {
        true => text.chars().take(letters.saturating_sub(1)).collect::<String>() + "…",
        false => text.to_owned(),
    }
}

/// A name, cut in its middle if it is too long: neighbours differ at their ends.
fn cut_within(name: &str, letters: usize) -> String {
    let n = name.chars().count();
    if n <= letters {
        return name.to_owned();
    }
    let kept = letters.saturating_sub(1);
    let (head, tail) = (kept / 3, kept - kept / 3);
    let first: String = name.chars().take(head).collect();
    let last: String = name.chars().skip(n - tail).collect();
    format!("{first}…{last}")
}
