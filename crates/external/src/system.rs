//! `ModelicaInternal_*` that change nothing: data of files, the environment and the clock.

use std::path::{PathBuf, absolute};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, io, process};

use rhei_evaluate::{Failure, Value};
use rhei_source::Span;

use crate::arguments::{integer, text};
use crate::{Externals, Native};

pub(crate) fn native(name: &str) -> Option<Native> {
    Some(match name.strip_prefix("ModelicaInternal_")? {
        "getTime" => time,
        "getpid" => |_, _, _| Ok(vec![i64::from(process::id()).into()]),
        _ => return settled(name),
    })
}

/// Those that say the same before the run.
pub(crate) fn settled(name: &str) -> Option<Native> {
    Some(match name.strip_prefix("ModelicaInternal_")? {
        "fullPathName" => full_path_name,
        "getcwd" => |_, _, span| path_text(env::current_dir(), span),
        "getenv" => get_env,
        "stat" => stat,
        "countLines" => count_lines,
        "readLine" => read_line,
        _ => return None,
    })
}

fn full_path_name(_: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let name = text(a, 0, span)?;
    if name.starts_with("modelica:") {
        return Err(Failure::NotSupported { what: "the path of a file that a library names".into(), span });
    }
    path_text(absolute(name), span)
}

fn path_text(path: io::Result<PathBuf>, span: Span) -> Result<Vec<Value>, Failure> {
    match path {
        Ok(path) => Ok(vec![Value::from(&*path.to_string_lossy().replace('\\', "/"))]),
        Err(error) => Err(Failure::WrongArgument { what: format!("there is no such path: {error}"), span }),
    }
}

/// Its content, and whether it is there.
fn get_env(_: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let name = text(a, 0, span)?;
    let is_name = !name.is_empty() && !name.contains(['=', '\0']);
    let content = is_name.then(|| env::var_os(name)).flatten();
    let mut shown =
        content.as_ref().map(|content| content.to_string_lossy().into_owned()).unwrap_or_default();
    if integer(a, 1, span)? != 0 {
        shown = shown.replace('\\', "/");
    }
    Ok(vec![Value::from(&*shown), Value::Integer(i64::from(content.is_some()))])
}

/// `Types.FileType`: nothing, a file, a folder, something else.
fn stat(_: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let kind = match fs::metadata(text(a, 0, span)?) {
        Err(_) => 1,
        Ok(what) if what.is_file() => 2,
        Ok(what) if what.is_dir() => 3,
        Ok(_) => 4,
    };
    Ok(vec![Value::Integer(kind)])
}

fn content(file: &str, span: Span) -> Result<String, Failure> {
    let bytes = fs::read(file).map_err(|error| Failure::WrongArgument {
        what: format!("the file `{file}` cannot be read: {error}"),
        span,
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn count_lines(_: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    Ok(vec![Value::Integer(content(text(a, 0, span)?, span)?.lines().count() as i64)])
}

/// The line of this number, from one, and whether the file ends before it.
fn read_line(_: &Externals, a: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let content = content(text(a, 0, span)?, span)?;
    let place = usize::try_from(integer(a, 1, span)? - 1).ok();
    let line = place.and_then(|place| content.lines().nth(place));
    Ok(vec![Value::from(line.unwrap_or_default()), Value::Integer(i64::from(line.is_none()))])
}

/// Milliseconds, seconds, minutes, hours, day, month and year; of the zone of Greenwich.
fn time(_: &Externals, _: &[Value], _: Span) -> Result<Vec<Value>, Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = now.as_secs() as i64;
    let (year, month, day) = date(seconds.div_euclid(86_400));
    let parts = [
        i64::from(now.subsec_millis()),
        seconds % 60,
        seconds / 60 % 60,
        seconds / 3600 % 24,
        day,
        month,
        year,
    ];
    Ok(parts.map(Value::Integer).to_vec())
}

/// Year, month and day, from days since 1 January 1970. Years are counted from March, so that the leap day is their last.
fn date(days: i64) -> (i64, i64, i64) {
    // days of 400, 100 and 4 years
    const LONG: i64 = 146_097;
    const CENTURY: i64 = 36_524;
    const FOUR: i64 = 1_461;
    let days = days + 719_468;
    let (cycle, day) = (days.div_euclid(LONG), days.rem_euclid(LONG));
    let year = (day - day / (FOUR - 1) + day / CENTURY - day / (LONG - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (cycle * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(-1), (1969, 12, 31));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_514), (2026, 3, 2));
        assert_eq!(date(47_540), (2100, 2, 28));
        assert_eq!(date(47_541), (2100, 3, 1));
    }

    fn call(name: &str, arguments: &[Value]) -> Result<Vec<Value>, Failure> {
        native(&format!("ModelicaInternal_{name}")).unwrap()(
            &Externals::default(),
            arguments,
            crate::nowhere(),
        )
    }

    #[test]
    fn files_and_the_environment() {
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert_eq!(call("stat", &[here.into()]), Ok(vec![Value::Integer(2)]));
        assert_eq!(call("stat", &["no such file".into()]), Ok(vec![Value::Integer(1)]));
        assert_eq!(
            call("readLine", &[here.into(), 1_i64.into()]),
            Ok(vec!["[package]".into(), Value::Integer(0)])
        );
        assert_eq!(call("readLine", &[here.into(), 9999_i64.into()]), Ok(vec!["".into(), Value::Integer(1)]));
        assert!(call("countLines", &["no such file".into()]).is_err());
        assert_eq!(call("fullPathName", &["/a/b".into()]), Ok(vec!["/a/b".into()]));
        assert!(call("fullPathName", &["modelica://Cooling/rates.txt".into()]).is_err());
        assert_eq!(call("getenv", &["=".into(), false.into()]), Ok(vec!["".into(), Value::Integer(0)]));
    }
}
