import { expect, test } from "vitest";
import { isPull } from "../../emulator/github/state.ts";
import { someOf } from "../support/sample.ts";
import { documentChange, jobOf, LAND } from "../support/world/docs-pulls.ts";
import { DAY, HOUR, startWorld, type World } from "../support/world/world.ts";

function pullOf(world: World, number: number) {
  const pull = world.github.home.issues.get(number);
  if (!isPull(pull)) throw new Error(`${number} is not a pull request`);
  return pull;
}

test("labels, assignees and reviewers are set once, and later changes by people are kept", async () => {
  await using world = await startWorld(LAND);
  world.github.emulated.site.addTeam("acme", "docs");
  // As with the token of an app: a workflow's own token sees no teams.
  await world.github.restrict({ members: "read" });
  const number = await documentChange(world);
  const inputs = {
    labels: "documentation\nfrom agent",
    assignees: "maintainer",
    reviewers: "maintainer\nteam:docs\nauthors",
  };
  const run = await world.run("land", { inputs });
  expect(run.warnings).toEqual([]);
  // The author of the code is `writer`.
  expect(pullOf(world, number)).toMatchObject({
    labels: ["documentation", "from agent"],
    assignees: ["maintainer"],
    reviewers: ["maintainer", "writer"],
    teams: ["docs"],
  });
  world.github.home.change(pullOf(world, number), { labels: [], reviewers: [] });
  await world.run("land", { inputs });
  expect(pullOf(world, number)).toMatchObject({ labels: [], reviewers: [] });
});

test.each([
  ["without the input, those whose changes it documents", {}, ["writer"]],
  ["with an empty input, nobody", { reviewers: "" }, []],
])("who is asked for a review: %s", async (_, inputs, reviewers) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  expect((await world.run("land", { inputs })).warnings).toEqual([]);
  expect(pullOf(world, number)).toMatchObject({ reviewers, teams: [] });
});

test("reviewers that cannot be requested cause a warning each, and the others are requested", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const run = await world.run("land", { inputs: { reviewers: "nobody\nmaintainer\nteam:none" } });
  expect(run.exitCode).toBe(0);
  expect(pullOf(world, number).reviewers).toEqual(["maintainer"]);
  expect(run.warnings).toHaveLength(2);
  expect(run.warnings[0]).toContain("It could not be sent to nobody for review");
  expect(run.warnings[1]).toContain("team:none");
  expect((await world.run("land", { inputs: { reviewers: "nobody" } })).warnings).toEqual([]);
});

test("one comment is edited in place, found again after the ledger is lost, and posted again after it is deleted", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.run("land");
  const [first] = world.comments(number);
  expect(first?.body).toContain("**Documents** 1 merged change:");
  expect(first?.body).toContain("Add retries");
  expect(first?.body).toContain("by `writer`");
  expect(first?.body).not.toContain("**Checks:**");
  await world.github.report(number, { conclusion: "success" });
  await world.run("land");
  const [second, ...others] = world.comments(number);
  expect(others).toEqual([]);
  expect(second?.id).toBe(first?.id);
  expect(second?.body).toContain("✅ 1 green");
  // The ledger is lost.
  const { home } = world.github;
  const [ref = ""] = [...home.refs.keys()].filter((name) => name.includes("/land/"));
  home.setRef(ref, null);
  await world.run("land");
  expect(world.comments(number).map(({ id }) => id)).toEqual([first?.id]);
  await world.github.api(`/issues/comments/${first?.id}`, { method: "DELETE" });
  await world.github.report(number, { name: "more", conclusion: "success" });
  await world.run("land");
  await world.run("land");
  expect(world.comment(number)).toContain("✅ 2 green");
});

test("with comment: false, there is no comment", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const run = await world.run("land", { inputs: { comment: "false" } });
  expect(run.outputs).toMatchObject({ openCount: "1" });
  expect(world.comments(number)).toEqual([]);
});

test("a dry run reports what it would do, and writes, sends and merges nothing", async () => {
  await using world = await startWorld(LAND);
  const [failing, approved] = [
    await documentChange(world, "One"),
    await documentChange(world, "Two"),
  ];
  await world.github.report(failing);
  await world.github.review(approved, "APPROVE");
  const writes = await world.github.writes();
  const sent = await world.prompts();
  const inputs = { "dry-run": "true", merge: "approved", labels: "docs" };
  const run = await world.run("land", { inputs });
  expect(run.summary).toContain("(dry run)");
  expect(run.summary).toContain("A follow-up is due: 1 failed check.");
  expect(run.summary).toContain("It is ready to be merged.");
  expect(run.outputs).toMatchObject({ openCount: "2", mergedCount: "0", ledgerSha: "" });
  expect(await world.prompts()).toEqual(sent);
  // A GraphQL query is a POST request.
  expect(run.requests.filter((request) => !/^GET |^POST \/graphql$/.test(request))).toEqual([]);
  expect(await world.github.writes()).toBe(writes + 1);
  expect(world.ledgers().filter(({ ref }) => ref.includes("/land/"))).toEqual([]);
});

