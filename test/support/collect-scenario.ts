import type { RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { schedule } from "./events.ts";
import { comment } from "./phrase-events.ts";
import { runAction } from "./run-action.ts";
import { API_KEY, MARKER, type Scenario, startScenario, TOKEN } from "./scenario.ts";

/** A scenario in which runs do not wait, and a sweep comes later. */
export interface CollectScenario extends Scenario {
  /** A sweep, as a schedule starts it. */
  sweep(options?: RunOptions): Promise<RunResult>;
  /** A run of the root action by phrase on issue #7 that does not wait. */
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
export function textOf(body: string): string {
  return body.replace(MARKER, "").trimEnd();
}

/** The same without the time that the run took, which only a run that waited knows. */
export function untimed(body: string): string {
  return textOf(body).replace(/ · Took [^·\n]*(?= ·|$)/m, "");
}
