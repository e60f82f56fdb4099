//! A plot as a page of its own: the SVG, the data and a small script for zoom and readout. Nothing is loaded from
//! anywhere.

use std::fmt::Write;

use super::polyline::{thinned, time_range};
use super::svg::{COLOURS, Size, common_unit, draw, escaped};
use super::{Curve, Plot};

/// Curves with more points than four times this are thinned to their extremes in so many slices of time.
const SLICES: usize = 20_000;

/// Writes the page.
pub fn html(plot: &Plot, size: Size) -> String {
    let (svg, frame) = draw(plot, size);
    let names = || plot.curves.iter().map(|curve| curve.name.as_str()).collect::<Vec<_>>().join(", ");
    let title = if plot.title.is_empty() { names() } else { plot.title.clone() };
    let unit = common_unit(plot).map_or("null".to_owned(), text);
    let axes = format!(
        "{{left:{:.1},top:{:.1},width:{:.1},height:{:.1},time:[{:e},{:e}],value:[{:e},{:e}],unit:{}}}",
        frame.left,
        frame.top,
        frame.width,
        frame.height,
        frame.time.0,
        frame.time.1,
        frame.value.0,
        frame.value.1,
        unit
    );
    // One pass over the page, so that nothing in a name or the data is taken for a place to fill.
    let mut page = String::new();
    let mut rest = include_str!("page.html");
    while let Some((before, (place, after))) = next_place(rest) {
        page.push_str(before);
        match place {
            "title" => page.push_str(&escaped(&title)),
            "width" => page.push_str(&size.width.to_string()),
            "svg" => page.push_str(&svg),
            "frame" => page.push_str(&axes),
            "curves" => page.push_str(&data(plot)),
            "script" => page.push_str(include_str!("page.js")),
            other => unreachable!("no place called {other}"),
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

/// The next `{place}` to be filled: the text before, its name, the text after. Braces of style sheets have
/// blanks.
fn next_place(page: &str) -> Option<(&str, (&str, &str))> {
    let mut from = 0;
    loop {
        let open = from + page[from..].find('{')?;
        let close = open + page[open..].find('}')?;
        let name = &page[open + 1..close];
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Some((&page[..open], (name, &page[close + 1..])));
        }
        from = open + 1;
    }
}

fn data(plot: &Plot) -> String {
    let range = time_range(&plot.curves).unwrap_or((0.0, 1.0));
    let mut out = String::from("[");
    for (index, curve) in plot.curves.iter().enumerate() {
        let points = points(curve, range);
        let _ = write!(
            out,
            "\n{{name:{},stepped:{},colour:\"c{}\",times:[",
            text(&curve.name),
            curve.stepped,
            index % COLOURS.len()
        );
        points.iter().for_each(|(t, _)| number(&mut out, *t));
        out.push_str("],values:[");
        points.iter().for_each(|(_, value)| number(&mut out, *value));
        out.push_str("]},");
    }
    out.push(']');
    out
}

fn points(curve: &Curve, range: (f64, f64)) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> = curve.times.iter().copied().zip(curve.values.iter().copied()).collect();
    if points.len() > 4 * SLICES { thinned(&points, range, SLICES) } else { points }
}

fn number(out: &mut String, value: f64) {
    let _ = if value.is_finite() { write!(out, "{value:e},") } else { write!(out, "null,") };
}

/// A text in a script within a page.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\x1f' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_complete_and_loads_nothing() {
        let curve = Curve {
            name: "a\"</script>{svg}".to_owned(),
            unit: Some("m/s".to_owned()),
            stepped: false,
            times: vec![0.0, 1.0, 2.0],
            values: vec![0.0, f64::NAN, 1e-7],
        };
        let page = html(
            &Plot { title: "A <plot>".to_owned(), curves: vec![curve], ..Plot::default() },
            Size::default(),
        );
        assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
        assert!(page.contains("<title>A &lt;plot&gt;</title>"));
        assert!(page.contains("times:[0e0,1e0,2e0,],values:[0e0,null,1e-7,]"));
        assert!(page.contains("name:\"a\\u0022\\u003c/script\\u003e{svg}\""));
        assert_eq!(page.matches("<svg ").count(), 1);
        assert_eq!(page.matches("</script>").count(), 1);
        // The name of the SVG format is an address, but none that is fetched.
        let addresses = page.matches("http").count();
        assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count());
        assert!(!page.contains("src=") && !page.contains("href="));
    }
}
