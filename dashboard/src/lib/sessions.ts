/** Recorded sessions: the tree that their requests are. */
import type { Schemas } from "./api.js";
import { type Message, readMessage } from "./messages.js";

export type Session = Schemas["RecordedSession"];
export type Generation = Schemas["SessionGeneration"];

/** What was sampled for one request. */
export interface Turn {
  /** Counts the requests of the session from 1. */
  number: number;
  generation: Generation;
  /** Messages after those of the request that it goes on with; `undefined` if the requests were not read. */
  messages: Message[] | undefined;
}

/** Turns that go on with each other. */
export interface Branch {
  number: number;
  /** Turn of another branch that it goes on with, and the number of branches above it. */
  from: Turn | undefined;
  depth: number;
  turns: Turn[];
}

interface Linked extends Turn {
  parent: Linked | undefined;
  children: Linked[];
  /** Number of turns on the longest way from here. */
  length: number;
}

/** Messages that requests begin with, and the requests that have no further ones. */
interface Node {
  next: Map<string, Node>;
  turns: Linked[];
}

/** Returns the name of a model as people write it. */
export function modelName(model: string): string {
  return model.replace(/^wandb-artifact:\/\/\//, "");
}

export function progressOf({ reward, num_generations }: Session): string {
  return reward !== undefined ? "rewarded" : num_generations > 0 ? "without reward" : "nothing sampled";
}

/**
 * Orders the requests of a session as a tree. A request goes on with the one whose messages are the longest beginning of its
 * own; of several with the same messages, with the one that sampled what follows. The longest way through a branch stays one;
 * what else goes on with one of its turns is another branch.
 */
export function branchesOf(generations: readonly Generation[]): Branch[] {
  const turns = linked(generations);
  // Children come after their parents.
  for (const { parent, length } of turns.toReversed()) {
    if (parent) parent.length = Math.max(parent.length, length + 1);
  }
  const branches: Branch[] = [];
  const waiting = turns.filter(({ parent }) => !parent).map((first) => ({ first, depth: 0 })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { first, depth } = next;
    const branch: Branch = { number: branches.length + 1, from: first.parent, depth, turns: [] };
    branches.push(branch);
    const others: Linked[] = [];
    for (let turn: Linked | undefined = first; turn; ) {
      branch.turns.push(turn);
      const [longest, ...rest]: Linked[] = turn.children.toSorted((a, b) => b.length - a.length);
      others.push(...rest);
      turn = longest;
    }
    waiting.push(...others.reverse().map((other) => ({ first: other, depth: depth + 1 })));
  }
  return branches;
}

/** Finds for each request the one that it goes on with. */
function linked(generations: readonly Generation[]): Linked[] {
  const root: Node = { next: new Map(), turns: [] };
  /** Completions of texts, and requests that were not read, follow each other. */
  let bare: Linked | undefined;
  return generations.map((generation, index) => {
    const messages = messagesOf(generation);
    let [at, last, known]: [Node, Node, number] = [root, root, 0];
    messages.forEach((message, index) => {
      if (at.turns.length > 0) [last, known] = [at, index];
      const key = JSON.stringify(message);
      let next = at.next.get(key);
      if (!next) at.next.set(key, (next = { next: new Map(), turns: [] }));
      at = next;
    });
    const sampled = last.turns.findLast((turn) => isSaid(turn, messages[known]));
    const parent = messages.length === 0 ? bare : (sampled ?? last.turns.at(-1));
    // What the other request sampled is shown there.
    if (sampled) known += 1;
    const fresh = generation.request === undefined ? undefined : messages.slice(known).map(readMessage);
    const turn: Linked = { number: index + 1, generation, messages: fresh, parent, children: [], length: 0 };
    if (messages.length === 0) bare = turn;
    else at.turns.push(turn);
    parent?.children.push(turn);
    return turn;
  });
}

function messagesOf({ request }: Generation): unknown[] {
  const messages = request?.["messages"];
  return Array.isArray(messages) ? messages : [];
}

/** Returns whether a message is what a turn sampled. */
function isSaid({ generation }: Turn, message: unknown): boolean {
  const { role, content, tool_calls } = (message ?? {}) as Record<string, unknown>;
  const [said, calls] = [typeof content === "string" ? content.trim() : "", Array.isArray(tool_calls) ? tool_calls.length : 0];
  return role === "assistant" && generation.choices.some((choice) => choice.text.trim() === said && (choice.tool_calls ?? []).length === calls);
}
