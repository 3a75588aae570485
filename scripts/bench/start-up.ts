// Measures whole processes with little to do, from start to exit.
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { actionStep, compare, median, type Row, type Side, time } from "./measure.ts";
import { serveAtOnce, serveMemory } from "./servers.ts";

/** The action's folder, and its inputs. */
const SCENARIOS: Record<string, [action: string, inputs: Record<string, string>]> = {
  job: [
    ".",
    {
      prompt: "Bring the documentation up to date.",
      "poll-interval-seconds": "0.001",
      "issue-number": "1",
    },
  ],
  deploy: ["deploy", { "poll-interval-seconds": "0.001" }],
  jobs: ["jobs", {}],
  assistant: ["assistant", { domain: "docs", question: "How do I rotate a key?" }],
};

/** By the scenario, as multiples of the script's. */
const BOUNDS: Record<string, { time: number; memory: number }> = {
  job: { time: 1.4, memory: 1.01 },
  deploy: { time: 1.4, memory: 1.5 },
};

export async function benchStartUp(runs: number): Promise<Row[]> {
  using server = await serveAtOnce();
  const rows: Row[] = [];
  for (const [name, [action, inputs]] of Object.entries(SCENARIOS)) {
    const bounds = BOUNDS[name] ?? { time: 2, memory: 1.5 };
    rows.push(...(await compare(name, actionStep(action, server, inputs), runs, bounds)));
  }
  return [...rows, await withPostStep(rows, actionStep(".", server), runs)];
}

/** @param rows measurements of the main step alone */
async function withPostStep(rows: readonly Row[], main: Side, runs: number): Promise<Row> {
  const walls: number[] = [];
  const post = { ...main, file: main.file.replace(/index\.js$/, "post.js") };
  for (let run = 0; run < runs; run++) walls.push((await time(post)).wall);
  const timeOf = (side: string) =>
    rows.find(([name]) => name === `job: time of the ${side}`)?.[1] ?? Number.NaN;
  const ratio = (timeOf("action") + median(walls)) / timeOf("script");
  return ["job: time with its post step, to the script's", ratio, "×", 1.8];
}

/** The gate judges a pull request with its documentation. */
export async function benchGate(runs: number): Promise<Row[]> {
  const servers = new MemoryServers(() => ({ outcome: "no-changes", takes: 0 }));
  const commits = [{ files: { "src/a.ts": "1\n", "docs/a.md": "1\n" } }];
  const { number } = servers.repository.openPull({ commits });
  using server = await serveMemory(servers);
  const event = { action: "synchronize", number, pull_request: { number } };
  const inputs = { "docs-paths": "docs/**", draft: "approved" };
  const action = actionStep("gate", server, inputs, { eventName: "pull_request", event });
  return await compare("documented", action, runs, { time: 1.6, toGitHub: 4, toService: 0 });
}

/** Doctor checks a set-up in which nothing is wrong. */
export async function benchDoctor(runs: number): Promise<Row[]> {
  const servers = new MemoryServers(() => ({ outcome: "no-changes", takes: 0 }));
  const workflow = "on: workflow_dispatch\n";
  servers.repository.push({ files: { ".github/workflows/docs.yml": workflow } });
  using server = await serveMemory(servers);
  const action = actionStep("doctor", server, {}, { eventName: "workflow_dispatch" });
  return await compare("healthy", action, runs, { time: 2.2, toGitHub: 20, toService: 1 });
}
