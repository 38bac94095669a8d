"""Golden files of `crates/text`: rendered chat templates and encoded texts, made by transformers and tokenizers.

    python scripts/make_text_golden.py chat        # tests/golden/chat_templates/{conversations,rendered}.json
    python scripts/make_text_golden.py tokenizers  # tests/golden/tokenizers/*.json

The versions are in `scripts/requirements.txt`. The templates beside the output are written for these tests, in the
structure of well-known ones. Nothing is fetched.
"""

import copy
import datetime
import json
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"

# ---------------------------------------------------------------------------------------------------- conversations

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Weather of a city, in <°C> & \"words\"",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Name, as in 東京"},
                "days": {"type": "integer", "description": " How many ", "default": 3},
                "units": {"type": ["string", "integer"], "description": "One of them", "enum": ["C", "F", 1]},
            },
            "required": ["city"],
        },
    },
}
SEARCH = {
    "type": "function",
    "function": {
        "name": "search",
        "description": "Finds pages",
        "parameters": {"type": "object", "properties": {}},
    },
}


def user(text):
    return {"role": "user", "content": text}


def system(text):
    return {"role": "system", "content": text}


def assistant(text, **more):
    return {"role": "assistant", "content": text, **more}


def call(name, arguments, id):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def result(text, id):
    return {"role": "tool", "tool_call_id": id, "content": text}


ROME = call("get_weather", '{"city": "Rome", "days": 2}', "a1B2c3D4e")
KYOTO = call("get_weather", '{"city": "京都 <&>", "nested": {"x": [1, 2.5, null, true], "y": "a\\n\\"b\\""}}', "f5G6h7I8j")
ODD = "  e\u0301 \u00e9 👩‍👩‍👧 مرحبا \u202bx\u202c \ue000 <b>&amp;'\"</b> \\ {{ x }} {% y %}\r\n\ttab  \x1c"

CASES = {
    "user": {"messages": [user("Hello")]},
    "odd text": {"messages": [system(ODD), user(ODD), assistant(ODD), user("\n" + ODD + "\n\n")]},
    "system": {"messages": [system("Be short."), user("Hello")]},
    "turns": {"messages": [system(" Be short.\n"), user("One? "), assistant(" 1 "), user("Two?\n"), assistant("2"), user("3")]},
    "no prompt": {"messages": [user("One?"), assistant("1")], "add_generation_prompt": False},
    "two users": {"messages": [user("a"), user("b")]},
    "assistant first": {"messages": [assistant("a"), user("b")]},
    "late system": {"messages": [user("a"), system("b"), user("c")]},
    "tools": {"messages": [user("Rome?")], "tools": [WEATHER, SEARCH]},
    "system and tools": {"messages": [system("Be short."), user("Rome?")], "tools": [WEATHER]},
    "call": {"messages": [user("Rome?"), assistant(None, tool_calls=[ROME]), result("18 °C", "a1B2c3D4e")], "tools": [WEATHER]},
    "call without tools": {"messages": [user("Rome?"), assistant(None, tool_calls=[ROME]), result('{"t": 18}', "a1B2c3D4e")]},
    "call and text": {
        "messages": [user("Rome?"), assistant("I look.", tool_calls=[ROME]), result("18", "a1B2c3D4e"), assistant("18 °C."), user("And now?")],
        "tools": [WEATHER],
    },
    "two calls": {
        "messages": [
            system("s"), user("Both?"), assistant("", tool_calls=[ROME, KYOTO]), result("18", "a1B2c3D4e"), result("20\n", "f5G6h7I8j"),
            assistant("18 and 20"), user("Thanks"),
        ],
        "tools": [WEATHER, SEARCH],
    },
    "short ids": {"messages": [user("a"), assistant("", tool_calls=[{**ROME, "id": "1"}]), result("x", "1")], "tools": [WEATHER]},
    "parts": {"messages": [
        {"role": "user", "content": [{"type": "text", "text": "one "}, {"type": "text", "text": " two"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "three"}]}, user("four"),
    ]},
    "thoughts in text": {"messages": [user("a"), assistant("<think>\nhm\n</think>\n\nb"), user("c"), assistant("<think>x</think>d")], "add_generation_prompt": False},
    "thoughts beside": {
        "messages": [user("a"), assistant("b", reasoning_content="\nhm\n"), user("c"), assistant("", reasoning_content="look", tool_calls=[ROME]), result("18", "a1B2c3D4e")],
        "tools": [WEATHER],
    },
    "thinking": {"messages": [user("a")], "kwargs": {"enable_thinking": True, "thinking": True}},
    "no thinking": {"messages": [user("a")], "kwargs": {"enable_thinking": False, "thinking": False}},
    "date": {"messages": [user("a")], "kwargs": {"date_string": "24 Dec 1999"}},
    "tools in system": {"messages": [system("s"), user("a")], "tools": [WEATHER], "kwargs": {"tools_in_user_message": False, "date_string": "1 May 2025"}},
    "builtin tools": {
        "messages": [user("a"), assistant("", tool_calls=[call("brave_search", '{"query": "x y"}', "a1B2c3D4e")]), {"role": "ipython", "content": "r"}],
        "kwargs": {"builtin_tools": ["brave_search", "code_interpreter"], "date_string": "1 May 2025"},
    },
    "documents": {"messages": [system("s"), user("a")], "kwargs": {"documents": [{"title": "T é", "text": "x\ny"}, {"title": "", "text": "z"}]}},
    "continued": {"messages": [user("a"), assistant("Once upon")], "add_generation_prompt": False, "kwargs": {"continue_final_message": True}},
    "continued space": {"messages": [user("a"), assistant(" Once upon \n")], "add_generation_prompt": False, "kwargs": {"continue_final_message": True}},
    "continued twice": {"messages": [user("x"), assistant("x"), user("x"), assistant("x")], "add_generation_prompt": False, "kwargs": {"continue_final_message": True}},
    "continued parts": {
        "messages": [user("a"), {"role": "assistant", "content": [{"type": "text", "text": "b"}, {"type": "text", "text": "c "}]}],
        "add_generation_prompt": False, "kwargs": {"continue_final_message": True},
    },
}

