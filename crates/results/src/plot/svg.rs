//! A plot as SVG: a self-contained text, readable on its own and inside the HTML page.
//!
//! Title and legend stand above the frame, so that nothing is ever written over a curve. Text widths are estimated
//! generously, since no font is at hand.

use std::fmt::Write;

use super::polyline::{pieces, thinned, time_range, value_range};
use super::ticks::{Ticks, axis_title, padded, ticks};
use super::{Curve, Mark, Plot};

/// Okabe and Ito's colours, which remain distinct for the colour-blind, the dark ones first; yellow is left
/// out, being hard to see on white.
pub const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];

/// The same on black, in the same order.
const COLOURS_ON_BLACK: [&str; 7] =
    ["#4FA8DE", "#F08A4B", "#2EC4A0", "#E09CC5", "#E6B34D", "#9AD3F5", "#E8E8E8"];

/// Dashes for each further round through the colours.
const DASHES: [&str; 3] = ["", "6 3", "2 3"];

/// Height of a line of text, and width of its widest usual letters.
const LINE: f64 = 18.0;
const LETTER: f64 = 6.8;
/// Length of the sample line in the legend, and air around things.
const SAMPLE: f64 = 22.0;
const AIR: f64 = 8.0;

/// Size of the picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

impl Default for Size {
    fn default() -> Size {
        Size { width: 860.0, height: 480.0 }
    }
}

/// Position of the frame in the picture, and the ranges it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) time: (f64, f64),
    pub(super) value: (f64, f64),
}

impl Frame {
    fn x(&self, t: f64) -> f64 {
        self.left + (t - self.time.0) / (self.time.1 - self.time.0) * self.width
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (self.value.1 - value) / (self.value.1 - self.value.0) * self.height
    }
}

/// More marks than these would only be grey.
const MOST_MARKS: usize = 500;

/// Draws a plot.
pub fn svg(plot: &Plot, size: Size) -> String {
    draw(plot, size).0
}

/// Draws a plot, and says where its frame came to lie.
pub(super) fn draw(plot: &Plot, size: Size) -> (String, Frame) {
    let legend = Legend::new(plot, size.width);
    let title_height = if plot.title.is_empty() { 0.0 } else { LINE + 6.0 };
    let time = time_range(&plot.curves).filter(|(from, to)| from < to);
    let time = time.unwrap_or_else(|| padded_point(time_range(&plot.curves)));
    let value = value_range(&plot.curves).map_or((0.0, 1.0), |(low, high)| padded(low, high));

    let top = AIR + title_height + legend.height() + LINE + 4.0;
    let bottom = 2.0 * LINE + AIR;
    let height = (size.height - top - bottom).max(40.0);
    let y_ticks = ticks(value.0, value.1, (height / 30.0).clamp(2.0, 12.0) as usize);
    let left = AIR
        + LETTER * y_ticks.labels.iter().map(|label| label.chars().count()).max().unwrap_or(1) as f64
        + AIR;
    let right = 3.0 * AIR;
    let width = (size.width - left - right).max(40.0);
    let frame = Frame { left, top, width, height, time, value };
    let x_ticks = time_ticks(time, width);

    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#333\" class=\"plot\">\n\
         {style}<rect class=\"paper\" width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n",
        w = size.width,
        h = size.height,
        style = style()
    );
    if !plot.title.is_empty() {
        let (x, y) = (frame.left, AIR + LINE - 4.0);
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"15\" font-weight=\"600\">{}</text>",
            escaped(&plot.title)
        );
    }
    legend.draw(&mut out, frame.left, AIR + title_height);
    axes(&mut out, plot, &frame, &x_ticks, &y_ticks);
    marks(&mut out, plot, &frame);
    curves(&mut out, plot, &frame);
    out.push_str("</svg>\n");
    (out, frame)
}

