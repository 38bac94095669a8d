//! Structured output: turns JSON schemas, regular expressions, lists of texts, grammars and required tool calls into
//! token constraints, with llguidance.
//!
//! JSON is written as Python's `json.dumps` writes it, with `", "` and `": "` as separators. Chat templates show the
//! model this style, and it prevents unbounded white space.

use std::sync::{Arc, OnceLock};

use llguidance::api::{ParserLimits, TopLevelGrammar};
use llguidance::toktrie::{InferenceCapabilities, TokEnv, TokRxInfo, TokTrie, TokenizerEnv};
use llguidance::{Matcher, ParserFactory, regex_to_lark};
use serde_json::{Value, json};

use super::call_grammar::tool_call_grammar;
use super::tool_formats::ToolFormat;
use super::watchdog::{Steps, Watchdog};
use super::{ChatError, ChatRequest, ResponseFormat, ToolChoice, formats};
use crate::engine::sampler::TokenConstraint;
use crate::engine::sampling::TokenMask;
use crate::text::Tokenizer;

/// Maximum size of a grammar in bytes: of its schemas, texts or rules.
const MAX_GRAMMAR_BYTES: usize = 64 * 1024;
/// Maximum bracket nesting in a grammar's rules, which are parsed by recursion.
const MAX_NESTING: usize = 500;

/// Limits of llguidance, in its units. Its defaults allow seconds of work and hundreds of megabytes. Enumerations and
/// lists of [`MAX_GRAMMAR_BYTES`] stay below these limits.
const INITIAL_LEXER_FUEL: u64 = 250_000;
const STEP_LEXER_FUEL: u64 = 50_000;
const STEP_ITEMS: usize = 25_000;
const LEXER_STATES: usize = 20_000;
const GRAMMAR_SYMBOLS: usize = 100_000;
/// Field of a schema with llguidance's options.
const OPTIONS: &str = "x-guidance";
/// Number of tokens tried after compilation, so that a grammar that is too complex fails before a completion begins.
const TRIED_TOKENS: usize = 4;
/// Lexer size in bytes up to which each sample gets its own copy, so that samples of one request do not block each
/// other. Larger lexers are shared.
const OWN_LEXER_BYTES: usize = 2 << 20;

/// Constraint on the form of a completion.
pub(super) enum Grammar {
    /// JSON that the schema accepts.
    Json { schema: Value, param: String },
    /// Text that follows rules in llguidance's Lark dialect.
    Lark { rules: String, param: String },
    /// Calls of these functions: exactly one, or at least one with `parallel`.
    ToolCall { functions: Vec<Value>, format: ToolFormat, parallel: bool },
}

impl Grammar {
    /// Returns the grammar that a request asks for, if any.
    ///
    /// # Errors
    /// The grammar is too large, or the request has options that conflict with a grammar.
    pub(super) fn of(request: &ChatRequest, format: &ToolFormat) -> Result<Option<Self>, ChatError> {
        if request.is_constrained() {
            // With either option, no token would be allowed once the form is complete.
            if request.ignore_eos {
                return Err(ChatError::invalid("ignore_eos", "an answer of a given form ends where the form ends"));
            }
            if request.min_tokens > 0 {
                return Err(ChatError::invalid("min_tokens", "an answer of a given form ends where the form ends"));
            }
        }
        if let Some(functions) = request.required_tools()? {
            if !matches!(
                request.response_format,
                ResponseFormat::Text | ResponseFormat::JsonObject | ResponseFormat::JsonSchema(_)
            ) {
                return Err(ChatError::invalid(request.format_field, "a required tool call has a form of its own"));
            }
            check_size(functions.iter().map(|function| function.to_string().len()).sum(), "tools")?;
            let parallel = request.parallel_tool_calls && request.tool_choice == ToolChoice::Required;
            let functions = functions.into_iter().cloned().map(strictly).collect();
            return Ok(Some(Self::ToolCall { functions, format: format.clone(), parallel }));
        }
        let field = request.format_field;
        let param = field.to_owned();
        let grammar = match &request.response_format {
            ResponseFormat::Text => return Ok(None),
            ResponseFormat::JsonObject => Self::Json { schema: json!({"type": "object"}), param },
            ResponseFormat::JsonSchema(schema) => {
                check_size(schema.to_string().len(), field)?;
                Self::Json { schema: schema.clone(), param }
            }
            ResponseFormat::Regex(regex) => {
                check_size(regex.len(), field)?;
                Self::Lark { rules: format!("start: /{}/\n", regex_to_lark(unanchored(regex), "")), param }
            }
            ResponseFormat::Choice(texts) => {
                check_size(texts.iter().map(String::len).sum(), field)?;
                // A JSON string is a Lark string.
                let texts: Vec<String> = texts.iter().map(|text| json!(text).to_string()).collect();
                // One terminal, because rules allow only few alternatives.
                Self::Lark { rules: format!("start: CHOICE\nCHOICE: {}\n", texts.join(" | ")), param }
            }
            ResponseFormat::Grammar(rules) => {
                check_size(rules.len(), field)?;
                check_nesting(rules, field)?;
                Self::Lark { rules: rules.clone(), param }
            }
        };
        Ok(Some(grammar))
    }

