// What only a run with debug logging needs, to be loaded in one go.
export { DebugHttp } from "./debug-http.ts";
export { runLine } from "./run-line.ts";
