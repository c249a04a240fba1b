//! The modules of a crate according to its sources, and the meanings of paths in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use quote::ToTokens as _;
use syn::parse::{Parse as _, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Meta, Token, UseTree, Visibility};

/// Types of the language with associated items.
const PRIMITIVE: [&str; 8] = ["f64", "i32", "i64", "str", "u8", "u32", "u64", "usize"];

/// The sources of a crate.
pub(super) struct Sources {
    /// The name that `use` lines have, such as `judge_job`.
    pub(super) name: String,
    /// The first is the root.
    pub(super) modules: Vec<Module>,
}

pub(super) struct Module {
    parent: usize,
    /// Names of the modules from the root of the crate to this one.
    pub(super) path: Vec<String>,
    pub(super) children: BTreeMap<String, Child>,
    pub(super) items: Vec<Item>,
    pub(super) uses: Vec<Use>,
}

pub(super) struct Child {
    pub(super) module: usize,
    pub(super) public: bool,
}

/// One name that a `use` line imports, or all names of a module.
pub(super) struct Use {
    /// The name that it has here; `*` for all names.
    pub(super) name: String,
    pub(super) path: Vec<String>,
    pub(super) public: bool,
}

/// The meaning of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    Module(usize),
    /// An item by its module and name.
    Item(usize, String),
    /// A path of another crate.
    Foreign(Vec<String>),
}

impl Sources {
    pub(super) fn read(name: &str, root: &Path) -> Self {
        let mut sources = Self { name: name.replace('-', "_"), modules: Vec::new() };
        let file = parsed(root);
        sources.add(0, Vec::new(), file, root.parent().unwrap());
        sources
    }

    fn add(&mut self, parent: usize, path: Vec<String>, items: Vec<Item>, folder: &Path) -> usize {
        let at = self.modules.len();
        let (children, uses) = (BTreeMap::new(), Vec::new());
        self.modules.push(Module { parent, path: path.clone(), children, items: Vec::new(), uses });
        for item in items.into_iter().filter(|item| is_of_linux(attributes(item))) {
            match item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let below = folder.join(&name);
                    let items = module.content.map(|(_, items)| items).unwrap_or_else(|| {
                        let file = below.with_extension("rs");
                        parsed(&if file.exists() { file } else { below.join("mod.rs") })
                    });
                    let path = path.iter().cloned().chain([name.clone()]).collect();
                    let public = is_public(&module.vis) && !is_hidden(&module.attrs);
                    let module = self.add(at, path, items, &below);
                    self.modules[at].children.insert(name, Child { module, public });
                }
                Item::Use(line) => {
                    let public = is_public(&line.vis) && !is_hidden(&line.attrs);
                    let mut uses = Vec::new();
                    flatten(&line.tree, &mut Vec::new(), &mut uses);
                    let uses = uses.into_iter().map(|(name, path)| Use { name, path, public });
                    self.modules[at].uses.extend(uses);
                }
                Item::Macro(call) => {
                    match call.mac.path.segments.last().map(|name| name.ident.to_string()).as_deref() {
                        Some("named") => self.modules[at].items.extend(expanded(&call.mac.tokens)),
                        Some("setters") => self.modules[at].items.push(setters.parse2(call.mac.tokens).unwrap()),
                        _ => self.modules[at].items.push(Item::Macro(call)),
                    }
                }
                item => self.modules[at].items.push(item),
            }
        }
        at
    }

    /// The meaning of a path in a module; `None` for names of the language, of the prelude and of generic parameters.
    pub(super) fn meaning(&self, at: usize, path: &[String]) -> Option<Meaning> {
        self.followed(at, path, 0)
    }

    fn followed(&self, at: usize, path: &[String], depth: u32) -> Option<Meaning> {
        assert!(depth < 40, "{path:?} leads in a circle");
        let (first, rest) = path.split_first()?;
        let mut found = match &**first {
            "crate" => Meaning::Module(0),
            "self" => Meaning::Module(at),
            "super" => Meaning::Module(self.modules[at].parent),
            name => match self.named(at, name, rest.is_empty(), depth) {
                Some(found) => found,
                None if rest.is_empty() || !name.starts_with(char::is_lowercase) || PRIMITIVE.contains(&name) => {
                    return None;
                }
                None => Meaning::Foreign(vec![name.to_owned()]),
            },
        };
        for (index, name) in rest.iter().enumerate() {
            found = match found {
                Meaning::Module(module) if name == "super" => Meaning::Module(self.modules[module].parent),
                Meaning::Module(module) => self.named(module, name, index + 1 == rest.len(), depth)?,
                // A variant or an associated item.
                Meaning::Item(..) => return Some(found),
                Meaning::Foreign(mut path) => {
                    path.push(name.clone());
                    Meaning::Foreign(path)
                }
            };
        }
        Some(found)
    }

    /// The meaning of a name in a module. The last name of a path is an item rather than a module of that name.
    fn named(&self, at: usize, name: &str, last: bool, depth: u32) -> Option<Meaning> {
        let module = &self.modules[at];
        let item = module.items.iter().any(|item| name_of(item).as_deref() == Some(name));
        let item = item.then(|| Meaning::Item(at, name.to_owned()));
        let child = module.children.get(name).map(|child| Meaning::Module(child.module));
        let own = if last { item.or(child) } else { child.or(item) };
        // A name that is imported from a module of the same name, as in `pub use figure::figure`.
        let named = module.uses.iter().filter(|line| line.name == name && line.path != [name]);
        let brought = || named.into_iter().find_map(|line| self.followed(at, &line.path, depth + 1));
        let all = || {
            let globs = module.uses.iter().filter(|line| line.name == "*");
            let mut modules = globs.filter_map(|line| self.followed(at, &line.path, depth + 1));
            modules.find_map(|found| match found {
                Meaning::Module(module) if module != at => self.named(module, name, last, depth + 1),
                _ => None,
            })
        };
        own.or_else(brought).or_else(all)
    }
}

