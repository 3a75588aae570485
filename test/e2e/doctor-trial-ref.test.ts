import { describe, expect, test } from "vitest";
import { checksThatAre, found } from "../support/world/outputs.ts";
import { WITH_WORKFLOW } from "../support/world/workflows.ts";
import { startWorld, type World } from "../support/world/world.ts";

const trials = ({ github }: World) =>
  [...github.home.refs.keys()].filter((ref) => ref.startsWith("refs/docs-agent/doctor/"));

test("a rule that refuses refs below refs/docs-agent/ is wrong, with the rule's words", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.home.protectedRefs = "^refs/docs-agent/";
  const result = await world.run("doctor");
  expect(checksThatAre(result, "wrong")).toEqual(["ledger-ref"]);
  expect(found(result, "ledger-ref")).toMatchObject([
    {
      what: expect.stringContaining("Repository rule violations found"),
      advice: expect.stringContaining("`ledger-ref`"),
    },
  ]);
  expect(result.state).not.toHaveProperty("run.ref");
});

describe("with the ref of a ledger of its own", () => {
  const LEDGER = "refs/heads/docs-ledger";
  const inputs = { "ledger-ref": LEDGER };

  test("that one is tried, beside it, and read", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const { home } = world.github;
    home.protectedRefs = "^refs/docs-agent/";
    const since = home.tip();
    home.land({ title: "Add retries" }, "squash");
    await world.run("upkeep", { inputs: { ...inputs, since } });
    home.setRef(`${LEDGER}-doctor-trial-abc`, since);
    home.setRef(`${LEDGER}-doctor-trial-a.person`, since);
    const before = [...home.refs.keys()].filter((ref) => !ref.endsWith("-abc"));
    const result = await world.run("doctor", { inputs });
    expect(found(result, "ledger-ref")).toMatchObject([{ state: "fine" }]);
    expect(found(result, "ledger")).toMatchObject([
      { state: "fine", what: expect.stringContaining(LEDGER) },
    ]);
    expect([...home.refs.keys()]).toEqual(before);
  });

  test("a rule that refuses it is wrong", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    world.github.home.protectedRefs = "^refs/heads/docs-";
    const result = await world.run("doctor", { inputs });
    expect(checksThatAre(result, "wrong")).toEqual(["ledger-ref"]);
  });

  test("the ledger of another action is not upkeep's", async () => {
    await using world = await startWorld(WITH_WORKFLOW);
    const file = JSON.stringify({ version: 1, action: "land" });
    const sha = world.github.home.push({ files: { "ledger.json": file } });
    world.github.home.setRef(LEDGER, sha ?? world.github.home.tip());
    const result = await world.run("doctor", { inputs });
    expect(found(result, "ledger")).toMatchObject([{ state: "fine" }]);
  });
});

test("no ref is made with trial: false", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.home.protectedRefs = "^refs/docs-agent/";
  const result = await world.run("doctor", { inputs: { trial: "false" } });
  expect(found(result, "ledger-ref")).toMatchObject([
    { state: "unknown", what: expect.stringContaining("`trial`") },
  ]);
  expect(result.requests).not.toContain("POST /repos/acme/docs/git/trees");
});

test("a ref that cannot be deleted is wrong, and the post step and the next run try again", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const fault = { method: "DELETE", status: 403, message: "Deleting is not allowed" };
  world.github.emulated.addFault(fault);
  const result = await world.run("doctor", { runId: "1" });
  expect(checksThatAre(result, "wrong")).toEqual(["ledger-ref"]);
  const [left] = trials(world);
  expect(found(result, "ledger-ref")).toMatchObject([
    { advice: expect.stringContaining(`git push origin :${left}`) },
  ]);
  world.github.emulated.addFault(fault);
  const post = await world.run("doctor", { runId: "1", entry: "post", state: result.state });
  expect(post.warnings).toEqual([expect.stringContaining(`${left} could not be deleted`)]);
  expect(trials(world)).toEqual([left]);
  await world.run("doctor");
  expect(trials(world)).toEqual([]);
});

test("a creation whose answer is lost leaves nothing, and whether it was allowed is unknown", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.emulated.addFault({
    method: "POST",
    path: "/git/refs$",
    status: 422,
    message: "The permission is tried first",
  });
  world.github.emulated.addFault({ method: "POST", path: "/git/refs$", status: 502 });
  const result = await world.run("doctor");
  expect(found(result, "ledger-ref")).toMatchObject([{ state: "unknown" }]);
  expect(checksThatAre(result, "wrong")).toEqual([]);
  expect(trials(world)).toEqual([]);
});

test("one failure of the deletion is passed over", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.emulated.addFault({ method: "DELETE", status: 502 });
  const result = await world.run("doctor");
  expect(found(result, "ledger-ref")).toMatchObject([{ state: "fine" }]);
  expect(trials(world)).toEqual([]);
});

test("what runs that were killed left is deleted, and is no ledger", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const sha = world.github.home.tip();
  for (const name of ["a", "b", "c"])
    world.github.home.setRef(`refs/docs-agent/doctor/${name}`, sha);
  const land = await world.run("land");
  expect(land.warnings).toEqual([expect.stringContaining("There is no ledger")]);
  const result = await world.run("doctor");
  expect(checksThatAre(result, "wrong")).toEqual([]);
  // A run deletes two.
  expect(trials(world)).toHaveLength(1);
  await world.run("doctor");
  expect(trials(world)).toEqual([]);
});

test("what killed runs left is deleted, though a ledger cannot be read", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  const sha = world.github.home.tip();
  world.github.home.setRef("refs/docs-agent/upkeep/a", sha);
  world.github.home.setRef("refs/docs-agent/doctor/a", sha);
  world.github.emulated.addFault({ path: "/contents/ledger.json", status: 502, times: 100 });
  await world.run("doctor");
  expect(trials(world)).toEqual([]);
});

test("the ref's commit changes no workflow file, which the workflow's token may not", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.home.push({ files: { ".github/workflows/new.yml": "on: push\n" } });
  const result = await world.run("doctor");
  expect(found(result, "ledger-ref")).toMatchObject([{ state: "fine" }]);
});
