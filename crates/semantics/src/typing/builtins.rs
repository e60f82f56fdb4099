//! Functions and operators of the language: their arguments and results (MLS §3.7, §10.3, §16).

use rhei_elementary::ResultKind;
use rhei_evaluate::Failure;
use rhei_flat::{Builtin, Expr, ExprKind, Scalar, Size, Type};
use rhei_source::{Span, nearest_name};

use super::calls::Arguments;
use super::{Typed, Typing};
use crate::mistake::Mistake;

/// The names of the inputs, for arguments by name; one input of an overloaded function may have several.
fn inputs(builtin: Builtin) -> &'static [&'static str] {
    match builtin {
        Builtin::StringOf => &["x", "significantDigits", "minimumLength", "leftJustified", "format"],
        Builtin::Assert => &["condition", "message", "level"],
        Builtin::Terminate => &["message"],
        Builtin::Smooth => &["p", "expr"],
        Builtin::Homotopy => &["actual", "simplified"],
        Builtin::Delay => &["expr", "delayTime", "delayMax"],
        Builtin::Sample => &["start", "interval|clock"],
        Builtin::SemiLinear => &["x", "positiveSlope", "negativeSlope"],
        Builtin::SpatialDistribution => {
            &["in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues"]
        }
        Builtin::Linspace => &["x1", "x2", "n"],
        Builtin::ShiftSample => &["u", "shiftCounter", "resolution"],
        Builtin::BackSample => &["u", "backCounter", "resolution"],
        Builtin::SubSample | Builtin::SuperSample => &["u", "factor"],
        Builtin::Transition => &["from", "to", "condition", "immediate", "reset", "synchronize", "priority"],
        Builtin::Clock => &["interval|intervalCounter|condition|c", "resolution|startInterval|solverMethod"],
        Builtin::ConnectionsPotentialRoot => &["", "priority"],
        _ => &[],
    }
}

/// More dimensions than anyone writes: they are kept one by one.
const MOST_DIMENSIONS: usize = 100;

