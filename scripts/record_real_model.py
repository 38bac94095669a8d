#!/usr/bin/env python3
"""Record what llama.cpp and transformers make of a real model, for tests/real_model.

    python3 -m venv venv && venv/bin/pip install torch transformers==5.24.0 accelerate gguf==0.19.0 xllamacpp
    venv/bin/python scripts/record_real_model.py smollm2-135m-instruct.gguf >tests/real_model/recorded.json

llama.cpp renders and tokenises each prompt: transformers 5 drops a rule of this model's pre-tokenizer. transformers answers
greedily with the dequantised weights in f32, and its log-probabilities are the reference. llama.cpp, which rounds activations
to eight bits, answers as well, so that its words can be compared.
"""
import json
import sys
import urllib.request
from pathlib import Path

import torch
import transformers
import xllamacpp

TOKENS = 20
PROMPTS = [
    "What is the capital of France?", "Name three colours.", "How many legs does a spider have?", "Write a haiku about rain.",
    "What is 17 + 25?", "Translate 'good morning' into Spanish.", "Who wrote Hamlet?", "List the days of the week.",
    "What is the boiling point of water in Celsius?", "Explain gravity in one sentence.", "Is the Earth flat?",
    "Give me a synonym for happy.", "What year did World War II end? 1945 or 1954?", "Complete: The quick brown fox", "def add(a, b):",
    "SELECT name FROM users WHERE id = 42;", "Was ist die Hauptstadt von Österreich?", "¿Cuántos días tiene febrero?", "日本の首都はどこですか？",
    "Сколько будет 2 + 2?", "😀 What does this face mean?", "x = 3.14159 * 10**6", "Spell 'necessary'.", "What rhymes with blue?",
    "Name a fruit that is yellow.", "Summarise: The cat sat on the mat. It was warm. It slept.", "What is the opposite of hot?",
    "Write one line of JSON with a name and an age.", "How do I boil an egg?", "Tell me a joke.", "What is H2O?",
    "Count from 1 to 10.", "What comes after Monday?", "    indented\n\ttabs and\n\n\nblank lines", "don't can't won't I'll we've",
    "https://example.org/path?query=1&other=2#part", "A very very very very long word: antidisestablishmentarianism.", "Say nothing.",
]


class Llama:
    """A server of llama.cpp in this process."""

    def __init__(self, file: Path):
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(file)
        parameters.n_ctx, parameters.warmup, parameters.port, parameters.n_parallel = 512, False, 0, 1
        self.server = xllamacpp.Server(parameters)

    def ask(self, path: str, body: dict) -> dict:
        address = f"{self.server.listening_address.rstrip('/')}/{path}"
        request = urllib.request.Request(address, json.dumps(body).encode(), {"content-type": "application/json"})
        return json.load(urllib.request.urlopen(request))


def main() -> None:
    file = Path(sys.argv[1]).resolve()
    llama = Llama(file)
    model = transformers.AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32).eval()
    cases = []
    for prompt in PROMPTS:
        rendered = llama.ask("apply-template", {"messages": [{"role": "user", "content": prompt}]})["prompt"]
        ids = llama.ask("tokenize", {"content": rendered, "add_special": True, "parse_special": True})["tokens"]
        words = llama.ask("completion", {"prompt": ids, "n_predict": TOKENS, "temperature": 0, "cache_prompt": False})["content"]
        answer, logprobs = [], []
        with torch.no_grad():
            cache, given = None, torch.tensor([ids])
            for _ in range(TOKENS):
                output = model(given, past_key_values=cache, use_cache=True)
                cache, row = output.past_key_values, output.logits[0, -1].double().log_softmax(-1)
                best = int(row.argmax())
                answer.append(best)
                logprobs.append(round(float(row[best]), 6))
                if best == model.config.eos_token_id:
                    break
                given = torch.tensor([[best]])
        cases.append({"prompt": prompt, "prompt_ids": ids, "answer_ids": answer, "logprobs": logprobs, "llama_cpp": words})
        print(prompt[:40], repr(words), file=sys.stderr)
    json.dump(cases, sys.stdout, ensure_ascii=False, indent=None, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main()
