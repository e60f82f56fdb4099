//! A record of a model that is assigned as a whole. The flat model has variables and no records, so that its variables
//! take the results of a function that gives the fields one by one.

use rhei_flat::{
    Expr, ExprKind, Function, FunctionId, Local, LocalId, LocalKind, Scalar, StatementKind, Type, Variability,
};
use rhei_source::Span;
use smol_str::{SmolStr, format_smolstr};

use crate::context::Context;
use crate::functions::constructor_shell;

/// The functions made so far: for which type, with which outputs.
pub(crate) type RecordResults = Vec<(Type, Vec<Type>, FunctionId)>;

impl Context<'_> {
    /// `(r.a, r.b) := R.fields(value)` for `r := value`.
    pub(crate) fn record_assignment(&mut self, target: Expr, value: Expr) -> StatementKind {
        let mut leaves = Vec::new();
        self.leaves(&target, &mut leaves);
        let types: Vec<Type> = leaves.iter().map(|leaf| leaf.ty.clone()).collect();
        let function = self.fields_function(&target.ty, types, target.span);
        let targets = leaves.into_iter().map(|leaf| Some(leaf).filter(|leaf| self.varies(leaf))).collect();
        let (ty, span) =
            (self.tables.function(function).outputs().next().map(|(_, local)| local.ty.clone()), value.span);
        let call = ExprKind::Apply(function, vec![value]);
        StatementKind::AssignResults(targets, Expr { kind: call, ty: ty.unwrap_or(target.ty), span })
    }

    fn leaves(&self, e: &Expr, found: &mut Vec<Expr>) {
        match &e.kind {
            ExprKind::Record(_, fields) => fields.iter().for_each(|field| self.leaves(field, found)),
            _ => found.push(e.clone()),
        }
    }

    /// Whether a field changes; parameters among the fields keep their values.
    fn varies(&self, field: &Expr) -> bool {
        match field.kind {
            ExprKind::Variable(v, _) => {
                self.component(self.variable_component(v)).variability > Variability::Parameter
            }
            _ => true,
        }
    }

    fn fields_function(&mut self, record: &Type, outputs: Vec<Type>, span: Span) -> FunctionId {
        let known = self.record_results.iter().find(|(ty, types, _)| ty == record && *types == outputs);
        if let Some((.., function)) = known {
            return *function;
        }
        let input = Local {
            name: "value".into(),
            ty: record.clone(),
            sizes: vec![None; record.dimensions()],
            kind: LocalKind::Input,
            binding: None,
            interface: None,
            span,
        };
        let value = Expr { kind: ExprKind::Local(LocalId(0)), ty: record.clone(), span };
        let mut fields = Vec::new();
        self.fields_of(value, SmolStr::default(), &mut fields);
        let output = |((name, value), ty): ((SmolStr, Expr), &Type)| Local {
            name,
            sizes: vec![None; ty.dimensions()],
            ty: ty.clone(),
            kind: LocalKind::Output,
            binding: Some(value),
            interface: None,
            span,
        };
        let locals = std::iter::once(input).chain(fields.into_iter().zip(&outputs).map(output)).collect();
        let id = FunctionId(self.tables.functions.len() as u32);
        // sizes of fields may differ from one record to another
        let others = self.record_results.iter().filter(|(ty, ..)| ty.scalar == record.scalar).count();
        let number = if others == 0 { SmolStr::default() } else { format_smolstr!("{}", others + 1) };
        let name = format_smolstr!("{}.fields{number}", self.type_name(record));
        self.tables.functions.push(Function { locals, ..constructor_shell(name, span) });
        self.record_results.push((record.clone(), outputs, id));
        id
    }

    /// The fields of a record by their paths, those of records in it in their place.
    fn fields_of(&self, e: Expr, path: SmolStr, found: &mut Vec<(SmolStr, Expr)>) {
        let Scalar::Record(id) = e.ty.scalar else {
            found.push((path, e));
            return;
        };
        let names: Vec<SmolStr> =
            self.tables.record(id).fields.iter().map(|field| field.name.clone()).collect();
        for (place, name) in names.into_iter().enumerate() {
            let path = if path.is_empty() { name } else { format_smolstr!("{path}.{name}") };
            self.fields_of(self.field(e.clone(), place as u32), path, found);
        }
    }
}
