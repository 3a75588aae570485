import { expect, test } from "vitest";
import { isPull } from "../../emulator/github/state.ts";
import { type LandSetup, setUpLand } from "../support/land-setup.ts";
import { someOf } from "../support/sample.ts";

function pullOf({ world }: LandSetup, number: number) {
  const pull = world.github.home.issues.get(number);
  if (!isPull(pull)) throw new Error(`${number} is no pull request`);
  return pull;
}

test("labels, assignees and reviewers are set once, and people may change them", async () => {
  await using it = await setUpLand();
  it.world.github.emulated.site.addTeam("acme", "docs");
  const number = await it.document();
  const inputs = {
    labels: "documentation\nfrom agent",
    assignees: "maintainer",
    reviewers: "maintainer\nteam:docs\nauthors",
  };
  const run = await it.run({ inputs });
  expect(run.warnings).toEqual([]);
  // The code is by `writer`.
  expect(pullOf(it, number)).toMatchObject({
    labels: ["documentation", "from agent"],
    assignees: ["maintainer"],
    reviewers: ["maintainer", "writer"],
    teams: ["docs"],
  });
  it.world.github.home.change(pullOf(it, number), { labels: [], reviewers: [] });
  await it.run({ inputs });
  expect(pullOf(it, number)).toMatchObject({ labels: [], reviewers: [] });
});

test("reviewers are asked one by one, and whoever cannot be asked is a warning", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  const run = await it.run({ inputs: { reviewers: "nobody\nmaintainer\nteam:none" } });
  expect(run.exitCode).toBe(0);
  expect(pullOf(it, number).reviewers).toEqual(["maintainer"]);
  expect(run.warnings).toHaveLength(2);
  expect(run.warnings[0]).toContain("It could not be sent to nobody for review");
  expect(run.warnings[1]).toContain("team:none");
  expect((await it.run({ inputs: { reviewers: "nobody" } })).warnings).toEqual([]);
});

test("one comment is edited in place, also after somebody has deleted it, and a lost ledger finds it again", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  await it.run();
  const [first] = await it.comments(number);
  expect(first?.body).toContain("**Documents** 1 merged change:");
  expect(first?.body).toContain("Add retries");
  expect(first?.body).toContain("by `writer`");
  expect(first?.body).toContain("**Checks:** none");
  await it.history.report(number, { conclusion: "success" });
  await it.run();
  const [second, ...others] = await it.comments(number);
  expect(others).toEqual([]);
  expect(second?.id).toBe(first?.id);
  expect(second?.body).toContain("✅ 1 green");
  // The ledger is lost.
  const { home } = it.world.github;
  const [ref = ""] = [...home.refs.keys()].filter((name) => name.includes("/land/"));
  home.setRef(ref, null);
  await it.run();
  expect((await it.comments(number)).map(({ id }) => id)).toEqual([first?.id]);
  await it.world.github.api(`/issues/comments/${first?.id}`, { method: "DELETE" });
  await it.history.report(number, { name: "more", conclusion: "success" });
  await it.run();
  await it.run();
  expect(await it.comment(number)).toContain("✅ 2 green");
});

test("with `comment: false` nothing is written on it", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  const run = await it.run({ inputs: { comment: "false" } });
  expect(run.outputs).toMatchObject({ openCount: "1" });
  expect(await it.comments(number)).toEqual([]);
});

test("a dry run shows what would be done, and writes, sends and merges nothing", async () => {
  await using it = await setUpLand();
  const [one, two] = [await it.document("One"), await it.document("Two")];
  await it.history.report(one);
  await it.history.review(two, "APPROVE");
  const writes = await it.world.github.writes();
  const sent = await it.prompts();
  const asked = (await it.world.github.requests()).length;
  const inputs = { "dry-run": "true", merge: "approved", labels: "docs" };
  const run = await it.run({ inputs });
  expect(run.summary).toContain("(dry run)");
  expect(run.summary).toContain("A follow-up is due: 1 failed check.");
  expect(run.summary).toContain("It is ready to be merged.");
  expect(run.outputs).toMatchObject({ openCount: "2", mergedCount: "0", ledgerSha: "" });
  expect(await it.prompts()).toEqual(sent);
  // GraphQL asks by POST.
  const made = (await it.world.github.requests()).slice(asked);
  expect(made.filter(({ method, path }) => method !== "GET" && path !== "/graphql")).toEqual([]);
  expect(await it.world.github.writes()).toBe(writes + 2);
  expect(it.landLedger()).toBeUndefined();
});