/// Colours for readers who prefer dark pages. Viewers without style sheets take the attributes, made for paper.
fn style() -> String {
    let rules = |colours: [&str; 7]| {
        let rule = |(index, colour): (usize, &str)| format!(".c{index}{{stroke:{colour};color:{colour}}}");
        colours.into_iter().enumerate().map(rule).collect::<String>()
    };
    format!(
        "<style>{}\n@media (prefers-color-scheme:dark){{.plot{{fill:#ccc}}.paper{{fill:#181818}}\
         .grid{{stroke:#333}}.frame{{stroke:#777}}{}}}</style>\n",
        rules(COLOURS),
        rules(COLOURS_ON_BLACK)
    )
}

/// As many ticks of time as leave room for their texts.
fn time_ticks(time: (f64, f64), width: f64) -> Ticks {
    let wanted = |space: f64| (width / space).clamp(2.0, 12.0) as usize;
    let dense = ticks(time.0, time.1, wanted(70.0));
    let longest = dense.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let space = LETTER * longest as f64 + 2.0 * AIR;
    if space > 70.0 { ticks(time.0, time.1, wanted(space)) } else { dense }
}

/// A range of time around a single row, or none.
fn padded_point(range: Option<(f64, f64)>) -> (f64, f64) {
    range.map_or((0.0, 1.0), |(at, _)| padded(at, at))
}

fn axes(out: &mut String, plot: &Plot, frame: &Frame, x_ticks: &Ticks, y_ticks: &Ticks) {
    let (left, right) = (frame.left, frame.left + frame.width);
    let (top, bottom) = (frame.top, frame.top + frame.height);
    out.push_str("<g class=\"grid\" stroke=\"#e6e6e6\" stroke-width=\"1\">\n");
    for &t in &x_ticks.at {
        let x = frame.x(t);
        let _ = writeln!(out, "<line x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\"/>");
    }
    for &value in &y_ticks.at {
        let y = frame.y(value);
        let _ = writeln!(out, "<line x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\"/>");
    }
    out.push_str("</g>\n<g class=\"x-labels\" text-anchor=\"middle\">\n");
    for (&t, label) in x_ticks.at.iter().zip(&x_ticks.labels) {
        let _ =
            writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>", frame.x(t), bottom + LINE - 2.0);
    }
    out.push_str("</g>\n<g class=\"y-labels\" text-anchor=\"end\">\n");
    for (&value, label) in y_ticks.at.iter().zip(&y_ticks.labels) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
            left - AIR + 2.0,
            frame.y(value) + 4.0
        );
    }
    let _ = writeln!(
        out,
        "</g>\n<rect class=\"frame\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"#999\"/>",
        frame.width, frame.height
    );
    let _ = writeln!(
        out,
        "<text class=\"x-title\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        left + frame.width / 2.0,
        bottom + 2.0 * LINE,
        axis_title("time", Some("s"), x_ticks.exponent)
    );
    let value = axis_title("", common_unit(plot), y_ticks.exponent);
    let _ = writeln!(
        out,
        "<text class=\"y-title\" x=\"{left:.1}\" y=\"{:.1}\">{}</text>",
        top - 6.0,
        escaped(&value)
    );
}

/// The unit of all curves, where they have the same.
pub(super) fn common_unit(plot: &Plot) -> Option<&str> {
    let first = plot.curves.first()?.unit.as_deref()?;
    plot.curves.iter().all(|curve| curve.unit.as_deref() == Some(first)).then_some(first)
}

/// A dashed line for each mark; its text shows where the pointer rests.
fn marks(out: &mut String, plot: &Plot, frame: &Frame) {
    let inside = |mark: &&Mark| frame.time.0 <= mark.time && mark.time <= frame.time.1;
    let shown: Vec<&Mark> = plot.marks.iter().filter(inside).take(MOST_MARKS).collect();
    if shown.is_empty() {
        return;
    }
    let (top, bottom) = (frame.top, frame.top + frame.height);
    out.push_str("<g class=\"marks\" stroke=\"#999\" stroke-width=\"1\" stroke-dasharray=\"2 3\">\n");
    for mark in shown {
        let x = frame.x(mark.time);
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\"><title>{}</title></line>",
            escaped(&mark.text)
        );
    }
    out.push_str("</g>\n");
}