    /// Returns the path of a condition that the grammar leaves out, if there is one.
    pub(super) fn left_out(&self) -> Option<String> {
        let is_weakened = match self {
            Self::Json { schema, .. } => formats::is_weakened(schema),
            Self::ToolCall { functions, .. } => {
                functions.iter().any(|function| formats::is_weakened(&function["parameters"]))
            }
            Self::Lark { .. } => false,
        };
        is_weakened.then(|| format!("{}.uniqueItems", self.param()))
    }

    /// Returns the name of the field that a grammar error is reported for.
    pub(super) fn param(&self) -> &str {
        match self {
            Self::Json { param, .. } | Self::Lark { param, .. } => param,
            Self::ToolCall { .. } => "tools",
        }
    }
}

/// Returns a function whose parameters are closed if it is strict.
fn strictly(mut function: Value) -> Value {
    if function["strict"] == true
        && let Some(parameters) = function.get_mut("parameters")
    {
        formats::close_objects(parameters);
    }
    function
}

fn check_size(bytes: usize, param: &str) -> Result<(), ChatError> {
    if bytes <= MAX_GRAMMAR_BYTES {
        return Ok(());
    }
    Err(ChatError::invalid(param, format!("{param} has {bytes} bytes, {MAX_GRAMMAR_BYTES} are possible")))
}

fn check_nesting(rules: &str, param: &str) -> Result<(), ChatError> {
    let mut depth = 0_usize;
    for byte in rules.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            return Err(ChatError::invalid(param, format!("{param} nests more than {MAX_NESTING} brackets")));
        }
    }
    Ok(())
}

/// Removes the anchors at the ends of a regular expression: the whole completion must match anyway.
pub(super) fn unanchored(regex: &str) -> &str {
    let regex = regex.strip_prefix('^').unwrap_or(regex);
    match regex.strip_suffix('$') {
        Some(rest) if (rest.len() - rest.trim_end_matches('\\').len()) % 2 == 0 => rest,
        _ => regex,
    }
}

/// Compiles grammars for one vocabulary.
pub(super) struct GrammarCompiler {
    factory: ParserFactory,
    watchdog: Watchdog,
}

impl GrammarCompiler {
    /// Creates a compiler. `end_of_turn` must not be empty.
    pub(super) fn new(tokenizer: Arc<Tokenizer>, end_of_turn: &[u32]) -> Result<Self, ChatError> {
        let failed = |error: &dyn std::fmt::Display| ChatError::Failed(format!("structured output: {error}"));
        let eos = *end_of_turn.first().ok_or_else(|| failed(&"the model has no token that ends a turn"))?;
        let words: Vec<Vec<u8>> = (0..tokenizer.vocab_size() as u32)
            .map(|id| {
                let bytes = tokenizer.token_bytes(id);
                match tokenizer.id_to_token(id) {
                    // The marker distinguishes control tokens from text that spells them.
                    Some(spelling) if bytes.is_empty() => {
                        [&[TokTrie::SPECIAL_TOKEN_MARKER], spelling.as_bytes()].concat()
                    }
                    _ => bytes.to_vec(),
                }
            })
            .collect();
        let trie = TokTrie::from(&TokRxInfo::new(words.len() as u32, eos), &words).with_eos_tokens(end_of_turn);
        let environment: TokEnv = Arc::new(Environment { trie, tokenizer });
        let slices = llguidance::earley::SlicedBiasComputer::general_slices();
        let mut factory = ParserFactory::new(&environment, InferenceCapabilities::default(), &slices)
            .map_err(|error| failed(&error))?;
        *factory.limits_mut() = ParserLimits {
            step_lexer_fuel: STEP_LEXER_FUEL,
            step_max_items: STEP_ITEMS,
            initial_lexer_fuel: INITIAL_LEXER_FUEL,
            max_lexer_states: LEXER_STATES,
            max_grammar_size: GRAMMAR_SYMBOLS,
            verbose_errors: false,
            ..ParserLimits::default()
        };
        factory.quiet();
        Ok(Self { factory, watchdog: Watchdog::default() })
    }

