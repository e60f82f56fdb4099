//! Other values for parameters of a model, by name: `rate=2`, `n=5`, `k={1,2,3}`, `k[2]=5`, `mode=Full`, `r.x=1`.
//!
//! Settings of parameters that are values of the run are handed to the run, without another compilation. Settings of
//! *structural* parameters (sizes, conditions, `Evaluate = true`, texts, arrays of another size) become a modification, as in
//! `model M2 = M(n = 5)`. The model is then compiled anew: lookup, types and `final` are those of the language.

mod mistake;
mod modification;
mod value;

use rhei_equations::{Equations, Kind, Node, VarId};
use rhei_flat::{Causality, Declaration, Declarations, Name, Scalar, Variability};
use rhei_source::{Diagnostic, nearest_name};
use rhei_structure::may_shape_as_zero;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::{Compilation, Session, Target, UnreadableFile};
use mistake::{Mistake, Wrong};
use modification::{Modification, Said};
use value::{Literal, Value};

/// The name under which messages quote the modification that settings make.
pub(crate) const SETTINGS_FILE: &str = "--set";

/// A model with its settings.
#[derive(Default)]
pub struct Configured {
    /// The model, compiled with its structural settings.
    pub compilation: Compilation,
    /// Values for the run, by variable.
    pub set: FxHashMap<VarId, f64>,
    /// Whether a setting is at fault, and not the model.
    pub is_refused: bool,
}

/// The text of a setting.
#[derive(Clone, Debug)]
struct Setting {
    name: String,
    value: String,
}

/// The effect of a setting.
enum Becomes {
    /// Values of the run.
    Values(Vec<(VarId, f64)>),
    /// A modification of the model.
    Modification(Vec<SmolStr>, Said),
}

impl Session {
    /// As [`Session::compile`], with other values of parameters: each setting is `NAME=VALUE`.
    pub fn compile_set<'a>(
        &mut self,
        target: impl Into<Target<'a>>,
        name: Option<&str>,
        settings: &[String],
    ) -> Result<Configured, UnreadableFile> {
        let target = target.into();
        let read: Result<Vec<Setting>, Mistake> = settings.iter().map(|text| Setting::read(text)).collect();
        let settings = match read {
            Ok(settings) => settings,
            Err(malformed) => return Ok(refused(vec![malformed])),
        };
        let mut compilation = self.compile(target, name)?;
        let mut modification = Modification::default();
        if compilation.flat.is_none() && !settings.is_empty() {
            // settings may give a size without a value, and types are known only then
            settings.iter().for_each(|setting| setting.say_as_written(&mut modification));
            let tried = self.compile_modified(target, name, &modification.text())?;
            if tried.flat.is_none() {
                return Ok(Configured { compilation, ..Configured::default() });
            }
            compilation = tried;
        }
        // each iteration but the last extends the modification, which may change the parameters of the model
        while let (Some(flat), false) = (&compilation.flat, settings.is_empty()) {
            let model = compilation.model.as_ref().filter(|_| !compilation.has_errors());
            let equations = model.map(|model| &model.equations);
            let declared = flat.declarations();
            let before = modification.text();
            let (mut set, mut wrong) = (FxHashMap::default(), Vec::new());
            for setting in &settings {
                let all = Settled { declared: &declared, equations, said: &modification }.all(setting);
                for becomes in all.unwrap_or_else(|mistake| {
                    wrong.push(mistake);
                    Vec::new()
                }) {
                    match becomes {
                        Becomes::Values(values) => set.extend(values),
                        Becomes::Modification(path, said) => modification.say(&path, said),
                    }
                }
            }
            let text = modification.text();
            if text == before {
                if !wrong.is_empty() {
                    return Ok(refused(wrong));
                }
                compilation.diagnostics.retain(|said| !settings.iter().any(|setting| setting.answers(said)));
                return Ok(Configured { compilation, set, is_refused: false });
            }
            compilation = self.compile_modified(target, name, &text)?;
            if compilation.has_errors() {
                let is_refused = self.blames_settings(&compilation);
                return Ok(Configured { compilation, is_refused, ..Configured::default() });
            }
        }
        Ok(Configured { compilation, ..Configured::default() })
    }

    /// Whether an error is in the modification of the settings.
    fn blames_settings(&self, compilation: &Compilation) -> bool {
        let mut labels =
            compilation.diagnostics.iter().filter(|said| said.is_error()).flat_map(|said| &said.labels);
        labels.any(|label| self.files().get(label.span.file).path.as_os_str() == SETTINGS_FILE)
    }
}

