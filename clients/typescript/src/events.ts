/** A server-sent event. */
export interface ServerEvent {
  /** Type of the event; empty if the stream does not set it. */
  event: string;
  /** Lines of data, joined by line feeds. */
  data: string;
  /** Last id that the stream has set; empty if there is none. */
  id: string;
}

/** Maximum number of characters of an event. */
const MAX_EVENT = 16 * 1024 * 1024;

/**
 * Decodes a stream of server-sent events, by the HTML specification, section 9.2. Leaving the loop cancels the stream,
 * which stops the generation.
 */
export async function* decodeEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  // Removes a byte order mark at the beginning, as the specification says.
  const decoder = new TextDecoder();
  let text = "";
  let next: ServerEvent = { event: "", data: "", id: "" };
  try {
    for (let done = false; !done; ) {
      const chunk = await reader.read();
      done = chunk.done;
      text += decoder.decode(chunk.value, { stream: !done });
      // A line feed may follow the last carriage return in the next chunk.
      const lines = text.split(done ? /\r\n|\r|\n/ : /\r\n|\r(?!$)|\n/);
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== "") {
          readField(line, next);
        } else if (next.data !== "") {
          yield { ...next, data: next.data.slice(0, -1) };
        }
        if (line === "") next = { event: "", data: "", id: next.id };
      }
      if (text.length + next.data.length > MAX_EVENT) {
        throw new RangeError(`an event of the stream has more than ${MAX_EVENT} characters`);
      }
    }
  } finally {
    await reader.cancel();
  }
}

/** Adds a line to an event. Lines that begin with a colon are comments. */
function readField(line: string, event: ServerEvent): void {
  const colon = line.indexOf(":");
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (name === "data") event.data += `${value}\n`;
  else if (name === "event") event.event = value;
  else if (name === "id" && !value.includes("\0")) event.id = value;
}
