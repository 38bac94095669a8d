"""Calls a running service through the client that openapi-python-client generates from `trainyard spec --for clients`.

    TRAINYARD_BASE_URL=… TRAINYARD_API_KEY=… PYTHONPATH=DIRECTORY python generated_python.py
"""
import io
import json
import os

from generated import AuthenticatedClient
from generated.api.chat import create_chat_completion, create_chat_completion_stream
from generated.api.files import create_file, get_file_content
from generated.api.models import create_model, log_trajectories
from generated.models import (
    ChatCompletion,
    ChatCompletionChunk,
    ChatCompletionRequest,
    ChatCompletionStreamRequest,
    CreateFile,
    ErrorResponse,
    FilePurpose,
    LogRequest,
    ModelCreate,
    ModelResponse,
    Trajectory,
    TrajectoryGroup,
    UserMessage,
    UserRole,
)
from generated.models import File as UploadedFile
from generated.types import File

MODEL = "trainyard/seedling"


def main() -> None:
    client = AuthenticatedClient(base_url=os.environ["TRAINYARD_BASE_URL"], token=os.environ["TRAINYARD_API_KEY"])
    messages = [UserMessage(role=UserRole.USER, content="yes, no or maybe?")]

    completion = create_chat_completion.sync(
        client=client, body=ChatCompletionRequest(model=MODEL, messages=messages, max_tokens=4)
    )
    assert isinstance(completion, ChatCompletion), completion
    assert isinstance(completion.choices[0].message.content, str), completion

    stream = create_chat_completion_stream.sync(
        client=client,
        body=ChatCompletionStreamRequest(model=MODEL, messages=messages, max_tokens=4, stream=True),
    )
    assert isinstance(stream, str), stream
    events = [line.removeprefix("data: ") for line in stream.splitlines() if line.startswith("data: ")]
    assert events[-1] == "[DONE]", events
    chunks = [ChatCompletionChunk.from_dict(json.loads(event)) for event in events[:-1]]
    assert len(chunks) > 2, chunks

    absent = create_chat_completion.sync(client=client, body=ChatCompletionRequest(model="no/model", messages=messages))
    assert isinstance(absent, ErrorResponse) and absent.error.code == "model_not_found", absent

    model = create_model.sync(client=client, body=ModelCreate(project="tests", name="python", base_model=MODEL))
    assert isinstance(model, ModelResponse), model
    groups = [TrajectoryGroup(trajectories=[Trajectory(reward=1.0)])]
    logged = log_trajectories.sync(model.id, client=client, body=LogRequest(split="val", trajectory_groups=groups))
    assert not isinstance(logged, ErrorResponse), logged

    upload = CreateFile(purpose=FilePurpose.FINE_TUNE, file=File(payload=io.BytesIO(b"{}"), file_name="a.jsonl"))
    file = create_file.sync(client=client, body=upload)
    assert isinstance(file, UploadedFile), file
    content = get_file_content.sync(file.id, client=client)
    assert isinstance(content, File) and content.payload.read() == b"{}", content


if __name__ == "__main__":
    main()