fn curves(out: &mut String, plot: &Plot, frame: &Frame) {
    let _ = writeln!(
        out,
        "<clipPath id=\"inside\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/></clipPath>",
        frame.left,
        frame.top - 1.0,
        frame.width,
        frame.height + 2.0
    );
    out.push_str("<g class=\"curves\" fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\" clip-path=\"url(#inside)\">\n");
    for (index, curve) in plot.curves.iter().enumerate() {
        let _ = writeln!(out, "<path {} d=\"{}\"/>", stroke(index), path(curve, frame));
    }
    out.push_str("</g>\n");
}

/// Colour and dashes of a curve.
fn stroke(index: usize) -> String {
    let place = index % COLOURS.len();
    let colour = format!("class=\"c{place}\" stroke=\"{}\"", COLOURS[place]);
    match DASHES[index / COLOURS.len() % DASHES.len()] {
        "" => colour,
        dash => format!("{colour} stroke-dasharray=\"{dash}\""),
    }
}

fn path(curve: &Curve, frame: &Frame) -> String {
    let mut path = String::new();
    for piece in pieces(curve) {
        let points = thinned(&piece, frame.time, frame.width as usize);
        for (k, (t, value)) in points.iter().enumerate() {
            let command = if k == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.2} {:.2}", frame.x(*t), frame.y(*value));
        }
        if points.len() == 1 {
            // A line of no length, which the round cap makes a dot.
            path.push_str("h0");
        }
    }
    path
}

/// Names with samples of their lines, in rows that fit.
struct Legend {
    /// Per row the curves and where they begin.
    rows: Vec<Vec<(usize, f64)>>,
    texts: Vec<String>,
}

impl Legend {
    fn new(plot: &Plot, width: f64) -> Legend {
        let common = common_unit(plot);
        let text = |curve: &Curve| match curve.unit.as_deref().filter(|unit| common != Some(unit)) {
            Some(unit) => format!("{} [{unit}]", curve.name),
            None => curve.name.clone(),
        };
        let texts: Vec<String> = plot.curves.iter().map(text).collect();
        let wide = |text: &String| SAMPLE + AIR + LETTER * text.chars().count() as f64 + 2.0 * AIR;
        let room = (width - 60.0).max(1.0);
        // One row as tight as can be; several as columns of one width.
        let total: f64 = texts.iter().map(wide).sum();
        let widest = texts.iter().map(wide).fold(1.0, f64::max);
        let per_row = if total <= room { texts.len().max(1) } else { ((room / widest) as usize).max(1) };
        let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
        let mut x = 0.0;
        for (index, text) in texts.iter().enumerate() {
            if index % per_row == 0 {
                rows.push(Vec::new());
                x = 0.0;
            }
            if let Some(row) = rows.last_mut() {
                row.push((index, x));
            }
            x += if total <= room { wide(text) } else { room / per_row as f64 };
        }
        Legend { rows, texts }
    }

    fn height(&self) -> f64 {
        self.rows.len() as f64 * LINE
    }

    fn draw(&self, out: &mut String, left: f64, top: f64) {
        out.push_str("<g class=\"legend\">\n");
        for (number, row) in self.rows.iter().enumerate() {
            let y = top + LINE * (number as f64 + 0.7);
            for &(index, x) in row {
                let x = left + x;
                let _ = writeln!(
                    out,
                    "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke-width=\"2\" {}/>\
                     <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                    y - 4.0,
                    x + SAMPLE,
                    y - 4.0,
                    stroke(index),
                    x + SAMPLE + AIR,
                    escaped(&self.texts[index])
                );
            }
        }
        out.push_str("</g>\n");
    }
}

