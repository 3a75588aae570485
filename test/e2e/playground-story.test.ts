/** The story with which the playground opens: a merged change is documented by the team workflow, and the gate. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { PLAYGROUND_WORLD, type Playground, startPlayground } from "../../playground/index.ts";
import { startStep } from "../support/run-action.ts";

let world: LocalWorld;
let playground: Playground;

beforeAll(async () => {
  const steering = { ...PLAYGROUND_WORLD.steering, durationMs: 200 };
  world = await startLocalWorld({ ...PLAYGROUND_WORLD, steering });
  playground = await startPlayground(world, startStep);
});
afterAll(async () => {
  await playground?.close();
  await world?.close();
});

async function page(path = ""): Promise<string> {
  return (await fetch(`${playground.url}/acme/docs${path}`)).text();
}

/** Sends a form, and waits until no run is queued or in progress. */
async function send(path: string, fields: Record<string, string>): Promise<void> {
  const body = new URLSearchParams(fields);
  const { status } = await fetch(`${playground.url}/acme/docs${path}`, { method: "POST", body });
  expect(status).toBe(200);
  const isBusy = async () => /pill busy">(queued|in progress)/.test(await page("/actions"));
  await expect.poll(isBusy, { timeout: 60_000 }).toBe(false);
}

const letAnHourPass = () => send("/team", { how: "hour" });

/** The part of the first page with the story. */
async function story(): Promise<string> {
  const [, part = ""] =
    /(<h1>Try the team workflow[\s\S]*?)<h2>Every action/.exec(await page()) ?? [];
  return part;
}

/** The newest run of the team workflow. */
async function lastRun(): Promise<string> {
  const [, path = ""] =
    /href="\/acme\/docs(\/actions\/runs\/\d+)">Docs</.exec(await page("/actions")) ?? [];
  return page(path);
}

const jobs = async () => (await world.service.jobs()).length;

test("a merged change is documented, reviewed and merged, and the gate's status turns green", async () => {
  expect(await story()).toContain("examples/team.yml");
  await send("/changes", { title: "Retry webhooks", how: "merge" });
  const [code] = world.github.home.pulls;
  expect(await story()).toContain(`href="/acme/docs/pull/${code?.number}">Retry webhooks</a>`);

  // The first run by hand starts nothing.
  await send("/team", { how: "hand" });
  expect(await lastRun()).toContain("Outputs of doctor");
  expect(await jobs()).toBe(0);

  await letAnHourPass();
  expect(await story()).toMatch(/The last run<\/a> <span class="pill good">success/);
  for (const action of ["doctor", "upkeep", "land", "collect"])
    expect(await lastRun()).toContain(`Outputs of ${action}</h2>`);
  expect(await jobs()).toBe(1);

  await letAnHourPass();
  const docs = world.github.home.pulls.at(-1);
  const address = `/pull/${docs?.number}`;
  expect(await story()).toContain(`href="/acme/docs${address}"`);
  expect(await page(address)).toContain("Ready for review");
  expect(await page(address)).toContain("review asked of writer");
  expect(await page(address)).toContain("Let an hour pass");

  await send(`${address}/reviews`, { event: "REQUEST_CHANGES", body: "Name the delay." });
  expect(await story()).toContain("changes requested");
  const before = docs?.head;
  await letAnHourPass();
  await world.service.untilJobsEnd();
  await letAnHourPass();
  expect(world.github.home.pulls.at(-1)?.head).not.toBe(before);

  await send(`${address}/reviews`, { event: "APPROVE", login: "maintainer" });
  await send(`${address}/end`, { how: "merge" });
  await letAnHourPass();
  expect(await story()).toContain('pill merged">Merged');
  const [, dashboard = ""] =
    /href="\/acme\/docs(\/issues\/\d+)">Docs upkeep/.exec(await page("/issues")) ?? [];
  expect(await page(dashboard)).toContain("1 of 1 change documented");

  await send("/changes", { title: "Add a flag", how: "open" });
  const last = world.github.home.pulls.at(-1);
  expect(await story()).toContain('pill bad">docs gate: failure');
  await send(`/pull/${last?.number}/reviews`, { event: "APPROVE", login: "maintainer" });
  expect(await story()).toContain('pill good">docs gate: success');
});

test("a comment with a request is answered by the team workflow, and the gate looks again after it", async () => {
  await send("/issues/1/comments", { body: "/docs explain keys" });
  expect(await page("/issues/1")).toContain("completed with a pull request");
  const runs = await page("/actions");
  expect(runs).toContain(">After Docs,");
  expect(runs).not.toContain(`>Docs by comment</a><span class="pill good">`);
});
