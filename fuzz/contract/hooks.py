"""What Schemathesis cannot know about the service: rules that a schema cannot express.

Every check of the tool is on. A failure is dropped here only when the tool's expectation is wrong, one rule each,
with the reason beside it; everything else fails the run.
"""
from __future__ import annotations

import json
import os
import re

import schemathesis

# (place in the request, message; `{name}` is the last part of the place) of refusals of requests that fit the schema. Each is a rule about several fields, the
# state of the service, or the meaning of a text; a limit that the document could state does not belong here.
BEYOND_THE_SCHEMA = [
    # State: what exists, and whether there is room for it.
    (r"base_model", r"there is no base model "),
    (r"(after|Last-Event-ID)", r"the cursor (.* )?is not an item of this listing"),
    (r"(after|before)_id", r"{name} .* is not in the list"),
    # The tool sends `0` there, whatever the pattern of the header is.
    (r"Last-Event-ID", r"Last-Event-ID must be the id of an event of this job"),
    (r"messages", r"the prompt has at least \d+ tokens, but prompt and answer together may have \d+"),
    (r"n", r"\d+ samples were asked for at once, \d+ are possible"),
    (r"Idempotency-Key", r"the idempotency key .* was used for another request"),
    # A slip is told from the field of a newer client by its likeness to the names that there are.
    (r".*", r"unknown field `.*`; did you mean `\w+`\?$"),
    # The meaning of a text: templates, URLs, JSON schemas and their grammar, keys that are token ids.
    (r"messages.*", r"the chat template|messages\[\d+\]|text could not be encoded|the conversation holds almost every"),
    (r"chat_template_kwargs\..*", r"chat_template_kwargs\..*: this variable is set by the service"),
    (r"training_data_url", r"the training data URL is not valid: |training data cannot be read from `[^`]*:` URLs; use https$"),
    (r"training_data_url", r"this service may not read training data from there: "),
    (
        r"(response_format\.json_schema\.schema|tools.*|guided_\w+|structured_outputs\.\w+)",
        r".* (cannot be enforced: |has \d+ bytes, \d+ are possible|nests more than \d+ brackets|is not JSON: )|"
        r"(.*: )?a JSON schema is an object",
    ),
    # An empty text may have the tokens that a tokenizer puts before every text, or none.
    (r"prompt(\[\d+\])?", r"the prompt is empty; "),
    # Prompts of one request: of one kind, of the model's vocabulary, no longer than its context, and not too many.
    (r"prompt.*", r"numbers of tokens stand beside such numbers|.*outside the vocabulary|.*the model has \d+ tokens|"
                  r"the prompt has at least \d+ tokens|\d+ prompts with n \d+|text could not be encoded|.* token"),
    (r"best_of", r"`best_of` is not supported"),
    # Several fields: a rollout was captured or written down.
    (r"trajectory_groups\[\d+\]\.trajectories\[\d+\]", r"has both exchanges and messages_and_choices, tools or "),
    (r"logit_bias\..*", r"logit_bias has numbers of tokens, written as strings"),
    # The model: what its template does not read.
    (r"verbosity", r"`?{name}`? .* means nothing to this model; leave it out"),
    # Several fields, and the state of the checkpoint: what an export of this form can have.
    (r"weights", r"peft has the adapter as it was trained|an adapter for llama\.cpp is f32|safetensors have no element type "),
    (r"form", r"step \d+ is the base model itself|the model was trained in all its weights|the model cannot be a GGUF file: "),
    # The tool does not know the format uint64.
    (r"(first_step|last_step)", r"{name} must be an integer of at least 1, not \"\d{20,}\""),
    # State: files and data sets that there are.
    (r"(training_data_url|weights_file_id|training_file|validation_file)", r"there is no such (file|artifact)"),
    (r"(training_data_url|training_file|validation_file)", r"the file was uploaded for another purpose"),
    # Documented by OpenAI, and refused by name.
    (r"method\.type", r"the method (dpo|reinforcement) is not supported"),
    (r"method\.(dpo|reinforcement)", r"`{name}` is not supported; train with `supervised`"),
    (r"integrations", r"integrations are not supported"),
    # The length of a key, for which OpenAPI 3.0 has no words.
    (r"metadata", r"the keys of metadata have 64 characters at most"),
    # Of a dry run.
    (r"(training_data_url|trajectory_groups)", r"the job would fail: "),
    (r"last_step", r"last_step is before first_step"),
    (r"(start_date|end_date)", r"there is no day |start_date is after end_date"),
    # The tool writes what it makes up for the names of further parts into their headers, control characters too.
    (r"", r"the body is no multipart form: failed to read headers$"),
    # The meaning of a text, before the document is looked at.
    (r"", r"the request's `Host` header is not a host$"),
    # A file has a name, which no schema of a form can ask for.
    (r"file", r"the part has no file name"),
    # State, and several fields: recorded sessions.
    (r"trajectory_groups", r"trajectory_groups is missing; send them, or "),
    (r"group", r"no session has the group "),
    (r"sessions", r"session \S+ samples "),
    # Several fields: options of another training method.
    (r"lora", r"lora describes an adapter, and training_method full has none"),
    # The base model has some of the modules that models have.
    (r"lora\.target_modules", r"the base model has no \w+ that can have an adapter; "),
    (r"training_method", r"this build cannot train all parameters of a model yet"),
    # Several fields: a named or required tool must be among the tools.
    (r"tool_choice", r"tool_choice (names .*, which is not in `tools`|is `(required|any)`, but there are no tools)"),
    (r"function_call", r"function_call names .*, (which is not in|but there are no) `functions`"),
    (r"functions", r"functions is the older form of tools; send one of the two"),
    (r"add_generation_prompt", r"add_generation_prompt opens a new turn, continue_final_message goes on with the last"),
    (r"structured_outputs", r"structured_outputs has exactly one of "),
    (r"(guided_|structured_outputs).*", r"\S+ says already what form the answer has; send one of the two"),
    (r"(ignore_eos|min_tokens)", r"an answer of a given form ends where the form ends"),
    (r"min_tokens", r"min_tokens is more than the answer may have"),
    (r"(response_format|guided_|structured_outputs).*", r"a required tool call has a form of its own"),
    (r"tool_choice", r"a tool call is required, but `tools` has no such tool"),
    # Documented by OpenAI or sent by the Python client, and refused by name unless the value changes nothing.
    (r"\w+", r"`{name}` is not supported; leave it out$"),
    (r"experimental_config\.loss_fn", r"`loss_fn` must be ppo when `ppo` is true"),
    # Responses: what an item must have follows from its type, and what needs stored responses is refused in other words.
    (r"input\[\d+\]\.\w+", r".* is missing$|`.*` (cannot be read here; leave it out|refers to a stored item, )"),
    (r"input", r"the prompt has at least \d+ tokens, but |the chat template|text could not be encoded|the conversation holds almost every"),
    (r"text\.format\.schema", r".* (cannot be enforced: |has \d+ bytes, \d+ are possible)|(.*: )?a JSON schema is an object"),
    (r"text\.verbosity", r"\S+ .* means nothing to this model; leave it out"),
    (r"(reasoning|tools\[\d+\](\.tools\[\d+\])?)\.\w+", r"`\S+` is not supported; leave it out$"),
    (r"(background|store)", r"{name} is not possible: "),
    (r"tools\[\d+\](\.tools\[\d+\])?\.(name|format\.\w+)", r".* (is missing|must be `lark` or `regex`)$"),
    (r"tool_choice(\.\S+)?", r".* (is missing|which is not in `tools`|allows no tools)$"),
    (r"starting_after", r"starting_after is for `stream` true"),
    # Compactions: several fields, and what the model samples.
    (r"(stream|background)", r"{name} is not possible in a compaction"),
    (r"input(\[\d+\]\.encrypted_content)?", r"input is missing|.* is not a compaction of this service"),
    (r"model", r"the model has written no summary"),
    # Stored chat completions: metadata of another form is ignored unless they are stored.
    (r"metadata", r"the metadata of a stored completion are texts by name|metadata has at most|metadata is no JSON object"),
    # Batches of messages: several fields, and what each request must have.
    (r"before_id", r"the page has either after_id or before_id"),
    (r"requests\[\d+\]\.(custom_id|params.*)", r"an earlier request has the custom_id|params\.\w+ is missing|a request of a batch "),
    # Tokens: a text or a conversation, of a model with these tokens.
    (r"prompt", r"a request has either prompt or messages; send one of the two|the text has more than \d+ tokens"),
    (r"add_special_tokens", r"the chat template has the special tokens of a conversation already"),
    (r"tokens\[\d+\]", r"the vocabulary has \d+ tokens; \d+ is not among them"),
    # Files: purposes and lifetimes, whose parts a form has; the file of a batch.
    (r"purpose", r"only batches make files of the purpose batch_output"),
    (r"expires_after", r"expires_after: "),
    (r"input_file_id", r"the file has (the purpose|more than) "),
    # Messages: what a block or a tool must have follows from its type.
    (r"(messages|system|tools|tool_choice).*", r".* is missing|`.*`: (there is no block of type|blocks of type|a tool of type) "),
    (r"messages.*", r".* a message of the role \w+ has no block |.* ends with a call; add a message |prompt is too long: "),
    (r"max_tokens", r"max_tokens is missing; a message needs a limit"),
    (r"output_format", r"output_config.format already sets the format of the answer"),
    (r"output_(config\.)?format\.schema", r".* (cannot be enforced: |has \d+ bytes, \d+ are possible)|(.*: )?a JSON schema is an object"),
    # Several fields of a training job's options, and the checkpoints that they name.
    (r"experimental_config\.kl_\w+", r"`{name}` contradicts `\w+`: the KL penalty has one reference"),
    (r"experimental_config\.kl_ref_adapter_path", r"`kl_ref_adapter_path` (must be the name under which|names )"),
    (r"experimental_config\.kl_penalty_reference_step", r"the model has no checkpoint of step \d+ for `{name}`"),
]


