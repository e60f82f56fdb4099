//! Calls of functions (MLS §12.4).

use rhei_flat::{Expr, Function, FunctionId, Local, LocalId, LocalKind, Scalar, Type};
use rhei_source::Span;
use smol_str::format_smolstr;

use crate::arithmetic::{ill_typed, mismatch};
use crate::array::Stack;
use crate::frame::Frame;
use crate::interpret::{Interpreter, inner_sizes};
use crate::{ArrayValue, Failure, Value};

impl<'a> Interpreter<'a> {
    /// The first output of a call; of all calls if arguments have more dimensions than the inputs (MLS §12.4.6).
    pub(crate) fn apply(
        &mut self,
        id: FunctionId,
        arguments: Vec<Value>,
        e: &Expr,
    ) -> Result<Value, Failure> {
        let function = self.tables.function(id);
        let extra: Vec<usize> = function
            .inputs()
            .zip(&arguments)
            .map(|((_, input), argument)| argument.sizes().len().saturating_sub(input.ty.dimensions()))
            .collect();
        if extra.iter().all(|&extra| extra == 0) {
            let mut outputs = self.call(id, arguments.into_iter().map(Some).collect(), e.span)?.into_iter();
            return outputs.next().ok_or_else(|| self.no_output(id, e.span));
        }
        let mut shared: Option<&[usize]> = None;
        for (argument, &extra) in arguments.iter().zip(&extra).filter(|(_, extra)| **extra > 0) {
            let outer = &argument.sizes()[..extra];
            match shared {
                Some(shared) if shared != outer => {
                    let what = format_smolstr!("the arguments of `{}`", function.name);
                    return Err(mismatch(what, shared, outer, e.span));
                }
                _ => shared = Some(outer),
            }
        }
        let outer = shared.unwrap_or_default().to_vec();
        let count = outer.iter().product();
        let mut stack = Stack::new(e.ty.scalar, count);
        for i in 0..count {
            let element = |(argument, &extra): (&Value, &usize)| match argument {
                Value::Array(array) if extra > 0 => Some(array.part(extra, i)),
                whole => Some(whole.clone()),
            };
            let arguments = arguments.iter().zip(&extra).map(element).collect();
            let mut outputs = self.call(id, arguments, e.span)?.into_iter();
            let output = outputs.next().ok_or_else(|| self.no_output(id, e.span))?;
            stack.push(output).map_err(|(a, b)| mismatch("the results of calls", &a, &b, e.span))?;
        }
        let dimensions = outer.len();
        Ok(stack.finish(outer, || inner_sizes(e, dimensions)))
    }

    /// Calls the function that a component holds, with the inputs it was given and these.
    pub(crate) fn through_local(
        &mut self,
        local: LocalId,
        arguments: &[Expr],
        frame: &Frame,
        span: Span,
    ) -> Result<(FunctionId, Vec<Option<Value>>), Failure> {
        let (id, given) = match frame.read(local, span)? {
            Value::Function(id, given) => (*id, given.clone()),
            other => return Err(ill_typed("a function", other, span)),
        };
        let mut places = vec![None; self.tables.function(id).inputs().count()];
        for (place, value) in given {
            places[place as usize] = Some(value);
        }
        let arguments = self.values(arguments, frame)?;
        let wrong = |n: usize| mismatch("the arguments of a call", &[n], &[arguments.len()], span);
        let free: Vec<usize> = (0..places.len()).filter(|&i| places[i].is_none()).collect();
        if free.len() < arguments.len() {
            return Err(wrong(free.len()));
        }
        for (place, argument) in free.into_iter().zip(arguments) {
            places[place] = Some(argument);
        }
        Ok((id, places))
    }

