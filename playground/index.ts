/**
 * The playground: the local world in a browser. Pages show the emulated GitHub and the agent's jobs, forms do what
 * people do on GitHub, and the committed bundles answer, as in a workflow there.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import type { LocalWorld, LocalWorldOptions } from "../emulator/local-world/index.ts";
import { REPOSITORY_ROOT } from "../emulator/runner/runner.ts";
import type { StartStep } from "./actions/step.ts";
import { readWorkflow } from "./actions/workflow.ts";
import { WorkflowRuns } from "./actions/workflow-runs.ts";
import { serve } from "./http/server.ts";
import { Acts, BY_COMMENT, GATE_SCHEDULE, TEAM, WITHOUT_WAITING } from "./site/acts.ts";
import { WORKFLOW_FILE } from "./site/mistakes.ts";
import { SiteReader } from "./site/reader.ts";
import { TASKS, TASKS_FILE } from "./site/tasks.ts";

export interface Playground extends AsyncDisposable {
  /** URL for a browser, on loopback. */
  url: string;
  close(): Promise<void>;
}

/** The workflows that the repository of the local world has, from the project's examples. */
const WORKFLOWS = [
  BY_COMMENT,
  TEAM,
  "examples/upkeep.yml",
  "examples/gate.yml",
  "examples/land.yml",
  "examples/deploy-preview.yml",
  "examples/doctor.yml",
  WITHOUT_WAITING,
  "examples/collect.yml",
  "examples/queue.yml",
  "examples/answer-questions.yml",
  "examples/list-jobs.yml",
  GATE_SCHEDULE,
];

/** What a local world needs for a playground. */
export const PLAYGROUND_WORLD: LocalWorldOptions = {
  files: {
    [TASKS_FILE]: TASKS,
    [WORKFLOW_FILE]: readFileSync(path.join(REPOSITORY_ROOT, TEAM), "utf8"),
  },
  // As where workflows start on the agent's pull requests.
  steering: { checks: "green" },
  hasOneClock: true,
  // Older than what upkeep looks at first.
  ageMs: 30 * 24 * 3_600_000,
  // A bad day of GitHub is a line here, such as `faults: [{ path: "/merge$", status: 405 }]`, and one of the service
  // a line in `service`.
  github: {},
  service: {},
};

/**
 * Starts a playground on a local world, which keeps running when the playground is closed.
 *
 * @param start starts the steps; default: as processes
 */
export async function startPlayground(world: LocalWorld, start?: StartStep): Promise<Playground> {
  const runs = new WorkflowRuns(world, WORKFLOWS.flatMap(readWorkflow), start);
  const site = new SiteReader(world.github);
  const server = await serve({ world, site, runs, acts: new Acts(world, runs) });
  const close = async () => {
    await runs.close();
    await server.close();
  };
  return { url: server.url, close, [Symbol.asyncDispose]: close };
}