    /// Compiles a grammar. Each clone of the constraint is for one sample.
    ///
    /// # Errors
    /// The schema is not valid, or uses features that cannot be enforced.
    pub(super) fn compile(&self, grammar: &Grammar) -> Result<GrammarConstraint, ChatError> {
        let param = grammar.param();
        let lark = match grammar {
            Grammar::Json { schema, .. } => format!("start: %json {}\n", styled(schema, param)?),
            Grammar::Lark { rules, .. } => rules.clone(),
            Grammar::ToolCall { functions, format, parallel } => tool_call_grammar(functions, format, *parallel)?,
        };
        let rejected = |error: &str| {
            // llguidance reports its own panics as errors; most are arithmetic overflows.
            let cause = if error.starts_with("panic") { "its numbers are too large" } else { first_line(error) };
            ChatError::invalid(param, format!("{param} cannot be enforced: {cause}"))
        };
        let text: Arc<str> = match grammar {
            // llguidance's own reader of tokenizers gives added tokens no text: a replica would sample such a marker, whose
            // spelling the grammar forces, and then reject it.
            Grammar::ToolCall { functions, format, parallel } => {
                tool_call_grammar(functions, &format.with_tokens(), *parallel)?.into()
            }
            Grammar::Json { .. } | Grammar::Lark { .. } => lark.as_str().into(),
        };
        let parser = self.factory.create_parser(TopLevelGrammar::from_lark(lark));
        let mut parser = parser.map_err(|error| rejected(&error.to_string()))?;
        let steps = self.watchdog.watch(parser.enable_cancellation());
        let large = parser.parser.lexer_stats().num_bytes > OWN_LEXER_BYTES;
        let matcher = Matcher::new(Ok(parser));
        let mut trial = matcher.clone();
        steps.step(|| try_tokens(&mut trial)).map_err(|error| rejected(&error))?;
        match matcher.get_error() {
            None => {
                let watchdog = self.watchdog.clone();
                let failure = Arc::default();
                Ok(GrammarConstraint { text, matcher, steps, watchdog, large, param: param.into(), failure })
            }
            Some(error) => Err(rejected(&error)),
        }
    }
}

