import { expect, test } from "vitest";
import { pullNumberOf, titlesIn } from "../support/world/outputs.ts";
import { DAY, HOUR, startWorld, type World } from "../support/world/world.ts";

/** Has a change documented. @returns the number of the docs pull request, which is in review */
async function documentOne(world: World, title: string): Promise<number> {
  await world.github.land({ title });
  await world.run("upkeep");
  await world.passTime();
  const { outputs } = await world.run("upkeep");
  return pullNumberOf(JSON.parse(outputs.finished ?? "")[0].prLink);
}

const IN_REVIEW = /## In review\n\n- \[Docs pull request #\d+\].*`Add retries`/;

test("a docs pull request that was closed and reopened is in review again, and counts once it is merged", async () => {
  await using world = await startWorld();
  const docs = await documentOne(world, "Add retries");
  expect(world.dashboard("upkeep").body).toMatch(IN_REVIEW);
  await world.github.close(docs);
  await world.run("upkeep");
  expect(world.dashboard("upkeep").body).toMatch(/1 not documented[\s\S]*closed without merging/);
  await world.github.api(`/pulls/${docs}`, { method: "PATCH", body: { state: "open" } });
  const reopened = await world.run("upkeep");
  expect(reopened.outputs).toMatchObject({ result: "idle", waitingCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(IN_REVIEW);
  expect(world.dashboard("upkeep").body).toContain("1 change: 1 in review.");
  await world.github.merge(docs);
  await world.run("upkeep");
  expect(world.dashboard("upkeep").body).toContain("1 of 1 change documented.");
  expect(await world.prompts()).toHaveLength(1);
});

test("a change in the history that a repair left incomplete does not come back into the ledger", async () => {
  await using world = await startWorld();
  const docs = await documentOne(world, "Add retries");
  await world.github.close(docs);
  await world.run("upkeep");
  const { home } = world.github;
  const { ref, sha, files } = world.ledger("upkeep");
  const [path = "", text = ""] =
    Object.entries(files).find(([name]) => /^history/.test(name)) ?? [];
  const broken = text.replace(/"changes":\[.*\]/, '"changes":[{"key":"1#2"}]');
  expect(broken).not.toBe(text);
  home.setRef(ref, home.commit(sha, { files: { [path]: broken } }));
  await world.github.api(`/pulls/${docs}`, { method: "PATCH", body: { state: "open" } });
  for (let nth = 1; nth <= 2; nth++) {
    const { outputs } = await world.run("upkeep");
    expect(outputs.errorMessage).toBeUndefined();
    expect(outputs.result).toBe("idle");
  }
});

test("a docs pull request stays in review while GitHub fails, however often", async () => {
  await using world = await startWorld();
  const docs = await documentOne(world, "Add retries");
  const path = `/pulls/${docs}$`;
  world.github.emulated.addFault({ path, status: 502, times: 1000 });
  for (let nth = 1; nth <= 6; nth++)
    expect((await world.run("upkeep")).outputs.result).toBe("idle");
  expect(world.dashboard("upkeep").body).toMatch(IN_REVIEW);
  world.github.emulated.clearFaults();
  await world.github.merge(docs);
  await world.run("upkeep");
  expect(world.dashboard("upkeep").body).toContain("1 of 1 change documented.");
});

test.each([
  ["no-changes", []],
  ["completed", ["Rename a flag"]],
])("a follow-up that ends with %s around a merge hands over again: %j", async (outcome, again) => {
  await using world = await startWorld({ hasOneClock: true });
  const docs = await documentOne(world, "Add retries");
  await world.github.land({ title: "Rename a flag" });
  const prompt = `Document it.\nemulate: outcome=${outcome} duration=30s`;
  const second = await world.run("upkeep", { inputs: { prompt } });
  expect(second.outputs).toMatchObject({ result: "continued", changeCount: "1" });
  if (outcome === "no-changes") await world.passTime();
  await world.github.merge(docs);
  await world.passTime();
  const third = await world.run("upkeep");
  expect(titlesIn(third)).toEqual(again);
  expect(third.outputs.waitingCount).toBe("0");
});

test("a follow-up is at its end only once its docs pull request could be read", async () => {
  await using world = await startWorld({ hasOneClock: true });
  const docs = await documentOne(world, "Add retries");
  await world.github.land({ title: "Rename a flag" });
  const prompt = "Document it.\nemulate: duration=30s";
  await world.run("upkeep", { inputs: { prompt } });
  await world.github.merge(docs);
  await world.passTime();
  world.github.emulated.addFault({ path: `/pulls/${docs}$`, status: 502, times: 1000 });
  expect((await world.run("upkeep")).outputs).toMatchObject({ result: "busy", finished: "[]" });
  world.github.emulated.clearFaults();
  expect(titlesIn(await world.run("upkeep"))).toEqual(["Rename a flag"]);
});

test("a docs pull request on another host counts as open for a week, is shown so, and is never not documented", async () => {
  // The links lead to another server than this GitHub, as with documentation on GitLab.
  const serverUrl = "https://github.example.com";
  await using world = await startWorld({ every: { serverUrl }, hasOneClock: true });
  const jobs = new Set<string>();
  for (let nth = 1; nth <= 6; nth++) {
    await world.github.land();
    const { outputs } = await world.run("upkeep");
    expect(outputs).toMatchObject({ result: nth === 1 ? "started" : "continued" });
    jobs.add(outputs.jobId ?? "");
    await world.passTime(DAY);
  }
  expect(jobs.size).toBe(1);
  const shown = world.dashboard("upkeep").body;
  expect(shown).toContain("(not on this GitHub, or the token may not read it");
  expect(shown).not.toContain("not documented");
  await world.passTime(2 * DAY);
  await world.github.land();
  await world.run("upkeep");
  const over = await world.run("upkeep");
  expect(over.outputs.needsDecisionCount).toBe("0");
  expect(world.dashboard("upkeep").body).toContain("in docs pull requests that cannot be read");
  expect(world.dashboard("upkeep").body).not.toContain("not documented");
});

test.each(["hold", "continue"])(
  "with %s, a docs pull request that GitHub fails to show counts as open, and is a person's after a day",
  async (mode) => {
    await using world = await startWorld();
    const docs = await documentOne(world, "Add retries");
    world.github.emulated.addFault({ path: `/pulls/${docs}$`, status: 502, times: 1000 });
    await world.github.land({ title: "Rename a flag" });
    const inputs = { "open-pull-request": mode };
    const beside = await world.run("upkeep", { inputs });
    expect(beside.outputs.result).toBe(mode === "hold" ? "held" : "continued");
    expect(beside.warnings.join()).toContain("could not be read, so it counts as open");
    await world.run("upkeep", { inputs });
    expect((await world.service.jobs()).length).toBe(1);
    expect(world.dashboard("upkeep").body).toMatch(
      /## In review\n\n- .*, since .* UTC \(could not be read since .* UTC, so it counts as open\)/,
    );
    await world.passTime(DAY + HOUR);
    const later = await world.run("upkeep", { inputs });
    expect(later.outputs).toMatchObject({ needsDecisionCount: mode === "hold" ? "1" : "2" });
    await world.tick("upkeep", "leave");
    const decided = await world.run("upkeep", { inputs });
    expect(decided.outputs).toMatchObject({ needsDecisionCount: "0" });
    expect(world.dashboard("upkeep").body).not.toContain("## In review");
  },
);

test("a docs pull request that a bot closed needs a decision, until it is reopened", async () => {
  await using world = await startWorld();
  const docs = await documentOne(world, "Add retries");
  world.github.home.setState(world.issue(docs), "closed", "stale[bot]");
  const closed = await world.run("upkeep");
  expect(closed.outputs).toMatchObject({ needsDecisionCount: "1" });
  const { body } = world.dashboard("upkeep");
  expect(body).toMatch(/## Needs a decision[\s\S]*`Add retries`.*closed without merging by stale/);
  expect(body).not.toContain("not documented");
  await world.github.api(`/pulls/${docs}`, { method: "PATCH", body: { state: "open" } });
  const reopened = await world.run("upkeep");
  expect(reopened.outputs).toMatchObject({ needsDecisionCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(IN_REVIEW);
});

test("where Issues are off, the summary has the ID with which it is handed over again", async () => {
  await using world = await startWorld();
  world.github.home.hasIssues = false;
  const docs = await documentOne(world, "Add retries");
  await world.github.close(docs);
  const closed = await world.run("upkeep");
  const [, id] = /\(closed without merging\)[\s\S]*: ID `(\w{8})`/.exec(closed.summary) ?? [];
  const inputs = { decisions: `${id}: again` };
  const again = await world.run("upkeep", { eventName: "workflow_dispatch", event: {}, inputs });
  expect(again.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(titlesIn(again)).toEqual(["Add retries"]);
});

test("what a person's closing left undocumented can be handed over again from the list of what is done", async () => {
  await using world = await startWorld();
  const docs = await documentOne(world, "Add retries");
  await world.github.close(docs);
  const closed = await world.run("upkeep");
  expect(closed.outputs).toMatchObject({ result: "idle", needsDecisionCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(/## Done\n[\s\S]*<!-- again:/);
  await world.tick("upkeep", "again");
  const again = await world.run("upkeep");
  expect(titlesIn(again)).toEqual(["Add retries"]);
  expect(world.dashboard("upkeep").body).not.toContain("not documented");
});
