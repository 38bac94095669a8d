#!/usr/bin/env python3
"""Chat completions over HTTP: this service beside llama-server and vLLM, taking turns in one run.

Servers are started by hand and stay up; each is loaded alone, in turn, so that the machine's mood is the same for all.
Between turns there is a pause, as some servers keep a core busy for a while after their last answer.
Only the standard library is used.

    benches/serving_http.py --server ours=http://127.0.0.1:8000/inference/v1,KEY,MODEL[;MODEL...] \\
        --server llama=http://127.0.0.1:8178/v1,-,base --rounds 5 --out target/serving_http

The first server is compared with each of the others. Clients take a server's models in turn (several: adapters).
Every request has a prompt of its own, so no prefix is shared. Token counts are the servers' own (`usage`).
Writes OUT.json and OUT.svg and prints a table.
"""

import argparse
import http.client
import json
import os
import random
import re
import statistics
import threading
import time
from urllib.parse import urlsplit

# Servers that stay up between runs may not find a prompt of an earlier run in their prefix caches.
RUN = time.time_ns()
WORDS = "self def return import class for in if else not and the is of to value name data list type error".split()


class Server:
    def __init__(self, text):
        self.name, rest = text.split("=", 1)
        address, key, models = rest.split(",", 2)
        self.address = urlsplit(address)
        self.headers = {"Content-Type": "application/json"}
        if key != "-":
            self.headers["Authorization"] = f"Bearer {key}"
        self.models = models.split(";")
        self.fields = {}

    def connect(self):
        return http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=600)

    def complete(self, connection, model, words, tokens, logprobs, seed, stream):
        """Seconds to the first token (streams) and to the end, and the answer's usage."""
        source = random.Random(f"{RUN} {self.name} {seed}")
        body = {
            "model": model,
            "messages": [{"role": "user", "content": " ".join(source.choice(WORDS) for _ in range(words))}],
            "max_tokens": tokens,
            "temperature": 1.0,
            "seed": seed,
            "stream": stream,
            **self.fields,
        }
        if logprobs is not None:
            body.update(logprobs=True, top_logprobs=logprobs)
        if stream:
            body["stream_options"] = {"include_usage": True}
        start = time.perf_counter()
        connection.request("POST", self.address.path + "/chat/completions", json.dumps(body), self.headers)
        response = connection.getresponse()
        if response.status != 200:
            raise SystemExit(f"{self.name}: {response.status} {response.read().decode()[:500]}")
        if not stream:
            usage = json.loads(response.read())["usage"]
            return None, time.perf_counter() - start, usage
        first, usage = None, None
        # A first event may have the role alone; tokens of a model with random weights may have no text but a log-probability.
        has_token = re.compile(rb'"token":|"content":\s*"[^"]')
        for line in response:
            if not line.startswith(b"data: ") or line.startswith(b"data: [DONE]"):
                continue
            if first is None and has_token.search(line):
                first = time.perf_counter() - start
            # Only the last event has the usage; reading the others would measure this program.
            if b'"usage":{' in line.replace(b" ", b""):
                usage = json.loads(line[6:])["usage"] or usage
        return first, time.perf_counter() - start, usage


def round_of(server, clients, words, tokens, logprobs, number, stream):
    """Output tokens a second of `clients` requests at once."""
    results, errors = [], []
    connections = [server.connect() for _ in range(clients)]
    barrier = threading.Barrier(clients + 1)

    def client(place):
        try:
            barrier.wait()
            model = server.models[place % len(server.models)]
            seed = number * 1000 + place
            results.append(server.complete(connections[place], model, words, tokens, logprobs, seed, stream))
        except (OSError, SystemExit, KeyError) as error:
            errors.append(f"{server.name}: {error}")

    threads = [threading.Thread(target=client, args=(place,)) for place in range(clients)]
    for thread in threads:
        thread.start()
    barrier.wait()
    start, own = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.join()
    seconds, own = time.perf_counter() - start, time.process_time() - own
    for connection in connections:
        connection.close()
    if errors:
        raise SystemExit(errors[0])
    if stream and any(first is None for first, _, _ in results):
        raise SystemExit(f"{server.name}: a stream has neither text nor log-probabilities; ask for --top-logprobs 1")
    produced = sum(usage["completion_tokens"] for _, _, usage in results)
    prompt = sum(usage["prompt_tokens"] for _, _, usage in results)
    firsts = [first for first, _, _ in results if first is not None]
    return {
        "tokens_per_second": produced / seconds,
        "prompt_tokens": prompt,
        "completion_tokens": produced,
        "first_tokens": firsts,
        "clients_part": own / seconds / os.cpu_count(),
    }