/// Settings of a model that is compiled already.
#[derive(Clone, Debug)]
pub enum OfCompiled {
    /// Values of the run, by variable.
    Values(FxHashMap<VarId, f64>),
    /// Some shape the model, which has to be compiled with them; the diagnostics say which.
    Shape(Vec<Diagnostic>),
    /// Some are mistakes.
    Wrong(Vec<Diagnostic>),
}

/// What becomes of settings, each `NAME=VALUE`, where a model is compiled already.
pub fn set_compiled(declared: &Declarations, equations: &Equations, settings: &[String]) -> OfCompiled {
    let said = Modification::default();
    let settled = Settled { declared, equations: Some(equations), said: &said };
    let (mut values, mut wrong, mut shaping) = (FxHashMap::default(), Vec::new(), Vec::new());
    for text in settings {
        let becomes = Setting::read(text).and_then(|setting| Ok((settled.all(&setting)?, setting)));
        match becomes {
            Ok((all, setting)) => {
                for becomes in all {
                    match becomes {
                        Becomes::Values(of_one) => values.extend(of_one),
                        Becomes::Modification(..) => {
                            let what = format!(
                                "`{}` shapes the model, which has to be compiled with it",
                                setting.name
                            );
                            shaping.push(setting.wrong(Wrong::Structural, what).into());
                        }
                    }
                }
            }
            Err(mistake) => wrong.push(mistake.into()),
        }
    }
    match (shaping.is_empty(), wrong.is_empty()) {
        (false, _) => OfCompiled::Shape(shaping),
        (true, false) => OfCompiled::Wrong(wrong),
        (true, true) => OfCompiled::Values(values),
    }
}

/// The diagnostics that do not ask for one of these settings.
pub fn unanswered(diagnostics: &[Diagnostic], settings: &[String]) -> Vec<Diagnostic> {
    let settings: Vec<Setting> = settings.iter().filter_map(|text| Setting::read(text).ok()).collect();
    let is_open = |said: &&Diagnostic| !settings.iter().any(|setting| setting.answers(said));
    diagnostics.iter().filter(is_open).cloned().collect()
}

fn refused(mistakes: Vec<Mistake>) -> Configured {
    let diagnostics = mistakes.into_iter().map(Diagnostic::from).collect();
    let compilation = Compilation { diagnostics, ..Compilation::default() };
    Configured { compilation, is_refused: true, ..Configured::default() }
}

impl Setting {
    fn read(text: &str) -> Result<Setting, Mistake> {
        let malformed = || {
            let note = "for example `--set rate=2` or `--set \"k={1,2}\"`".to_owned();
            Mistake::new(Wrong::Malformed, text, "this is not NAME=VALUE").with_note(Some(note))
        };
        let (name, value) = text.split_once('=').ok_or_else(malformed)?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() {
            return Err(malformed());
        }
        Ok(Setting { name: name.into(), value: value.into() })
    }

    /// Adds the setting to the modification as it is written.
    fn say_as_written(&self, modification: &mut Modification) {
        if let (Some((path, indices)), Ok(value)) = (parsed_name(&self.name), Value::read(&self.value))
            && indices.is_empty()
        {
            let path: Vec<SmolStr> = path.into_iter().map(SmolStr::from).collect();
            modification.say(&path, Said { sizes: Vec::new(), elements: vec![written(&value)] });
        }
    }

    /// Whether a diagnostic was caused by the lack of this setting.
    fn answers(&self, said: &Diagnostic) -> bool {
        matches!(said.id, "parameter-without-value" | "input-held")
            && said.message.contains(&format!("`{}`", self.name))
    }

    fn wrong(&self, kind: Wrong, what: impl Into<String>) -> Mistake {
        Mistake::new(kind, format!("{}={}", self.name, self.value), what)
    }
}

/// A compiled model, and the modification by settings so far.
struct Settled<'a> {
    declared: &'a Declarations,
    /// None where the model was refused: settings may mend that.
    equations: Option<&'a Equations>,
    said: &'a Modification,
}