# What a Python caller prepares for a template by reading it; the server has to find the same out by itself.
# objects: arguments of calls are objects; none: the template asks whether content is none; lists: it takes lists.
TRAITS = {
    "qwen2": {"objects"}, "qwen3": set(), "qwen3_thinking": set(), "llama2": set(), "llama3": set(),
    "llama31": {"objects"}, "mistral_v1": set(), "mistral_v3": {"objects"}, "zephyr": set(), "gemma": {"lists"},
    "phi3": set(), "hermes2": set(), "deepseek_r1": {"none"}, "command_r": {"objects"}, "features": {"objects"},
    "qwen3_5": {"objects", "none", "lists"}, "lfm2_5": {"objects", "lists"}, "gpt_oss": {"objects"}, "gemma4": {"objects", "lists"},
}
SPECIAL = {
    "llama2": ("<s>", "</s>"), "mistral_v1": ("<s>", "</s>"), "mistral_v3": ("<s>", "</s>"), "zephyr": ("<s>", "</s>"),
    "llama3": ("<|begin_of_text|>", "<|eot_id|>"), "llama31": ("<|begin_of_text|>", "<|eot_id|>"),
    "gemma": ("<bos>", "<eos>"), "phi3": ("<s>", "<|endoftext|>"), "hermes2": ("<|begin_of_text|>", "<|im_end|>"),
    "lfm2_5": ("<|startoftext|>", "<|im_end|>"), "gpt_oss": ("<|startoftext|>", "<|return|>"), "gemma4": ("<bos>", "<turn|>"),
    "deepseek_r1": ("<|begin|>", "<|end|>"), "command_r": ("<BOS_TOKEN>", "<|END_OF_TURN_TOKEN|>"),
}
NOW = datetime.datetime(2025, 3, 9, 14, 5, 7)


def prepared(messages, traits):
    messages = copy.deepcopy(messages)
    for message in messages:
        content = message["content"]
        if content is None and "none" not in traits:
            message["content"] = ""
        if isinstance(content, list) and "lists" not in traits:
            message["content"] = "".join(part["text"] for part in content)
        for made in message.get("tool_calls", []):
            if "objects" in traits:
                made["function"]["arguments"] = json.loads(made["function"]["arguments"])
    return messages


