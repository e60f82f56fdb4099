//! Formulas over the variables of a result: `x^2 + y^2`, `2*exp(-time)`, `der(x) + R[1,2]`.

/// The value of a formula; `lookup` knows the variables, by the names they have in a result file.
pub fn evaluate(text: &str, lookup: &dyn Fn(&str) -> Option<f64>) -> Result<f64, String> {
    let mut reader = Reader { rest: text, lookup };
    let value = reader.sum()?;
    match reader.next() {
        None => Ok(value),
        Some(c) => Err(format!("`{c}` is not expected in `{}`", text.trim())),
    }
}

struct Reader<'a> {
    rest: &'a str,
    lookup: &'a dyn Fn(&str) -> Option<f64>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.next() == Some(wanted);
        if found {
            self.rest = &self.rest[wanted.len_utf8()..];
        }
        found
    }

    fn take_while(&mut self, mut fits: impl FnMut(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn sum(&mut self) -> Result<f64, String> {
        let negative = self.take('-');
        let first = self.product()?;
        let mut value = if negative { -first } else { first };
        loop {
            if self.take('+') {
                value += self.product()?;
            } else if self.take('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.power()?;
        loop {
            if self.take('*') {
                value *= self.power()?;
            } else if self.take('/') {
                value /= self.power()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn power(&mut self) -> Result<f64, String> {
        let base = self.primary()?;
        if !self.take('^') {
            return Ok(base);
        }
        let negative = self.take('-');
        let exponent = self.primary()?;
        Ok(base.powf(if negative { -exponent } else { exponent }))
    }

    fn primary(&mut self) -> Result<f64, String> {
        match self.next() {
            Some('(') => {
                self.take('(');
                let value = self.sum()?;
                if self.take(')') { Ok(value) } else { Err("`)` is missing".into()) }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(format!("`{c}` begins no value")),
            None => Err("a value is missing".into()),
        }
    }

    fn number(&mut self) -> Result<f64, String> {
        let mut before = ' ';
        let digits = self.take_while(|c| {
            let exponent_sign = matches!(before, 'e' | 'E') && matches!(c, '+' | '-');
            before = c;
            c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E') || exponent_sign
        });
        digits.parse().map_err(|_| format!("`{digits}` is not a number"))
    }

    fn name(&mut self) -> Result<f64, String> {
        let mut depth = 0;
        let name = self.take_while(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            c.is_alphanumeric() || matches!(c, '_' | '.' | ']') || depth > 0
        });
        if name == "der" && self.take('(') {
            let mut depth = 1;
            let of = self.take_while(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth > 0
            });
            self.take(')');
            return self.variable(&format!("der({})", of.trim()));
        }
        if !self.take('(') {
            return self.variable(name);
        }
        let argument = self.sum()?;
        if !self.take(')') {
            return Err(format!("`)` is missing after the argument of `{name}`"));
        }
        let function = match name {
            "abs" => f64::abs,
            "sqrt" => f64::sqrt,
            "exp" => f64::exp,
            "log" => f64::ln,
            "sin" => f64::sin,
            "cos" => f64::cos,
            "tan" => f64::tan,
            "asin" => f64::asin,
            "acos" => f64::acos,
            "atan" => f64::atan,
            "sinh" => f64::sinh,
            "cosh" => f64::cosh,
            "tanh" => f64::tanh,
            _ => return Err(format!("there is no function `{name}` here")),
        };
        Ok(function(argument))
    }

    fn variable(&self, name: &str) -> Result<f64, String> {
        match (self.lookup)(name) {
            Some(value) => Ok(value),
            None if name == "pi" => Ok(std::f64::consts::PI),
            None => Err(format!("there is no `{name}` in the result")),
        }
    }
}

#[test]
fn formulas_are_read_as_in_modelica() {
    let lookup = |name: &str| match name {
        "x" => Some(3.0),
        "R[1,2]" => Some(5.0),
        "der(a.b[2])" => Some(7.0),
        _ => None,
    };
    let value = |text: &str| evaluate(text, &lookup);
    assert_eq!(value("x^2 + 1"), Ok(10.0));
    assert_eq!(value("-x^2"), Ok(-9.0));
    assert_eq!(value("8/2/2 - 2*(x - 1)"), Ok(-2.0));
    assert_eq!(value("R[1,2]*1e-1 + der(a.b[2])"), Ok(7.5));
    assert_eq!(value("cos(pi)"), Ok(-1.0));
    assert_eq!(value("2^-1"), Ok(0.5));
    assert_eq!(value("y"), Err("there is no `y` in the result".into()));
    assert_eq!(value("2 x"), Err("`x` is not expected in `2 x`".into()));
    assert!(value("(1").is_err() && value("").is_err() && value("foo(1)").is_err());
}
