//! A plot in braille characters: two by four dots to a character.
//!
//! With colours all curves share a frame; without, curves could not be told apart, so that each gets a frame of its
//! own, one below the other.

use std::fmt::Write;

use super::polyline::{pieces, time_range, value_range};
use super::ticks::{Ticks, axis_title, padded, ticks};
use super::{Curve, Mark, Plot};

/// The terminal to draw for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Characters in a line.
    pub width: usize,
    /// Lines for a frame, without axis and heading.
    pub height: usize,
    /// Whether escape codes for colours are understood.
    pub colours: bool,
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal { width: 80, height: 16, colours: false }
    }
}

/// The terminal's colours that come closest to the ones on paper.
const ESCAPES: [&str; 6] = ["\x1b[34m", "\x1b[31m", "\x1b[32m", "\x1b[35m", "\x1b[33m", "\x1b[36m"];
const PLAIN: &str = "\x1b[0m";

/// The least that a frame can be drawn in.
const LEAST_WIDTH: usize = 20;
const LEAST_HEIGHT: usize = 3;

/// On the axis, where something happened.
const MARK: char = '▲';

/// Draws a plot; every line ends in a line break.
pub fn terminal(plot: &Plot, terminal: Terminal) -> String {
    let terminal = Terminal {
        width: terminal.width.max(LEAST_WIDTH),
        height: terminal.height.max(LEAST_HEIGHT),
        ..terminal
    };
    let mut out = String::new();
    if !plot.title.is_empty() {
        let _ = writeln!(out, "{}", plot.title);
    }
    if terminal.colours || plot.curves.len() <= 1 {
        frame(&mut out, &plot.curves, &plot.marks, terminal);
    } else {
        // Each of several frames may be lower than a single one.
        let height = (terminal.height / 2).max(LEAST_HEIGHT).max(terminal.height / plot.curves.len());
        for curve in &plot.curves {
            frame(&mut out, std::slice::from_ref(curve), &plot.marks, Terminal { height, ..terminal });
        }
    }
    out
}

fn frame(out: &mut String, curves: &[Curve], marks: &[Mark], terminal: Terminal) {
    let time = time_range(curves).filter(|(from, to)| from < to);
    let time = time.unwrap_or_else(|| time_range(curves).map_or((0.0, 1.0), |(at, _)| padded(at, at)));
    let value = value_range(curves).map_or((0.0, 1.0), |(low, high)| padded(low, high));
    let y_ticks = ticks(value.0, value.1, (terminal.height / 2).clamp(2, 8));
    let margin = y_ticks.labels.iter().map(|label| label.chars().count()).max().unwrap_or(1);
    let columns = terminal.width.saturating_sub(margin + 1).max(LEAST_WIDTH / 2);

    let mut canvas = Canvas::new(columns, terminal.height, time, value);
    curves.iter().enumerate().for_each(|(index, curve)| canvas.curve(index, curve));

    let _ = writeln!(out, "{:margin$} {}", "", heading(curves, y_ticks.exponent, terminal));
    let mut labels = vec![""; terminal.height];
    for (&at, label) in y_ticks.at.iter().zip(&y_ticks.labels) {
        labels[canvas.dot_y(at) / 4] = label;
    }
    for (row, label) in labels.iter().enumerate() {
        let pad = margin - label.chars().count();
        let tick = if label.is_empty() { '│' } else { '┤' };
        let line = canvas.line(row, terminal.colours);
        let _ = writeln!(out, "{}", format!("{:pad$}{label}{tick}{line}", "").trim_end());
    }
    axis(out, margin, &canvas, time, marks);
}

/// Names, units and the common power of ten.
fn heading(curves: &[Curve], exponent: i32, terminal: Terminal) -> String {
    let mut parts = Vec::new();
    for (index, curve) in curves.iter().enumerate() {
        let unit = curve.unit.as_ref().map_or(String::new(), |unit| format!(" [{unit}]"));
        let text = format!("{}{unit}", curve.name);
        parts.push(if terminal.colours {
            format!("{}━ {text}{PLAIN}", ESCAPES[index % ESCAPES.len()])
        } else {
            text
        });
    }
    if exponent != 0 {
        parts.push(axis_title("", None, exponent));
    }
    parts.join("  ")
}

