// The parts of undici that the action uses. undici's entry module also loads fetch, WebSocket, caches and mocks: with
// it, a run takes 2.1 times as long as the bare script of `npm run bench` instead of 1.7 (docs/performance.md). A test
// fails if the entry module exports something else.

/**
 * Sends a request. It turns the callbacks of the agent's `dispatch` into a status, headers and a readable body. Only
 * undici's entry module adds it to the agent as a method. `http.ts` wraps the handler's `onConnect`, which shows
 * whether a request got a connection, and so what may be sent again.
 */
export { default as request } from "undici/lib/api/api-request.js";
/** Connects, with TLS if needed. undici itself does not use the proxies from the environment (`connections.ts`). */
export { default as buildConnector } from "undici/lib/core/connect.js";
/**
 * Keeps connections by origin, so that the polls of a run share one. Node's `fetch` uses the same class, but gives no
 * access to it, so that it cannot use a connector.
 */
export { default as Agent } from "undici/lib/dispatcher/agent.js";
