import { expect, test } from "vitest";
import {
  type LocalWorld,
  type LocalWorldOptions,
  startLocalWorld,
} from "../../emulator/local-world/index.ts";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { issueOpened } from "../support/events.ts";
import { runAction } from "../support/run-action.ts";

const startWorld = (options: LocalWorldOptions = {}) =>
  startLocalWorld({ steering: { durationMs: 300 }, inspector: false, ...options });

const keys = ({ service }: LocalWorld) => ({
  "api-key": service.adminKey,
  "project-id": service.projectId,
  "base-url": service.url,
});

/** Runs the action on issue #1 of the emulated repository, by default with version 1. */
function run(world: LocalWorld, prompt: string, options: RunOptions = {}) {
  return runAction({
    ...issueOpened(1),
    repository: world.github.repository,
    apiUrl: world.github.url,
    serverUrl: world.github.url,
    token: world.github.token,
    ...options,
    inputs: {
      ...keys(world),
      prompt,
      "api-version": "v1",
      "poll-interval-seconds": "0.05",
      "poll-max-interval-seconds": "0.1",
      ...options.inputs,
    },
  });
}

const list = (world: LocalWorld, inputs: Record<string, string> = {}) =>
  runAction({ action: "jobs", inputs: { ...keys(world), ...inputs } });

test("if the list may lack jobs of version 2, the log and the summary say so", async () => {
  await using world = await startWorld({ service: { listWithoutVersion2: true } });
  const inputs = { "api-version": "v2", wait: "false" };
  const running = await run(world, "Explain.\nemulate: duration=never", { inputs });
  expect(running.outputs.status).toBe("active");
  const result = await list(world);
  expect(result.outputs).toMatchObject({ jobs: "[]", runningCount: "0" });
  const note = /started with version 2 may be missing/;
  expect(result.summary).toMatch(note);
  expect(result.visible.join("\n")).toMatch(note);
});
