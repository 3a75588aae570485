import { describe, expect, test } from "vitest";
import { startWorld, type World } from "../support/world/world.ts";

/** Sets up a ledger with one documented change. */
async function setUpDocumented(): Promise<World> {
  const world = await startWorld();
  await world.github.land({ title: "First" });
  await world.run("upkeep");
  await world.passTime();
  await world.run("upkeep");
  return world;
}

test("the ledger consists of three files under its own ref, and each commit's message says what happened", async () => {
  await using world = await setUpDocumented();
  const { ref, files, log, ledger, sha } = world.ledger("upkeep");
  expect(ref).toMatch(/^refs\/docs-agent\/upkeep\/[0-9a-f]{12}$/);
  const month = new Date(world.github.emulated.site.now).toISOString().slice(0, 7);
  expect(Object.keys(files)).toEqual(["README.md", `history/${month}.jsonl`, "ledger.json"]);
  const line = JSON.parse(files[`history/${month}.jsonl`] ?? "");
  expect(line).toMatchObject({ state: "done", changes: [{ title: "First" }] });
  expect(log.toReversed()).toEqual([
    "Hand over 1 change: #2",
    expect.stringMatching(/^Job \S+ took #2$/),
    expect.stringMatching(/^Show the ledger on issue #\d+$/),
    expect.stringMatching(/^Job \S+ completed: docs pull request #\d+$/),
  ]);
  expect(ledger).toMatchObject({ version: 1, action: "upkeep", writes: 4, batches: [] });
  const idle = await world.run("upkeep");
  expect(idle.outputs).toMatchObject({ result: "idle", ledgerSha: sha });
  expect(world.ledger("upkeep").sha).toBe(sha);
});

test("the action writes only the ledger's ref, and never forces it", async () => {
  await using world = await setUpDocumented();
  await world.github.land({ title: "Second" });
  await world.run("upkeep");
  const requests = world.received("github");
  const writes = requests.filter(({ method, path }) => method !== "GET" && path.includes("/git/"));
  const { ref } = world.ledger("upkeep");
  const moves = writes.filter(({ path }) => path.includes("/git/refs"));
  expect(moves.length).toBeGreaterThan(4);
  for (const { method, path, body } of moves) {
    const target =
      method === "POST" ? JSON.parse(String(body)).ref : `refs/${path.split("/git/refs/")[1]}`;
    expect(target).toBe(ref);
    if (method === "PATCH") expect(JSON.parse(String(body)).force).toBe(false);
  }
  const others = writes.filter(({ path }) => !path.includes("/git/refs"));
  expect(new Set(others.map(({ path }) => path.split("/git/")[1]))).toEqual(
    new Set(["trees", "commits"]),
  );
});

test("`ledger-ref` can be a branch", async () => {
  await using world = await startWorld();
  await world.github.land();
  const inputs = { "ledger-ref": "refs/heads/docs-ledger" };
  expect((await world.run("upkeep", { inputs })).outputs.result).toBe("started");
  expect(world.github.home.refs.get("refs/heads/docs-ledger")).toBeDefined();
  expect(world.ledgers()).toEqual([]);
  expect((await world.run("upkeep", { inputs })).outputs).toMatchObject({
    result: "idle",
    finishedCount: "1",
  });
});

test("a missing ref is restored at the commit that the dashboard names, with all entries", async () => {
  await using world = await startWorld({
    service: { faults: [{ route: "v2-create", status: 500 }] },
  });
  await world.github.land({ title: "Uncertain" });
  await world.run("upkeep");
  await world.github.land({ title: "Running" });
  await world.run("upkeep");
  const { ref, sha } = world.ledger("upkeep");
  world.github.home.setRef(ref, null);
  const run = await world.run("upkeep");
  expect(run.warnings.join()).toContain(`was missing. It was restored at commit ${sha}`);
  expect(run.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1", changeCount: "0" });
  expect(await world.prompts()).toHaveLength(1);
});

test("if GitHub no longer has the ledger's commit, a new ledger begins, with a warning", async () => {
  await using world = await setUpDocumented();
  const { ref, sha, ledger } = world.ledger("upkeep");
  world.github.home.setRef(ref, null);
  world.github.home.gone.add(sha);
  const run = await world.run("upkeep");
  expect(run.warnings.join()).toContain("The ledger begins anew");
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(world.dashboards("upkeep")).toHaveLength(1);
  // So a run that is killed before the dashboard shows the new ledger does not look like a ledger that was set back.
  expect(world.ledger("upkeep").ledger.writes).toBeGreaterThan(ledger.writes);
});

test("without ref and dashboard, or by another name, a ledger begins anew at `since`", async () => {
  await using world = await setUpDocumented();
  const { ref } = world.ledger("upkeep");
  world.github.home.setRef(ref, null);
  for (const { number } of world.dashboards("upkeep")) world.github.home.moveIssue(number);
  const run = await world.run("upkeep");
  expect(run.visible.join("\n")).toContain("There is no ledger at");
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  const named = await world.run("upkeep", { inputs: { name: "second" } });
  expect(named.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(world.ledgers()).toHaveLength(2);
});

test("an outdated answer that a history file does not exist fails the run, and loses no entry", async () => {
  await using world = await setUpDocumented();
  const history = () => {
    const { files } = world.ledger("upkeep");
    const paths = Object.keys(files).filter((path) => path.startsWith("history/"));
    return paths.flatMap((path) => (files[path] ?? "").trim().split("\n"));
  };
  const before = history();
  await world.github.land();
  await world.run("upkeep");
  await world.passTime(60 * 60_000);
  world.github.emulated.addFault({ path: "/contents/history/", status: 404 });
  const late = await world.run("upkeep");
  expect(late.outputs.errorKind).toBe("github-unavailable");
  expect(late.outputs.errorMessage).toContain("does not show history/");
  await world.run("upkeep");
  expect(history().slice(0, before.length)).toEqual(before);
  expect(history()).toHaveLength(before.length + 1);
});

test("a ledger that was set back stops the run, and the error contains the command that restores it", async () => {
  await using world = await setUpDocumented();
  const { ref, sha } = world.ledger("upkeep");
  const { home } = world.github;
  const before = home.find(home.find(sha)?.parents[0] ?? "")?.parents[0] ?? "";
  home.setRef(ref, before);
  await world.github.land({ title: "Meanwhile" });
  const run = await world.run("upkeep");
  expect(run.exitCode).toBe(1);
  expect(run.outputs.errorKind).toBe("invalid-input");
  expect(run.outputs.errorMessage).toContain(
    `git push --force-with-lease=${ref}:${before} origin ${sha}:${ref}`,
  );
  expect([await world.prompts(), home.refs.get(ref)]).toEqual([[expect.any(String)], before]);
  home.setRef(ref, sha);
  expect((await world.run("upkeep")).outputs).toMatchObject({
    result: "continued",
    changeCount: "1",
  });
});

describe("a ref is not changed if it contains", () => {
  test.each<[string, Record<string, string>, string]>([
    ["no ledger", { "notes.md": "Notes" }, "holds no ledger.json"],
    ["text", { "ledger.json": "hello" }, "is not a ledger"],
    [
      "a newer format",
      { "ledger.json": '{"version":2}' },
      "a newer version of this action (format 2)",
    ],
    [
      "another project's ledger",
      { "ledger.json": '{"version":1,"action":"upkeep","project":"other"}' },
      "belongs to another project",
    ],
  ])("%s", async (_, files, words) => {
    await using world = await startWorld();
    await world.github.land();
    const { home } = world.github;
    const sha = home.commit(home.tip(), { files });
    home.setRef("refs/docs-agent/upkeep/mine", sha);
    const run = await world.run("upkeep", { inputs: { name: "mine" } });
    expect(run.exitCode).toBe(1);
    expect(run.outputs.errorKind).toBe("invalid-input");
    expect(run.outputs.errorMessage).toContain(
      `The ref refs/docs-agent/upkeep/mine ${words}`.slice(0, 34),
    );
    expect(run.outputs.errorMessage).toContain(words);
    expect(run.outputs.errorMessage).toContain("Set `name` or `ledger-ref`");
    expect(home.refs.get("refs/docs-agent/upkeep/mine")).toBe(sha);
    expect(world.received("service")).toEqual([]);
  });
});
