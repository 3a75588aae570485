// What a run of the gate costs that has nothing to do.
import { writeFileSync } from "node:fs";
import { MemoryServers } from "../../emulator/local-world/memory-servers.ts";
import { type Row, time } from "./measure.ts";
import { serveMemory } from "./servers.ts";
import { actionStep, compare, fileOf } from "./sides.ts";

/** Bounds: see docs/performance.md. */
const MAX_IDLE_RATIO = 1.6;
const MAX_IDLE_REQUESTS = 4;

/** A pull request with its documentation. */
export async function benchGate(runs: number): Promise<Row[]> {
  const servers = new MemoryServers(() => ({ outcome: "no-changes", takes: 0 }));
  const commits = [{ files: { "src/a.ts": "1\n", "docs/a.md": "1\n" } }];
  const { number } = servers.repository.openPull({ commits });
  using server = await serveMemory(servers);
  const inputs = { "docs-paths": "docs/**", draft: "approved" };
  const action = actionStep("gate", server, inputs);
  const event = { action: "synchronize", number, pull_request: { number } };
  writeFileSync(fileOf("GITHUB_EVENT_PATH"), JSON.stringify(event));
  const { requests } = await time(action);
  const isService = (it: string) => it.includes(" /v2/");
  return [
    ["documented: requests to GitHub", requests.length, "requests", MAX_IDLE_REQUESTS],
    ["documented: requests to the service", requests.filter(isService).length, "requests", 0],
    ...(await compare("documented", action, "gate", { runs, time: MAX_IDLE_RATIO })),
  ];
}