impl<'l> Typing<'_, 'l> {
    pub(super) fn builtin(&mut self, builtin: Builtin, written: Arguments<'l>) -> Typed {
        let span = written.span;
        self.refuse_in_function(builtin, span)?;
        if let Some(special) = self.by_name_only(builtin, &written)? {
            return Ok(special);
        }
        if builtin == Builtin::StringOf
            && let Some(text) = self.overloaded_text(&written)?
        {
            return Ok(text);
        }
        let mut arguments = self.ordered(builtin, &written)?;
        if builtin == Builtin::SpatialDistribution {
            fill_profile(&mut arguments, span);
        }
        if let (Builtin::Sum | Builtin::Product, [one]) = (builtin, arguments.as_slice())
            && matches!(one.ty.scalar, Scalar::Record(_))
        {
            return self.overloaded_reduction(builtin, one, span);
        }
        let ty = self.result(builtin, &arguments, span)?;
        if let Some(known) = known_size(builtin, &arguments) {
            return Ok(self.context.integer(known as i64, span));
        }
        // functions that are vectorised over one array are so over two arguments as well
        Ok(Expr { kind: ExprKind::Call(builtin, arguments), ty, span })
    }

    /// Operators about time and events are not allowed in functions.
    fn refuse_in_function(&self, builtin: Builtin, span: Span) -> Result<(), Mistake> {
        use Builtin as B;
        let timed = matches!(
            builtin,
            B::Der
                | B::Initial
                | B::Terminal
                | B::Sample
                | B::Pre
                | B::Edge
                | B::Change
                | B::Reinit
                | B::Delay
                | B::Cardinality
                | B::InStream
                | B::ActualStream
                | B::SpatialDistribution
                | B::Previous
                | B::Hold
                | B::Terminate
                | B::ConnectionsBranch
                | B::ConnectionsRoot
                | B::ConnectionsPotentialRoot
                | B::ConnectionsIsRoot
                | B::ConnectionsRooted
                | B::Rooted
        );
        if timed && self.around.in_function {
            return Err(Mistake::InFunction { what: builtin.name().into(), span });
        }
        Ok(())
    }

    /// Operators whose arguments are names, not values.
    fn by_name_only(&mut self, builtin: Builtin, written: &Arguments<'l>) -> Result<Option<Expr>, Mistake> {
        let span = written.span;
        let boolean = Type::scalar(Scalar::Boolean);
        match builtin {
            Builtin::GetInstanceName => {
                let owner = self.context.class(self.scope).owner;
                let mut name = self.context.root.map_or(String::new(), |root| {
                    self.context.class(self.context.component(root).class).name.to_string()
                });
                if let Some(owner) = owner.filter(|owner| Some(*owner) != self.context.root) {
                    name = format!("{name}.{}", self.context.path_name(owner));
                }
                let kind = ExprKind::String(name.into());
                Ok(Some(Expr { kind, ty: Type::scalar(Scalar::String), span }))
            }
            Builtin::Cardinality
            | Builtin::ConnectionsRoot
            | Builtin::ConnectionsPotentialRoot
            | Builtin::ConnectionsBranch
            | Builtin::ConnectionsIsRoot
            | Builtin::ConnectionsRooted
            | Builtin::Rooted => {
                let arguments = self.ordered(builtin, written)?;
                self.check_operands(builtin, &arguments, span)?;
                let ty =
                    if builtin == Builtin::Cardinality { Type::scalar(Scalar::Integer) } else { boolean };
                Ok(Some(Expr { kind: ExprKind::Call(builtin, arguments), ty, span }))
            }
            Builtin::Transition | Builtin::InitialState | Builtin::ActiveState => {
                Err(Mistake::not_supported(format!("`{}` (a state machine)", builtin.name()), span))
            }
            _ => Ok(None),
        }
    }

    /// Operators of connectors: how many they take, and the priority of a root, which is known before the run (MLS §9.4.1).
    fn check_operands(&self, builtin: Builtin, arguments: &[Expr], span: Span) -> Result<(), Mistake> {
        let (wanted, right) = match builtin {
            Builtin::ConnectionsBranch => ("two arguments", arguments.len() == 2),
            Builtin::ConnectionsPotentialRoot => {
                ("one argument and perhaps a priority", (1..=2).contains(&arguments.len()))
            }
            _ => ("one argument", arguments.len() == 1),
        };
        if !right {
            return Err(self.wrong_count(builtin, wanted, arguments.len(), span));
        }
        match (builtin, arguments) {
            (Builtin::ConnectionsPotentialRoot, [_, priority]) => {
                self.check("the priority of a root", &Type::scalar(Scalar::Integer), priority)?;
                self.context.at_most(rhei_flat::Variability::Parameter, "the priority of a root", priority)
            }
            _ => Ok(()),
        }
    }

    /// Arguments in the order of the inputs.
    fn ordered(&mut self, builtin: Builtin, written: &Arguments<'l>) -> Result<Vec<Expr>, Mistake> {
        let mut arguments: Vec<Expr> =
            written.positional.iter().map(|e| self.expression(*e)).collect::<Result<_, _>>()?;
        if written.named.is_empty() {
            return Ok(arguments);
        }
        let names = inputs(builtin);
        let mut by_place: Vec<Option<Expr>> = arguments.drain(..).map(Some).collect();
        for argument in &written.named {
            let ident = argument.name().ok_or(Mistake::Incomplete)?;
            let Some(place) =
                names.iter().position(|names| names.split('|').any(|name| name == ident.ident()))
            else {
                let names = names.iter().flat_map(|names| names.split('|'));
                let near = nearest_name(&ident.ident(), names).map(str::to_owned);
                let (argument, function) = (ident.ident().into_owned(), builtin.name().to_owned());
                return Err(Mistake::UnknownArgument { argument, function, near, span: ident.span() });
            };
            // `format` stands in the place of `significantDigits`
            let place = if builtin == Builtin::StringOf && place == 4 { 1 } else { place };
            if by_place.len() <= place {
                by_place.resize(place + 1, None);
            }
            by_place[place] = Some(self.maybe(argument.value())?);
        }
        let span = written.span;
        let count = by_place.len();
        let filled = by_place.into_iter().enumerate().map(|(place, value)| {
            value.or_else(|| default(builtin, place, span)).ok_or_else(|| Mistake::MissingArgument {
                input: names.get(place).map_or(String::new(), |name| (*name).to_owned()),
                function: builtin.name().into(),
                span,
            })
        });
        let filled: Result<Vec<Expr>, Mistake> = filled.take(count).collect();
        filled
    }

    fn wrong_count(&self, builtin: Builtin, wanted: &str, found: usize, span: Span) -> Mistake {
        Mistake::WrongArgumentCount { function: builtin.name().into(), wanted: wanted.into(), found, span }
    }

    fn numeric(&self, builtin: Builtin, arguments: &[Expr]) -> Result<(), Mistake> {
        match arguments.iter().find(|argument| !argument.ty.scalar.is_numeric()) {
            None => Ok(()),
            Some(argument) => Err(self.wrong_argument(builtin, "a number", argument)),
        }
    }

    fn wrong_argument(&self, builtin: Builtin, wanted: &str, argument: &Expr) -> Mistake {
        Mistake::TypeMismatch {
            what: format!("an argument of `{}`", builtin.name()),
            wanted: wanted.into(),
            found: self.context.type_name(&argument.ty),
            span: argument.span,
        }
    }

    fn dimensions(
        &self,
        builtin: Builtin,
        argument: &Expr,
        wanted: usize,
        word: &str,
    ) -> Result<(), Mistake> {
        if argument.ty.dimensions() == wanted {
            Ok(())
        } else {
            Err(self.wrong_argument(builtin, word, argument))
        }
    }

    /// The type of a call.
    fn result(&mut self, builtin: Builtin, arguments: &[Expr], span: Span) -> Result<Type, Mistake> {
        use Builtin as B;
        let n = arguments.len();
        let count = |typing: &Self, wanted: &str, right: bool| {
            if right { Ok(()) } else { Err(typing.wrong_count(builtin, wanted, n, span)) }
        };
        let real = Type::scalar(Scalar::Real);
        let integer = Type::scalar(Scalar::Integer);
        let boolean = Type::scalar(Scalar::Boolean);
        match builtin {
            B::Elementary(f) => {
                count(self, "one argument", n == 1)?;
                self.numeric(builtin, arguments)?;
                let scalar = match f.row().result {
                    ResultKind::Real => Scalar::Real,
                    ResultKind::OfArgument => arguments[0].ty.scalar,
                    ResultKind::Integer => Scalar::Integer,
                };
                Ok(arguments[0].ty.with_scalar(scalar))
            }
            B::Der | B::Integer => {
                count(self, "one argument", n == 1)?;
                self.numeric(builtin, arguments)?;
                let scalar = if builtin == B::Der { Scalar::Real } else { Scalar::Integer };
                Ok(arguments[0].ty.with_scalar(scalar))
            }
            B::Atan2 | B::Div | B::Mod | B::Rem => {
                count(self, "two arguments", n == 2)?;
                self.numeric(builtin, arguments)?;
                let ty = self.elementwise("the arguments", &arguments[0], &arguments[1])?;
                Ok(if builtin == B::Atan2 { ty.with_scalar(Scalar::Real) } else { ty })
            }
            B::IntegerOf => {
                count(self, "one argument", n == 1)?;
                if !matches!(arguments[0].ty.scalar, Scalar::Enumeration(_)) {
                    return Err(self.wrong_argument(builtin, "a value of an enumeration", &arguments[0]));
                }
                Ok(arguments[0].ty.with_scalar(Scalar::Integer))
            }
            B::StringOf => {
                count(self, "a value and up to three settings", (1..=4).contains(&n))?;
                let can_be_written =
                    has_order(arguments[0].ty.scalar) || arguments[0].ty.scalar == Scalar::String;
                if !can_be_written || !arguments[0].ty.is_scalar() {
                    return Err(self.wrong_argument(builtin, "a scalar of a simple type", &arguments[0]));
                }
                Ok(Type::scalar(Scalar::String))
            }
            B::EnumerationOf => Ok(arguments[0].ty.clone()),
            B::Delay => {
                count(self, "an expression, a delay and perhaps its maximum", n == 2 || n == 3)?;
                Ok(arguments[0].ty.clone())
            }
            B::Homotopy => {
                count(self, "`actual` and `simplified`", n == 2)?;
                self.joined("the arguments of `homotopy`", &arguments[0], &arguments[1])
            }
            B::SemiLinear => {
                count(self, "three arguments", n == 3)?;
                self.numeric(builtin, arguments)?;
                let array = arguments.iter().find(|argument| !argument.ty.is_scalar());
                Ok(array.map_or(real, |array| array.ty.with_scalar(Scalar::Real)))
            }
            B::InStream
            | B::ActualStream
            | B::Pre
            | B::Previous
            | B::NoEvent
            | B::Hold
            | B::NoClock
            | B::Balance => {
                count(self, "one argument", n == 1)?;
                Ok(arguments[0].ty.clone())
            }
            B::Edge | B::Change => {
                count(self, "one argument", n == 1)?;
                Ok(arguments[0].ty.with_scalar(Scalar::Boolean))
            }
            B::Initial | B::Terminal => {
                count(self, "no argument", n == 0)?;
                Ok(boolean)
            }
            B::FirstTick => Ok(boolean),
            B::Interval | B::TimeInState => Ok(real),
            B::TicksInState => Ok(integer),
            B::Smooth => {
                count(self, "an order and an expression", n == 2)?;
                Ok(arguments[1].ty.clone())
            }
            // `sample(start, interval)` makes events; `sample(u, clock)` and `sample(u)` make a clocked variable
            B::Sample => match arguments {
                [_, b] if b.ty.scalar.is_numeric() => Ok(boolean),
                [a, _] | [a] => Ok(a.ty.clone()),
                _ => Err(self.wrong_count(
                    builtin,
                    "a start and an interval, or a variable and a clock",
                    n,
                    span,
                )),
            },
            B::Clock => Ok(Type::scalar(Scalar::Clock)),
            B::SubSample | B::SuperSample | B::ShiftSample | B::BackSample => {
                count(self, "a variable or clock, and numbers", (1..=3).contains(&n))?;
                Ok(arguments[0].ty.clone())
            }
            B::Reinit => match n {
                2 => {
                    self.joined("the arguments of `reinit`", &arguments[0], &arguments[1])?;
                    Ok(boolean)
                }
                // the value of a measured state, as the binding of its declaration
                1 => Ok(arguments[0].ty.clone()),
                _ => Err(self.wrong_count(builtin, "a state and its new value", n, span)),
            },
            B::Assert => {
                count(self, "a condition, a message and perhaps a level", n == 2 || n == 3)?;
                self.check("the condition of `assert`", &boolean, &arguments[0])?;
                self.check("the message of `assert`", &Type::scalar(Scalar::String), &arguments[1])?;
                if let Some(level) = arguments.get(2) {
                    self.check_level(level)?;
                }
                Ok(boolean)
            }
            B::Terminate => {
                count(self, "a message", n == 1)?;
                self.check("the message of `terminate`", &Type::scalar(Scalar::String), &arguments[0])?;
                Ok(boolean)
            }
            B::SpatialDistribution => {
                count(self, "four to six arguments", n == 6)?;
                self.transported(arguments)
            }
            _ => self.array_result(builtin, arguments, span),
        }
    }

    /// `spatialDistribution(in0, in1, x, positiveVelocity, initialPoints, initialValues)`: scalars, or vectors of
    /// transported quantities with a profile for all or for each of them (MLS §3.7.4.2).
    fn transported(&mut self, arguments: &[Expr]) -> Result<Type, Mistake> {
        let builtin = Builtin::SpatialDistribution;
        let [in0, in1, x, positive, points, values] = arguments else { return Err(Mistake::Incomplete) };
        self.numeric(builtin, &[in0.clone(), in1.clone(), x.clone(), points.clone(), values.clone()])?;
        let ty = self.joined("`in0` and `in1` of `spatialDistribution`", in0, in1)?.with_scalar(Scalar::Real);
        if ty.dimensions() > 1 {
            return Err(self.wrong_argument(builtin, "a scalar or a vector", in0));
        }
        if !x.ty.is_scalar() {
            return Err(self.wrong_argument(builtin, "a scalar", x));
        }
        self.check("`positiveVelocity` of `spatialDistribution`", &Type::scalar(Scalar::Boolean), positive)?;
        self.joined("`initialPoints` and `initialValues` of `spatialDistribution`", points, values)?;
        let one_for_all = points.ty.dimensions() == 1;
        let one_for_each = points.ty.dimensions() == 2
            && ty.dimensions() == 1
            && ty.sizes.iter().zip(&points.ty.sizes).all(|(a, b)| a == b);
        if !one_for_all && !one_for_each {
            return Err(self.wrong_argument(builtin, "a vector for each profile", points));
        }
        Ok(ty)
    }

    /// Functions of arrays.
    fn array_result(&mut self, builtin: Builtin, arguments: &[Expr], span: Span) -> Result<Type, Mistake> {
        use Builtin as B;
        let n = arguments.len();
        let count = |typing: &Self, wanted: &str, right: bool| {
            if right { Ok(()) } else { Err(typing.wrong_count(builtin, wanted, n, span)) }
        };
        match builtin {
            B::Ndims => {
                count(self, "one argument", n == 1)?;
                Ok(Type::scalar(Scalar::Integer))
            }
            B::Size => {
                count(self, "an array and perhaps a dimension", n == 1 || n == 2)?;
                self.check_dimension(arguments)?;
                if n == 2 {
                    return Ok(Type::scalar(Scalar::Integer));
                }
                Ok(Type::array(Scalar::Integer, vec![Size::Known(arguments[0].ty.dimensions())]))
            }
            B::Promote => {
                count(self, "an array and a number of dimensions", n == 2)?;
                let wanted = self.whole(&arguments[1]).known().unwrap_or(0);
                let mut sizes = arguments[0].ty.sizes.clone();
                if wanted > MOST_DIMENSIONS {
                    return Err(self.wrong_argument(
                        builtin,
                        "a smaller number of dimensions",
                        &arguments[1],
                    ));
                }
                sizes.resize(wanted.max(sizes.len()), Size::Known(1));
                Ok(Type::array(arguments[0].ty.scalar, sizes))
            }
            B::ScalarOf => {
                count(self, "one argument", n == 1)?;
                if arguments[0].ty.sizes.iter().any(|size| !size.fits(Size::Known(1))) {
                    return Err(self.wrong_argument(builtin, "an array of one element", &arguments[0]));
                }
                Ok(Type::scalar(arguments[0].ty.scalar))
            }
            B::Vector => {
                count(self, "one argument", n == 1)?;
                let long =
                    arguments[0].ty.sizes.iter().filter(|size| **size != Size::Known(1)).collect::<Vec<_>>();
                let size = match long.as_slice() {
                    [] => Size::Known(1),
                    [one] => **one,
                    _ => {
                        return Err(self.wrong_argument(
                            builtin,
                            "an array with one long dimension",
                            &arguments[0],
                        ));
                    }
                };
                Ok(Type::array(arguments[0].ty.scalar, vec![size]))
            }
            B::Matrix => {
                count(self, "one argument", n == 1)?;
                let mut sizes = arguments[0].ty.sizes.clone();
                if sizes.iter().skip(2).any(|size| !size.fits(Size::Known(1))) {
                    let wanted = "an array with two long dimensions at most";
                    return Err(self.wrong_argument(builtin, wanted, &arguments[0]));
                }
                sizes.resize(2, Size::Known(1));
                Ok(Type::array(arguments[0].ty.scalar, sizes))
            }
            B::Identity => {
                count(self, "one argument", n == 1)?;
                let size = self.size_argument(builtin, &arguments[0])?;
                Ok(Type::array(Scalar::Integer, vec![size, size]))
            }
            B::Diagonal => {
                count(self, "one argument", n == 1)?;
                self.dimensions(builtin, &arguments[0], 1, "a vector")?;
                let size = arguments[0].ty.sizes[0];
                Ok(Type::array(arguments[0].ty.scalar, vec![size, size]))
            }
            B::Zeros | B::Ones => {
                count(self, "at least one size", n >= 1)?;
                let sizes = arguments.iter().map(|size| self.size_argument(builtin, size));
                let sizes = sizes.collect::<Result<_, _>>()?;
                Ok(Type::array(Scalar::Integer, sizes))
            }
            B::Fill => {
                count(self, "a value and at least one size", n >= 2)?;
                let sizes = arguments[1..].iter().map(|size| self.size_argument(builtin, size));
                let sizes: Vec<Size> = sizes.collect::<Result<_, _>>()?;
                Ok(arguments[0].ty.within(sizes))
            }
            B::Linspace => {
                count(self, "three arguments", n == 3)?;
                self.numeric(builtin, &arguments[..2])?;
                let size = self.size_argument(builtin, &arguments[2])?;
                if let Size::Known(n) = size
                    && n < 2
                {
                    let what = format!("`linspace` makes two elements or more, and {n} is asked for");
                    let failure = Failure::WrongArgument { what, span: arguments[2].span };
                    return Err(Mistake::Evaluation(Box::new(failure)));
                }
                Ok(Type::array(Scalar::Real, vec![size]))
            }
            B::Min | B::Max if arguments.iter().any(|argument| !has_order(argument.ty.scalar)) => {
                let argument = arguments.iter().find(|argument| !has_order(argument.ty.scalar));
                Err(self.wrong_argument(
                    builtin,
                    "a number, Boolean or literal",
                    argument.unwrap_or(&arguments[0]),
                ))
            }
            B::Min | B::Max => match arguments {
                [array] if !array.ty.is_scalar() => Ok(Type::scalar(array.ty.scalar)),
                [one] => Err(self.wrong_argument(builtin, "an array", one)),
                [a, b] => {
                    let ty = self.joined("the arguments", a, b)?;
                    if ty.is_scalar() { Ok(ty) } else { Err(self.wrong_argument(builtin, "a scalar", a)) }
                }
                _ => Err(self.wrong_count(builtin, "one array or two scalars", n, span)),
            },
            B::Sum | B::Product => {
                count(self, "one argument", n == 1)?;
                self.numeric(builtin, arguments)?;
                Ok(Type::scalar(arguments[0].ty.scalar))
            }
            B::Transpose => {
                count(self, "one argument", n == 1)?;
                if arguments[0].ty.dimensions() < 2 {
                    return Err(self.wrong_argument(builtin, "a matrix", &arguments[0]));
                }
                let mut sizes = arguments[0].ty.sizes.clone();
                sizes.swap(0, 1);
                Ok(Type::array(arguments[0].ty.scalar, sizes))
            }
            B::OuterProduct => {
                count(self, "two vectors", n == 2)?;
                self.numeric(builtin, arguments)?;
                self.dimensions(builtin, &arguments[0], 1, "a vector")?;
                self.dimensions(builtin, &arguments[1], 1, "a vector")?;
                let scalar = arguments[0].ty.scalar.joined(arguments[1].ty.scalar).unwrap_or(Scalar::Real);
                Ok(Type::array(scalar, vec![arguments[0].ty.sizes[0], arguments[1].ty.sizes[0]]))
            }
            B::Symmetric => {
                count(self, "one argument", n == 1)?;
                self.dimensions(builtin, &arguments[0], 2, "a square matrix")?;
                if !arguments[0].ty.sizes[0].fits(arguments[0].ty.sizes[1]) {
                    return Err(self.wrong_argument(builtin, "a square matrix", &arguments[0]));
                }
                Ok(arguments[0].ty.clone())
            }
            B::Cross => {
                count(self, "two vectors of three elements", n == 2)?;
                self.numeric(builtin, arguments)?;
                for argument in arguments {
                    self.dimensions(builtin, argument, 1, "a vector of three elements")?;
                    if !argument.ty.sizes[0].fits(Size::Known(3)) {
                        return Err(self.wrong_argument(builtin, "a vector of three elements", argument));
                    }
                }
                let scalar = arguments[0].ty.scalar.joined(arguments[1].ty.scalar).unwrap_or(Scalar::Real);
                Ok(Type::array(scalar, vec![Size::Known(3)]))
            }
            B::Skew => {
                count(self, "one vector of three elements", n == 1)?;
                self.numeric(builtin, arguments)?;
                self.dimensions(builtin, &arguments[0], 1, "a vector of three elements")?;
                if !arguments[0].ty.sizes[0].fits(Size::Known(3)) {
                    return Err(self.wrong_argument(builtin, "a vector of three elements", &arguments[0]));
                }
                Ok(Type::array(arguments[0].ty.scalar, vec![Size::Known(3), Size::Known(3)]))
            }
            B::Array => {
                let whole = self.array_of(arguments.to_vec(), span)?;
                Ok(whole.ty)
            }
            B::Cat => {
                count(self, "a dimension and at least one array", n >= 2)?;
                let dimension = self.size_argument(builtin, &arguments[0])?.known().unwrap_or(0);
                let joined = self.concatenated(dimension, arguments[1..].to_vec(), span)?;
                Ok(joined.ty)
            }
            _ => Err(Mistake::not_supported(format!("`{}`", builtin.name()), span)),
        }
    }

    /// `AssertionLevel.error` or `.warning`, known before the run (MLS §8.3.7).
    fn check_level(&self, level: &Expr) -> Result<(), Mistake> {
        let is_level = match level.ty.scalar {
            Scalar::Enumeration(id) => self.context.tables.enumeration(id).name == "AssertionLevel",
            _ => false,
        };
        if !is_level || !level.ty.is_scalar() {
            return Err(self.wrong_argument(Builtin::Assert, "an `AssertionLevel`", level));
        }
        let what = "the level of `assert`";
        if self.around.in_function {
            return Ok(()); // an input of the function may choose it
        }
        self.context.at_most(rhei_flat::Variability::Parameter, what, level)
    }

    fn check_dimension(&self, arguments: &[Expr]) -> Result<(), Mistake> {
        if let [array, Expr { kind: ExprKind::Integer(place), span, .. }] = arguments
            && (*place < 1 || *place as usize > array.ty.dimensions())
        {
            let found = self.context.type_name(&array.ty);
            return Err(Mistake::NoDimension { place: *place, found, span: *span });
        }
        match arguments {
            [_, place] if place.ty != Type::scalar(Scalar::Integer) => {
                Err(self.wrong_argument(Builtin::Size, "an Integer", place))
            }
            _ => Ok(()),
        }
    }

    /// A size given as an argument.
    fn size_argument(&mut self, builtin: Builtin, e: &Expr) -> Result<Size, Mistake> {
        if e.ty == Type::scalar(Scalar::Integer) {
            Ok(self.whole(e))
        } else {
            Err(self.wrong_argument(builtin, "an Integer", e))
        }
    }

    /// The value of a whole number; open where it is found out when a function runs.
    fn whole(&mut self, e: &Expr) -> Size {
        if let ExprKind::Integer(value) = e.kind {
            return usize::try_from(value).map_or(Size::Open, Size::Known);
        }
        let mut varies = false;
        e.walk(&mut |part| varies |= matches!(part.kind, ExprKind::Local(_)));
        if varies {
            return Size::Open;
        }
        let value = self.context.evaluate(e, true).ok().and_then(|value| value.as_integer());
        value.and_then(|value| usize::try_from(value).ok()).map_or(Size::Open, Size::Known)
    }
}