    /// The function that a component holds, with further inputs given, by their indices among the free ones.
    pub(crate) fn function_of_local(
        &mut self,
        local: LocalId,
        given: &[(u32, Expr)],
        frame: &Frame,
        span: Span,
    ) -> Result<Value, Failure> {
        let (id, mut all) = match frame.read(local, span)? {
            Value::Function(id, before) => (*id, before.clone()),
            other => return Err(ill_typed("a function", other, span)),
        };
        let count = self.tables.function(id).inputs().count() as u32;
        let free: Vec<u32> = (0..count).filter(|place| all.iter().all(|(taken, _)| taken != place)).collect();
        for (place, e) in given {
            let wrong = || mismatch("the arguments of a call", &[free.len()], &[*place as usize + 1], span);
            let place = *free.get(*place as usize).ok_or_else(wrong)?;
            all.push((place, self.value(e, frame)?));
        }
        Ok(Value::Function(id, all))
    }

    /// All outputs, from a value for each input, or none for its default.
    pub(crate) fn call(
        &mut self,
        id: FunctionId,
        arguments: Vec<Option<Value>>,
        span: Span,
    ) -> Result<Vec<Value>, Failure> {
        let function = self.tables.function(id);
        let mut frame = Frame::of(function);
        self.charge(1, &frame, span)?;
        self.enter(&frame, span)?;
        let outputs = self.run(function, arguments, &mut frame, span);
        self.leave();
        outputs
    }

    fn run(
        &mut self,
        function: &'a Function,
        arguments: Vec<Option<Value>>,
        frame: &mut Frame<'a>,
        span: Span,
    ) -> Result<Vec<Value>, Failure> {
        self.bind_components(function, arguments, frame, span)?;
        if let Some(external) = &function.external {
            if external.language == "builtin" {
                self.external_builtin(external, frame)?;
            } else {
                let inputs: Vec<Value> = function
                    .inputs()
                    .map(|(id, _)| frame.read(id, span).cloned())
                    .collect::<Result<_, Failure>>()?;
                let outputs = self.env.external(function, &inputs)?.into_iter().zip(function.outputs());
                return Ok(outputs.map(|(value, (_, o))| value.conform(o.ty.scalar, self.tables)).collect());
            }
        } else {
            self.execute(&function.body, frame)?;
        }
        let take = |(id, local): (LocalId, &Local)| {
            frame.read(id, local.span)?;
            let value = frame.take(id);
            let is_record = matches!(local.ty.scalar, Scalar::Record(_));
            Ok(if is_record { value.completed(local.ty.scalar, self.tables) } else { value })
        };
        function.outputs().map(take).collect()
    }

    /// The values of the arguments in the `external` clause.
    pub(crate) fn external_arguments(
        &mut self,
        function: &Function,
        inputs: &[Value],
    ) -> Result<Vec<Value>, Failure> {
        let Some(external) = &function.external else { return Ok(inputs.to_vec()) };
        let mut frame = Frame::of(function);
        let arguments = inputs.iter().cloned().map(Some).collect();
        self.bind_components(function, arguments, &mut frame, external.span)?;
        external.arguments.iter().map(|e| Ok(self.view(e, &frame)?.into_owned())).collect()
    }