test("a preview is built of each head, and linked; a failed build goes back to the agent with the end of its log", async () => {
  await using it = await setUpLand({ steering: { build: "red" } });
  const number = await it.document();
  const inputs = { preview: "true" };
  await it.run({ inputs });
  expect(await it.comment(number)).toMatch(/Preview:\*\* ⏳ \[building\]\(http/);
  const told = await it.run({ inputs });
  expect(told.outputs).toMatchObject({ followUpCount: "1" });
  const prompt = (await it.prompts()).at(-1) ?? "";
  expect(prompt).toContain("1 failed build of its preview");
  expect(prompt).toContain("unexpected end of a component");
  await it.passTime();
  await it.run({ inputs });
  await it.run({ inputs });
  expect(await it.comment(number)).toContain("✅ [built](http");
  const started = (await it.world.service.requests()).filter(({ path }) => /preview/.test(path));
  expect(started.filter(({ method }) => method === "POST")).toHaveLength(2);
});

test.each(
  someOf([
    [403, "Check that previews are in your plan", "**Preview:** none", 1],
    [429, "The next run tries again", "once its preview is built", 2],
  ]),
)(
  "a preview that the service refuses with %i is a warning once a head",
  async (status, advice, shown, tried) => {
    await using it = await setUpLand();
    const number = await it.document();
    await it.history.report(number, { conclusion: "success" });
    await it.world.service.addFault({ route: "preview", status });
    const inputs = { preview: "true", merge: "checks", "allowed-paths": "docs/**" };
    const run = await it.run({ inputs });
    expect(run.exitCode).toBe(0);
    expect(run.warnings).toEqual([expect.stringContaining(advice)]);
    expect(await it.comment(number)).toContain(shown);
    const next = await it.run({ inputs });
    expect(next.warnings).toEqual([]);
    const started = (await it.world.service.requests()).filter(({ path }) =>
      /preview\//.test(path),
    );
    expect(started).toHaveLength(tried);
    // Without a preview there is nothing to wait for.
    expect(next.outputs.mergedCount).toBe(status === 403 ? "1" : "0");
  },
);

test("a failed build is a failed check where checks are ignored: it is not merged", async () => {
  await using it = await setUpLand({ steering: { build: "stuck" } });
  const number = await it.document();
  await it.history.report(number, { conclusion: "success" });
  const merge = { merge: "checks", "allowed-paths": "docs/**" };
  const inputs = { ...merge, preview: "true", checks: "ignore" };
  await it.run({ inputs });
  expect((await it.run({ inputs })).outputs).toMatchObject({ mergedCount: "0" });
  expect(await it.comment(number)).toContain("once its preview can be built");
});

test("reviewers are reminded once, and a pull request that nobody touches is closed with a comment", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  const inputs = {
    reviewers: "maintainer",
    "remind-after-days": "2",
    "close-after-days": "5",
    comment: "false",
  };
  await it.run({ inputs });
  for (let hour = 0; hour < 80; hour += 40) {
    await it.passTime(40);
    await it.run({ inputs });
  }
  const bodies = (await it.comments(number)).map(({ body }) => body);
  expect(bodies).toEqual([expect.stringContaining("@maintainer: this docs pull request waits")]);
  // Whoever says something begins the time anew.
  await it.history.review(number, "COMMENT", { body: "Later." });
  await it.passTime(100);
  expect((await it.run({ inputs })).outputs).toMatchObject({ closedCount: "0", openCount: "1" });
  await it.history.pushTo(number, { files: ["docs/more.md"] });
  await it.passTime(100);
  expect((await it.run({ inputs })).outputs).toMatchObject({ closedCount: "0", openCount: "1" });
  await it.passTime(130);
  const closed = await it.run({ inputs });
  expect(closed.outputs).toMatchObject({ closedCount: "1", openCount: "0" });
  expect(pullOf(it, number)).toMatchObject({ state: "closed", mergedAt: null });
  const last = (await it.comments(number)).slice(1).map(({ body }) => body);
  expect(last).toEqual([expect.stringContaining("Nothing has happened here for 5 days.")]);
});

test("a first run does not close what somebody has pushed to", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  await it.passTime(24 * 10);
  await it.history.pushTo(number, { files: ["docs/more.md"] });
  const run = await it.run({ inputs: { "close-after-days": "7" } });
  expect(run.outputs).toMatchObject({ closedCount: "0", openCount: "1" });
});

test("what people merge and close is found, shown on it, and reported with the last 30 days", async () => {
  await using it = await setUpLand();
  const [one, two] = [await it.document("One"), await it.document("Two")];
  await it.run();
  await it.passTime(3);
  await it.history.merge(one, "squash");
  await it.history.close(two);
  const run = await it.run();
  expect(run.outputs).toMatchObject({ mergedCount: "1", closedCount: "1", openCount: "0" });
  const found = JSON.parse(run.outputs.pullRequests ?? "");
  expect(found).toEqual([
    expect.objectContaining({ state: "merged", needs: "", followUps: 0 }),
    expect.objectContaining({ state: "closed", changes: [expect.stringMatching(/\/pull\/\d+$/)] }),
  ]);
  expect(found[0].url).toMatch(new RegExp(`/pull/${one}$`));
  expect(found[0].jobId).toBe(await it.jobOf(one));
  expect(JSON.parse(run.outputs.report ?? "")).toMatchObject({
    opened: 2,
    merged: 1,
    mergedWithoutEdits: 1,
    closed: 1,
    followUps: 0,
    changesDocumented: 1,
  });
  expect(run.outputs.digest).toContain("**Docs pull requests, last 30 days:** 2 opened");
  expect(run.outputs.ledgerSha).toMatch(/^[0-9a-f]{40}$/);
  expect(run.summary).toContain(run.outputs.digest?.split("\n\n**Open**")[0]);
  expect(await it.comment(one)).toContain("🎉 Merged");
  expect(await it.comment(two)).toContain("### Closed");
  await it.passTime(24 * 31);
  const later = JSON.parse((await it.run()).outputs.report ?? "");
  expect(later).toMatchObject({ opened: 0, merged: 0, closed: 0, medianHoursToMerge: null });
});

test("ten docs pull requests in a row that came to nothing are a warning", async () => {
  await using it = await setUpLand();
  const numbers: number[] = [];
  for (let count = 0; count < 10; count++) numbers.push(await it.document(`Change ${count}`));
  await it.run();
  for (const number of numbers.slice(1)) await it.history.close(number);
  expect((await it.run()).warnings).toEqual([]);
  await it.history.close(numbers[0] ?? 0);
  const [warning] = (await it.run()).warnings;
  expect(warning).toContain("The last 10 docs pull requests were closed without merging");
}, 120_000);