def error_of(response) -> dict:
    try:
        return response.json()["error"]
    except (ValueError, KeyError, TypeError):
        return {}


def is_beyond_the_schema(response) -> bool:
    error = error_of(response)
    place, message = error.get("param") or "", error.get("message") or ""
    name = re.escape(place.rpartition(".")[2])
    return any(re.fullmatch(p, place) and re.match(m.replace("{name}", name), message) for p, m in BEYOND_THE_SCHEMA)


def check_errors(response) -> list[str]:
    parts = [part for part in response.json().values() if isinstance(part, dict)]
    return [error for part in parts for error in part["errors"]]


@schemathesis.hook
def filter_case(context, case) -> bool:
    """Leaves out requests that would revoke or limit the key of this run: all others would then be refused."""
    own = os.environ["FUZZING_KEY_ID"]
    return not (case.method in ("POST", "PUT") and own in str((case.path_parameters or {}).get("key_id")))


@schemathesis.hook
def filter_failure(context, failure, case, response) -> bool:
    """Keeps a failure unless the tool's expectation is wrong."""
    operation = case.operation.definition.raw.get("operationId")
    if "positive_data_acceptance" in failure.checks and response.status_code in (400, 422):
        return not is_beyond_the_schema(response)
    # A file without a byte is a file: in HTTP it does not differ from none.
    if "negative_data_rejection" in failure.checks and operation == "put_wandb_file":
        return bool(response.request.body)
    # Long texts make the request's line or its head too long, which are errors of their own.
    if response.status_code in (414, 431):
        return False
    # A disk that other work keeps busy for seconds is what this answer reports, whatever the request looked like.
    if operation == "get_system_check" and response.status_code == 503:
        return any("no answer within" not in error for error in check_errors(response))
    # Deleting some checkpoints leaves their list and the others: the path is that of a collection, which the tool takes
    # for one resource because an id comes before it. Deleting the model is still followed by this check.
    if "use_after_free" in failure.checks:
        return not failure.free.endswith("/checkpoints")
    return True


