//! The components of an instance, and those that connections to expandable connectors add to it.

use std::borrow::Cow;

use rhei_flat::{Causality, Size, VarId, Variable};
use rhei_instance::{Component, ComponentId, ComponentKind, Flowing};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Components and variables; grows, never shrinks.
pub(crate) struct Tree<'a> {
    /// Those of the instance, a copy only where some are added.
    pub(crate) components: Cow<'a, [Component]>,
    pub(crate) variables: Cow<'a, [Variable]>,
    /// The most requested data of components, by [`ComponentId`].
    places: Vec<TreeEntry>,
    /// By [`VarId`].
    component_of: Vec<ComponentId>,
    /// How many components the model declares; the others were added.
    declared: usize,
    /// Components with equations of their own, by path.
    by_path: FxHashMap<SmolStr, ComponentId>,
    /// Members of expandable connectors with dimensions that are as large as connections want them: which ones.
    sizeless: FxHashMap<ComponentId, Vec<bool>>,
}

/// Place of a component, and its part in connections: small beside the component itself, so that those of a large model stay in
/// the cache.
#[derive(Clone, Copy)]
struct TreeEntry {
    parent: Option<ComponentId>,
    kind: ComponentKind,
    flowing: Flowing,
    causality: Option<Causality>,
    has_sizes: bool,
}

impl TreeEntry {
    fn of(component: &Component) -> TreeEntry {
        let &Component { parent, kind, flowing, causality, .. } = component;
        TreeEntry { parent, kind, flowing, causality, has_sizes: !component.sizes.is_empty() }
    }
}

impl<'a> Tree<'a> {
    pub(crate) fn new(components: &'a [Component], variables: &'a [Variable]) -> Self {
        let mut component_of = vec![ComponentId(0); variables.len()];
        for (i, component) in components.iter().enumerate() {
            if let Some(v) = component.variable {
                component_of[v.index()] = ComponentId(i as u32);
            }
        }
        let mut tree = Tree {
            components: Cow::Borrowed(components),
            variables: Cow::Borrowed(variables),
            places: components.iter().map(TreeEntry::of).collect(),
            component_of,
            declared: components.len(),
            by_path: FxHashMap::default(),
            sizeless: FxHashMap::default(),
        };
        for (i, component) in components.iter().enumerate() {
            let id = ComponentId(i as u32);
            let open: Vec<bool> = component.sizes.iter().map(|size| size.known().is_none()).collect();
            if open.contains(&true) {
                tree.sizeless.insert(id, open);
            }
            // equations and connections stand in models and records
            if component.variable.is_none() && component.kind == ComponentKind::Inside {
                tree.by_path.insert(tree.name(id).into(), id);
            }
        }
        tree
    }

    pub(crate) fn component(&self, id: ComponentId) -> &Component {
        &self.components[id.0 as usize]
    }

    fn place(&self, id: ComponentId) -> &TreeEntry {
        &self.places[id.0 as usize]
    }

    pub(crate) fn variable(&self, v: VarId) -> &Variable {
        &self.variables[v.index()]
    }

    pub(crate) fn component_of(&self, v: VarId) -> ComponentId {
        self.component_of[v.index()]
    }

    /// The component with this path from the model; the model itself for an empty one.
    pub(crate) fn at(&self, path: &str) -> ComponentId {
        self.by_path.get(path).copied().or_else(|| self.connector_at(path)).unwrap_or(ComponentId(0))
    }

    /// The connector with this path; few are asked for.
    fn connector_at(&self, path: &str) -> Option<ComponentId> {
        let (around, name) = path.rsplit_once('.').unwrap_or(("", path));
        if path.is_empty() { None } else { self.part(self.at(around), name) }
    }

    /// Adds a component to its parent.
    pub(crate) fn add(&mut self, component: Component) -> ComponentId {
        let id = ComponentId(self.components.len() as u32);
        if let Some(parent) = component.parent {
            self.components.to_mut()[parent.0 as usize].parts.push(id);
        }
        self.places.push(TreeEntry::of(&component));
        self.components.to_mut().push(component);
        id
    }

    /// Adds the variable that a component is.
    pub(crate) fn add_variable(&mut self, id: ComponentId, variable: Variable) {
        self.components.to_mut()[id.0 as usize].variable = Some(VarId(self.variables.len() as u32));
        self.variables.to_mut().push(variable);
        self.component_of.push(id);
    }

    /// Whether a dimension of a member of an expandable connector is as large as connections want it.
    pub(crate) fn is_sizeless(&self, id: ComponentId, dimension: usize) -> bool {
        self.sizeless.get(&id).is_some_and(|sizeless| sizeless.get(dimension) == Some(&true))
    }

    /// Says which dimensions of an added member are as large as connections want them.
    pub(crate) fn set_sizeless(&mut self, id: ComponentId, dimensions: Vec<bool>) {
        if dimensions.contains(&true) {
            self.sizeless.insert(id, dimensions);
        }
    }

    /// Makes sizeless dimensions of a member at least so large; whether that changed something.
    pub(crate) fn enlarge(&mut self, id: ComponentId, wanted: &[usize]) -> bool {
        let mut grown = false;
        for (d, &wanted) in wanted.iter().enumerate() {
            let size = self.sizes(id).get(d).copied();
            if self.is_sizeless(id, d) && size.is_some_and(|size| size < wanted) {
                self.components.to_mut()[id.0 as usize].sizes[d] = Size::Known(wanted);
                grown = true;
            }
        }
        if grown {
            self.renew_types(id);
        }
        grown
    }

