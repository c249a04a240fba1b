//! The items that users of a crate can name, each with its signature.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Fields, ImplItem, Item, ItemEnum, ItemImpl, ItemTrait, Meta, TraitItem, Type};

use super::signatures::text;
use super::sources::{Meaning, Sources, attributes, is_hidden, is_of_linux, is_public, name_of, visibility};

/// The public interface of a crate.
#[derive(Default)]
pub(super) struct Interface {
    /// Blocks of lines: an item, then its indented members.
    pub(super) blocks: BTreeMap<String, Vec<String>>,
    /// Items, each with a path of another crate in its signature.
    pub(super) foreign: BTreeSet<(String, String)>,
}

/// An item by its module and name.
type Key = (usize, String);

struct Reader<'a> {
    sources: &'a Sources,
    /// The public path of every item that has one, the first if there are several.
    paths: BTreeMap<Key, String>,
    interface: Interface,
}

impl Interface {
    pub(super) fn of(name: &str, root: &Path) -> Self {
        let sources = &Sources::read(name, root);
        let mut reader = Reader { sources, paths: BTreeMap::new(), interface: Self::default() };
        reader.walk(0, &sources.name.clone(), &mut BTreeSet::new());
        let paths = reader.paths.clone();
        paths.iter().for_each(|(key, path)| reader.item(key, path));
        for (at, module) in sources.modules.iter().enumerate() {
            for item in &module.items {
                if let Item::Impl(block) = item {
                    reader.implementation(at, block);
                }
            }
        }
        reader.interface
    }
}

impl std::fmt::Display for Interface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (item, lines) in &self.blocks {
            writeln!(f, "{item}")?;
            lines.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}

