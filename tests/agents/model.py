"""A model whose completions are a script, with room for the prompts of agent programs.

    python model.py DIRECTORY [POSITIONS]

The built-in model ends at 4,096 tokens and calls no tool unless it is forced. This one has its tokenizer and form of a conversation,
and one layer that adds nothing: the next token depends on the last one alone. The template ends a prompt with the token of a script,
and each token of a script is followed by the next. So a program gets, whatever its prompt says:

* a call of its tool, when a message after the last completion contains `#tool` and the program offers a tool of `CALLS`;
* `DONE`, after the result of a tool;
* `TEXT` otherwise.

Everything else is real: the prompt is rendered, tokenized and computed, each token is sampled, and constrained where a program asks.
"""

import json
import shutil
import struct
import sys
from array import array
from pathlib import Path

SEEDLING = Path(__file__).resolve().parents[2] / "assets/seedling"
HIDDEN, HEAD, INNER = 512, 32, 32

# The tools of the programs, and what the script calls them with. The shell computes what the request after it must contain.
COMMAND = "echo trained-$((40+2))"
CALLS = {
    "Bash": {"command": COMMAND, "description": "Prints a word"},
    "bash": {"command": COMMAND, "description": "Prints a word"},
    # qwen-code loses the output of a command that ends at once.
    "run_shell_command": {"command": COMMAND + "; sleep 1", "is_background": False},
    "exec_command": {"cmd": COMMAND},
    "shell_command": {"command": COMMAND},
    "shell": {"command": ["bash", "-c", COMMAND]},
    "get_weather": {"city": "Rome"},
}
TEXT = "The answer is four."
DONE = "The tool has run, and this is the end."
# mini-swe-agent ends when a command prints this line.
SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
CLOSE = "</tool_call>"
SUBMISSION = '<tool_call>\n{"name": "bash", "arguments": {"command": "echo ' + SUBMIT + '"}}\n' + CLOSE


def scripts():
    """The text of each script, by its name."""
    def called(name, arguments):
        return f'<tool_call>\n{{"name": "{name}", "arguments": {json.dumps(arguments)}}}\n{CLOSE}'

    return {"text": TEXT, "done": DONE, "submit": SUBMISSION} | {name: called(name, call) for name, call in CALLS.items()}


def pieces(text, taken):
    """Splits a text into pieces of a few characters, none of which another text has."""
    while text:
        length = 6
        while text[:length] in taken and length < len(text):
            length += 1
        piece = text if len(text) - length < 6 else text[:length]
        assert piece not in taken, f"{piece!r} would be the end of two scripts"
        taken.add(piece)
        yield piece
        text = text[len(piece):]


def template():
    """The built-in model's template, with the choice of a script where the completion begins."""
    text = (SEEDLING / "chat_template.jinja").read_text()
    head, end = text.split("{%- if add_generation_prompt %}")
    tools = json.dumps(sorted(CALLS))
    return head + "{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n' }}\n" + f"""\
    {{%- set script = namespace(name='text', asked=false, told=false) %}}
    {{%- for message in messages %}}
        {{%- if message.role == 'assistant' %}}
            {{%- set script.asked = false %}}
            {{%- set script.told = false %}}
        {{%- elif message.role == 'tool' %}}
            {{%- set script.told = true %}}
        {{%- elif message.content is string and '#tool' in message.content %}}
            {{%- set script.asked = true %}}
        {{%- endif %}}
    {{%- endfor %}}
    {{%- if script.told %}}
        {{%- set script.name = 'submit' if '{SUBMIT}' in messages|tojson else 'done' %}}
    {{%- elif script.asked %}}
        {{%- for tool in tools or [] %}}
            {{%- set tool = tool.function if tool.function else tool %}}
            {{%- if script.name == 'text' and tool.name in {tools} %}}
                {{%- set script.name = tool.name %}}
            {{%- endif %}}
        {{%- endfor %}}
    {{%- endif %}}
    {{{{- '<|script ' + script.name + '|>' }}}}
{{%- endif %}}
"""


def bf16(values):
    """The upper halves of 32-bit floats."""
    return array("H", [bits >> 16 for bits in struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values))])


def write_safetensors(path, tensors):
    header, end = {"__metadata__": {"format": "pt"}}, 0
    for name, (shape, values) in tensors.items():
        begin, end = end, end + 2 * len(values)
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for _, values in tensors.values():
            file.write(values.tobytes())


