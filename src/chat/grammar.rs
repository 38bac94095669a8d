//! Structured output: JSON schemas and required tool calls as constraints on tokens, by llguidance.
//!
//! JSON is written as Python's `json.dumps` writes it, `", "` and `": "` between items, which is what chat templates
//! show the model, and which leaves no room for endless white space.

use std::sync::Arc;

use llguidance::api::{ParserLimits, TopLevelGrammar};
use llguidance::toktrie::{InferenceCapabilities, TokEnv, TokRxInfo, TokTrie, TokenizerEnv};
use llguidance::{JsonCompileOptions, Matcher, ParserFactory};
use serde_json::{Value, json};

use super::tools::{CLOSE, OPEN};
use super::{ChatError, ChatRequest, ResponseFormat};
use crate::engine::sampling::TokenMask;
use crate::engine::scheduler::TokenConstraint;
use crate::text::Tokenizer;

/// Size of a grammar's schemas in bytes. What they cost beyond that is bounded by llguidance's own limits: about
/// 20 ms to compile, about 15 ms for a token.
const MAX_SCHEMA_BYTES: usize = 64 * 1024;

/// What an answer must look like.
pub(super) enum Grammar {
    /// JSON that a schema accepts.
    Json { schema: Value, param: String },
    /// One call of one of these functions.
    ToolCall { functions: Vec<Value> },
}

impl Grammar {
    /// The grammar that a request asks for, if any. A required tool call stands above the response format.
    pub fn of(request: &ChatRequest) -> Result<Option<Self>, ChatError> {
        let schemas = |values: &[&Value], param: &str| {
            let bytes: usize = values.iter().map(|value| value.to_string().len()).sum();
            if bytes <= MAX_SCHEMA_BYTES {
                return Ok(());
            }
            Err(ChatError::invalid(param, format!("the schema has {bytes} bytes, {MAX_SCHEMA_BYTES} are possible")))
        };
        if let Some(functions) = request.required_tools()? {
            schemas(&functions, "tools")?;
            return Ok(Some(Self::ToolCall { functions: functions.into_iter().cloned().collect() }));
        }
        let param = "response_format.json_schema.schema".to_owned();
        match &request.response_format {
            ResponseFormat::Text => Ok(None),
            ResponseFormat::JsonObject => Ok(Some(Self::Json { schema: json!({"type": "object"}), param })),
            ResponseFormat::JsonSchema(schema) => {
                schemas(&[schema], &param)?;
                Ok(Some(Self::Json { schema: schema.clone(), param }))
            }
        }
    }
}

/// Compiles grammars for one vocabulary.
pub(super) struct GrammarCompiler {
    factory: ParserFactory,
}

