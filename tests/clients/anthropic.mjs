/**
 * Samples messages of a running service with `@anthropic-ai/sdk`: whole, streamed, with a tool in two turns, and as errors.
 *
 *   TRAINYARD_BASE_URL=… TRAINYARD_API_KEY=… node anthropic.mjs
 */
import assert from "node:assert/strict";

import Anthropic from "@anthropic-ai/sdk";

const baseURL = process.env["TRAINYARD_BASE_URL"];
const key = process.env["TRAINYARD_API_KEY"];
const client = new Anthropic({ baseURL, apiKey: key, maxRetries: 0 });
const model = "trainyard/seedling";
const question = { role: "user", content: "What is the weather in Rome?" };
const input_schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const request = { model, max_tokens: 16, messages: [question], seed: 3 };

const whole = await client.messages.create(request);
assert(whole.usage.output_tokens > 0 && whole.stop_sequence === null);
const texts = [];
const stream = client.messages.stream(request).on("text", (text) => texts.push(text));
const final = await stream.finalMessage();
assert.deepEqual(final.content, whole.content);
assert.equal(texts.join(""), whole.content.map((block) => block.text).join(""));
const bearer = new Anthropic({ baseURL, apiKey: null, authToken: key, maxRetries: 0 });
assert.deepEqual((await bearer.beta.messages.create(request)).content, whole.content);

const tools = [{ name: "get_weather", description: "Current weather of a city", input_schema }];
const forced = { ...request, max_tokens: 64, tools, tool_choice: { type: "tool", name: "get_weather" } };
const called = await client.messages.stream(forced).finalMessage();
const [call] = called.content;
assert(called.stop_reason === "tool_use" && call.type === "tool_use" && typeof call.input.city === "string");
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "sunny" }] };
const messages = [question, { role: "assistant", content: called.content }, result];
assert((await client.messages.create({ ...request, tools, messages })).usage.input_tokens > 0);
assert((await client.messages.countTokens({ model, messages, tools })).input_tokens > 0);

await assert.rejects(client.messages.create({ ...request, model: "nobody/knows" }), Anthropic.NotFoundError);
await assert.rejects(client.messages.create({ ...request, temperature: 9 }), Anthropic.UnprocessableEntityError);
const listed = [];
for await (const { id } of client.models.list()) listed.push(id);
assert(listed.includes(model));