/// Whether one value of the type can be smaller than another (MLS §10.3.4).
fn has_order(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Real | Scalar::Integer | Scalar::Boolean | Scalar::Enumeration(_))
}

/// A size or number of dimensions that the type of the argument tells, whatever its value.
fn known_size(builtin: Builtin, arguments: &[Expr]) -> Option<usize> {
    match (builtin, arguments) {
        (Builtin::Ndims, [array]) => Some(array.ty.dimensions()),
        (Builtin::Size, [array, Expr { kind: ExprKind::Integer(place), .. }]) => {
            array.ty.sizes.get(usize::try_from(*place).ok()?.checked_sub(1)?)?.known()
        }
        _ => None,
    }
}

/// The value of an argument that is left out before one that is given.
fn default(builtin: Builtin, place: usize, span: Span) -> Option<Expr> {
    let integer =
        |value| Some(Expr { kind: ExprKind::Integer(value), ty: Type::scalar(Scalar::Integer), span });
    match (builtin, place) {
        (Builtin::StringOf, 1) => integer(6),
        (Builtin::StringOf, 2) => integer(0),
        (Builtin::ShiftSample | Builtin::BackSample, 2) => integer(1),
        (Builtin::SpatialDistribution, 4) => Some(pair(0.0, 1.0, span)),
        (Builtin::SpatialDistribution, 5) => Some(pair(0.0, 0.0, span)),
        _ => None,
    }
}

/// The profile of a `spatialDistribution` that says nothing about it: zero from end to end.
fn fill_profile(arguments: &mut Vec<Expr>, span: Span) {
    if arguments.len() >= 4 {
        let left_out =
            (arguments.len()..6).filter_map(|place| default(Builtin::SpatialDistribution, place, span));
        arguments.extend(left_out);
    }
}

/// `{a, b}`
fn pair(a: f64, b: f64, span: Span) -> Expr {
    let element = |x| Expr { kind: ExprKind::Real(x), ty: Type::scalar(Scalar::Real), span };
    let ty = Type::array(Scalar::Real, vec![Size::Known(2)]);
    Expr { kind: ExprKind::Array(vec![element(a), element(b)]), ty, span }
}
