//! Tables in files: the library's text format, comma separated values, and MAT files of version 4.

use std::fs;

use super::Matrix;

/// The table of this name; CSV files hold one table without a name.
pub(crate) fn read(file: &str, name: &str, separator: &str, header_lines: usize) -> Result<Matrix, String> {
    let path = file.strip_prefix("file://").unwrap_or(file);
    let bytes = fs::read(path).map_err(|error| format!("the file `{path}` cannot be read: {error}"))?;
    let end = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let found = match &end[..] {
        "csv" => separated(&String::from_utf8_lossy(&bytes), separator, header_lines),
        "mat" => mat(&bytes, name),
        _ => text(&String::from_utf8_lossy(&bytes), name),
    };
    found.map_err(|why| format!("table `{name}` in the file `{path}`: {why}"))
}

/// `#1`, then for each table `double name(rows, columns)` and its numbers row by row; `#` begins a comment.
fn text(content: &str, name: &str) -> Result<Matrix, String> {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    if !content.starts_with("#1") {
        return Err("the file does not begin with `#1`".into());
    }
    let lines: Vec<&str> = content.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
    let all = lines.join("\n");
    let mut rest = all.trim_start();
    while !rest.is_empty() {
        let (head, after) = rest.split_once(')').ok_or("a table needs `(rows, columns)` after its name")?;
        let (found, rows, columns) = heading(head)?;
        let (elements, after) = numbers(after)?;
        if found == name {
            let expected = rows.checked_mul(columns);
            if expected != Some(elements.len()) {
                return Err(format!("{rows}×{columns} numbers are announced, and {} there", elements.len()));
            }
            return Ok(Matrix { rows, columns, elements });
        }
        rest = after;
    }
    Err("the file has no table of this name".into())
}

/// `double name(rows, columns`
fn heading(head: &str) -> Result<(&str, usize, usize), String> {
    let wrong = || format!("`{}` is not `double name(rows, columns`", head.trim());
    let (declaration, sizes) = head.split_once('(').ok_or_else(wrong)?;
    let mut words = declaration.split_whitespace();
    let (kind, name) = words.next().zip(words.next()).ok_or_else(wrong)?;
    if !matches!(kind, "double" | "float") || words.next().is_some() {
        return Err(wrong());
    }
    let (rows, columns) = sizes.split_once(',').ok_or_else(wrong)?;
    let size = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    Ok((name, size(rows)?, size(columns)?))
}

/// The numbers up to the next word, and the text from there on.
fn numbers(text: &str) -> Result<(Vec<f64>, &str), String> {
    let is_separator = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches(is_separator);
    while !rest.is_empty() && !rest.starts_with("double") && !rest.starts_with("float") {
        let end = rest.find(is_separator).unwrap_or(rest.len());
        let word = &rest[..end];
        found.push(word.parse().map_err(|_| format!("`{word}` is not a number"))?);
        rest = rest[end..].trim_start_matches(is_separator);
    }
    Ok((found, rest))
}

/// Lines of numbers with a character between them.
fn separated(content: &str, separator: &str, header_lines: usize) -> Result<Matrix, String> {
    let mut table = Matrix { rows: 0, columns: 0, elements: Vec::new() };
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    for (place, line) in content.lines().enumerate().skip(header_lines) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let before = table.elements.len();
        for word in line.split(separator).map(str::trim) {
            // blanks between numbers may be several
            if word.is_empty() && separator.trim().is_empty() {
                continue;
            }
            let number = word.trim_matches('"').parse::<f64>();
            table
                .elements
                .push(number.map_err(|_| format!("`{word}` in line {} is not a number", place + 1))?);
        }
        let width = table.elements.len() - before;
        if table.rows > 0 && width != table.columns {
            return Err(format!(
                "line {} has {width} numbers, and those before {}",
                place + 1,
                table.columns
            ));
        }
        table.columns = width;
        table.rows += 1;
    }
    Ok(table)
}