impl Settled<'_> {
    /// The effect of a setting; a record is set field by field.
    fn all(&self, setting: &Setting) -> Result<Vec<Becomes>, Mistake> {
        let Some((path, indices)) = parsed_name(&setting.name) else {
            return Err(setting.wrong(Wrong::Malformed, format!("`{}` is not a name", setting.name)));
        };
        let plain = path.join(".");
        let named =
            |name: &str| self.declared.variables.iter().find(|variable| variable.name.to_string() == name);
        if let Some(variable) = named(&plain) {
            return self.one(setting, variable, &indices).map(|becomes| vec![becomes]);
        }
        // components of an array that differ in structure are separate: each has its subscripts in its name
        let path: Vec<SmolStr> = path.into_iter().map(SmolStr::from).collect();
        if let Some(variable) = named(&without_blanks(&setting.name)) {
            return self.one_of_differing(setting, variable, &path).map(|becomes| vec![becomes]);
        }
        if self.said.said(&path).is_some() {
            return Ok(Vec::new()); // it was there before the modification
        }
        let apart =
            self.declared.variables.iter().find(|variable| without_subscripts(&variable.name) == plain);
        if let Some(variable) = apart {
            return self.all_of_differing(setting, variable, path).map(|becomes| vec![becomes]);
        }
        let inside = format!("{plain}.");
        let is_component =
            self.declared.variables.iter().any(|variable| variable.name.to_string().starts_with(&inside));
        if !is_component {
            return Err(self.unknown(setting));
        }
        match Value::read(&setting.value) {
            Ok(Value::Record(fields)) => {
                let mut all = Vec::new();
                for (field, value) in fields {
                    let field = Setting { name: format!("{}.{field}", setting.name), value: written(&value) };
                    all.extend(self.all(&field)?);
                }
                Ok(all)
            }
            _ => Err(setting.wrong(
                Wrong::Type,
                format!("`{plain}` is made of parts: set these, as in `{plain}.x=1`, or all at once, as in `{plain}=R(x=1)`"),
            )),
        }
    }

    fn unknown(&self, setting: &Setting) -> Mistake {
        let message = format!("there is no `{}` in the model", setting.name);
        let names: Vec<String> =
            self.declared.variables.iter().map(|variable| variable.name.to_string()).collect();
        let is_settable = |place: &usize| is_settable(&self.declared.variables[*place]);
        let settable = (0..names.len()).filter(is_settable).map(|place| names[place].as_str());
        let near = nearest_name(&setting.name, settable);
        let near = near.or_else(|| nearest_name(&setting.name, names.iter().map(String::as_str)));
        let note = near.map(|near| format!("did you mean `{near}`?"));
        setting.wrong(Wrong::Unknown, message).with_note(note)
    }

    /// A variable in a component that differs from others of its array. If it is structural, the others keep their values.
    fn one_of_differing(
        &self,
        setting: &Setting,
        variable: &Declaration,
        path: &[SmolStr],
    ) -> Result<Becomes, Mistake> {
        let said = match self.one(setting, variable, &[])? {
            Becomes::Modification(_, said) => said,
            values => return Ok(values),
        };
        let all = path.join(".");
        let others = self.declared.variables.iter().filter(|other| without_subscripts(&other.name) == all);
        let others: Vec<&Declaration> = others.collect();
        let place = others.iter().position(|other| other.name == variable.name);
        let is_vector = said.sizes.is_empty() && setting.name.matches('[').count() == 1;
        let known = self.said.said(path).filter(|said| said.sizes == [others.len()]).cloned();
        let known = known.or_else(|| {
            let elements = others.iter().map(|other| self.known_text(other, &[])).collect::<Option<_>>()?;
            Some(Said { sizes: vec![others.len()], elements })
        });
        let (Some(mut known), Some(place), true) = (known, place, is_vector) else {
            let what =
                format!("the components of this array differ, and this shapes them: set all of `{all}`");
            return Err(setting.wrong(Wrong::Size, what).declared_at(variable.span));
        };
        known.elements[place] = said.elements[0].clone();
        Ok(Becomes::Modification(path.to_vec(), known))
    }

    /// All variables of this name in the components of an array that differ from each other.
    fn all_of_differing(
        &self,
        setting: &Setting,
        first: &Declaration,
        path: Vec<SmolStr>,
    ) -> Result<Becomes, Mistake> {
        self.check_settable(setting, first)?;
        let (sizes, literals) = literals(setting, first.ty.scalar, 1, self.declared)?;
        let elements = literals.into_iter().map(|literal| literal.text).collect();
        Ok(Becomes::Modification(path, Said { sizes, elements }))
    }

    /// Refuses variables that are no parameters, and final ones.
    fn check_settable(&self, setting: &Setting, variable: &Declaration) -> Result<(), Mistake> {
        let name = &variable.name;
        if !is_settable(variable) {
            let what = match variable.variability {
                Variability::Constant => "a constant",
                _ => "not a parameter",
            };
            let wrong = setting.wrong(Wrong::NotParameter, format!("`{name}` is {what}"));
            return Err(wrong.declared_at(variable.span));
        }
        if variable.is_final {
            let wrong = setting.wrong(Wrong::Final, format!("`{name}` is final"));
            return Err(wrong.declared_at(variable.span));
        }
        Ok(())
    }

    /// The effect of a setting of a variable, or of one of its elements.
    fn one(&self, setting: &Setting, variable: &Declaration, indices: &[usize]) -> Result<Becomes, Mistake> {
        self.check_settable(setting, variable)?;
        let name = &variable.name;
        let sizes = variable.ty.known_sizes().unwrap_or_default();
        if !indices.is_empty() && !is_inside(indices, &sizes) {
            let what = format!("`{name}` has the sizes {sizes:?}");
            let what = if sizes.is_empty() { format!("`{name}` is no array") } else { what };
            return Err(setting.wrong(Wrong::Size, what).declared_at(variable.span));
        }
        let wanted = if indices.is_empty() { sizes.len() } else { 0 };
        let (given, literals) = literals(setting, variable.ty.scalar, wanted, self.declared)?;
        if given.len() != wanted {
            let found = match given.len() {
                0 => "one value is given".to_owned(),
                1 => "a list is given".to_owned(),
                n => format!("an array of {n} dimensions is given"),
            };
            let expected = match wanted {
                0 => "one value is expected".to_owned(),
                _ => format!("its sizes are {sizes:?}"),
            };
            let wrong = setting.wrong(Wrong::Size, format!("{found}, and {expected}"));
            return Err(wrong.declared_at(variable.span));
        }
        if (given == sizes || wanted == 0)
            && let Some(values) = self.values(name, indices, &sizes, &literals)
        {
            return Ok(Becomes::Values(values));
        }
        let said = match indices {
            [] => Said { sizes: given, elements: literals.into_iter().map(|literal| literal.text).collect() },
            _ => self.with_element(setting, variable, indices, &sizes, &literals[0])?,
        };
        Ok(Becomes::Modification(path_of(name), said))
    }

    /// The values of the run that elements get; none if they are structural, or would be.
    fn values(
        &self,
        name: &Name,
        indices: &[usize],
        sizes: &[usize],
        literals: &[Literal],
    ) -> Option<Vec<(VarId, f64)>> {
        let equations = self.equations?;
        let rests = equations.rests();
        let elements = if indices.is_empty() { all_indices(sizes) } else { vec![indices.to_vec()] };
        let mut values = Vec::new();
        for (element, literal) in elements.iter().zip(literals) {
            let v = equations.variable_named(&name.element(element))?;
            let variable = equations.variable(v);
            if variable.kind != Kind::Parameter || variable.structural {
                return None;
            }
            let split = literal.number?;
            if split.nearest == 0.0 && may_shape_as_zero(equations, v) {
                return None;
            }
            values.push((v, split.nearest));
            values.extend(rests[v.index()].map(|rest| (rest, split.rest)));
        }
        Some(values)
    }

    /// A structural array with another element.
    fn with_element(
        &self,
        setting: &Setting,
        variable: &Declaration,
        indices: &[usize],
        sizes: &[usize],
        literal: &Literal,
    ) -> Result<Said, Mistake> {
        let path = path_of(&variable.name);
        let known = self.said.said(&path).filter(|said| said.sizes == sizes).cloned();
        let known = known.or_else(|| {
            let elements = all_indices(sizes)
                .iter()
                .map(|element| self.known_text(variable, element))
                .collect::<Option<_>>()?;
            Some(Said { sizes: sizes.to_vec(), elements })
        });
        let Some(mut said) = known else {
            let what = format!(
                "`{}` shapes the model, and its other elements are not known: set all of it",
                variable.name
            );
            return Err(setting.wrong(Wrong::Size, what).declared_at(variable.span));
        };
        let place = indices.iter().zip(sizes).fold(0, |place, (index, size)| place * size + index - 1);
        said.elements[place] = literal.text.clone();
        Ok(said)
    }

    /// The present value of an element, as Modelica.
    fn known_text(&self, variable: &Declaration, element: &[usize]) -> Option<String> {
        let equations = self.equations?;
        let v = equations.variable_named(&variable.name.element(element))?;
        let binding = equations.variable(v).binding?;
        let number = match equations.pool.node(binding) {
            Node::Truth(truth) => return Some(truth.to_string()),
            Node::Large(whole) => return Some(whole.to_string()),
            _ => equations.pool.as_number(binding)?,
        };
        match variable.ty.scalar {
            Scalar::Enumeration(id) => {
                let of = self.declared.enumeration(id);
                Some(format!("{}.{}", of.name, of.literals.get(number as usize - 1)?))
            }
            _ => Some(rhei_equations::number(number)),
        }
    }
}