    /// Gives inputs their arguments or defaults, and other components the first values they are declared with. A value may
    /// depend on components declared later: one that meets a component without a value yet is tried again (MLS §12.4.4).
    fn bind_components<'f>(
        &mut self,
        function: &'f Function,
        arguments: Vec<Option<Value>>,
        frame: &mut Frame<'f>,
        span: Span,
    ) -> Result<(), Failure> {
        let inputs = function.inputs().count();
        if arguments.len() > inputs {
            let what = format_smolstr!("the arguments of `{}`", function.name);
            return Err(mismatch(what, &[inputs], &[arguments.len()], span));
        }
        let mut arguments = arguments.into_iter();
        let mut waiting: Vec<LocalId> = Vec::new();
        for (i, local) in function.locals.iter().enumerate() {
            let id = LocalId(i as u32);
            let argument = if local.kind == LocalKind::Input { arguments.next().flatten() } else { None };
            match argument {
                Some(value) => frame.set(id, value.conform(local.ty.scalar, self.tables)),
                None => waiting.push(id),
            }
        }
        while !waiting.is_empty() {
            let mut later = Vec::new();
            let mut first_failure = None;
            for &id in &waiting {
                match self.first_value(function.local(id), frame, span) {
                    Ok(value) => frame.set(id, value),
                    Err(failure @ Failure::NotAssigned { .. }) => {
                        later.push(id);
                        first_failure.get_or_insert(failure);
                    }
                    Err(failure) => return Err(failure),
                }
            }
            match first_failure {
                Some(failure) if later.len() == waiting.len() => return Err(failure),
                _ => waiting = later,
            }
        }
        for (id, input) in function.inputs() {
            self.check_sizes(id, input, frame, span)?;
        }
        Ok(())
    }

    /// The value of a component before the first statement.
    fn first_value(&mut self, local: &Local, frame: &Frame, span: Span) -> Result<Value, Failure> {
        let scalar = local.ty.scalar;
        let Some(binding) = &local.binding else {
            if local.kind == LocalKind::Input {
                let what = format!("there is no argument for `{}`, and it has no default", local.name);
                return Err(Failure::WrongArgument { what, span });
            }
            let mut sizes = Vec::with_capacity(local.ty.dimensions());
            for dimension in 0..local.ty.dimensions() {
                sizes.push(self.declared_size(local, dimension, frame)?.unwrap_or(0));
            }
            return self.unassigned(scalar, sizes, frame, local.span);
        };
        let value = self.value(binding, frame)?.conform(scalar, self.tables);
        let dimensions = local.ty.dimensions();
        if value.sizes().is_empty() && dimensions > 0 {
            let sizes = (0..dimensions).map(|d| Ok(self.declared_size(local, d, frame)?.unwrap_or(0)));
            let sizes = sizes.collect::<Result<Vec<usize>, Failure>>()?;
            let count = sizes.iter().fold(1, |count: usize, &size| count.saturating_mul(size));
            self.charge(count, frame, local.span)?;
            return Ok(ArrayValue::new(scalar, sizes, vec![value; count]).into());
        }
        self.check_value(local, &value, frame, binding.span)?;
        Ok(value)
    }

    fn check_sizes(&mut self, id: LocalId, local: &Local, frame: &Frame, span: Span) -> Result<(), Failure> {
        match frame.peek(id) {
            Some(value) if local.ty.dimensions() > 0 => self.check_value(local, value, frame, span),
            _ => Ok(()),
        }
    }

    /// Whether a value has the sizes its component is declared with.
    fn check_value(
        &mut self,
        local: &Local,
        value: &Value,
        frame: &Frame,
        span: Span,
    ) -> Result<(), Failure> {
        let sizes = value.sizes();
        let mut fits = sizes.len() == local.ty.dimensions();
        let mut wanted = sizes.to_vec();
        wanted.resize(local.ty.dimensions(), 0);
        for (dimension, wanted) in wanted.iter_mut().enumerate() {
            if let Some(size) = self.declared_size(local, dimension, frame)? {
                fits &= sizes.get(dimension) == Some(&size);
                *wanted = size;
            }
        }
        if fits { Ok(()) } else { Err(mismatch(format_smolstr!("`{}`", local.name), &wanted, sizes, span)) }
    }

    /// The size of a dimension; none for `:`.
    fn declared_size(
        &mut self,
        local: &Local,
        dimension: usize,
        frame: &Frame,
    ) -> Result<Option<usize>, Failure> {
        if let Some(size) = local.ty.sizes[dimension].known() {
            return Ok(Some(size));
        }
        let Some(Some(e)) = local.sizes.get(dimension) else { return Ok(None) };
        let size = self.integer(e, frame)?;
        usize::try_from(size).map(Some).map_err(|_| {
            let what = format!("dimension {} of `{}` has the size {size}", dimension + 1, local.name);
            Failure::WrongArgument { what, span: e.span }
        })
    }

    /// An unassigned value; open sizes of fields are zero.
    fn unassigned(
        &mut self,
        scalar: Scalar,
        sizes: Vec<usize>,
        frame: &Frame,
        span: Span,
    ) -> Result<Value, Failure> {
        let (element, width) = match scalar {
            Scalar::Record(id) => {
                let tables = self.tables;
                let field = |ty: &Type| {
                    let sizes = ty.sizes.iter().map(|size| size.known().unwrap_or(0)).collect();
                    self.unassigned(ty.scalar, sizes, frame, span)
                };
                let types = tables.record(id).fields.iter().map(|field| &field.ty);
                let fields = types.map(field).collect::<Result<Vec<Value>, Failure>>()?;
                let width = fields.len();
                (Value::Record(id, fields), width)
            }
            _ => (Value::Unassigned, 1),
        };
        if sizes.is_empty() {
            return Ok(element);
        }
        let count = sizes.iter().fold(1, |count: usize, &size| count.saturating_mul(size));
        self.charge(count.saturating_mul(width), frame, span)?;
        Ok(ArrayValue::new(scalar, sizes, vec![element; count]).into())
    }

    /// The failure of a function without outputs that is used as a value.
    pub(crate) fn no_output(&self, id: FunctionId, span: Span) -> Failure {
        let what = format!("`{}` has no output, and its value is used", self.tables.function(id).name);
        Failure::WrongArgument { what, span }
    }
}