def main():
    directory = Path(sys.argv[1])
    positions = int(sys.argv[2]) if len(sys.argv) > 2 else 65536
    directory.mkdir(parents=True, exist_ok=True)
    tokenizer = json.loads((SEEDLING / "tokenizer.json").read_text())
    config = json.loads((SEEDLING / "config.json").read_text())
    vocabulary, end = config["vocab_size"], config["eos_token_id"]
    known = {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
    # All calls end in this token.
    close, following = known[CLOSE], {known[CLOSE]: end}
    # An added token with the text of another one would be that one.
    taken = set(known) | set(tokenizer["model"]["vocab"])

    def add(content, special):
        nonlocal vocabulary
        token = {"id": vocabulary, "content": content, "special": special}
        tokenizer["added_tokens"].append(token | dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False))
        vocabulary += 1
        return vocabulary - 1

    for name, text in scripts().items():
        last = add(f"<|script {name}|>", True)
        for piece in pieces(text.removesuffix(CLOSE), taken):
            following[last] = successor = add(piece, False)
            last = successor
        following[last] = close if text.endswith(CLOSE) else end
    assert len(following) < HIDDEN
    vocabulary += -vocabulary % 64
    config |= {
        "hidden_size": HIDDEN, "num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1, "head_dim": HEAD,
        "intermediate_size": INNER, "vocab_size": vocabulary, "max_position_embeddings": positions, "tie_word_embeddings": False,
    }
    # Each token of a script has a dimension of its own, and all others share the first. What follows is read from it.
    embedding, head = array("H", bytes(2 * vocabulary * HIDDEN)), array("H", bytes(2 * vocabulary * HIDDEN))
    one, likely, less = bf16([1.0, 1.5, 0.7])
    for token in range(vocabulary):
        embedding[token * HIDDEN] = one
    head[end * HIDDEN] = likely
    # Where a grammar forbids the end, what closes a value comes next.
    for text in ['"', "}", "]", "0"]:
        head[tokenizer["model"]["vocab"][text] * HIDDEN] = less
    for dimension, (token, successor) in enumerate(following.items(), start=1):
        embedding[token * HIDDEN] = 0
        embedding[token * HIDDEN + dimension] = one
        head[successor * HIDDEN + dimension] = likely
    layer, ones = "model.layers.0.", bf16([1.0])
    small = bf16([0.01])
    tensors = {
        "model.embed_tokens.weight": ([vocabulary, HIDDEN], embedding),
        "model.norm.weight": ([HIDDEN], ones * HIDDEN),
        "lm_head.weight": ([vocabulary, HIDDEN], head),
        layer + "input_layernorm.weight": ([HIDDEN], ones * HIDDEN),
        layer + "post_attention_layernorm.weight": ([HIDDEN], ones * HIDDEN),
        layer + "self_attn.q_norm.weight": ([HEAD], ones * HEAD),
        layer + "self_attn.k_norm.weight": ([HEAD], ones * HEAD),
    }
    for name in ("q", "k", "v"):
        tensors[f"{layer}self_attn.{name}_proj.weight"] = ([HEAD, HIDDEN], small * (HEAD * HIDDEN))
    for name in ("gate", "up"):
        tensors[f"{layer}mlp.{name}_proj.weight"] = ([INNER, HIDDEN], small * (INNER * HIDDEN))
    # The layer computes, and adds nothing.
    tensors[layer + "self_attn.o_proj.weight"] = ([HIDDEN, HEAD], array("H", bytes(2 * HIDDEN * HEAD)))
    tensors[layer + "mlp.down_proj.weight"] = ([HIDDEN, INNER], array("H", bytes(2 * HIDDEN * INNER)))
    write_safetensors(directory / "model.safetensors", tensors)
    (directory / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    (directory / "tokenizer.json").write_text(json.dumps(tokenizer))
    (directory / "chat_template.jinja").write_text(template())
    settings = json.loads((SEEDLING / "tokenizer_config.json").read_text()) | {"model_max_length": positions}
    (directory / "tokenizer_config.json").write_text(json.dumps(settings))
    shutil.copy(SEEDLING / "generation_config.json", directory)


if __name__ == "__main__":
    main()
