/**
 * Two turns of a conversation with the packages of the AI SDK, for each case: `node libraries.mjs PROVIDER CASE`. Prints what the model
 * said last.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, streamText, tool } from "ai";
import { z } from "zod";

const [, , provider, name] = process.argv;
const { AGENTS_MODEL, AGENTS_PROMPT, AGENTS_HOME, OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
const models = {
    openai: () => createOpenAI({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY })(AGENTS_MODEL),
    anthropic: () => createAnthropic({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY })(AGENTS_MODEL),
};
const get_weather = tool({
    description: "Current weather of a city",
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `sunny in ${city}`,
});
const earlier = `${AGENTS_HOME}/${provider}.json`;
const messages = name === "resume" ? JSON.parse(readFileSync(earlier, "utf8")) : [];
messages.push({ role: "user", content: AGENTS_PROMPT });
const options = { model: models[provider](), tools: { get_weather }, stopWhen: isStepCount(4), maxRetries: 0, messages };
if (name === "stream" || name === "tools") {
    const deltas = [];
    const result = streamText({ ...options, onError: ({ error }) => { throw error; } });
    for await (const delta of result.textStream) deltas.push(delta);
    assert(deltas.length > 1);
    if (name === "tools") writeFileSync(earlier, JSON.stringify([...messages, ...(await result.response).messages]));
    console.log(deltas.join(""));
} else {
    console.log((await generateText(options)).text);
}