test("a preview of each head is built and linked, and a failed build is sent to the agent with the end of its log", async () => {
  await using world = await startWorld({ ...LAND, steering: { build: "red" } });
  const number = await documentChange(world);
  const inputs = { preview: "true" };
  await world.run("land", { inputs });
  expect(world.comment(number)).toMatch(/Preview:\*\* ⏳ \[building\]\(http/);
  const failed = await world.run("land", { inputs });
  expect(failed.outputs).toMatchObject({ followUpCount: "1" });
  const prompt = (await world.prompts()).at(-1) ?? "";
  expect(prompt).toContain("1 failed build of its preview");
  expect(prompt).toContain("unexpected end of a component");
  expect(JSON.stringify(world.ledger("land").ledger)).not.toContain(
    "unexpected end of a component",
  );
  await world.passTime(HOUR);
  await world.run("land", { inputs });
  await world.run("land", { inputs });
  expect(world.comment(number)).toContain("✅ [built](http");
  const started = world.received("service").filter(({ path }) => /preview/.test(path));
  expect(started.filter(({ method }) => method === "POST")).toHaveLength(2);
});

test("on hold, it has a comment, and neither a review request nor a preview until the label is gone", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const { home } = world.github;
  home.change(world.pull(number), { labels: ["docs-hold"] });
  const inputs = { preview: "true", reviewers: "maintainer" };
  const isAsking = (request: string) => /requested_reviewers$|\/project\/preview\//.test(request);
  const held = await world.run("land", { inputs });
  expect(held.requests.filter(isAsking)).toEqual([]);
  expect(world.comment(number)).toContain("left alone as long as it has the label `docs-hold`");
  home.change(world.pull(number), { labels: [] });
  const free = await world.run("land", { inputs });
  expect(free.requests.some((request) => request.endsWith("requested_reviewers"))).toBe(true);
  expect(world.comment(number)).toContain("**Preview:** ⏳");
});

test("one whose preview cannot be built is not merged, although it is approved", async () => {
  await using world = await startWorld({ ...LAND, steering: { build: "red" } });
  const number = await documentChange(world);
  await world.github.review(number, "APPROVE");
  const inputs = { preview: "true", merge: "approved" };
  await world.run("land", { inputs });
  for (const [hours, needsPersonCount] of [
    [0, "0"],
    [7, "1"],
  ] as const) {
    await world.passTime(hours * HOUR);
    const run = await world.run("land", { inputs });
    expect(run.outputs).toMatchObject({ mergedCount: "0", followUpCount: "0", needsPersonCount });
    expect(world.comment(number)).toContain("It is merged once its preview can be built.");
  }
});

test("a preview without an address is followed to its end, and the comment says so", async () => {
  await using world = await startWorld({ ...LAND, service: { namesPreviews: false } });
  const number = await documentChange(world);
  const inputs = { preview: "true" };
  const run = await world.run("land", { inputs });
  expect(run.warnings).toEqual([]);
  expect(world.comment(number)).toContain("**Preview:** ⏳ building, without an address");
  await world.passTime(HOUR);
  await world.run("land", { inputs });
  expect(world.comment(number)).toContain("**Preview:** ✅ built, without an address");
});

test.each(
  someOf([
    [403, "Check that previews are in your plan", "**Preview:** none", 1],
    [429, "The next run tries again", "once its preview is built", 2],
  ]),
)(
  "a preview that the service refuses with %i causes one warning for each head",
  async (status, advice, state, requests) => {
    await using world = await startWorld(LAND);
    const number = await documentChange(world);
    await world.github.report(number, { conclusion: "success" });
    await world.service.addFault({ route: "preview", status });
    const inputs = {
      preview: "true",
      merge: "checks",
      "allowed-paths": "docs/**",
      "required-checks": "docs-check",
    };
    const run = await world.run("land", { inputs });
    expect(run.exitCode).toBe(0);
    expect(run.warnings).toEqual([expect.stringContaining(advice)]);
    expect(world.comment(number)).toContain(state);
    await world.passTime(HOUR);
    const next = await world.run("land", { inputs });
    expect(next.warnings).toEqual([]);
    const started = world.received("service").filter(({ path }) => /preview\//.test(path));
    expect(started).toHaveLength(requests);
    // After a 403 there will be no preview, so nothing delays the merge.
    expect(next.outputs.mergedCount).toBe(status === 403 ? "1" : "0");
  },
);

test("a pull request whose preview cannot be built is not merged, even with checks: ignore", async () => {
  await using world = await startWorld({ ...LAND, steering: { build: "stuck" } });
  const number = await documentChange(world);
  await world.github.report(number, { conclusion: "success" });
  const merge = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "docs-check" };
  const inputs = { ...merge, preview: "true", checks: "ignore" };
  await world.run("land", { inputs });
  expect((await world.run("land", { inputs })).outputs).toMatchObject({ mergedCount: "0" });
  expect(world.comment(number)).toContain("once its preview can be built");
});

