import { Http } from "../../src/net/http.ts";
import { Cancellation } from "../../src/runtime/cancellation.ts";
import type { Dependencies } from "../../src/runtime/dependencies.ts";
import { Secrets } from "../../src/text/secrets.ts";

/** Dependencies whose outputs, states and log lines a test can read. */
export interface TestDependencies extends Dependencies {
  outputs: Dependencies["outputs"] & { values: Record<string, string>; states: unknown[] };
  lines: string[];
}

/** Dependencies that record what is written. The clock does not advance unless a test replaces it. */
export function dependenciesOf(
  over: Partial<Omit<Dependencies, "outputs">> = {},
): TestDependencies {
  const values: Record<string, string> = {};
  const states: unknown[] = [];
  const lines: string[] = [];
  const line = (level: string) => (text: string) => void lines.push(`${level}: ${text}`);
  return {
    title: "Docs agent",
    outputs: {
      values,
      states,
      setOutput: (name, value) => {
        values[name] = value ?? "";
      },
      saveState: (state) => void states.push(structuredClone(state)),
      writeSummary: line("summary"),
    },
    lines,
    log: {
      debug: line("debug"),
      info: line("info"),
      notice: line("notice"),
      warning: line("warning"),
      error: line("error"),
    },
    clock: { now: () => 0, timeOfDay: () => Date.UTC(2026, 0, 1), sleep: async () => {} },
    random: () => 0.5,
    http: new Http({}),
    secrets: new Secrets([]),
    cancellation: new Cancellation(),
    ...over,
  };
}
