/** Messages of conversations, as pages show them. */

export interface Message {
  role: string;
  text: string;
}

/** A message of any format: its content as text, and what else it has as JSON. */
export function readMessage(message: unknown): Message {
  if (typeof message !== "object" || message === null) return { role: "?", text: JSON.stringify(message) };
  const { role, content, ...others } = message as Record<string, unknown>;
  const more = Object.keys(others).length > 0 ? JSON.stringify(others) : "";
  const text = typeof content === "string" ? content : content == null ? "" : JSON.stringify(content);
  return { role: typeof role === "string" ? role : "?", text: [text, more].filter(Boolean).join("\n") };
}