    /// The types of the variable that a component is, and of those in it, by the sizes of components.
    fn renew_types(&mut self, id: ComponentId) {
        if let Some(v) = self.component(id).variable {
            let sizes = self.type_sizes(id);
            self.variables.to_mut()[v.index()].ty.sizes = sizes;
        }
        for part in self.component(id).parts.clone() {
            self.renew_types(part);
        }
    }

    /// Whether a connection made it.
    pub(crate) fn is_added(&self, id: ComponentId) -> bool {
        id.0 as usize >= self.declared
    }

    /// The components around and including this one, outermost first, without the model itself.
    pub(crate) fn path(&self, id: ComponentId) -> Vec<ComponentId> {
        let mut path: Vec<ComponentId> = self.outwards(id).collect();
        path.reverse();
        path
    }

    /// The component and those around it, without the model itself.
    pub(crate) fn outwards(&self, id: ComponentId) -> impl Iterator<Item = ComponentId> {
        let around = std::iter::successors(Some(id), |id| self.place(*id).parent);
        around.take_while(|id| self.place(*id).parent.is_some())
    }

    /// `a.b.c`
    pub(crate) fn name(&self, id: ComponentId) -> String {
        let mut name = String::new();
        self.write_name(id, &mut name);
        name
    }

    fn write_name(&self, id: ComponentId, name: &mut String) {
        let component = self.component(id);
        let Some(parent) = component.parent else { return };
        self.write_name(parent, name);
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(&component.name);
    }

    /// The path of the parent of a component.
    pub(crate) fn parent_name(&self, id: ComponentId) -> SmolStr {
        self.component(id).parent.map_or(SmolStr::default(), |parent| self.name(parent).into())
    }

    /// Its own sizes.
    pub(crate) fn sizes(&self, id: ComponentId) -> Vec<usize> {
        self.component(id).sizes.iter().map(|size| size.known().unwrap_or(0)).collect()
    }

    /// The sizes of all dimensions around and of it.
    pub(crate) fn full_sizes(&self, id: ComponentId) -> Vec<usize> {
        if self.outwards(id).all(|around| !self.place(around).has_sizes) {
            return Vec::new();
        }
        self.path(id).into_iter().flat_map(|id| self.sizes(id)).collect()
    }

    /// The same as the type of a variable has them.
    pub(crate) fn type_sizes(&self, id: ComponentId) -> Vec<Size> {
        self.full_sizes(id).into_iter().map(Size::Known).collect()
    }

    /// How many elements a component has, all arrays around it counted.
    pub(crate) fn count(&self, id: ComponentId) -> usize {
        self.full_sizes(id).into_iter().product()
    }

    pub(crate) fn part(&self, id: ComponentId, name: &str) -> Option<ComponentId> {
        self.component(id).parts.iter().copied().find(|part| self.component(*part).name == name)
    }

    pub(crate) fn is_expandable(&self, id: ComponentId) -> bool {
        self.place(id).kind == ComponentKind::Expandable
    }

    /// Whether it sits in an expandable connector.
    pub(crate) fn is_in_expandable(&self, id: ComponentId) -> bool {
        self.outwards(id).skip(1).any(|around| self.is_expandable(around))
    }

    /// The outermost connector that it is part of, or is.
    pub(crate) fn connector_around(&self, id: ComponentId) -> Option<ComponentId> {
        self.outwards(id).filter(|around| self.place(*around).kind != ComponentKind::Inside).last()
    }

    /// How it takes part in connections: a part of a flow is one.
    pub(crate) fn flowing(&self, id: ComponentId) -> Flowing {
        let written = self.outwards(id).map(|around| self.place(around).flowing);
        written.into_iter().find(|flowing| *flowing != Flowing::Potential).unwrap_or(Flowing::Potential)
    }

    /// `input` or `output` of it or of the connector it is part of.
    pub(crate) fn causality(&self, id: ComponentId) -> Option<Causality> {
        let in_connector = |around: &ComponentId| self.connector_around(*around).is_some();
        self.outwards(id).take_while(in_connector).find_map(|around| self.place(around).causality)
    }

    /// Whether a connector is outside as seen from the component that a connection is written in (MLS §9.1.2).
    ///
    /// Components not below that one are reached through `outer`: an outer connector is outside, a connector of an
    /// outer component inside.
    pub(crate) fn is_outside(&self, owner: ComponentId, connector: ComponentId) -> bool {
        self.depth(owner, connector) == 0
    }

    /// How many components that are no connectors lie between a component and a connector.
    pub(crate) fn depth(&self, owner: ComponentId, connector: ComponentId) -> usize {
        let common = self.outwards(connector).find(|around| self.is_around(*around, owner));
        let below = self.outwards(connector).take_while(|around| Some(*around) != common);
        // from inside out: a connector on the way hides its inside
        let is_inside = |id: ComponentId| self.place(id).kind == ComponentKind::Inside;
        below.fold(0, |depth, id| if is_inside(id) { depth + 1 } else { 0 })
    }

    /// Whether a component is another one, or around it; the model itself is around all.
    pub(crate) fn is_around(&self, around: ComponentId, id: ComponentId) -> bool {
        self.place(around).parent.is_none() || self.outwards(id).any(|id| id == around)
    }
}
