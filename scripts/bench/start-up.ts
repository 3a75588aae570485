// What whole processes take, from start to exit, that have little to do.
import { writeFileSync } from "node:fs";
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { actionStep, compare, fileOf, type Row } from "./measure.ts";
import { serveAtOnce, serveMemory } from "./servers.ts";

/** The bundle's folder in `dist`, and its inputs. */
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
    const action = actionStep(entry, server, inputs);
    rows.push(...(await compare(name, action, runs, { time: 2, memory: 1.5 })));
  }
  return rows;
}

/** The gate judges a pull request with its documentation. */
export async function benchGate(runs: number): Promise<Row[]> {
  const servers = new MemoryServers(() => ({ outcome: "no-changes", takes: 0 }));
  const commits = [{ files: { "src/a.ts": "1\n", "docs/a.md": "1\n" } }];
  const { number } = servers.repository.openPull({ commits });
  using server = await serveMemory(servers);
  const action = actionStep("gate", server, { "docs-paths": "docs/**", draft: "approved" });
  const event = { action: "synchronize", number, pull_request: { number } };
  writeFileSync(fileOf("GITHUB_EVENT_PATH"), JSON.stringify(event));
  return await compare("documented", action, runs, { time: 1.6, toGitHub: 4, toService: 0 });
}