test("reviewers are reminded once after remind-after-days, and an inactive pull request is closed after close-after-days", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const inputs = {
    reviewers: "maintainer",
    "remind-after-days": "2",
    "close-after-days": "5",
    comment: "false",
  };
  await world.run("land", { inputs });
  for (let hour = 0; hour < 80; hour += 40) {
    await world.passTime(40 * HOUR);
    await world.run("land", { inputs });
  }
  const bodies = world.comments(number).map(({ body }) => body);
  expect(bodies).toEqual([expect.stringContaining("@maintainer: this docs pull request waits")]);
  // A review restarts the time, and so does a push.
  await world.github.review(number, "COMMENT", { body: "Later." });
  await world.passTime(100 * HOUR);
  expect((await world.run("land", { inputs })).outputs).toMatchObject({
    closedCount: "0",
    openCount: "1",
  });
  await world.github.pushTo(number, { files: ["docs/more.md"] });
  await world.passTime(100 * HOUR);
  expect((await world.run("land", { inputs })).outputs).toMatchObject({
    closedCount: "0",
    openCount: "1",
  });
  await world.passTime(130 * HOUR);
  const closed = await world.run("land", { inputs });
  expect(closed.outputs).toMatchObject({ closedCount: "1", openCount: "0" });
  expect(pullOf(world, number)).toMatchObject({ state: "closed", mergedAt: null });
  const last = world
    .comments(number)
    .slice(1)
    .map(({ body }) => body);
  expect(last).toEqual([expect.stringContaining("Nothing has happened here for 5 days.")]);
});

test("a first run does not close an old pull request with a recent push", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.passTime(10 * DAY);
  await world.github.pushTo(number, { files: ["docs/more.md"] });
  const run = await world.run("land", { inputs: { "close-after-days": "7" } });
  expect(run.outputs).toMatchObject({ closedCount: "0", openCount: "1" });
});

test("pull requests that people merge or close are in the outputs, the comments and the report of the last 30 days", async () => {
  await using world = await startWorld(LAND);
  const [merged, closed] = [await documentChange(world, "One"), await documentChange(world, "Two")];
  await world.run("land");
  await world.passTime(3 * HOUR);
  await world.github.merge(merged, "squash");
  await world.github.close(closed);
  const run = await world.run("land");
  expect(run.outputs).toMatchObject({ mergedCount: "1", closedCount: "1", openCount: "0" });
  const pulls = JSON.parse(run.outputs.pullRequests ?? "");
  expect(pulls).toEqual([
    expect.objectContaining({ state: "merged", reason: null, followUps: 0 }),
    expect.objectContaining({ state: "closed", changes: [expect.stringMatching(/\/pull\/\d+$/)] }),
  ]);
  expect(pulls[0].url).toMatch(new RegExp(`/pull/${merged}$`));
  expect(pulls[0].jobId).toBe(await jobOf(world, merged));
  expect(JSON.parse(run.outputs.report ?? "")).toMatchObject({
    opened: 2,
    merged: 1,
    mergedWithoutEdits: 1,
    closed: 1,
    followUps: 0,
    changesDocumented: 1,
    requests: 2,
    credits: [230, 360],
    creditsPerMerged: [230, 360],
  });
  expect(run.outputs.digest).toContain("**Docs pull requests, last 30 days:** 2 opened");
  expect(run.outputs.ledgerSha).toMatch(/^[0-9a-f]{40}$/);
  expect(run.summary).toContain(run.outputs.digest?.split("\n\n**Open**")[0]);
  expect(world.comment(merged)).toContain("🎉 Merged");
  expect(world.comment(closed)).toContain("### Closed");
  await world.passTime(31 * DAY);
  const later = JSON.parse((await world.run("land")).outputs.report ?? "");
  expect(later).toMatchObject({ opened: 0, merged: 0, closed: 0, medianHoursToMerge: null });
});

test("ten docs pull requests in a row that were closed without merging cause a warning", async () => {
  await using world = await startWorld(LAND);
  const numbers: number[] = [];
  for (let count = 0; count < 10; count++)
    numbers.push(await documentChange(world, `Change ${count}`));
  await world.run("land");
  for (const number of numbers.slice(1)) await world.github.close(number);
  expect((await world.run("land")).warnings).toEqual([]);
  await world.github.close(numbers[0] ?? 0);
  const [warning] = (await world.run("land")).warnings;
  expect(warning).toContain("The last 10 docs pull requests were closed without merging");
}, 120_000);
