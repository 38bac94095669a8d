/** A column of the playground: one model, its conversation, and the tokens of its answers. */
import { client, type Schemas, streamChatCompletion } from "./api.js";
import { json } from "./format.js";

/** A sampled token. */
export interface Token {
  id: string;
  text: string;
  logprob: number;
}

/** A message of the conversation. */
export interface Turn {
  role: "user" | "assistant";
  text: string;
  reasoning: string;
  tokens: Token[];
  seconds?: number;
  finish?: string;
}

/** Settings of a request that all columns share. */
export interface Sampling {
  system: string;
  temperature: number;
  max_tokens: number;
  seed: number | undefined;
}

type Request = Omit<Schemas["ChatCompletionStreamRequest"], "stream">;

export class Column {
  turns = $state<Turn[]>([]);
  busy = $state(false);
  error = $state.raw<unknown>();
  #abort: AbortController | undefined;

  stop = (): void => this.#abort?.abort();

  clear(): void {
    this.stop();
    [this.turns, this.error] = [[], undefined];
  }

  /** Returns the request for an answer to `text`, after the turns so far. */
  request(model: string, text: string, sampling: Sampling): Request {
    const said = this.turns.filter((turn) => turn.role === "user" || turn.text !== "");
    const messages = [...said, { role: "user" as const, text }].map(({ role, text }) => ({ role, content: text }));
    return {
      model,
      messages: sampling.system === "" ? messages : [{ role: "system", content: sampling.system }, ...messages],
      temperature: sampling.temperature,
      max_tokens: sampling.max_tokens,
      ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
    };
  }

  /** Sends a message and reads the answer token by token. */
  async send(model: string, text: string, sampling: Sampling): Promise<void> {
    const request = this.request(model, text, sampling);
    this.turns.push({ role: "user", text, reasoning: "", tokens: [] });
    this.turns.push({ role: "assistant", text: "", reasoning: "", tokens: [] });
    const turn = this.turns[this.turns.length - 1] as Turn;
    [this.busy, this.error, this.#abort] = [true, undefined, new AbortController()];
    const started = performance.now();
    // A character may span several tokens; it is shown with the last one.
    const decoder = new TextDecoder();
    try {
      for await (const { choices } of streamChatCompletion(client, request, { signal: this.#abort.signal })) {
        for (const { delta, finish_reason, logprobs } of choices) {
          turn.text += delta.content ?? "";
          turn.reasoning += delta.reasoning_content ?? "";
          for (const { token, bytes, logprob } of logprobs?.content ?? []) {
            const text = decoder.decode(new Uint8Array(bytes ?? []), { stream: true });
            turn.tokens.push({ id: token.replace("token_id:", ""), text, logprob });
          }
          if (finish_reason) turn.finish = finish_reason;
        }
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) this.error = error;
      else turn.finish = "stopped";
    } finally {
      const last = turn.tokens.at(-1);
      // Bytes of a character that never became whole.
      if (last) last.text += decoder.decode();
      turn.seconds = (performance.now() - started) / 1000;
      this.busy = false;
    }
  }
}

/** A request as a command of a shell. The key stays in a variable. */
export function asCurl(root: string, request: Request): string {
  const body = json(request, 2).replaceAll("'", `'\\''`);
  return `curl ${root}/v1/chat/completions \\\n  -H "Authorization: Bearer $TRAINYARD_API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}

/** A request as a program with OpenAI's client. */
export function asPython(root: string, request: Request): string {
  const options = Object.entries(request).map(([name, value]) => `    ${name}=${json(value)},`);
  return `import os\n\nfrom openai import OpenAI\n\nclient = OpenAI(base_url="${root}/v1", api_key=os.environ["TRAINYARD_API_KEY"])\ncompletion = client.chat.completions.create(\n${options.join("\n")}\n)\nprint(completion.choices[0].message.content)`;
}
