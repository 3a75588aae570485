import { setFlagsFromString } from "node:v8";

/**
 * undici's parser is WebAssembly, which V8 begins to optimize in the background after a few answers, and
 * waits for at the end of the process: a third of all CPU time of a run (docs/performance.md).
 * Without, it is fast enough. V8 says nothing of a flag that it does not know: test/project/v8-flags.test.ts
 * fails when Node no longer has this one.
 */
export const NO_WASM_OPTIMIZATION = "--wasm-tiering-budget=100000000";

/** Sets V8's flags for the whole process, before any WebAssembly is compiled. */
export function setV8Flags(): void {
  setFlagsFromString(NO_WASM_OPTIMIZATION);
}