/// The line below the frame, with ticks and times.
fn axis(out: &mut String, margin: usize, canvas: &Canvas, time: (f64, f64), marks: &[Mark]) {
    let Ticks { at, labels, exponent } = ticks(time.0, time.1, (canvas.columns / 9).clamp(2, 10));
    let mut rule = vec!['─'; canvas.columns];
    let title = axis_title("time", Some("s"), exponent);
    // Labels stand below their tick; the one that would run out of the line is moved in, and one that would touch
    // the one before it or the title is left out.
    let mut text: Vec<char> = vec![' '; canvas.columns + 1];
    let mut free_from = 0;
    for (&t, label) in at.iter().zip(&labels) {
        let column = (canvas.dot_x(t) / 2).min(canvas.columns - 1);
        rule[column] = '┬';
        let length = label.chars().count();
        let start = (column + 1).saturating_sub(length / 2).min((canvas.columns + 1).saturating_sub(length));
        if start >= free_from {
            for (k, c) in label.chars().enumerate() {
                text[start + k] = c;
            }
            free_from = start + length + 1;
        }
    }
    for mark in marks.iter().filter(|mark| time.0 <= mark.time && mark.time <= time.1) {
        rule[(canvas.dot_x(mark.time) / 2).min(canvas.columns - 1)] = MARK;
    }
    let _ = writeln!(out, "{:margin$}└{}", "", rule.into_iter().collect::<String>());
    let _ = writeln!(out, "{}", format!("{:margin$}{}", "", text.into_iter().collect::<String>()).trim_end());
    let indent = margin + 1 + (canvas.columns.saturating_sub(title.chars().count())) / 2;
    let _ = writeln!(out, "{:indent$}{title}", "");
}

/// Dots, and which curve drew into a character last.
struct Canvas {
    columns: usize,
    rows: usize,
    time: (f64, f64),
    value: (f64, f64),
    dots: Vec<u8>,
    owner: Vec<usize>,
}

impl Canvas {
    fn new(columns: usize, rows: usize, time: (f64, f64), value: (f64, f64)) -> Canvas {
        Canvas {
            columns,
            rows,
            time,
            value,
            dots: vec![0; columns * rows],
            owner: vec![usize::MAX; columns * rows],
        }
    }

    fn dot_x(&self, t: f64) -> usize {
        place(t, self.time, 2 * self.columns)
    }

    /// From the top.
    fn dot_y(&self, value: f64) -> usize {
        4 * self.rows - 1 - place(value, self.value, 4 * self.rows)
    }

    fn set(&mut self, x: usize, y: usize, owner: usize) {
        // Bits of the dots of a braille character, by column and row.
        const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let cell = (y / 4) * self.columns + x / 2;
        self.dots[cell] |= BITS[x % 2][y % 4];
        self.owner[cell] = owner;
    }

    fn curve(&mut self, owner: usize, curve: &Curve) {
        for piece in pieces(curve) {
            let dots: Vec<(usize, usize)> =
                piece.iter().map(|&(t, value)| (self.dot_x(t), self.dot_y(value))).collect();
            if let [(x, y)] = dots[..] {
                self.set(x, y, owner);
            }
            for ends in dots.windows(2) {
                self.segment(ends[0], ends[1], owner);
            }
        }
    }

    /// A straight line of dots (Bresenham).
    fn segment(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize), owner: usize) {
        let (dx, dy) = (x1 as i64 - x0 as i64, y1 as i64 - y0 as i64);
        let length = dx.abs().max(dy.abs()).max(1);
        for k in 0..=length {
            let along =
                |from: usize, d: i64| (from as i64 + (2 * d * k + length).div_euclid(2 * length)) as usize;
            self.set(along(x0, dx), along(y0, dy), owner);
        }
    }

    fn line(&self, row: usize, colours: bool) -> String {
        let mut out = String::new();
        let mut last = usize::MAX;
        for cell in row * self.columns..(row + 1) * self.columns {
            let owner = self.owner[cell];
            if colours && owner != last && owner != usize::MAX {
                out.push_str(ESCAPES[owner % ESCAPES.len()]);
                last = owner;
            }
            let dots = u32::from(self.dots[cell]);
            out.push(if dots == 0 { ' ' } else { char::from_u32(0x2800 + dots).unwrap_or('?') });
        }
        let out = out.trim_end().to_owned();
        if last == usize::MAX { out } else { out + PLAIN }
    }
}