def chat():
    import jinja2
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast
    from transformers.utils import chat_template_utils

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return NOW

    chat_template_utils.datetime = Clock
    folder = GOLDEN / "chat_templates"
    rendered = {}
    for name, traits in TRAITS.items():
        template = (folder / f"{name}.jinja").read_text()
        tool_use = folder / f"{name}_tool_use.jinja"
        special = dict(zip(("bos_token", "eos_token"), SPECIAL.get(name, ())))
        tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE()), **special)
        tokenizer.chat_template = {"default": template, "tool_use": tool_use.read_text()} if tool_use.exists() else template
        outputs = {}
        for case, given in CASES.items():
            # This service's own defaults, where the caller says nothing.
            defaults = {"enable_thinking": False, "preserve_thinking": True}
            kwargs = {name: value for name, value in defaults.items() if name in template}
            kwargs |= given.get("kwargs", {})
            # The tokenizer drops fields that are null; a template that asks for them is rendered one level below.
            render = tokenizer.apply_chat_template
            if "none" in traits:
                def render(messages, *, tokenize, **given):
                    return chat_template_utils.render_jinja_template([messages], chat_template=template, **special, **given)[0][0]
            try:
                outputs[case] = render(
                    prepared(given["messages"], traits), tools=given.get("tools"), tokenize=False,
                    add_generation_prompt=given.get("add_generation_prompt", True), **kwargs,
                )
            except (jinja2.exceptions.UndefinedError, TypeError) as error:
                print(f"{name}, {case}: left out: {error}")
            except jinja2.exceptions.TemplateError as error:
                outputs[case] = {"refused": str(error)}
            except ValueError:
                outputs[case] = {"refused": "continue_final_message"}
        rendered[name] = {"special_tokens": special, "outputs": outputs}
    write(folder / "conversations.json", CASES)
    write(folder / "rendered.json", rendered)


# ------------------------------------------------------------------------------------------------------- tokenizers

SPECIALS = ["<unk>", "<s>", "</s>", "<|end|>"]
TEXTS = [
    "", " ", "a", " a", "a ", "   ", "\n", "\r\n\r\n", "\t\tx", "Hello world", " Hello  world   !", "  two\n\n   three    four",
    "don't DON'T we'll I'M", "1 12 123 1234 3.14159 1,000", "snake_case camelCase kebab-case", "def f(x):\n    return x + 1  # é\n",
    "naïve café", "nai\u0308ve cafe\u0301", "Ångström A\u030angstro\u0308m", "ﬁ ½ ① Ａ", "👩‍👩‍👧 🏳️‍🌈 👍🏽 🇫🇷", "مرحبا بالعالم", "שלום \u202bעולם\u202c", "今日は東京です。", "你好，世界",
    "한국어 \u1112\u1161\u11ab", "ไทย हिन्दी", "\u0000\u0001\u001f\u007f\u0085", "\u200b\u200d\ufeff\u2028\u2029", "\ue000\uf8ff\U000f0000\U0010fffd", "\ufffd\uffff",
    "<s>", "</s> after", "before<|end|>after", "a <s> b</s>c", "<s><s></s>", "<unk>", "<|end|", "<0x41>", "▁ ▁a", "Ġ", " " * 20 + "x" + " " * 33, "a" * 40, "\n" * 9, "x\u0301" * 5,
    "<think>hm</think>", "the quick brown fox", "The QUICK brown fox jumps over the lazy dog.", "{\"name\": \"f\", \"arguments\": {\"a\": [1, 2.5, null]}}",
]
CORPUS = [
    "the quick brown fox jumps over the lazy dog", "Hello world, the world says hello to the quick fox", "def function(x): return x + 1", "naïve café, l'été à la plage",
    "今日は東京です。今日は天気です。", "{\"name\": \"function\", \"arguments\": {\"city\": \"Rome\"}}", "we'll see what they don't know    and  more", "1234 567 89 0",
] * 4