def picture(path, rows, clients):
    """Bars of every round's speed with the median, one group for each number of clients."""
    names = list(dict.fromkeys(row["server"] for row in rows))
    colours = ["#1f6feb", "#d1603d", "#6a9a3b", "#8a63d2", "#777777"]
    top = max(max(row["all"]) for row in rows) * 1.1
    width, height, left, bottom = 120 + 60 * len(clients) * (len(names) + 1), 360, 70, 300
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{left}" y="20" font-size="14">Output tokens a second by clients at once (dots: rounds)</text>']
    for step in range(6):
        value = top * step / 5
        y = bottom - 260 * step / 5
        parts.append(f'<line x1="{left}" x2="{width - 20}" y1="{y}" y2="{y}" stroke="#dddddd"/>'
                     f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{value:.0f}</text>')
    for group, count in enumerate(clients):
        for place, name in enumerate(names):
            row = next((row for row in rows if row["server"] == name and row["clients"] == count), None)
            if row is None:
                continue
            x = left + 20 + 60 * (group * (len(names) + 1) + place)
            tall = 260 * row["tokens_per_second"] / top
            parts.append(f'<rect x="{x}" y="{bottom - tall}" width="50" height="{tall}" fill="{colours[place % 5]}" opacity="0.8"/>'
                         f'<text x="{x + 25}" y="{bottom - tall - 6}" text-anchor="middle">{row["tokens_per_second"]:.0f}</text>')
            parts += [f'<circle cx="{x + 25}" cy="{bottom - 260 * value / top}" r="2.5"/>' for value in row["all"]]
        x = left + 20 + 60 * group * (len(names) + 1) + 30 * len(names)
        parts.append(f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{count} clients</text>')
    for place, name in enumerate(names):
        parts.append(f'<rect x="{left + 110 * place}" y="335" width="12" height="12" fill="{colours[place % 5]}"/>'
                     f'<text x="{left + 18 + 110 * place}" y="346">{name}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*parts, "</svg>\n"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", action="append", required=True, metavar="NAME=URL,KEY,MODEL[;MODEL...]",
                        help="a server and its models; KEY is - for none")
    parser.add_argument("--clients", default="8", help="clients at once, as a list: 1,8")
    parser.add_argument("--words", type=int, default=120, help="words of a prompt, about a token each")
    parser.add_argument("--tokens", type=int, default=128, help="tokens of an answer")
    parser.add_argument("--top-logprobs", type=int, default=0, help="alternatives for each token; -1 asks for no logprobs")
    parser.add_argument("--stream", action="store_true", help="ask for streams, and measure the time to the first token")
    parser.add_argument("--fields", default='{"ignore_eos": true}', help="more fields of every request, as JSON")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pause", type=float, default=3.0, help="seconds of rest before each turn")
    parser.add_argument("--out", default="serving_http", help="path of the results without its ending")
    options = parser.parse_args()
    servers = [Server(text) for text in options.server]
    for server in servers:
        server.fields = json.loads(options.fields)
    logprobs = None if options.top_logprobs < 0 else options.top_logprobs
    clients = [int(count) for count in options.clients.split(",")]
    for server in servers:  # warm up
        round_of(server, len(server.models), 16, 8, logprobs, 999, options.stream)
    rows = []
    for count in clients:
        rounds = {server.name: [] for server in servers}
        for number in range(options.rounds):
            for server in servers if number % 2 == 0 else servers[::-1]:
                work = (options.words, options.tokens, logprobs, number, options.stream)
                time.sleep(options.pause)
                rounds[server.name].append(round_of(server, count, *work))
        first = None
        for server in servers:
            results = rounds[server.name]
            speeds = [result["tokens_per_second"] for result in results]
            ratios = None
            if first is None:
                first = speeds
            else:
                ratios = statistics.median(ours / theirs for ours, theirs in zip(first, speeds))
            waits = sorted(wait for result in results for wait in result["first_tokens"])
            rows.append({
                "server": server.name, "models": len(server.models), "clients": count,
                "tokens_per_second": statistics.median(speeds), "first_is_faster_by": ratios, "all": speeds,
                "first_token_seconds": statistics.median(waits) if waits else None,
                "first_token_p95_seconds": waits[int(0.95 * len(waits))] if waits else None,
                "prompt_tokens": results[-1]["prompt_tokens"], "completion_tokens": results[-1]["completion_tokens"],
                "clients_part": statistics.median(result["clients_part"] for result in results),
            })
            row = rows[-1]
            note = "" if ratios is None else f"  {servers[0].name} is {ratios:.2f} times as fast"
            print(f"{count:3} clients  {server.name:10} {len(server.models)} models  {row['tokens_per_second']:8.1f} tokens/s, "
                  f"{row['clients_part']:.1%} of the processors for the clients{note}",
                  flush=True)
            if waits:
                print(f"     first token after {row['first_token_seconds']:.2f} s in the median, {row['first_token_p95_seconds']:.2f} s at "
                      f"the 95th percentile; prompts of {row['prompt_tokens'] / count:.0f} tokens", flush=True)
    with open(options.out + ".json", "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    picture(options.out + ".svg", rows, clients)


if __name__ == "__main__":
    main()