impl Reader<'_> {
    /// Collects the public paths below a module.
    fn walk(&mut self, at: usize, path: &str, seen: &mut BTreeSet<(usize, String)>) {
        if !seen.insert((at, path.to_owned())) {
            return;
        }
        let module = &self.sources.modules[at];
        for item in module.items.iter().filter(|item| is_public(visibility(item)) && !is_hidden(attributes(item))) {
            let Some(name) = name_of(item) else { continue };
            self.reach((at, name.clone()), format!("{path}::{name}"));
        }
        for (name, child) in module.children.iter().filter(|(_, child)| child.public) {
            self.walk(child.module, &format!("{path}::{name}"), seen);
        }
        for line in module.uses.iter().filter(|line| line.public) {
            let found = self.sources.meaning(at, &line.path);
            match found.unwrap_or_else(|| panic!("{path}: `{}` is not found", line.path.join("::"))) {
                Meaning::Module(module) if line.name == "*" => self.walk(module, path, seen),
                Meaning::Module(module) => self.walk(module, &format!("{path}::{}", line.name), seen),
                Meaning::Item(module, name) => self.reach((module, name), format!("{path}::{}", line.name)),
                Meaning::Foreign(from) => {
                    let from = from.join("::");
                    self.interface.blocks.insert(format!("pub use {from} as {path}::{}", line.name), Vec::new());
                    self.note(path, &from);
                }
            }
        }
    }

    fn reach(&mut self, key: Key, path: String) {
        if let Some(other) = self.paths.get(&key) {
            let line = format!("pub use {other} as {path}");
            self.interface.blocks.insert(line, Vec::new());
        } else {
            self.paths.insert(key, path);
        }
    }

    fn note(&mut self, item: &str, path: &str) {
        self.interface.foreign.insert((item.to_owned(), path.to_owned()));
    }

    /// A signature in a module, of an item with this public path.
    fn text(&mut self, at: usize, item: &str, tokens: impl ToTokens) -> String {
        let mut foreign = Vec::new();
        let text = text(tokens.to_token_stream(), &mut |path| match self.sources.meaning(at, path)? {
            Meaning::Module(_) => None,
            Meaning::Item(module, name) => Some(match self.paths.get(&(module, name.clone())) {
                Some(path) => path.clone(),
                None => format!("private {}::{name}", self.sources.modules[module].path.join("::")),
            }),
            Meaning::Foreign(path) => {
                foreign.push(path.join("::"));
                foreign.last().cloned()
            }
        });
        foreign.iter().for_each(|path| self.note(item, path));
        text
    }

    fn item(&mut self, key: &Key, path: &str) {
        let sources = self.sources;
        let (at, name) = key;
        let named = |item: &&Item| name_of(item).as_ref() == Some(name);
        for item in sources.modules[*at].items.iter().filter(named) {
            let marks = marks(attributes(item));
            let mut lines = derives(attributes(item));
            let declared = |kind: &str, rest: String| format!("pub {kind} {path}{rest}{marks}");
            let head = match item {
                Item::Const(item) => declared("const", format!(": {}", self.text(*at, path, &item.ty))),
                Item::Static(item) => declared("static", format!(": {}", self.text(*at, path, &item.ty))),
                Item::Type(item) => {
                    let (generics, ty) = (&item.generics, &item.ty);
                    declared(
                        "type",
                        format!("{} = {}", self.text(*at, path, quote!(#generics)), self.text(*at, path, quote!(#ty))),
                    )
                }
                Item::Fn(item) => {
                    let signature = self.text(*at, path, &item.sig);
                    // The name of the function has its path.
                    declared("fn", signature.split_once(&**name).expect("its name").1.to_owned())
                }
                Item::Struct(item) => {
                    lines.extend(self.fields(*at, path, &item.fields));
                    declared("struct", self.generics(*at, path, &item.generics))
                }
                Item::Enum(item) => {
                    lines.extend(self.variants(*at, path, item));
                    declared("enum", self.generics(*at, path, &item.generics))
                }
                Item::Trait(item) => {
                    lines.extend(self.members(*at, path, item));
                    let above = &item.supertraits;
                    let above = if above.is_empty() { TokenStream::new() } else { quote!(: #above) };
                    let generics = &item.generics;
                    declared("trait", self.text(*at, path, quote!(#generics #above)))
                }
                _ => continue,
            };
            self.interface.blocks.entry(head).or_default().extend(lines);
        }
    }

    fn generics(&mut self, at: usize, path: &str, generics: &syn::Generics) -> String {
        let limits = generics.where_clause.as_ref();
        self.text(at, path, quote!(#generics #limits))
    }

    fn fields(&mut self, at: usize, path: &str, fields: &Fields) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, field) in fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis)) {
            let name = field.ident.as_ref().map_or(index.to_string(), ToString::to_string);
            lines.push(format!("pub {name}: {}", self.text(at, path, &field.ty)));
        }
        if lines.len() < fields.len() {
            lines.push("and private fields".into());
        }
        lines
    }

    fn variants(&mut self, at: usize, path: &str, item: &ItemEnum) -> Vec<String> {
        let variants = item.variants.iter();
        let bare = |field: &syn::Field| {
            let (name, ty) = (field.ident.as_ref(), &field.ty);
            name.map_or(quote!(#ty), |name| quote!(#name: #ty))
        };
        variants
            .map(|variant| {
                let (name, fields) = (&variant.ident, variant.fields.iter().map(bare));
                let tokens = match &variant.fields {
                    Fields::Named(_) => quote!(#name { #(#fields),* }),
                    Fields::Unnamed(_) => quote!(#name(#(#fields),*)),
                    Fields::Unit => quote!(#name),
                };
                // The name of a variant is not a path, and a type may have the same name.
                let text = self.text(at, path, quote!(fn #tokens));
                format!("{}{}", text.trim_start_matches("fn "), marks(&variant.attrs))
            })
            .collect()
    }

    fn members(&mut self, at: usize, path: &str, item: &ItemTrait) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for member in &item.items {
            lines.push(match member {
                TraitItem::Fn(member) => {
                    let provided = if member.default.is_some() { " (provided)" } else { "" };
                    format!("{}{provided}", self.text(at, path, &member.sig))
                }
                TraitItem::Const(member) => format!("const {}: {}", member.ident, self.text(at, path, &member.ty)),
                TraitItem::Type(member) => format!("type {}", member.ident),
                _ => panic!("{path}: an unknown member of a trait"),
            });
        }
        lines.sort();
        lines
    }

    /// Adds the methods and traits of a public type to its block.
    fn implementation(&mut self, at: usize, block: &ItemImpl) {
        let Type::Path(of) = &*block.self_ty else { return };
        let segments: Vec<String> = of.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let Some(Meaning::Item(module, name)) = self.sources.meaning(at, &segments) else { return };
        let Some(path) = self.paths.get(&(module, name)).cloned() else { return };
        let mut lines = Vec::new();
        if let Some((of_trait, _)) = &block.trait_ {
            let (generics, ty, limits) = (&block.generics, &block.self_ty, &block.generics.where_clause);
            let text = self.text(at, &path, quote!(impl #generics #of_trait for #ty #limits));
            // A trait of this crate that users cannot name is not part of the interface.
            lines.extend(Some(text).filter(|text| !text.contains("private ")));
        }
        for item in block.items.iter().filter(|_| block.trait_.is_none()) {
            match item {
                ImplItem::Fn(item) if is_public(&item.vis) && !is_hidden(&item.attrs) && is_of_linux(&item.attrs) => {
                    lines.push(format!("pub {}{}", self.text(at, &path, &item.sig), marks(&item.attrs)));
                }
                ImplItem::Const(item) if is_public(&item.vis) => {
                    lines.push(format!("pub const {}: {}", item.ident, self.text(at, &path, &item.ty)));
                }
                _ => {}
            }
        }
        lines.sort();
        let starts = [format!("pub struct {path}"), format!("pub enum {path}"), format!("pub type {path}")];
        let is_its = |head: &&String| {
            let rest = starts.iter().find_map(|start| head.strip_prefix(&**start));
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'))
        };
        let head = self.interface.blocks.keys().find(is_its).cloned();
        let head = head.unwrap_or_else(|| panic!("{path} has no block"));
        self.interface.blocks.entry(head).or_default().extend(lines);
    }
}

/// The attributes of an item that its users depend on.
fn marks(attributes: &[Attribute]) -> String {
    let kept = ["non_exhaustive", "must_use", "deprecated", "repr"];
    let names = attributes.iter().filter_map(|attribute| attribute.path().get_ident().map(ToString::to_string));
    names.filter(|name| kept.contains(&&**name)).map(|name| format!(" #[{name}]")).collect()
}

/// The traits that an item derives, in one line.
fn derives(attributes: &[Attribute]) -> Vec<String> {
    let lists = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("derive") => Some(list.tokens.to_string().replace(' ', "")),
        _ => None,
    });
    let names: BTreeSet<String> =
        lists.flat_map(|list| list.split(',').map(str::to_owned).collect::<Vec<_>>()).collect();
    let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
    if names.is_empty() { Vec::new() } else { vec![format!("derives {}", names.join(", "))] }
}