/// Text safe within XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let times: Vec<f64> = (0..=100).map(|k| f64::from(k) / 10.0).collect();
        let curve = |name: &str, unit: &str, f: fn(f64) -> f64| Curve {
            name: name.to_owned(),
            unit: Some(unit.to_owned()),
            stepped: false,
            times: times.clone(),
            values: times.iter().map(|t| f(*t)).collect(),
        };
        let curves = vec![curve("body.r[1]", "m", f64::sin), curve("a<b", "m", f64::cos)];
        Plot { title: "Swing & sway".to_owned(), curves, ..Plot::default() }
    }

    #[test]
    fn the_parts_are_there() {
        let text = svg(&plot(), Size::default());
        assert_eq!(text.matches("<path ").count(), 2);
        for part in ["Swing &amp; sway", "body.r[1]", "a&lt;b", "time [s]", "[m]", COLOURS[0], COLOURS[1]] {
            assert!(text.contains(part), "{part}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"));
        // Every element that is opened is closed.
        for element in ["g", "svg", "text", "clipPath", "style"] {
            let opened =
                text.matches(&format!("<{element} ")).count() + text.matches(&format!("<{element}>")).count();
            assert_eq!(opened, text.matches(&format!("</{element}>")).count(), "{element}");
        }
    }

    #[test]
    fn all_points_lie_within_the_frame() {
        let (text, frame) = draw(&plot(), Size::default());
        for path in text.split(" d=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            for point in path.split(['M', 'L']).filter(|point| !point.is_empty()) {
                let (x, y) = point.split_once(' ').unwrap();
                let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                assert!(x >= frame.left - 0.01 && x <= frame.left + frame.width + 0.01, "{point}");
                assert!(y >= frame.top && y <= frame.top + frame.height, "{point}");
            }
        }
    }

    #[test]
    fn an_event_is_a_vertical_line() {
        for stepped in [false, true] {
            let (times, values) = (vec![0.0, 1.0, 1.0, 2.0], vec![0.0, 1.0, 5.0, 5.0]);
            let curve = Curve { name: "x".to_owned(), unit: None, stepped, times, values };
            let (text, frame) =
                draw(&Plot { title: String::new(), curves: vec![curve], ..Plot::default() }, Size::default());
            let jump = |value: f64| format!("{:.2} {:.2}", frame.x(1.0), frame.y(value));
            let before = if stepped { 0.0 } else { 1.0 };
            assert!(
                text.contains(&format!("L{}", jump(before))) && text.contains(&format!("L{}", jump(5.0)))
            );
        }
    }

    #[test]
    fn different_units_stand_in_the_legend() {
        let mut plot = plot();
        plot.curves[1].unit = Some("N".to_owned());
        let text = svg(&plot, Size::default());
        assert!(text.contains("body.r[1] [m]") && text.contains("a&lt;b [N]"));
    }

    #[test]
    fn long_times_do_not_run_into_each_other() {
        for time in [(1e5, 1e5 + 1e-3), (0.0, 20.0), (3.0, 3.000_000_01)] {
            let ticks = time_ticks(time, 800.0);
            let space = 800.0 * (ticks.at[1] - ticks.at[0]) / (time.1 - time.0);
            let longest = ticks.labels.iter().map(|label| label.chars().count()).max().unwrap();
            assert!(longest as f64 * LETTER < space, "{:?}", ticks.labels);
        }
    }

    #[test]
    fn odd_data_are_drawn_without_a_number_that_is_none() {
        for values in [vec![], vec![1.0], vec![f64::NAN, 1.0, f64::INFINITY, 2.0], vec![7.0, 7.0]] {
            let times = (0..values.len()).map(|k| k as f64).collect();
            let curve = Curve { name: "x".to_owned(), unit: None, stepped: false, times, values };
            let text =
                svg(&Plot { title: String::new(), curves: vec![curve], ..Plot::default() }, Size::default());
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
        assert!(svg(&Plot::default(), Size { width: 10.0, height: 10.0 }).contains("</svg>"));
    }
}