#[cfg(test)]
mod tests {
    use rhei_flat::{Builtin, ExprKind, Relation, Size};

    use super::*;
    use crate::testing::*;
    use crate::{Budget, Work};

    fn real() -> Type {
        Type::scalar(Scalar::Real)
    }

    fn integer() -> Type {
        Type::scalar(Scalar::Integer)
    }

    /// `f(n) = if n <= 1 then 1 else n*f(n - 1)`
    fn factorial() -> Function {
        let n = || local(0, integer());
        let recursive = mul(n(), apply(0, vec![sub(n(), lit(1))], integer()));
        let value = if_else(compare(Relation::LessEqual, n(), lit(1)), lit(1), recursive);
        function("factorial")
            .input("n", integer())
            .output("y", integer())
            .body(vec![assign(local(1, integer()), value)])
    }

    #[test]
    fn functions_call_themselves() {
        let world = World::with(vec![factorial()]);
        assert_eq!(world.call(0, vec![10.into()]), Ok(vec![3628800.into()]));
        assert!(matches!(world.call(0, vec![21.into()]), Err(Failure::IntegerOverflow { .. })));
    }

    #[test]
    fn recursion_has_a_bound_and_the_budget_recovers() {
        let forever = function("forever").input("n", integer()).output("y", integer()).body(vec![assign(
            local(1, integer()),
            apply(0, vec![add(local(0, integer()), lit(1))], integer()),
        )]);
        let world = World::with(vec![forever]);
        let mut budget = Budget::default();
        let failure = crate::call(FunctionId(0), vec![1.into()], &world, &mut budget).unwrap_err();
        let named = Some("forever".into());
        assert_eq!(failure, Failure::TooMuchWork { function: named, work: Work::Depth, span: span() });
        let again = crate::call(FunctionId(0), vec![1.into()], &world, &mut budget).unwrap_err();
        assert_eq!(again, failure, "the depth is given back");
    }

    #[test]
    fn expressions_have_a_bound_too() {
        let deep = |levels| (0..levels).fold(lit(0.0), |e, _| add(e, lit(1.0)));
        let world = World::with(vec![]);
        assert_eq!(world.value(&deep(900)), Ok(900.0.into()));
        assert!(matches!(
            world.value(&deep(5000)),
            Err(Failure::TooMuchWork { function: None, work: Work::Depth, .. })
        ));
    }

    #[test]
    fn inputs_have_defaults_that_may_depend_on_others() {
        // f(a, b = c + 1, c = a + 1) = {a, b, c}
        let l = |i| local(i, real());
        let f = function("f")
            .input("a", real())
            .input("b", real())
            .bound(add(l(2), lit(1)))
            .input("c", real())
            .bound(add(l(0), lit(1)))
            .output("y", ty(Scalar::Real, 1))
            .bound(array(vec![l(0), l(1), l(2)]));
        let world = World::with(vec![f]);
        assert_eq!(world.call(0, vec![1.into()]), Ok(vec![Value::reals([1.0, 3.0, 2.0])]));
        assert_eq!(world.call(0, vec![1.into(), 5.into()]), Ok(vec![Value::reals([1.0, 5.0, 2.0])]));
        assert!(matches!(
            world.call(0, vec![]),
            Err(Failure::NotAssigned { .. } | Failure::WrongArgument { .. })
        ));
        assert!(world.call(0, vec![1.into(); 4]).is_err());
    }