/// The items of a call of `judge_job::named`, which writes each name of an enumeration once.
fn expanded(tokens: &proc_macro2::TokenStream) -> [Item; 2] {
    let mut declared: syn::ItemEnum = syn::parse2(tokens.clone()).unwrap();
    declared.variants.iter_mut().for_each(|variant| variant.discriminant = None);
    declared.attrs.push(syn::parse_quote!(#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]));
    let (name, count) = (&declared.ident, declared.variants.len());
    let methods = syn::parse_quote! {
        impl #name {
            pub const ALL: [Self; #count] = [];
            pub const fn name(self) -> &'static str {}
            pub fn named(name: &str) -> Option<Self> {}
        }
    };
    [Item::Enum(declared), methods]
}

/// The item of a call of `setters` in judge-job: `Type as value: name(arguments) => change; …`.
fn setters(input: ParseStream<'_>) -> syn::Result<Item> {
    let name: syn::Type = input.parse()?;
    input.parse::<Token![as]>()?;
    input.parse::<syn::Ident>()?;
    input.parse::<Token![:]>()?;
    let mut methods: Vec<syn::ImplItem> = Vec::new();
    while !input.is_empty() {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        let method: syn::Ident = input.parse()?;
        let arguments;
        syn::parenthesized!(arguments in input);
        let arguments = arguments.parse_terminated(syn::FnArg::parse, Token![,])?;
        input.parse::<Token![=>]>()?;
        input.parse::<syn::Expr>()?;
        input.parse::<Token![;]>()?;
        methods.push(syn::parse_quote!(#(#attributes)* #[must_use] pub fn #method(self, #arguments) -> Self {}));
    }
    Ok(syn::parse_quote!(impl #name { #(#methods)* }))
}

fn parsed(file: &Path) -> Vec<Item> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())).items
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, uses: &mut Vec<(String, Vec<String>)>) {
    let whole = |path: &[String], name: String| path.iter().cloned().chain([name]).collect::<Vec<_>>();
    match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            flatten(&tree.tree, path, uses);
            path.pop();
        }
        UseTree::Name(tree) if tree.ident == "self" => uses.push((path.last().unwrap().clone(), path.clone())),
        UseTree::Name(tree) => uses.push((tree.ident.to_string(), whole(path, tree.ident.to_string()))),
        UseTree::Rename(tree) => uses.push((tree.rename.to_string(), whole(path, tree.ident.to_string()))),
        UseTree::Glob(_) => uses.push(("*".into(), path.clone())),
        UseTree::Group(tree) => tree.items.iter().for_each(|tree| flatten(tree, path, uses)),
    }
}

/// The name of an item that has one.
pub(super) fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// The visibility of an item that has a name.
pub(super) fn visibility(item: &Item) -> &Visibility {
    match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        _ => &Visibility::Inherited,
    }
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

pub(super) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Tests whether an item is left out of the documentation.
pub(super) fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| is_list(attribute, "doc", "hidden"))
}

fn is_list(attribute: &Attribute, name: &str, content: &str) -> bool {
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident(name) && list.tokens.to_string() == content)
}

/// Tests whether an item is part of the library on Linux, with all features.
pub(super) fn is_of_linux(attributes: &[Attribute]) -> bool {
    attributes.iter().all(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => is_met(&list.parse_args().expect("a condition")),
        _ => true,
    })
}

fn is_met(condition: &Meta) -> bool {
    let parts = |list: &syn::MetaList| {
        let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        parts.expect("conditions").iter().map(is_met).collect::<Vec<bool>>()
    };
    match condition {
        Meta::List(list) if list.path.is_ident("not") => !parts(list)[0],
        Meta::List(list) if list.path.is_ident("all") => !parts(list).contains(&false),
        Meta::List(list) if list.path.is_ident("any") => parts(list).contains(&true),
        Meta::NameValue(pair) if pair.path.is_ident("feature") => true,
        Meta::NameValue(pair) if pair.path.is_ident("target_os") => {
            pair.value.to_token_stream().to_string() == "\"linux\""
        }
        // Signatures are the same on all processors.
        Meta::NameValue(pair) if pair.path.is_ident("target_arch") => {
            pair.value.to_token_stream().to_string() == "\"x86_64\""
        }
        condition => condition.path().is_ident("unix"),
    }
}
