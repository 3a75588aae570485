import { expect, test } from "vitest";
import { doctor } from "../../src/doctor/doctor.ts";
import { gate } from "../../src/gate/gate.ts";
import { land } from "../../src/land/land.ts";
import { ExchangeError } from "../../src/net/http.ts";
import { queue } from "../../src/queue/queue.ts";
import { Cancellation } from "../../src/runtime/cancellation.ts";
import { upkeep } from "../../src/upkeep/upkeep.ts";
import { dependenciesOf } from "../support/dependencies.ts";
import { HttpInProcess, INPUTS_IN_PROCESS } from "../support/http-in-process.ts";
import { contextOf } from "../support/run-context.ts";
import { makeWorkspace } from "../support/workspace.ts";

const CONTINUES = "What was sent is recorded. The next run continues.";

test.each([
  { action: upkeep, inputs: { sources: "acme/code" }, advice: CONTINUES },
  { action: queue, inputs: { "tasks-file": "tasks.yml" }, advice: CONTINUES },
  {
    action: land,
    inputs: {},
    advice: "What was done is recorded. The next run continues.",
  },
  { action: gate, inputs: { "docs-paths": "docs/**" }, advice: "Run the job again." },
  { action: doctor, inputs: {}, advice: "There are no findings. Run doctor again." },
])("a cancelled run of $action.name says what is true of it", async ({ action, ...expected }) => {
  using workspace = makeWorkspace();
  workspace.write("tasks.yml", "- id: a\n  prompt: Improve it.\n");
  const cancellation = new Cancellation();
  const http = new HttpInProcess(async () => {
    cancellation.cancel();
    throw new ExchangeError("sent", "stopped", "stopped by the run");
  });
  const inputs: Record<string, string> = { ...INPUTS_IN_PROCESS, ...expected.inputs };
  const dependencies = dependenciesOf({ http, cancellation });
  const context = { ...contextOf("schedule"), workspace: workspace.path };
  const run = action((name) => inputs[name] ?? "", context, dependencies);
  const problem = "The workflow run was cancelled.";
  const { advice } = expected;
  await expect(run).rejects.toMatchObject({ kind: "cancelled", problem, advice });
});