    #[test]
    fn bindings_in_circles_have_no_order() {
        let f = function("f")
            .output("a", real())
            .bound(local(1, real()))
            .protected("b", real(), vec![])
            .bound(local(0, real()));
        assert!(matches!(World::with(vec![f]).call(0, vec![]), Err(Failure::NotAssigned { .. })));
    }

    #[test]
    fn components_take_their_sizes_from_inputs() {
        // f(x[:]): p[size(x, 1) + 1]; p := {1, …}; y := size(p, 1)
        let x = || local(0, ty(Scalar::Real, 1));
        let f = function("f")
            .input("x", ty(Scalar::Real, 1))
            .protected("p", ty(Scalar::Real, 1), vec![Some(add(size(x(), 1), lit(1)))])
            .output("y", integer())
            .body(vec![assign(local(2, integer()), size(local(1, ty(Scalar::Real, 1)), 1))]);
        let world = World::with(vec![f]);
        assert_eq!(world.call(0, vec![Value::reals([1.0, 2.0])]), Ok(vec![3.into()]));
        assert_eq!(world.call(0, vec![Value::reals([])]), Ok(vec![1.into()]));
    }

    #[test]
    fn inputs_have_the_sizes_they_declare() {
        let a = || local(0, ty(Scalar::Real, 2));
        let f =
            function("f").local(LocalKind::Input, "A", ty(Scalar::Real, 2), vec![None, Some(size(a(), 1))]);
        let world = World::with(vec![f]);
        assert_eq!(world.call(0, vec![real_matrix(&[&[1.0, 2.0], &[3.0, 4.0]])]), Ok(vec![]));
        let failure = world.call(0, vec![real_matrix(&[&[1.0, 2.0]])]).unwrap_err();
        let Failure::SizeMismatch { what, sizes, .. } = failure else { panic!("{failure:?}") };
        assert_eq!((what.as_str(), *sizes), ("`A`", [vec![1, 1], vec![1, 2]]));
    }

    #[test]
    fn whole_arguments_become_reals() {
        let f = function("f").input("x", real()).output("y", real()).bound(local(0, real()));
        let world = World::with(vec![f]);
        assert_eq!(world.call(0, vec![2.into()]), Ok(vec![2.0.into()]));
        let e = apply(0, vec![lit(Value::integers([1, 2]))], ty(Scalar::Real, 1));
        assert_eq!(world.value(&e), Ok(Value::reals([1.0, 2.0])), "one call for each element");
    }

    #[test]
    fn calls_for_each_element_go_side_by_side() {
        let sum = add(local(0, real()), local(1, real()));
        let f = function("add").input("a", real()).input("b", real()).output("y", real()).bound(sum);
        let world = World::with(vec![f]);
        let of = |a: Value, b: Value| world.value(&apply(0, vec![lit(a), lit(b)], ty(Scalar::Real, 1)));
        assert_eq!(of(1.into(), Value::integers([1, 2, 3])), Ok(Value::reals([2.0, 3.0, 4.0])));
        assert_eq!(of(Value::integers([1, 2]), Value::integers([3, 4])), Ok(Value::reals([4.0, 6.0])));
        assert!(of(Value::integers([1]), Value::integers([3, 4])).is_err());
        assert_eq!(of(Value::integers([]), 1.into()), Ok(Value::reals([])));
    }