/// The values of a setting, and the sizes of the array that they make up.
fn literals(
    setting: &Setting,
    scalar: Scalar,
    dimensions: usize,
    declared: &Declarations,
) -> Result<(Vec<usize>, Vec<Literal>), Mistake> {
    let wrong = |what: String| setting.wrong(Wrong::Type, what);
    // a text need not stand in quotes
    let value = match scalar {
        Scalar::String if dimensions == 0 => Value::Word(setting.value.clone()),
        _ => Value::read(&setting.value).map_err(wrong)?,
    };
    let Some((sizes, elements)) = value.elements() else {
        return Err(setting.wrong(Wrong::Size, "its rows differ in length"));
    };
    let literals = elements.into_iter().map(|element| element.literal(scalar, declared));
    Ok((sizes, literals.collect::<Result<_, _>>().map_err(wrong)?))
}

/// Whether a variable is a parameter, or an input that the model has from outside.
fn is_settable(variable: &Declaration) -> bool {
    let is_given = variable.causality == Some(Causality::Input) && !variable.is_bound;
    variable.variability == Variability::Parameter
        || (is_given && variable.variability > Variability::Parameter && !variable.is_protected)
}

/// A name without the subscripts of separate components.
fn without_subscripts(name: &Name) -> String {
    let plain =
        |name: &str| if name.starts_with('\'') { name.len() } else { name.find('[').unwrap_or(name.len()) };
    let parts = name.parts.iter().map(|part| &part.name[..plain(&part.name)]);
    parts.collect::<Vec<_>>().join(".")
}

