//! The variables selected by `--keep` and `--plot`.

/// Names and patterns, in the order they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names(pub(crate) Vec<String>);

impl Names {
    /// Splits at commas, but not inside brackets: `a,R[1,2],"body.*"`. Quotes around a name are left off.
    pub(crate) fn parse(text: &str) -> Names {
        let mut names = vec![String::new()];
        let mut depth = 0_usize;
        for c in text.chars() {
            match c {
                ',' if depth == 0 => {
                    names.push(String::new());
                    continue;
                }
                '[' | '(' => depth += 1,
                ']' | ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            names.last_mut().expect("there is always one").push(c);
        }
        let trimmed = names.into_iter().map(|name| name.trim().trim_matches('"').to_owned());
        Names(trimmed.filter(|name| !name.is_empty()).collect())
    }

    /// Whether one of them is this name, or a pattern that it fits.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// The first of them that is this name, or a pattern that it fits.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|pattern| fits(pattern, name))
    }
}

/// Whether `name` fits a pattern in which `*` stands for any text and `?` for any character.
///
/// Without backtracking beyond the last `*`: linear in practice, never exponential.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut last_star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                last_star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match last_star {
                Some((star, taken)) => {
                    last_star = Some((star, taken + 1));
                    p = star + 1;
                    n = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_inside_brackets_do_not_split() {
        assert_eq!(Names::parse(r#"a, R[1,2],"body.*",der(x)"#).0, ["a", "R[1,2]", "body.*", "der(x)"]);
        assert_eq!(Names::parse("").0, Vec::<String>::new());
    }

    #[test]
    fn stars_stand_for_anything() {
        assert!(fits("body.*", "body.r[1]"));
        assert!(!fits("body.*", "abody.r"));
        assert!(fits("*.v", "a.b.v"));
        assert!(fits("*a*b", "xaxxbxb"));
        assert!(fits("x?", "x1"));
        assert!(!fits("x?", "x"));
    }
}
