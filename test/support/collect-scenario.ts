import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { schedule } from "./events.ts";
import { comment } from "./phrase-events.ts";
import { runAction } from "./run-action.ts";
import { API_KEY, MARKER, type Scenario, startScenario, TOKEN } from "./scenario.ts";

/** A scenario in which runs do not wait for their jobs, and a sweep finishes their comments. */
export interface CollectScenario extends Scenario {
  /** Runs a sweep, as a schedule does. */
  sweep(options?: RunOptions): Promise<RunResult>;
  /** Runs the root action by phrase on issue #7, without waiting for the job. */
  ask(options?: RunOptions): Promise<RunResult>;
}

export async function startCollectScenario(): Promise<CollectScenario> {
  const scenario = await startScenario();
  const { service, github } = scenario;
  return {
    ...scenario,
    ask: (options = {}) =>
      scenario.run({
        ...comment("/docs Describe the events."),
        ...options,
        inputs: { prompt: "", "trigger-phrase": "/docs", wait: "false", ...options.inputs },
      }),
    sweep: (options = {}) =>
      runAction({
        action: "collect",
        apiUrl: github.url,
        token: TOKEN,
        runId: "2002",
        ...schedule,
        ...options,
        inputs: {
          "api-key": API_KEY,
          "project-id": "docs",
          "base-url": service.url,
          "trigger-phrase": "/docs",
          ...options.inputs,
        },
      }),
    [Symbol.asyncDispose]: () => scenario[Symbol.asyncDispose](),
  };
}

/** The text of a comment, without its marker. */
function textOf(body: string): string {
  return body.replace(MARKER, "").trimEnd();
}

/** The text without the duration, which only a run that waits knows. */
export function untimed(body: string): string {
  return textOf(body).replace(/ · Took [^·\n]*(?= ·|$)/m, "");
}