fn without_blanks(name: &str) -> String {
    name.split_whitespace().collect()
}

/// The names on the way to a variable, for a modification.
fn path_of(name: &Name) -> Vec<SmolStr> {
    name.parts.iter().map(|part| part.name.clone()).collect()
}

fn is_inside(indices: &[usize], sizes: &[usize]) -> bool {
    indices.len() == sizes.len() && indices.iter().zip(sizes).all(|(index, size)| (1..=*size).contains(index))
}

/// All indices of an array, from one, the last running fastest; one empty index for one value.
fn all_indices(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &size in sizes {
        all = all.iter().flat_map(|outer| (1..=size).map(|index| [&outer[..], &[index]].concat())).collect();
    }
    all
}

/// The parts of a name, and all its subscripts in order.
fn parsed_name(text: &str) -> Option<(Vec<&str>, Vec<usize>)> {
    let (mut path, mut indices) = (Vec::new(), Vec::new());
    let mut rest = text;
    loop {
        // a name in quotes may hold anything
        let end = match rest.strip_prefix('\'') {
            Some(inner) => inner.find('\'')? + 2,
            None => rest.find(['.', '[']).unwrap_or(rest.len()),
        };
        let (name, after) = rest.split_at(end);
        if name.trim().is_empty() {
            return None;
        }
        path.push(name.trim());
        rest = after.trim_start();
        if let Some(inner) = rest.strip_prefix('[') {
            let (subscripts, after) = inner.split_once(']')?;
            for subscript in subscripts.split(',') {
                indices.push(subscript.trim().parse().ok()?);
            }
            rest = after.trim_start();
        }
        match rest.strip_prefix('.') {
            Some(after) => rest = after.trim_start(),
            None if rest.is_empty() => return Some((path, indices)),
            None => return None,
        }
    }
}

/// A value as it was written.
fn written(value: &Value) -> String {
    match value {
        Value::Word(word) => word.clone(),
        Value::List(parts) => format!("{{{}}}", parts.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Record(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name} = {}", written(value)));
            format!("R({})", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_parts_and_subscripts() {
        assert_eq!(parsed_name("a[2].b.c[1, 3]"), Some((vec!["a", "b", "c"], vec![2, 1, 3])));
        assert_eq!(parsed_name("'x.y'.z"), Some((vec!["'x.y'", "z"], vec![])));
        for wrong in ["", "a.", "a[", "a[x]", "a[1]b", ".a", "a[-1]"] {
            assert_eq!(parsed_name(wrong), None, "{wrong}");
        }
    }
}
