//! The public items of a crate as its sources declare them. The lint `unreachable_pub` has users able to name each of them.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Fields, ImplItem, Item, Meta, Token, TraitItem, Type, UseTree, Visibility};

use crate::support::*;

/// Types of the language with associated items.
const PRIMITIVE: [&str; 8] = ["f64", "i32", "i64", "str", "u8", "u32", "u64", "usize"];

/// The public interface of a crate.
#[derive(Default)]
pub(super) struct Interface {
    /// A line for each module, each of its items and each member of these.
    pub(super) text: String,
    /// Paths of other crates in signatures.
    pub(super) foreign: BTreeSet<String>,
}

struct Module {
    path: String,
    items: Vec<Item>,
    /// The path of each name that a `use` line imports.
    imports: BTreeMap<String, Vec<String>>,
}

impl Interface {
    pub(super) fn of(name: &str, root: &Path) -> Self {
        let mut modules = Vec::new();
        read(name.replace('-', "_"), parsed(root), root.parent().unwrap(), &mut modules);
        let declared = |public: bool| -> BTreeSet<String> {
            let parts = modules.iter().flat_map(|module| &module.items).filter_map(|item| parts(item).1);
            parts.filter(|(visibility, _)| is_public(visibility) == public).map(|(_, name)| name.to_string()).collect()
        };
        let (public, private) = (declared(true), declared(false));
        let mut interface = Self::default();
        for module in &modules {
            let mut blocks: Vec<String> =
                module.items.iter().filter_map(|item| block(item, &public, &private)).collect();
            let lines = blocks.iter().flat_map(|block| block.lines()).filter(|line| !line.contains("    derive("));
            let signatures: TokenStream = lines.collect::<Vec<_>>().join("\n").parse().expect("signatures");
            let mut names = BTreeSet::new();
            for path in paths(signatures) {
                let is_module = path.len() > 1 && path[0].starts_with(char::is_lowercase);
                // `use super::*` has the names of another module.
                let elsewhere = modules.iter().filter(|_| is_module).find_map(|module| module.imports.get(&path[0]));
                let Some(imported) = module.imports.get(&path[0]).or(elsewhere) else {
                    let is_crate = is_module && !PRIMITIVE.contains(&&*path[0]);
                    interface.foreign.extend(is_crate.then(|| path.join("::")));
                    continue;
                };
                // What this crate does not declare comes to it from another one.
                let last = imported.last().unwrap();
                let is_own = public.contains(last) || private.contains(last);
                let from = modules.iter().filter(|_| !is_own).filter_map(|module| module.imports.get(last));
                interface.foreign.extend(from.chain([imported]).map(|path| path.join("::")));
                let renamed = if *last == path[0] { String::new() } else { format!(" as {}", path[0]) };
                names.insert(imported.join("::") + &renamed);
            }
            blocks.sort();
            interface.text += &format!("mod {}\n{}", module.path, blocks.concat());
            if !names.is_empty() {
                interface.text += &format!("names {}\n", Vec::from_iter(names).join(", "));
            }
        }
        let own = |path: &str| {
            let root = path.split("::").next().unwrap();
            let is_module = modules.iter().any(|module| module.path.ends_with(&format!("::{root}")));
            is_module || ["crate", "self", "super"].contains(&root)
        };
        interface.foreign.retain(|path| !own(path));
        interface
    }
}

/// Reads a module and those inside it.
fn read(path: String, items: Vec<Item>, folder: &Path, modules: &mut Vec<Module>) {
    let at = modules.len();
    modules.push(Module { path: path.clone(), items: Vec::new(), imports: BTreeMap::new() });
    for item in items.into_iter().filter(|item| is_of_linux(parts(item).0)) {
        match item {
            Item::Mod(module) => {
                let below = folder.join(module.ident.to_string());
                let items = module.content.map(|(_, items)| items).unwrap_or_else(|| {
                    let file = below.with_extension("rs");
                    parsed(&if file.exists() { file } else { below.join("mod.rs") })
                });
                read(format!("{path}::{}", module.ident), items, &below, modules);
            }
            Item::Macro(call) if call.mac.path.segments.last().is_some_and(|name| name.ident == "named") => {
                modules[at].items.extend(expanded(call.mac.tokens));
            }
            Item::Use(line) => {
                flatten(&line.tree, &[], &mut modules[at].imports);
                modules[at].items.push(Item::Use(line));
            }
            item => modules[at].items.push(item),
        }
    }
}

