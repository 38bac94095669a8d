/** Parts of the TypeScript client that the page uses. */
export { decodeEvents, streamChatCompletion, TrainyardError, unwrap } from "trainyard";
export { errorOf } from "../../../clients/typescript/src/error.js";
