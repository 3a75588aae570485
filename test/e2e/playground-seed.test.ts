/** A seed's bad days in the playground. */

import { expect, test } from "vitest";
import { startLocalWorld } from "../../emulator/local-world/index.ts";
import { PLAYGROUND_WORLD, startPlayground } from "../../playground/index.ts";
import { WORKFLOW_FILE } from "../../playground/site/mistakes.ts";
import { startStep } from "../support/run-action.ts";

test("a fault, a disabled workflow, a bot that closes issues, and another name show", async () => {
  await using world = await startLocalWorld({
    ...PLAYGROUND_WORLD,
    github: {
      faults: [{ path: "/actions/workflows", status: 403, message: "Not now", times: 2 }],
      changes: [
        { workflows: { [WORKFLOW_FILE]: "disabled_inactivity" } },
        { afterMs: 3_600_000, rename: { to: "acme/handbook" }, issuesClosedBy: "stale[bot]" },
      ],
    },
  });
  await using playground = await startPlayground(world, startStep);
  const get = async (path: string) => {
    const response = await fetch(`${playground.url}${path}`);
    return { path: new URL(response.url).pathname, text: await response.text() };
  };
  const send = async (path: string, fields: Record<string, string>) => {
    const sent = { method: "POST", body: new URLSearchParams(fields) };
    const response = await fetch(`${playground.url}${path}`, sent);
    expect(response.status).toBe(200);
  };
  const doctor = async (id: number, minutes: string) => {
    await send("/acme/docs/doctor", { minutes });
    const run = () => get(`/acme/docs/actions/runs/${id}`);
    const isOver = async () => (await run()).text.includes("Outputs of the step");
    await expect.poll(isOver, { timeout: 60_000 }).toBe(true);
    return run();
  };
  const disabled = "gh workflow enable docs.yml";
  const first = await doctor(1001, "1");
  expect(first.text).toContain("Not now");
  expect(first.text).not.toContain(disabled);
  expect((await get("/acme/docs/issues")).text).not.toContain("Closed</span>");
  const second = await doctor(1002, "60");
  expect(second.text).toContain(disabled);
  expect(second.path).toBe("/acme/handbook/actions/runs/1002");
  const issues = await get("/acme/docs/issues");
  expect(issues.path).toBe("/acme/handbook/issues");
  expect(issues.text).toContain("Closed</span>");
  // A page that was open before it was renamed still has forms with the former name.
  await send("/acme/docs/issues/1/comments", { body: "Not stale" });
  expect((await get("/acme/handbook/issues/1")).text).toContain("Not stale");
});
