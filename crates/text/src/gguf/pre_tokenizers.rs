//! Pre-tokenizers by llama.cpp's names (`tokenizer.ggml.pre`): the expressions at whose matches a text is cut before merges.
//!
//! Each expression cuts the pieces that those before it left, at both ends of each match. The expressions are those of
//! `llama-vocab.cpp`, which for some models differ from those of the model's `tokenizer.json`. A letter that is no small one is
//! `[\p{L}&&[^a-z]]` here and a look-ahead there, which would take time that grows with the square of a word's length.
//!
//! A name that is not here is rejected: with the wrong expressions a model answers, and answers worse.

/// A way to cut a text.
pub(super) struct PreTokenizer {
    /// Values of `tokenizer.ggml.pre`.
    pub(super) names: &'static [&'static str],
    pub(super) expressions: &'static [&'static str],
    /// Whether a piece that is a token becomes it, whatever the merges say.
    pub(super) ignores_merges: bool,
    /// Whether a text begins with a token for that, unless the metadata say so.
    pub(super) opens: bool,
}

/// English contractions.
macro_rules! contraction {
    () => {
        "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
    };
}

/// Words, numbers and signs, each with the space before it.
const GPT_2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)";
/// Words with the sign before them, numbers of three digits, and signs with the lines after them.
#[rustfmt::skip]
const LLAMA_3: &str = concat!(contraction!(), r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+");

/// Returns the pre-tokenizer of a name.
pub(super) fn find(name: &str) -> Option<&'static PreTokenizer> {
    PRE_TOKENIZERS.iter().find(|row| row.names.contains(&name))
}

/// Returns a name of the pre-tokenizer with these expressions.
pub(super) fn name(expressions: &[&str], ignores_merges: bool) -> Option<&'static str> {
    let is_it = |row: &&PreTokenizer| row.expressions == expressions && row.ignores_merges == ignores_merges;
    PRE_TOKENIZERS.iter().find(is_it).map(|row| row.names[0])
}

#[rustfmt::skip]
pub(super) static PRE_TOKENIZERS: [PreTokenizer; 18] = [
    PreTokenizer {
        names: &["default"],
        expressions: &[
            r"[\p{P}\$\+<=>\^~\|]+",
            GPT_2,
            r"\p{N}+",
            r"[0-9][0-9][0-9]",
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2"],
        expressions: &[LLAMA_3],
        ignores_merges: true,
        opens: true,
    },
    PreTokenizer {
        names: &["dbrx", "smaug-bpe", "chatglm-bpe"],
        expressions: &[LLAMA_3],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["glm4", "glm5"],
        expressions: &[LLAMA_3],
        ignores_merges: true,
        opens: false,
    },
    PreTokenizer {
        names: &["qwen2", "deepseek-r1-qwen", "stablelm2", "megrez", "hunyuan", "solar-open", "grok-2", "kormo", "f2llmv2"],
        expressions: &[
            concat!(contraction!(), r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"),
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["qwen35"],
        expressions: &[
            concat!(contraction!(), r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"),
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["gpt-2", "phi-2", "olmo", "mpt", "jais", "trillion", "granite-docling", "exaone4", "gigachat", "a.x-4.0", "mellum"],
        expressions: &[GPT_2],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["smollm", "refact", "starcoder", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"],
        expressions: &[
            r"\p{N}",
            GPT_2,
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"],
        expressions: &[
            concat!(r"[^\r\n\p{L}\p{N}]?[\p{L}&&[^a-z]]*[\p{L}&&[^A-Z]]+", contraction!(), r"?|[^\r\n\p{L}\p{N}]?[\p{L}&&[^a-z]]+[\p{L}&&[^A-Z]]*", contraction!(), r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"),
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["tekken"],
        expressions: &[
            r"[^\r\n\p{L}\p{N}]?[\p{L}&&[^a-z]]*[\p{L}&&[^A-Z]]+|[^\r\n\p{L}\p{N}]?[\p{L}&&[^a-z]]+[\p{L}&&[^A-Z]]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ],
        ignores_merges: true,
        opens: true,
    },
    PreTokenizer {
        names: &["deepseek-llm"],
        expressions: &[
            r"[\r\n]",
            r"\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+",
            r"\s?[!-/:-~！-／：-～‘-‟　-。]+",
            r"\s+$",
            r"[一-龥ࠀ-一가-퟿]+",
            r"\p{N}+",
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["deepseek-coder"],
        expressions: &[
            r"[\r\n]",
            r"\s?\p{L}+",
            r"\s?\p{P}+",
            r"[一-龥ࠀ-一가-퟿]+",
            r"\p{N}",
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["deepseek-v3", "hunyuan-dense", "joyai-llm"],
        expressions: &[
            r"\p{N}{1,3}",
            r"[一-龥぀-ゟ゠-ヿ]+",
            r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"##,
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["falcon"],
        expressions: &[
            r"[\p{P}\$\+<=>\^~\|`]+",
            GPT_2,
            r"[0-9][0-9][0-9]",
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["poro-chat", "bloom", "gpt3-finnish"],
        expressions: &[
            r" ?[^(\s|.,!?…。，、।۔،)]+",
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["viking"],
        expressions: &[
            r" ?[^(\s|.,!?…。，、।۔،)]+",
            r"\p{N}",
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["seed-coder"],
        expressions: &[
            concat!(contraction!(), r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+"),
        ],
        ignores_merges: false,
        opens: false,
    },
    PreTokenizer {
        names: &["bailingmoe", "bailingmoe2", "llada-moe"],
        expressions: &[
            r"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
        ],
        ignores_merges: false,
        opens: false,
    },
];