fn parsed(file: &Path) -> Vec<Item> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())).items
}

/// The items of a call of `judge_job::named`, which writes each name of an enumeration once.
fn expanded(tokens: TokenStream) -> [Item; 2] {
    let mut declared: syn::ItemEnum = syn::parse2(tokens).unwrap();
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

fn flatten(tree: &UseTree, before: &[String], imports: &mut BTreeMap<String, Vec<String>>) {
    let path = |name: &Ident| [before, &[name.to_string()]].concat();
    let _ = match tree {
        UseTree::Path(tree) => return flatten(&tree.tree, &path(&tree.ident), imports),
        UseTree::Group(tree) => return tree.items.iter().for_each(|tree| flatten(tree, before, imports)),
        UseTree::Name(tree) if tree.ident == "self" => imports.insert(before.last().unwrap().clone(), before.to_vec()),
        UseTree::Name(tree) => imports.insert(tree.ident.to_string(), path(&tree.ident)),
        UseTree::Rename(tree) if tree.rename == "_" => None,
        UseTree::Rename(tree) => imports.insert(tree.rename.to_string(), path(&tree.ident)),
        UseTree::Glob(_) => None,
    };
}

/// The paths in signatures.
fn paths(tokens: TokenStream) -> Vec<Vec<String>> {
    let (mut found, mut colons): (Vec<Vec<String>>, _) = (Vec::new(), 0);
    for token in tokens {
        match token {
            TokenTree::Ident(name) if colons == 2 && !found.is_empty() => {
                found.last_mut().unwrap().push(name.to_string())
            }
            TokenTree::Ident(name) => found.push(vec![name.to_string()]),
            TokenTree::Punct(sign) if sign.as_char() == ':' => {
                colons += 1;
                continue;
            }
            TokenTree::Group(group) => found.extend(paths(group.stream())),
            _ => {}
        }
        colons = 0;
    }
    found
}

/// The lines of an item and its members, if users can name it.
fn block(item: &Item, public: &BTreeSet<String>, private: &BTreeSet<String>) -> Option<String> {
    let (attributes, name) = parts(item);
    if is_hidden(attributes) || name.is_some_and(|(visibility, _)| !is_public(visibility)) {
        return None;
    }
    let mut members = derives(attributes);
    let head = match item {
        Item::Const(item) => {
            let (name, ty) = (&item.ident, &item.ty);
            quote!(pub const #name: #ty)
        }
        Item::Static(item) => {
            let (name, ty) = (&item.ident, &item.ty);
            quote!(pub static #name: #ty)
        }
        Item::Type(item) => {
            let (name, generics, ty) = (&item.ident, &item.generics, &item.ty);
            quote!(pub type #name #generics = #ty)
        }
        Item::Fn(item) => {
            let signature = &item.sig;
            quote!(pub #signature)
        }
        Item::Struct(item) => {
            let open = item.fields.iter().filter(|field| is_public(&field.vis)).cloned();
            members.extend(open.map(|field| text(syn::Field { attrs: Vec::new(), ..field })));
            let is_open = item.fields.iter().all(|field| is_public(&field.vis));
            members.extend((!is_open).then(|| "and private fields".into()));
            let (name, generics, limits) = (&item.ident, &item.generics, &item.generics.where_clause);
            quote!(pub struct #name #generics #limits)
        }
        Item::Enum(item) => {
            for mut variant in item.variants.clone() {
                let marks = marks(&std::mem::take(&mut variant.attrs));
                if let Fields::Named(_) | Fields::Unnamed(_) = variant.fields {
                    variant.fields.iter_mut().for_each(|field| field.attrs.clear());
                }
                variant.discriminant = None;
                members.push(text(variant) + &marks);
            }
            let (name, generics, limits) = (&item.ident, &item.generics, &item.generics.where_clause);
            quote!(pub enum #name #generics #limits)
        }
        Item::Trait(item) => {
            members.extend(item.items.iter().map(|member| match member {
                TraitItem::Fn(member) => text(&member.sig) + if member.default.is_some() { " {}" } else { "" },
                TraitItem::Const(member) => format!("const {}: {}", member.ident, text(&member.ty)),
                TraitItem::Type(member) => format!("type {}", member.ident),
                other => panic!("an unknown member of a trait: {}", text(other)),
            }));
            let (name, generics, above) = (&item.ident, &item.generics, &item.supertraits);
            quote!(pub trait #name #generics: #above)
        }
        Item::Use(line) if is_public(&line.vis) => {
            let tree = &line.tree;
            quote!(pub use #tree)
        }
        Item::Impl(item) => {
            let Type::Path(of) = &*item.self_ty else { return None };
            if !public.contains(&of.path.segments.last()?.ident.to_string()) {
                return None;
            }
            let (generics, ty, limits) = (&item.generics, &item.self_ty, &item.generics.where_clause);
            if let Some((of_trait, _)) = &item.trait_ {
                // A trait of this crate that users cannot name is not part of the interface.
                let name = of_trait.to_token_stream().into_iter().filter_map(|token| match token {
                    TokenTree::Ident(name) => Some(name.to_string()),
                    _ => None,
                });
                return (!name.clone().any(|name| private.contains(&name) && !public.contains(&name)))
                    .then(|| text(quote!(impl #generics #of_trait for #ty #limits)) + "\n");
            }
            members.extend(item.items.iter().filter_map(|member| {
                match member {
                    ImplItem::Fn(member) => {
                        (is_public(&member.vis) && !is_hidden(&member.attrs) && is_of_linux(&member.attrs))
                            .then(|| format!("pub {}{}", text(&member.sig), marks(&member.attrs)))
                    }
                    ImplItem::Const(member) => {
                        is_public(&member.vis).then(|| format!("pub const {}: {}", member.ident, text(&member.ty)))
                    }
                    _ => None,
                }
            }));
            if members.is_empty() {
                return None;
            }
            quote!(impl #generics #ty #limits)
        }
        _ => return None,
    };
    members.sort();
    Some(format!(
        "{}{}\n{}",
        text(head),
        marks(attributes),
        members.iter().map(|line| format!("    {line}\n")).collect::<String>()
    ))
}

/// The text of tokens with the blanks that a person writes.
fn text(tokens: impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string().replace(" -> ", "\u{2192}").replace('\n', " ");
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" (", "("),
        (" ,", ","),
        (" ;", ";"),
        (" :", ":"),
        (", )", ")"),
        (",)", ")"),
        (", }", " }"),
        (",>", ">"),
    ] {
        text = text.replace(from, to);
    }
    text.replace('\u{2192}', " -> ")
}

/// The attributes of an item, and its visibility and name if it has them.
fn parts(item: &Item) -> (&[Attribute], Option<(&Visibility, &Ident)>) {
    match item {
        Item::Const(item) => (&item.attrs, Some((&item.vis, &item.ident))),
        Item::Enum(item) => (&item.attrs, Some((&item.vis, &item.ident))),
        Item::Fn(item) => (&item.attrs, Some((&item.vis, &item.sig.ident))),
        Item::Static(item) => (&item.attrs, Some((&item.vis, &item.ident))),
        Item::Struct(item) => (&item.attrs, Some((&item.vis, &item.ident))),
        Item::Trait(item) => (&item.attrs, Some((&item.vis, &item.ident))),
        Item::Type(item) => (&item.attrs, Some((&item.vis, &item.ident))),
        Item::Impl(item) => (&item.attrs, None),
        Item::Macro(item) => (&item.attrs, None),
        Item::Mod(item) => (&item.attrs, None),
        Item::Use(item) => (&item.attrs, None),
        _ => (&[], None),
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Tests whether an item is left out of the documentation.
fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("doc") && list.tokens.to_string() == "hidden",
        _ => false,
    })
}

/// Tests whether an item is part of the library on Linux, with all features.
fn is_of_linux(attributes: &[Attribute]) -> bool {
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
    // Signatures are the same on all processors.
    let is = |pair: &syn::MetaNameValue, name: &str, value: &str| {
        pair.path.is_ident(name) && pair.value.to_token_stream().to_string() == value
    };
    match condition {
        Meta::List(list) if list.path.is_ident("not") => !parts(list)[0],
        Meta::List(list) if list.path.is_ident("all") => !parts(list).contains(&false),
        Meta::List(list) if list.path.is_ident("any") => parts(list).contains(&true),
        Meta::NameValue(pair) => {
            pair.path.is_ident("feature") || is(pair, "target_os", "\"linux\"") || is(pair, "target_arch", "\"x86_64\"")
        }
        condition => condition.path().is_ident("unix"),
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
    let lists: Vec<String> = lists.collect();
    let names: BTreeSet<&str> = lists.iter().flat_map(|list| list.split(',')).filter(|name| !name.is_empty()).collect();
    if names.is_empty() { Vec::new() } else { vec![format!("derive({})", Vec::from_iter(names).join(", "))] }
}