@schemathesis.deserializer("text/event-stream")
def stream_of_json(context, response) -> list:
    """The data of each event, as JSON.

    The tool would check an event with its fields, as OpenAPI 3.2 has it; 3.0 has no words for streams, and the schema
    is that of the data, as in OpenAI's own document. `[DONE]` ends a stream and is no JSON.
    """
    return [json.loads(text) for text in data_of(response) if text != "[DONE]"]


def data_of(response) -> list[str]:
    lines = response.content.decode().splitlines()
    return [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]


@schemathesis.check
def stream_ends_once(ctx, response, case) -> None:
    """A stream has one `[DONE]`, at its end: whoever reads it knows that nothing was cut off. The last event of a job
    says so itself, and so does that of a response."""
    if not response.headers.get("content-type", [""])[0].startswith("text/event-stream"):
        return
    operation = case.operation.definition.raw.get("operationId")
    if operation == "list_training_job_events":
        return
    data = data_of(response)
    if operation in ("create_message", "create_inference_message"):
        last = json.loads(data[-1])["type"]
        assert last in ("message_stop", "error"), f"{last} is the last event"
        return
    if operation in ("create_response", "create_inference_response"):
        last = json.loads(data[-1])["type"]
        assert last in ("response.completed", "response.incomplete", "response.failed"), f"{last} is the last event"
        return
    assert len(data) > 1 and data[-1] == "[DONE]" and data.count("[DONE]") == 1, f"[DONE] is not the end of {data[-2:]}"
    assert response.content.endswith(b"data: [DONE]\n\n"), "something follows [DONE]"
