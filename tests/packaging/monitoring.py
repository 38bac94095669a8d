"""Compares the queries of packaging/monitoring with the metrics of a live server: python monitoring.py BINARY

Starts a server, sends requests and trains a job, so that every metric has a value. Then each metric, label and value of a
label that an alert or a panel of the dashboard names has to be among them, with the function that fits its type.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import promql_parser as promql
import yaml
from prometheus_client.parser import text_string_to_metric_families

from load import LIMIT, Program, create_key

MONITORING = Path(__file__).resolve().parents[2] / "packaging" / "monitoring"
# Labels that Prometheus adds, and metrics of its own.
OF_PROMETHEUS = {"job", "instance"}
PROMETHEUS_METRICS = {"up"}
# Values of labels that no healthy server reports, with the place that writes them.
RARE = {("status", "5xx"): "CLASSES in src/metrics/requests.rs"}


def expressions():
    """All queries: where, text."""
    for group in yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]
    for panel in json.loads((MONITORING / "dashboard.json").read_text())["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*")


def exercise(binary, work):
    """The metrics of a server that has answered requests and trained."""
    environment = os.environ | {"TRAINYARD_DATA_DIR": str(work / "data")}
    key = create_key(binary, environment)
    server = Program(binary, "serve", ["--listen", "127.0.0.1:0", "--threads", "1"], environment, work)
    try:
        root = f"http://{server.address}"
        rows = work / "rows.jsonl"
        rows.write_text('{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"left"}]}\n' * 4)
        asking = environment | {"TRAINYARD_BASE_URL": root, "TRAINYARD_API_KEY": key}
        for arguments in (
            ["sft", "p/m", str(rows), "--base-model", "trainyard/seedling", "--watch"],
            ["chat", "trainyard/seedling", "hello"],
        ):
            subprocess.run([binary, *arguments], env=asking, check=True, capture_output=True, timeout=LIMIT)
        return urllib.request.urlopen(f"{root}/metrics", timeout=LIMIT).read().decode()
    finally:
        server.stop()


class Metrics:
    def __init__(self, text):
        self.types, self.labels = {}, {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                self.types[sample.name] = "counter" if sample.name.endswith(("_bucket", "_sum", "_count")) else family.type
                for label, value in sample.labels.items():
                    self.labels.setdefault(sample.name, {}).setdefault(label, set()).add(value)


def faults(expression, metrics):
    """Walks one query; the metrics below `node` and the faults found."""
    found = []

    def walk(node, function):
        match node:
            case promql.VectorSelector():
                return selector(node, function)
            case promql.MatrixSelector():
                return selector(node.vector_selector, function)
            case promql.Call():
                names = set().union(*(walk(argument, node.func.name) for argument in node.args))
                return names
            case promql.AggregateExpr():
                names = walk(node.expr, function)
                for label in node.modifier.labels if node.modifier else []:
                    check_label(names, label)
                return names
            case promql.BinaryExpr():
                return walk(node.lhs, None) | walk(node.rhs, None)
            case promql.ParenExpr():
                return walk(node.expr, function)
        return set()

    def selector(node, function):
        name = node.name
        if name in PROMETHEUS_METRICS:
            return set()
        if name not in metrics.types:
            found.append(f"{name} is no metric")
            return set()
        counted = function in ("rate", "increase")
        if counted != (metrics.types[name] == "counter"):
            found.append(f"{name} is a {metrics.types[name]} and stands in {function or 'no function'}")
        for matcher in node.matchers.matchers:
            check_label({name}, matcher.name)
            values = metrics.labels.get(name, {}).get(matcher.name, set())
            rare = (matcher.name, matcher.value) in RARE
            if matcher.op == promql.MatchOp.Equal and matcher.name not in OF_PROMETHEUS and not rare and matcher.value not in values:
                found.append(f"{name} has no {matcher.name}={matcher.value!r}, only {sorted(values)}")
        return {name}

    def check_label(names, label):
        for name in names:
            if label not in OF_PROMETHEUS and label not in metrics.labels.get(name, {}):
                found.append(f"{name} has no label {label}")

    walk(promql.parse(expression), None)
    return found


def main(binary):
    with tempfile.TemporaryDirectory() as work:
        metrics = Metrics(exercise(os.path.abspath(binary), Path(work)))
    count, bad = 0, []
    for place, expression in expressions():
        count += 1
        bad += [f"{place}: {fault}" for fault in faults(expression, metrics)]
    # The checks above find something where there is something.
    for broken in ["rate(trainyard_nothing_total[5m])", "rate(trainyard_chats_running[5m])", 'trainyard_jobs{status="lost"}',
                   "sum by (colour) (trainyard_jobs)", "trainyard_requests_total"]:
        if not faults(broken, metrics):
            bad.append(f"this test: {broken} was accepted")
    print("\n".join(bad) if bad else f"{count} queries name metrics of the server")
    sys.exit(bool(bad))


main(*sys.argv[1:])