/// Advances through the first few tokens of some completion. This also fills the lexer's tables for every sample.
fn try_tokens(matcher: &mut Matcher) -> Result<(), String> {
    for _ in 0..TRIED_TOKENS {
        let mask = matcher.compute_mask_or_eos().map_err(|error| error.to_string())?;
        let Some(token) = mask.first_bit_set() else { return Err("no answer is possible".to_owned()) };
        matcher.consume_token(token as u32).map_err(|error| error.to_string())?;
        if matcher.is_stopped() {
            break;
        }
    }
    Ok(())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns a schema with the options of the JSON style.
pub(super) fn styled(schema: &Value, param: &str) -> Result<Value, ChatError> {
    let mut schema = match schema {
        Value::Bool(true) => json!({}),
        Value::Object(_) => schema.clone(),
        _ => return Err(ChatError::invalid(param, "a JSON schema is an object")),
    };
    formats::enforce(&mut schema);
    // Only options that every version of llguidance knows, since replicas may have another one; the rest have their
    // defaults. This also overwrites such options in the client's schema.
    schema[OPTIONS] = json!({"item_separator": ", ", "key_separator": ": ", "whitespace_flexible": false});
    Ok(schema)
}

/// The vocabulary in llguidance's interface.
struct Environment {
    trie: TokTrie,
    tokenizer: Arc<Tokenizer>,
}

impl TokenizerEnv for Environment {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<u32> {
        // Text that the tokenizer rejects is encoded greedily with the longest matching tokens.
        self.trie.tokenize_with_greedy_fallback(bytes, |text| {
            self.tokenizer.encode_ordinary(text).unwrap_or_else(|_| self.trie.greedy_tokenize(text.as_bytes()))
        })
    }
}

/// A compiled grammar at a position in a completion.
pub(super) struct GrammarConstraint {
    /// The grammar in Lark for a sampler elsewhere.
    text: Arc<str>,
    matcher: Matcher,
    steps: Arc<Steps>,
    watchdog: Watchdog,
    /// Whether the lexer is too large to be copied for each sample.
    large: bool,
    param: Arc<str>,
    failure: Arc<OnceLock<ChatError>>,
}

impl GrammarConstraint {
    /// Returns an independent constraint at the same position.
    pub(super) fn fork(&self) -> Self {
        let matcher = if self.large { self.matcher.clone() } else { self.matcher.deep_clone() };
        // A copy of a matcher has its own cancellation handle.
        let steps = matcher.cancellation_handle().map(|cancel| self.watchdog.watch(cancel));
        Self {
            text: self.text.clone(),
            matcher,
            steps: steps.unwrap_or_else(|| self.steps.clone()),
            watchdog: self.watchdog.clone(),
            large: self.large,
            param: self.param.clone(),
            failure: self.failure.clone(),
        }
    }

    /// Returns the grammar's text in Lark.
    pub(super) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the cell for the first failure of this constraint or of its forks. It marks the failure as an error of
    /// the request, which a failed sample alone does not show.
    pub(super) fn failure(&self) -> Arc<OnceLock<ChatError>> {
        self.failure.clone()
    }

    fn failed(&self, error: &dyn std::fmt::Display) -> String {
        let message = format!("{} cannot be enforced any further: {}", self.param, first_line(&error.to_string()));
        self.failure.get_or_init(|| ChatError::invalid(&*self.param, message.clone()));
        message
    }
}

impl TokenConstraint for GrammarConstraint {
    fn allowed(&mut self, mask: &mut TokenMask) -> Result<(), String> {
        let allowed = self.steps.step(|| self.matcher.compute_mask_or_eos()).map_err(|error| self.failed(&error))?;
        mask.set_words(allowed.as_slice());
        Ok(())
    }

    fn accept(&mut self, token: u32) -> Result<(), String> {
        self.steps.step(|| self.matcher.consume_token(token)).map_err(|error| self.failed(&error))
    }

    fn check(&mut self, token: u32) -> Result<(), String> {
        let accepted = self.steps.step(|| {
            if self.matcher.is_stopped() {
                // A complete text allows only the end of the turn, which ends the sample.
                return self.matcher.compute_mask_or_eos().map(|allowed| allowed.is_allowed(token));
            }
            self.matcher.try_consume_tokens(&[token]).map(|consumed| consumed == 1)
        });
        match accepted.map_err(|error| self.failed(&error))? {
            true => Ok(()),
            // No fault of the request: the sampler was sent the grammar.
            false => Err(format!("the sampler chose token {token}, which {} does not allow", self.param)),
        }
    }

    fn is_finished(&self) -> bool {
        // A complete text allows only the end of the turn; the model emits that token.
        false
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::engine::sampling::uniform;
    use crate::text::testing::tiny_tokenizer as tiny;

    pub(in crate::chat) fn compiler() -> (GrammarCompiler, Arc<Tokenizer>) {
        let tokenizer = Arc::new(tiny());
        (GrammarCompiler::new(tokenizer.clone(), &[2]).unwrap(), tokenizer)
    }

    /// Returns a random completion and whether it ended.
    pub(in crate::chat) fn completion(
        constraint: &GrammarConstraint,
        tokenizer: &Tokenizer,
        seed: u64,
    ) -> (String, bool) {
        let mut constraint = constraint.fork();
        let mut mask = TokenMask::new();
        let mut ids = Vec::new();
        for position in 0..400 {
            constraint.allowed(&mut mask).unwrap();
            let allowed: Vec<u32> = (0..tokenizer.vocab_size() as u32).filter(|&id| mask.contains(id)).collect();
            let id = allowed[(uniform(seed, 0, position) * allowed.len() as f64) as usize];
            if id == 2 {
                return (tokenizer.decode(&ids), true);
            }
            constraint.accept(id).unwrap();
            ids.push(id);
        }
        (tokenizer.decode(&ids), false)
    }

    #[test]
    fn any_answer_obeys_the_schema() {
        let schema = json!({
            "type": "object",
            "properties": {
                "kind": {"type": "string", "enum": ["cat", "dog é"]},
                "ok": {"anyOf": [{"type": "null"}, {"type": "boolean"}]},
                "list": {"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 2},
            },
            "required": ["kind", "ok", "list"],
            "additionalProperties": false,
        });
        let validator = jsonschema::validator_for(&schema).unwrap();
        let (compiler, tokenizer) = compiler();
        let constraint = compiler.compile(&Grammar::Json { schema, param: String::new() }).unwrap();
        let mut seen = std::collections::HashSet::new();
        for seed in 0..40 {
            let (text, ended) = completion(&constraint, &tokenizer, seed);
            assert!(ended, "{text}");
            assert!(validator.is_valid(&serde_json::from_str(&text).unwrap()), "{text}");
            seen.insert(text);
        }
        assert!(seen.len() > 5, "{seen:?}");
    }

    #[test]
    fn tokens_of_another_sampler_are_checked() {
        let (compiler, tokenizer) = compiler();
        let closed = json!({"type": "object", "properties": {"b": {"type": "boolean"}}, "required": ["b"], "additionalProperties": false});
        let open = "start: /a+/\n".to_owned();
        let grammars = [
            (Grammar::Json { schema: closed, param: "p".to_owned() }, "{\"b\": true}", "{\"b\":"),
            (Grammar::Lark { rules: open, param: "p".to_owned() }, "aaa", ""),
        ];
        for (grammar, whole, part) in grammars {
            let constraint = compiler.compile(&grammar).unwrap();
            let check = |text: &str, last: u32| {
                let mut constraint = constraint.fork();
                for id in tokenizer.encode_ordinary(text).unwrap() {
                    constraint.check(id).unwrap();
                }
                constraint.check(last)
            };
            assert_eq!(check(whole, 2), Ok(()));
            let rejected = check(part, 2).unwrap_err();
            assert!(rejected.contains("token 2") && constraint.failure().get().is_none(), "{rejected}");
            let other = tokenizer.encode_ordinary("?").unwrap()[0];
            assert!(check(whole, other).is_err() && check(part, other).is_err());
        }
    }

    #[test]
    fn a_required_call_is_a_call() {
        let parameters = json!({"type": "object", "properties": {"b": {"type": "boolean"}}, "required": ["b"], "additionalProperties": false});
        let functions = vec![json!({"name": "f\"1", "parameters": parameters}), json!({"name": "g"})];
        let (compiler, tokenizer) = compiler();
        let constraint =
            compiler.compile(&Grammar::ToolCall { functions, format: ToolFormat::hermes(), parallel: false }).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let (text, ended) = completion(&constraint, &tokenizer, seed);
            assert!(ended);
            seen.insert(text);
        }
        let call = |name: &str, arguments: &str| {
            format!("<tool_call>\n{{\"name\": {name}, \"arguments\": {arguments}}}\n</tool_call>")
        };
        let expected =
            [call(r#""f\"1""#, r#"{"b": true}"#), call(r#""f\"1""#, r#"{"b": false}"#), call(r#""g""#, "{}")];
        assert_eq!(seen, expected.into_iter().collect());
    }

    #[test]
    fn bad_schemas_are_rejected() {
        let (compiler, _) = compiler();
        for schema in [json!({"type": "nonsense"}), json!({"$ref": "https://example.com/x"}), json!(false)] {
            let rejected = compiler.compile(&Grammar::Json { schema: schema.clone(), param: "p".to_owned() });
            assert!(matches!(rejected, Err(ChatError::Invalid { .. })), "{schema}");
        }
        let mut request = ChatRequest::new(Vec::new());
        request.response_format = ResponseFormat::JsonSchema(json!({"enum": ["x".repeat(MAX_GRAMMAR_BYTES)]}));
        assert!(matches!(Grammar::of(&request, &ToolFormat::hermes()), Err(ChatError::Invalid { .. })));
    }
}
