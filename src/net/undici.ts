// undici by its parts. Its entry module also loads fetch, WebSocket, caches and mocks: with it, a run takes
// 2.1 times as long as the bare script of `npm run bench` instead of 1.7 (docs/performance.md). A test fails
// when these are no longer what the entry module exports.

/**
 * Sends a request. Only the entry module makes a method of the agent of it: an agent that is loaded by itself
 * has `dispatch` alone, whose callbacks this turns into a status, headers and a body that can be read.
 */
export { default as request } from "undici/lib/api/api-request.js";
/**
 * Connects, and agrees on TLS. `connector.ts` calls it for each connection, because undici's own use of it
 * neither tells whether a connection was ever made, which decides what may be sent again, nor goes through a
 * proxy that the environment names.
 */
export { default as buildConnector } from "undici/lib/core/connect.js";
/**
 * Keeps connections, by origin, so that the polls of a run share one. Node's own `fetch` is made of the same
 * class, but hides it, and with it the option to bring a connector.
 */
export { default as Agent } from "undici/lib/dispatcher/agent.js";