impl GrammarCompiler {
    /// `end_of_turn` must not be empty.
    pub fn new(tokenizer: Arc<Tokenizer>, end_of_turn: &[u32]) -> Result<Self, ChatError> {
        let failed = |error: &dyn std::fmt::Display| ChatError::Failed(format!("structured output: {error}"));
        let eos = *end_of_turn.first().ok_or_else(|| failed(&"the model has no token that ends a turn"))?;
        let words: Vec<Vec<u8>> = (0..tokenizer.vocab_size() as u32)
            .map(|id| {
                let bytes = tokenizer.token_bytes(id);
                match tokenizer.id_to_token(id) {
                    // The marker keeps control tokens apart from text that spells them.
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
        *factory.limits_mut() = ParserLimits { verbose_errors: false, ..ParserLimits::default() };
        factory.quiet();
        Ok(Self { factory })
    }

    /// Compiles a grammar; each clone of the constraint is for one sample.
    ///
    /// # Errors
    /// The schema is not valid, or uses what cannot be enforced.
    pub fn compile(&self, grammar: &Grammar) -> Result<GrammarConstraint, ChatError> {
        let (lark, param) = match grammar {
            Grammar::Json { schema, param } => (format!("start: %json {}\n", styled(schema, param)?), param.as_str()),
            Grammar::ToolCall { functions } => (tool_call_grammar(functions)?, "tools"),
        };
        let matcher = Matcher::new(self.factory.create_parser(TopLevelGrammar::from_lark(lark)));
        match matcher.get_error() {
            None => Ok(GrammarConstraint { matcher }),
            Some(error) => {
                Err(ChatError::invalid(param, format!("this schema cannot be enforced: {}", first_line(&error))))
            }
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// A schema with the style in which its JSON is written.
fn styled(schema: &Value, param: &str) -> Result<Value, ChatError> {
    let mut schema = match schema {
        Value::Bool(true) => json!({}),
        Value::Object(_) => schema.clone(),
        _ => return Err(ChatError::invalid(param, "a JSON schema is an object")),
    };
    let options = JsonCompileOptions {
        item_separator: ", ".to_owned(),
        key_separator: ": ".to_owned(),
        whitespace_flexible: false,
        ..JsonCompileOptions::default()
    };
    // Also replaces such options from outside.
    options.apply_to(&mut schema);
    Ok(schema)
}

fn tool_call_grammar(functions: &[Value]) -> Result<String, ChatError> {
    use std::fmt::Write as _;

    let calls: Vec<String> = (0..functions.len()).map(|index| format!("call_{index}")).collect();
    let mut lark = format!("start: {}\n", calls.join(" | "));
    for (index, function) in functions.iter().enumerate() {
        let parameters = match &function["parameters"] {
            // No parameters means that there are none, not that any will do.
            Value::Null => json!({"type": "object", "properties": {}, "additionalProperties": false}),
            schema => schema.clone(),
        };
        let schema = styled(&parameters, &format!("tools[{index}].function.parameters"))?;
        let open = format!("{OPEN}\n{{\"name\": {}, \"arguments\": ", function["name"]);
        let close = format!("}}\n{CLOSE}");
        // A JSON string is a Lark string. Writing to a string cannot fail.
        let _ = writeln!(lark, "call_{index}: {} arguments_{index} {}", json!(open), json!(close));
        let _ = writeln!(lark, "arguments_{index}: %json {schema}");
    }
    Ok(lark)
}

/// The vocabulary as llguidance sees it.
struct Environment {
    trie: TokTrie,
    tokenizer: Arc<Tokenizer>,
}

impl TokenizerEnv for Environment {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<u32> {
        // What the tokenizer refuses is spelled by the longest tokens that fit.
        self.trie.tokenize_with_greedy_fallback(bytes, |text| {
            self.tokenizer.encode_ordinary(text).unwrap_or_else(|_| self.trie.greedy_tokenize(text.as_bytes()))
        })
    }
}

/// A compiled grammar at some place of an answer.
pub(super) struct GrammarConstraint {
    matcher: Matcher,
}

impl GrammarConstraint {
    /// A constraint of its own at the same place.
    pub fn fork(&self) -> Self {
        Self { matcher: self.matcher.deep_clone() }
    }
}

impl TokenConstraint for GrammarConstraint {
    fn allowed(&mut self, mask: &mut TokenMask) -> Result<(), String> {
        let allowed = self.matcher.compute_mask_or_eos().map_err(|error| describe(&error.to_string()))?;
        mask.set_words(allowed.as_slice());
        Ok(())
    }

    fn accept(&mut self, token: u32) -> Result<(), String> {
        self.matcher.consume_token(token).map_err(|error| describe(&error.to_string()))
    }

    fn is_finished(&self) -> bool {
        // A complete answer allows only the end of the turn, which the model is left to say.
        false
    }
}

fn describe(error: &str) -> String {
    format!("structured output: {}", first_line(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sampling::uniform;
    use crate::text::tokenizer::tests::tiny;

    fn compiler() -> (GrammarCompiler, Arc<Tokenizer>) {
        let tokenizer = Arc::new(tiny());
        (GrammarCompiler::new(tokenizer.clone(), &[2]).unwrap(), tokenizer)
    }

    /// A random answer, and whether it ended.
    fn answer(constraint: &GrammarConstraint, tokenizer: &Tokenizer, seed: u64) -> (String, bool) {
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
            let (text, ended) = answer(&constraint, &tokenizer, seed);
            assert!(ended, "{text}");
            assert!(validator.is_valid(&serde_json::from_str(&text).unwrap()), "{text}");
            seen.insert(text);
        }
        assert!(seen.len() > 5, "{seen:?}");
    }

    #[test]
    fn a_required_call_is_a_call() {
        let parameters = json!({"type": "object", "properties": {"b": {"type": "boolean"}}, "required": ["b"], "additionalProperties": false});
        let functions = vec![json!({"name": "f\"1", "parameters": parameters}), json!({"name": "g"})];
        let (compiler, tokenizer) = compiler();
        let constraint = compiler.compile(&Grammar::ToolCall { functions }).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let (text, ended) = answer(&constraint, &tokenizer, seed);
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
    fn bad_schemas_are_refused() {
        let (compiler, _) = compiler();
        for schema in [json!({"type": "nonsense"}), json!({"$ref": "https://example.com/x"}), json!(false)] {
            let refused = compiler.compile(&Grammar::Json { schema: schema.clone(), param: "p".to_owned() });
            assert!(matches!(refused, Err(ChatError::Invalid { .. })), "{schema}");
        }
        let mut request = ChatRequest::new(Vec::new());
        request.response_format = ResponseFormat::JsonSchema(json!({"enum": ["x".repeat(MAX_SCHEMA_BYTES)]}));
        assert!(matches!(Grammar::of(&request), Err(ChatError::Invalid { .. })));
    }
}
