// undici by its parts. Its entry module also loads fetch, WebSocket, caches and mocks: with it, a run takes
// 1.8 times as long as the bare script of `npm run bench` instead of 1.5 (docs/performance.md). A test fails
// when these are no longer what the entry module exports.

/** What the entry module makes `agent.request` of. */
export { default as request } from "undici/lib/api/api-request.js";
/** TCP and TLS. */
export { default as buildConnector } from "undici/lib/core/connect.js";
/** Keeps connections, by origin. */
export { default as Agent } from "undici/lib/dispatcher/agent.js";
