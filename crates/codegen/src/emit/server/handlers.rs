//! Emission of handlers: from a request to the call of the trait, and from its output to the response.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    super::super::ir::operation::{Access, Carrier, Operation, Place},
    Emitter, ident, input_name,
    parameters::{local, takes_rest},
};

impl Emitter<'_> {
    /// Returns whether undocumented query parameters are rejected. They are accepted if an exploded object may have
    /// keys of any name, and for open operations such as health checks, whose callers often add parameters of their
    /// own.
    fn refuses_other_parameters(&self, operation: &Operation) -> bool {
        let mut query = operation.parameters.iter().filter(|parameter| parameter.place == Place::Query);
        operation.access() != Access::Open
            && query.all(|parameter| !takes_rest(parameter) || self.is_flat(&parameter.schema))
    }

    /// Emits the handler of an operation. Its local names cannot collide with names of the document.
    pub(super) fn handler(&self, tag_trait: &Ident, operation: &Operation) -> TokenStream {
        let http = &self.http;
        let (name, id, input) = (ident(&operation.rust_name), &operation.id, input_name(operation));
        let (caller_read, caller) = match operation.access() {
            Access::Open => Default::default(),
            Access::Optional => {
                let security = self.security(operation);
                (
                    quote!(let caller = #http::authenticate_optional(api.as_ref(), &parts, #security).await?;),
                    quote!(caller,),
                )
            }
            Access::Secured => {
                let security = self.security(operation);
                (quote!(let caller = #http::authenticate(api.as_ref(), &parts, #security).await?;), quote!(caller,))
            }
        };
        let others: Vec<&str> = operation
            .parameters
            .iter()
            .filter(|parameter| parameter.place == Place::Query)
            .map(|parameter| parameter.wire_name.as_str())
            .collect();
        let others_refused = self.refuses_other_parameters(operation).then(|| {
            let keys = operation.security.iter().flat_map(|alternative| &alternative.0);
            let keys = keys.filter_map(|requirement| match &requirement.carrier {
                Carrier::Query(name) => Some(name.as_str()),
                _ => None,
            });
            let mut known: Vec<&str> = others.iter().copied().chain(keys).collect();
            known.sort_unstable();
            known.dedup();
            quote!(source.refuse_others(&[#(#known),*])?;)
        });
        let reads = operation
            .parameters
            .iter()
            .enumerate()
            .map(|(index, parameter)| self.read_parameter(parameter, &local(index), &others));
        let fields = operation.parameters.iter().enumerate().map(|(index, parameter)| {
            let (name, value) = (ident(&parameter.rust_name), local(index));
            quote!(#name: #value,)
        });
        let (accept_read, accept) = if operation.negotiates() {
            let offered = operation.responses.iter().filter(|response| response.status.is_success());
            let offered = offered.flat_map(|response| &response.media).map(|media| &media.media_type);
            (quote!(let accept = #http::Accept::of(&parts.headers, &[#(#offered),*])?;), quote!(accept,))
        } else {
            Default::default()
        };
        let (body_read, body) = match &operation.body {
            Some(body) => (self.read_body(operation, body), quote!(body: payload,)),
            None => Default::default(),
        };
        quote! {
            pub async fn #name<A: super::#tag_trait>(
                api: ::std::sync::Arc<A>,
                template: &'static #http::Template,
                request: #http::Request,
            ) -> #http::Response {
                #http::answer::run(#id, async move {
                    let (parts, body) = request.into_parts();
                    #caller_read
                    let source = #http::decode::Source::of(&parts, template)?;
                    #others_refused
                    let mut collected = #http::validation::Faults::default();
                    let faults = &mut collected;
                    #(#reads)*
                    #accept_read
                    #body_read
                    collected.into_result()?;
                    <A as super::#tag_trait>::#name(&api, #caller super::#input { #(#fields)* #accept #body }).await
                }).await
            }
        }
    }
}
