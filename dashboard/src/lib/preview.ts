/** The first rows of a file, read without the rest of it. */
import { client, errorOf } from "./api.js";
import { type Message, readMessage } from "./messages.js";

/** Number of bytes that are read. */
const BYTES = 64 << 10;
/** Maximum number of rows. */
const ROWS = 20;
/** Maximum number of characters of a text. */
const CHARACTERS = 2000;

/** A row: its messages if it is a conversation, else its text. */
export interface Row {
  number: number;
  messages?: Message[];
  text: string;
  /** Why the row is not JSON. */
  fault?: string;
}

export interface Preview {
  rows: Row[];
  /** Whether the file has more rows. */
  hasMore: boolean;
}

/** Reads the first rows of a file of `size` bytes. */
export async function preview(file_id: string, size: number, signal: AbortSignal): Promise<Preview> {
  if (size === 0) return { rows: [], hasMore: false };
  const { data, error, response } = await client.GET("/v1/files/{file_id}/content", {
    params: { path: { file_id }, header: { Range: `bytes=0-${BYTES - 1}` } },
    parseAs: "text",
    signal,
  });
  if (!response.ok) throw errorOf(response, error);
  const lines = String(data).split("\n");
  // The last line may go on behind the part that was read.
  const isWhole = size <= BYTES;
  if (!isWhole && lines.length > 1) lines.pop();
  const rows = lines.map((text, index) => ({ text, number: index + 1 })).filter(({ text }) => text.trim() !== "");
  return { rows: rows.slice(0, ROWS).map((row) => readRow(row, isWhole || lines.length > 1)), hasMore: !isWhole || rows.length > ROWS };
}

function readRow({ text, number }: { text: string; number: number }, isWhole: boolean): Row {
  const row = { number, text: cut(text) };
  try {
    const value = JSON.parse(text) as unknown;
    const messages = typeof value === "object" && value !== null && "messages" in value ? value.messages : undefined;
    return Array.isArray(messages) ? { ...row, messages: messages.map(readMessage) } : row;
  } catch (error) {
    return isWhole ? { ...row, fault: error instanceof Error ? error.message : String(error) } : row;
  }
}

function cut(text: string): string {
  return text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}… (${text.length} characters)` : text;
}
