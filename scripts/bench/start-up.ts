// What an action's whole process takes, from start to exit, against a script that sends the same requests.
import type { Row } from "./measure.ts";
import { serveAtOnce } from "./servers.ts";
import { actionStep, compare } from "./sides.ts";

/** How much more than the script an action may take: see docs/performance.md. */
const MAX_TIME_RATIO = 2.0;
const MAX_MEMORY_RATIO = 1.5;

/** The bundle's folder in `dist`, and its inputs, by the name that the bare script has for its requests. */
const SCENARIOS: Record<string, [entry: string, inputs: Record<string, string>]> = {
  job: [
    "main",
    {
      prompt: "Bring the documentation up to date.",
      ...{ "poll-interval-seconds": "0.001", "issue-number": "1" },
    },
  ],
  jobs: ["jobs", {}],
  assistant: ["assistant", { domain: "docs", question: "How do I rotate a key?" }],
};

export async function benchStartUp(runs: number): Promise<Row[]> {
  using server = await serveAtOnce();
  const rows: Row[] = [];
  for (const [name, [entry, inputs]] of Object.entries(SCENARIOS)) {
    const bounds = { time: MAX_TIME_RATIO, memory: MAX_MEMORY_RATIO };
    const action = actionStep(entry, server, inputs);
    rows.push(...(await compare(name, action, name, { runs, ...bounds })));
  }
  return rows;
}
