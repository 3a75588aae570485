import { expect, test } from "vitest";
import { setUpkeepWorld } from "../support/upkeep-world.ts";

const HOUR = 3_600_000;
/** What GitHub takes of an issue or a comment, in characters. */
const MAX_BODY = 65_536;

test("with 1,400 changes to hand over, the dashboard fits into an issue, and every run goes on", async () => {
  await using scene = await setUpkeepWorld();
  await scene.history.grow({ repository: "acme/code", pulls: 1400, commits: 1, days: 40 });
  const inputs = { repositories: "acme/code", since: "2020-01-01" };
  const first = await scene.run({ inputs });
  expect(first.outputs.result).toBe("started");
  const handed = Number(first.outputs.changeCount);
  // With the commit that the repository began with.
  const all = 1401;
  expect(Number(first.outputs.waitingCount)).toBe(all - handed);
  const body = await scene.body();
  expect(body.length).toBeLessThanOrEqual(MAX_BODY);
  expect(body).toMatch(/## Waiting[\s\S]*- … and 1\d\d\d more/);
  // At work: what waits is known from the body alone.
  const busy = await scene.run({ inputs });
  expect(busy.outputs).toMatchObject({ result: "busy", waitingCount: String(all - handed) });
  await scene.passTime();
  const second = await scene.run({ inputs });
  expect(second.outputs.result).toBe("continued");
  const rest = all - handed - Number(second.outputs.changeCount);
  expect(second.outputs.waitingCount).toBe(String(rest));
});

test("*Done* names more than the last few batches, and the next batch goes to the last job days later", async () => {
  await using scene = await setUpkeepWorld();
  const numbers = Array.from({ length: 10 }, (_, at) => at);
  let jobId = "";
  for (const batch of numbers) {
    await scene.history.push(
      numbers.map((at) => ({ message: `Change ${batch}.${at}, with a title of some length` })),
    );
    const run = await scene.run({ inputs: { "open-pull-request": "new" } });
    expect(run.outputs).toMatchObject({ result: "started", changeCount: "10" });
    jobId = run.outputs.jobId ?? "";
    await scene.history.advance(3 * HOUR);
  }
  await scene.run();
  const done = (await scene.body()).split("## Done")[1]?.split("\n## ")[0] ?? "";
  expect(done.match(/^- /gm)).toHaveLength(10);
  await scene.history.advance(72 * HOUR);
  await scene.history.push({ message: "Days later" });
  expect((await scene.run()).outputs).toMatchObject({ result: "continued", jobId });
});

test("the agent's own pull request does not count, though its batch is long forgotten", async () => {
  await using scene = await setUpkeepWorld();
  const inputs = { "open-pull-request": "new", "max-jobs-per-day": "100" };
  await scene.history.push({ message: "The first change" });
  await scene.run({ inputs });
  await scene.history.advance(3 * HOUR);
  const finished = JSON.parse((await scene.run({ inputs })).outputs.finished ?? "");
  const own = Number(finished[0].prLink.split("/").at(-1));
  for (let batch = 0; batch < 8; batch += 1) {
    await scene.history.push(
      Array.from({ length: 20 }, (_, at) => ({
        message: `${batch}.${at} ${Array.from({ length: 16 }, (__, nth) => Math.imul(batch * 20 + at + 1, 40_503 * (nth + 1)).toString(36)).join("")}`,
      })),
    );
    await scene.run({ inputs });
    await scene.history.advance(3 * HOUR);
  }
  await scene.run({ inputs });
  expect(await scene.body()).not.toContain("The first change");
  await scene.history.merge(own);
  const run = await scene.run({ inputs });
  expect(run.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(await scene.body()).toContain("opened by the documentation agent");
});

test("what is handed over again is told as fully as the first time", async () => {
  await using scene = await setUpkeepWorld({ steering: { durationMs: 0, outcome: "failed" } });
  await scene.history.land({ title: "Add a limit", body: "The limit is 20.", labels: ["feature"] });
  await scene.history.push({ message: "Raise it\n\nTo 30.", files: { "src/limit.ts": "30\n" } });
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await scene.run({ inputs: { "include-diff": "true" } });
    await scene.passTime();
  }
  const [first = "", second = ""] = await scene.prompts();
  for (const part of ["The limit is 20.", "Labels: feature", "To 30.", "src/limit.ts (+1 -0)"]) {
    expect(first).toContain(part);
  }
  expect(second).toBe(first);
});

test("what a run found ended is told and shown, though the changes cannot be read", async () => {
  await using scene = await setUpkeepWorld();
  await scene.history.land({ title: "Landed" });
  await scene.run();
  await scene.passTime();
  await scene.history.land({ title: "After" });
  const run = await scene.run({ inputs: { since: "", repositories: "acme/docs\nacme/no" } });
  expect(run.exitCode).toBe(1);
  expect(run.outputs.errorMessage).toContain("Nothing was sent");
  expect(JSON.parse(run.outputs.finished ?? "")).toMatchObject([{ status: "completed" }]);
  expect(await scene.body()).toMatch(/## Done\n\n- \[docs pull request/);
});

test("an event that asks for nothing leaves outputs that a workflow can parse", async () => {
  await using scene = await setUpkeepWorld();
  const event = { action: "edited", sender: { type: "Bot" }, issue: { number: 1, body: "" } };
  const run = await scene.run({ eventName: "issues", event });
  expect(run.outputs).toMatchObject({ result: "idle", changes: "[]", finished: "[]" });
});