/// Matrices one after the other: five numbers that say how each is written, its name, and its elements column by column.
fn mat(bytes: &[u8], name: &str) -> Result<Matrix, String> {
    let broken = || "this is no MAT file of version 4".to_owned();
    let mut rest = bytes;
    while !rest.is_empty() {
        let head = rest.get(..20).ok_or_else(broken)?;
        let field = |place: usize| {
            let bytes = [head[4 * place], head[4 * place + 1], head[4 * place + 2], head[4 * place + 3]];
            u32::from_le_bytes(bytes) as usize
        };
        let (kind, rows, columns, imaginary, length) = (field(0), field(1), field(2), field(3), field(4));
        // thousands: little endian; tens: the type of the elements; ones: a full matrix of numbers or a text
        let width = match kind / 10 {
            0 => 8,
            1 | 2 => 4,
            3 | 4 => 2,
            5 => 1,
            _ => return Err(broken()),
        };
        let count = rows.checked_mul(columns).filter(|_| imaginary <= 1).ok_or_else(broken)?;
        let size = count.checked_mul(width * (1 + imaginary)).ok_or_else(broken)?;
        let all = length
            .checked_add(20)
            .and_then(|start| Some(start..start.checked_add(size)?))
            .ok_or_else(broken)?;
        let data = rest.get(all.clone()).ok_or_else(broken)?;
        let found = rest[20..all.start].split(|&byte| byte == 0).next().unwrap_or_default();
        if found == name.as_bytes() && kind % 10 == 0 {
            let element = |place: usize| element(&data[place * width..(place + 1) * width], kind / 10);
            let elements =
                (0..count).map(|place| element(place / columns + place % columns * rows)).collect();
            return Ok(Matrix { rows, columns, elements });
        }
        rest = &rest[all.end..];
    }
    Err("the file has no table of this name".into())
}

fn element(bytes: &[u8], kind: usize) -> f64 {
    match (kind, bytes) {
        (0, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        (1, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]).into(),
        (2, &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]).into(),
        (3, &[a, b]) => i16::from_le_bytes([a, b]).into(),
        (4, &[a, b]) => u16::from_le_bytes([a, b]).into(),
        (_, bytes) => bytes.first().map_or(f64::NAN, |&byte| byte.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str =
        "#1\n# two tables\ndouble tab1(2,3)  # comment\n 0 1, 2\n 3;4\n +5.e0\nfloat tab2 ( 1 , 1 )\n-7e-1\n";

    #[test]
    fn tables_in_text() {
        let first = Matrix { rows: 2, columns: 3, elements: vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0] };
        assert_eq!(text(TWO, "tab1"), Ok(first));
        assert_eq!(text(TWO, "tab2"), Ok(Matrix { rows: 1, columns: 1, elements: vec![-0.7] }));
        assert_eq!(text(TWO, "tab3"), Err("the file has no table of this name".into()));
        assert!(text("double t(1,1) 1", "t").is_err());
        assert!(text("#1\ndouble t(2,2) 1 2 3", "t").unwrap_err().contains("2×2 numbers"));
        assert!(text("#1\ndouble t(2,2) 1 2 3 x", "t").unwrap_err().contains("`x`"));
    }

    #[test]
    fn tables_in_lines() {
        let found = separated("\"a\";\"b\"\n0;1\n\n2;3\n", ";", 1);
        assert_eq!(found, Ok(Matrix { rows: 2, columns: 2, elements: vec![0.0, 1.0, 2.0, 3.0] }));
        assert!(separated("0,1\n2", ",", 0).unwrap_err().contains("line 2"));
        assert!(separated("a,1", ",", 0).unwrap_err().contains("`a` in line 1"));
        let blanks = separated("0  1\n2 3", " ", 0);
        assert_eq!(blanks.map(|table| table.columns), Ok(2));
    }

    #[test]
    fn tables_in_mat_files() {
        let mut bytes = Vec::new();
        for number in [0_u32, 2, 2, 0, 2] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(b"t\0");
        for number in [1.0_f64, 3.0, 2.0, 4.0] {
            bytes.extend(number.to_le_bytes());
        }
        assert_eq!(mat(&bytes, "t"), Ok(Matrix { rows: 2, columns: 2, elements: vec![1.0, 2.0, 3.0, 4.0] }));
        assert!(mat(&bytes, "u").is_err());
        assert!(mat(&bytes[..30], "t").is_err());
    }
}
