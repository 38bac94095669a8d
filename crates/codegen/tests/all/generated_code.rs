//! The page on generated code shows what the generator writes.
//!
//! After a change of the generator `UPDATE_DOCS=1 cargo test -p trainyard-codegen generated_code` writes the page anew.

use std::fs;
use std::path::Path;

use quote::ToTokens;

use crate::generator::artifact;

const PAGE: &str = "../../docs/generated-code.md";

/// The item of that name in a generated file, wherever it is, formatted. Of several the first that is no `impl`.
fn item(file: &str, name: &str) -> Option<String> {
    fn find(items: &[syn::Item], name: &str) -> Option<syn::Item> {
        items.iter().find_map(|item| {
            let ident = match item {
                syn::Item::Struct(item) => &item.ident,
                syn::Item::Enum(item) => &item.ident,
                syn::Item::Trait(item) => &item.ident,
                syn::Item::Mod(item) => return find(&item.content.as_ref()?.1, name),
                _ => return None,
            };
            (ident == name).then(|| item.clone())
        })
    }
    let parsed = syn::parse_file(file).expect("the generator writes Rust");
    let found = find(&parsed.items, name)?;
    let alone = syn::parse2(found.into_token_stream()).expect("an item is a file");
    Some(prettyplease::unparse(&alone))
}

/// The page with each marked block made anew from the document that the page shows.
fn made_anew(page: &str) -> String {
    let document =
        page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the page has a document");
    let mut parts = page.split("<!-- ");
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (marker, rest) = part.split_once(" -->\n```rust\n").expect("a marker stands above a block of Rust");
        let (_, rest) = rest.split_once("```").expect("the block ends");
        let (file, name) = marker.split_once(": ").expect("a marker names a file and an item");
        let code = item(&artifact(document, file), name).unwrap_or_else(|| panic!("{file} has no {name}"));
        made.push_str(&format!("<!-- {marker} -->\n```rust\n{code}```{rest}"));
    }
    made
}

#[test]
fn the_page_shows_what_the_generator_writes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = fs::read_to_string(&path).expect("the page is there");
    let made = made_anew(&page);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(&path, &made).expect("the page can be written");
    }
    assert!(
        made == page,
        "{PAGE} is stale: UPDATE_DOCS=1 cargo test -p trainyard-codegen generated_code, then read the difference"
    );
}
