"""The programs: how each is started for a case, and what switches off its updates, reports and accounts.

`{root}`, `{base_url}`, `{key}` and `{model}` are those of the case's session, `{home}` a directory that a program's cases share,
`{prompt}` what is asked. The environment also has the variables that `trainyard collect` sets.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Program:
    """A row of the table."""
    name: str
    # Whether it needs no more than seconds, for --sample.
    quick: bool = False
    # Arguments for each case that the program has.
    cases: dict = field(default_factory=dict)
    environment: dict = field(default_factory=dict)
    # Files below the home directory.
    files: dict = field(default_factory=dict)
    # How it uses the session: by its `key`, or with another key by its base `url` or by the `header`.
    access: str = "key"


OPENCODE = """\
{{"autoupdate": false, "share": "disabled", "enabled_providers": ["yard"], "model": "yard/{model}", "small_model": "yard/{model}",
 "permission": "allow",
 "provider": {{"yard": {{"npm": "@ai-sdk/openai-compatible", "name": "yard",
  "options": {{"baseURL": "{base_url}", "apiKey": "{key}"}},
  "models": {{"{model}": {{"name": "model", "tool_call": true, "limit": {{"context": 32768, "output": 1024}}}}}}}}}}}}
"""


def agent(start: list[str], go_on: list[str], prompt: list[str]) -> dict:
    """The cases of a program that takes its prompt as an argument, always offers its tools, and streams."""
    return {"chat": [*start, *prompt], "tools": [*start, *prompt], "resume": [*go_on, *prompt]}


def library(command: str, cases: str) -> dict:
    return {case: ["{python}", "{here}/libraries.py", command, case] for case in cases.split()}


def package(command: str) -> dict:
    return {case: ["node", "{node}/libraries.mjs", command, case] for case in ("chat", "tools", "stream", "resume")}


def claude(*options: str) -> dict:
    start = ["{node}/node_modules/.bin/claude", "-p", "--allowedTools", "Bash", "--output-format", "stream-json", "--verbose", *options]
    return agent(start, [*start, "--continue"], ["--", "{prompt}"])


def qwen(kind: str) -> dict:
    start = ["{node}/node_modules/.bin/qwen", "--yolo", "--auth-type", kind, "--model", "{model}"]
    return agent(start, [*start, "--continue"], ["-p", "{prompt}"])


QUIET_CLAUDE = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1", "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "1024",
}
QUIET_QWEN = {"QWEN_TELEMETRY_ENABLED": "false", "QWEN_CODE_MAX_OUTPUT_TOKENS": "1024", "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1"}
CODEX = ["{node}/node_modules/.bin/codex", "exec"]
CODEX_SETTINGS = [
    "model_provider=yard", "model_providers.yard.name=yard", "model_providers.yard.base_url={base_url}",
    "model_providers.yard.env_key=OPENAI_API_KEY", "model_providers.yard.wire_api=responses", "analytics.enabled=false",
    "check_for_update_on_startup=false",
]
CODEX_RUN = [
    *[part for setting in CODEX_SETTINGS for part in ("-c", setting)], "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox", "-m", "{model}",
]
OPENCODE_RUN = ["{node}/node_modules/.bin/opencode", "run", "--auto", "--model", "yard/{model}"]
PROGRAMS = [
    Program("anthropic", True, library("anthropic", "chat tools stream resume")),
    Program("openai chat", True, library("openai-chat", "chat tools stream resume")),
    Program("openai responses", True, library("openai-responses", "chat tools stream resume"), access="url"),
    Program("openai-agents", False, library("openai-agents", "chat tools stream resume"), {"OPENAI_AGENTS_DISABLE_TRACING": "1"}),
    Program("litellm as Messages", False, library("litellm", "chat tools resume"), {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}),
    Program("inspect-ai", False, library("inspect", "chat tools")),
    Program("lm-eval", False, library("lm-eval", "chat"), {"HF_HUB_OFFLINE": "1"}, access="header"),
    Program("@ai-sdk/openai", False, package("openai")),
    Program("@ai-sdk/anthropic", False, package("anthropic")),
    Program(
        "mini-swe-agent", False,
        {"tools": ["{bin}/mini", "--yolo", "--exit-immediately", "--cost-limit", "0", "-m", "openai/{model}", "-o", "{home}/log.json",
                   "-t", "{prompt}"]},
        {"MSWEA_CONFIGURED": "1", "MSWEA_COST_TRACKING": "ignore_errors", "MSWEA_GLOBAL_CONFIG_DIR": "{home}/mini",
         "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    ),
    Program("Claude Code", False, claude(), QUIET_CLAUDE),
    Program("Claude Code --bare", False, claude("--bare"), QUIET_CLAUDE),
    Program("Codex", False, agent([*CODEX, *CODEX_RUN], [*CODEX, "resume", "--last", *CODEX_RUN], ["{prompt}"])),
    Program(
        "opencode", False, agent(OPENCODE_RUN, [*OPENCODE_RUN, "--continue"], ["{prompt}"]),
        {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
         "OPENCODE_CONFIG": "{home}/opencode.json"},
        {"opencode.json": OPENCODE},
    ),
    Program("qwen-code, chat", True, qwen("openai"), QUIET_QWEN),
    Program("qwen-code, Responses", False, qwen("openai-responses"), QUIET_QWEN),
    Program("qwen-code, Messages", False, qwen("anthropic"), QUIET_QWEN),
]