/// Which of `count` places a number falls on.
fn place(number: f64, (low, high): (f64, f64), count: usize) -> usize {
    let part = (number - low) / (high - low);
    ((part * count as f64).max(0.0) as usize).min(count - 1)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn curve(name: &str, stepped: bool, f: impl Fn(f64) -> f64) -> Curve {
        let times: Vec<f64> = (0..=200).map(|k| f64::from(k) / 20.0).collect();
        let values = times.iter().map(|t| f(*t)).collect();
        Curve { name: name.to_owned(), unit: Some("V".to_owned()), stepped, times, values }
    }

    #[test]
    fn a_damped_oscillation() {
        let plot = Plot {
            title: String::new(),
            curves: vec![curve("u", false, |t| (-t / 4.0).exp() * (2.0 * t).cos())],
            ..Plot::default()
        };
        let drawn = terminal(&plot, Terminal { width: 60, height: 10, colours: false });
        expect![[r#"
                 u [V]
             1.0┤⢦
                │ ⢣
                │ ⠈⡆
             0.5┤  ⠘⡄           ⡠⠒⠲⢄
                │   ⢱          ⡜   ⠈⠱⡄           ⣀⣠⢤⣀⡀
               0┤   ⠈⡆       ⢀⠎      ⠘⣄       ⢀⡠⠊⠁   ⠉⠲⢤⡀       ⣀⠤⠔⠒⠒⠒⠲⠤
                │    ⢸       ⡜         ⠣⡀    ⡠⠊         ⠉⠒⠢⠤⠤⠔⠚⠉
                │     ⢱     ⡜           ⠈⠒⠤⠖⠊
            −0.5┤      ⢇  ⢀⡔⠁
                │      ⠈⠳⠴⠊
                └┬──────────┬──────────┬──────────┬──────────┬─────────┬
                 0          2          4          6          8        10
                                        time [s]
        "#]]
        .assert_eq(&drawn);
        assert!(drawn.lines().all(|line| line.chars().count() <= 60));
    }

    #[test]
    fn without_colours_each_curve_has_a_frame() {
        let square = |t: f64| if t % 5.0 < 2.5 { 0.0 } else { 1.0 };
        let gap = |t: f64| if (4.0..6.0).contains(&t) { f64::NAN } else { 1e6 * t };
        let plot = Plot {
            title: "Two".to_owned(),
            curves: vec![curve("b", true, square), curve("p", false, gap)],
            ..Plot::default()
        };
        expect![[r#"
            Two
              b [V]
            1┤            ⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⡇           ⡏⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⢹
             │            ⡇           ⡇           ⡇          ⢸
             │            ⡇           ⡇           ⡇          ⢸
            0┤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡇           ⣇⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⡇          ⢸
             └┬────────┬─────────┬────────┬─────────┬────────┬
              0        2         4        6         8       10
                                  time [s]
               p [V]  ×10⁶
            10┤                                    ⣀⣀⣀⡠⠤⠤⠤⠒⠒⠒⠋
              │                            ⠤⠤⠒⠒⠒⠋⠉⠉⠁
              │          ⢀⣀⣀⣠⠤⠤⠤⠒⠒
             0┤⣠⠤⠤⠤⠒⠒⠒⠊⠉⠉⠁
              └┬────────┬────────┬─────────┬────────┬────────┬
               0        2        4         6        8       10
                                  time [s]
        "#]]
        .assert_eq(&terminal(&plot, Terminal { width: 50, height: 8, colours: false }));
    }

    #[test]
    fn with_colours_they_share_one() {
        let plot = Plot {
            title: String::new(),
            curves: vec![curve("x", false, f64::sin), curve("y", false, f64::cos)],
            ..Plot::default()
        };
        let drawn = terminal(&plot, Terminal { width: 40, height: 6, colours: true });
        assert!(drawn.contains("\x1b[34m━ x [V]\x1b[0m  \x1b[31m━ y [V]\x1b[0m"));
        let width = |line: &str| {
            let bare = ESCAPES.iter().fold(line.replace(PLAIN, ""), |line, escape| line.replace(escape, ""));
            bare.chars().count()
        };
        assert!(drawn.lines().all(|line| width(line) <= 40));
        assert_eq!(drawn.lines().count(), 1 + 6 + 3);
    }

    #[test]
    fn nothing_to_draw_is_drawn() {
        let empty = Curve { name: "x".to_owned(), unit: None, stepped: false, times: vec![], values: vec![] };
        let plot = Plot { curves: vec![empty], ..Plot::default() };
        assert!(terminal(&plot, Terminal { width: 1, height: 1, colours: false }).lines().count() > 3);
        assert_eq!(terminal(&Plot::default(), Terminal::default()).lines().count(), 20);
    }
}