def tokenizers():
    import random

    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    split = r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""

    def byte_level():
        made = Tokenizer(models.BPE())
        made.normalizer = normalizers.NFC()
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        made.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        made.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=420, initial_alphabet=sorted(alphabet), special_tokens=SPECIALS, show_progress=False))
        return made

    def split_regex():
        made = Tokenizer(models.BPE())
        made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(split), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
        made.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        made.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=400, initial_alphabet=sorted(alphabet), special_tokens=SPECIALS, show_progress=False))
        document = json.loads(made.to_str())
        # Words that no merge makes: found only because merges are passed over.
        for word in ["QUICK", "ĠQUICK", "Ġarguments", "caf"]:
            document["model"]["vocab"].setdefault(word, len(document["model"]["vocab"]))
        document["model"]["ignore_merges"] = True
        return Tokenizer.from_str(json.dumps(document))

    def byte_fallback(normalizer, pre_tokenizer, decoder):
        bytes_ = [f"<0x{value:02X}>" for value in range(256)]
        trained = Tokenizer(models.BPE(unk_token="<unk>"))
        trained.normalizer = normalizers.Replace(" ", "▁")
        trained.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
        trained.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=480, special_tokens=SPECIALS + bytes_, limit_alphabet=60, show_progress=False))
        model = json.loads(trained.to_str())["model"]
        merges = [tuple(merge) for merge in model["merges"]]
        made = Tokenizer(models.BPE(model["vocab"], merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
        made.add_special_tokens([AddedToken(text, normalized=False, special=True) for text in SPECIALS])
        if normalizer:
            made.normalizer = normalizer
        if pre_tokenizer:
            made.pre_tokenizer = pre_tokenizer
        made.decoder = decoder
        return made

    def fallback_decoder():
        return decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])

    def unigram():
        made = Tokenizer(models.Unigram())
        made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
        made.pre_tokenizer = pre_tokenizers.Metaspace()
        made.decoder = decoders.Metaspace()
        made.train_from_iterator(CORPUS, trainers.UnigramTrainer(vocab_size=220, special_tokens=SPECIALS, unk_token="<unk>", show_progress=False))
        return made

    kinds = {
        "byte_level": byte_level(),
        "split_regex": split_regex(),
        "prepended": byte_fallback(normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]), None, fallback_decoder()),
        "metaspace_first": byte_fallback(None, pre_tokenizers.Metaspace("▁", prepend_scheme="first", split=False), fallback_decoder()),
        "unigram": unigram(),
        # Gemma 3.
        "replaced_spaces": byte_fallback(normalizers.Replace(" ", "▁"), pre_tokenizers.Split(" ", "merged_with_previous"),
                                         decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])),
    }
    folder = GOLDEN / "tokenizers"
    folder.mkdir(parents=True, exist_ok=True)
    encoded = {"texts": TEXTS}
    chance = random.Random(7)
    for name, made in kinds.items():
        made.add_tokens([AddedToken("<think>", normalized=False), AddedToken("</think>", normalized=False)])
        (folder / f"{name}.json").write_text(json.dumps(json.loads(made.to_str()), ensure_ascii=False, separators=(",", ":")))
        fast = PreTrainedTokenizerFast(tokenizer_file=str(folder / f"{name}.json"))
        ids = [fast.encode(text, add_special_tokens=False) for text in TEXTS]
        # Any order of tokens has a text, not only what was encoded.
        shuffled = [[chance.randrange(len(fast)) for _ in range(chance.randrange(1, 9))] for _ in range(200)]
        decode = lambda ids: fast.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        encoded[name] = {"ids": ids, "texts": [decode(each) for each in ids], "shuffled_ids": shuffled, "shuffled_texts": [decode(each) for each in shuffled]}
        print(name, (folder / f"{name}.json").stat().st_size, len(fast))
    write(folder / "encoded.json", encoded)


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(key, ensure_ascii=False) + ": " + json.dumps(item, ensure_ascii=False) for key, item in value.items())
    path.write_text("{\n" + lines + "\n}\n")
    print(path, path.stat().st_size)


if __name__ == "__main__":
    for what in sys.argv[1:] or ["chat", "tokenizers"]:
        {"chat": chat, "tokenizers": tokenizers}[what]()