    #[test]
    fn functions_are_arguments_with_some_inputs_given() {
        // line(a, x, b) = a*x + b; apply2(f) = f(2); f = function line(a = 10, b = 1)
        let l = |i| local(i, real());
        let line = function("line")
            .input("a", real())
            .input("x", real())
            .input("b", real())
            .output("y", real())
            .bound(add(mul(l(0), l(1)), l(2)));
        let through = expr(ExprKind::ApplyLocal(LocalId(0), vec![lit(2)]), real());
        let apply2 =
            function("apply2").input("f", Type::scalar(Scalar::Function)).output("y", real()).bound(through);
        let world = World::with(vec![line, apply2]);
        let given = vec![(0, lit(10)), (2, lit(1))];
        let f = expr(ExprKind::Function(FunctionId(0), given), Type::scalar(Scalar::Function));
        assert_eq!(world.value(&apply(1, vec![f], real())), Ok(21.0.into()));
        let f = expr(ExprKind::Function(FunctionId(0), vec![(0, lit(10))]), Type::scalar(Scalar::Function));
        assert!(world.value(&apply(1, vec![f], real())).is_err(), "b is missing");
    }

    #[test]
    fn outputs_have_to_be_assigned() {
        let f = function("f").output("y", real());
        let failure = World::with(vec![f]).call(0, vec![]).unwrap_err();
        assert_eq!(failure, Failure::NotAssigned { name: "y".into(), span: span() });
        let half =
            function("half").output("y", Type::array(Scalar::Real, vec![Size::Known(2)])).body(vec![assign(
                index(local(0, Type::array(Scalar::Real, vec![Size::Known(2)])), vec![at(1)]),
                lit(1.0),
            )]);
        let failure = World::with(vec![half]).call(0, vec![]).unwrap_err();
        assert_eq!(failure, Failure::NotAssigned { name: "y".into(), span: span() });
        let open = function("open").output("y", ty(Scalar::Real, 1));
        assert_eq!(World::with(vec![open]).call(0, vec![]), Ok(vec![Value::reals([])]));
    }

    #[test]
    fn external_functions_are_for_the_environment_but_for_those_of_the_language() {
        let f = |language, name| {
            function("f").input("u", real()).output("y", real()).external(
                language,
                name,
                Some(local(1, real())),
                vec![local(0, real())],
            )
        };
        let world = World::with(vec![f("builtin", "sqrt"), f("C", "twice"), f("C", "unknown")]);
        assert_eq!(world.call(0, vec![4.into()]), Ok(vec![2.0.into()]));
        assert_eq!(world.call(1, vec![4.into()]), Ok(vec![8.0.into()]));
        assert_eq!(world.call(2, vec![4.into()]), Err(Failure::External { name: "f".into(), span: span() }));
    }

    #[test]
    fn what_external_code_fills_in_comes_in_its_sizes() {
        // external "C" solve(A, size(A, 1), x), x[size(A, 1)]
        let a = || local(0, ty(Scalar::Real, 2));
        let x = || local(1, ty(Scalar::Real, 1));
        let f = function("f")
            .input("A", ty(Scalar::Real, 2))
            .local(LocalKind::Output, "x", ty(Scalar::Real, 1), vec![Some(size(a(), 1))])
            .external("C", "solve", None, vec![a(), size(a(), 1), x()]);
        let world = World::with(vec![]);
        let m = real_matrix(&[&[1.0], &[2.0]]);
        let arguments =
            crate::external_arguments(&f, std::slice::from_ref(&m), &world, &mut Budget::default()).unwrap();
        assert_eq!(arguments[..2], [m, 2.into()]);
        assert_eq!(arguments[2].sizes(), [2]);
        assert!(!arguments[2].is_complete());
    }

    #[test]
    fn large_arrays_are_not_copied_when_read() {
        // Would take 10^10 copies of elements otherwise.
        let v = || local(0, ty(Scalar::Real, 1));
        let body = vec![
            assign(local(1, real()), lit(0.0)),
            for_loop(
                0,
                up_to(size(v(), 1)),
                vec![assign(
                    local(1, real()),
                    add(local(1, real()), index(v(), vec![rhei_flat::Subscript::Index(iterator(0))])),
                )],
            ),
        ];
        let f = function("sum").input("v", ty(Scalar::Real, 1)).output("y", real()).body(body);
        let fill = builtin(Builtin::Fill, vec![lit(0.5), lit(100_000)], ty(Scalar::Real, 1));
        assert_eq!(World::with(vec![f]).value(&apply(0, vec![fill], real())), Ok(50_000.0.into()));
    }
}
