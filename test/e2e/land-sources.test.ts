import { expect, test } from "vitest";
import { issueOpened } from "../support/events.ts";
import { ledgersOf } from "../support/ledgers-of.ts";
import { someOf } from "../support/sample.ts";
import { documentChange, LAND } from "../support/world/docs-pulls.ts";
import { DAY, HOUR, startWorld, type World } from "../support/world/world.ts";

/** Runs the root action on issue 1, without waiting for the job. */
async function startJob(world: World, prompt = "Document the webhooks."): Promise<void> {
  await world.run("root", { ...issueOpened(1), inputs: { prompt, wait: "false" } });
}

/** The numbers of the pull requests in the output `pullRequests`. */
function numbersIn(outputs: Record<string, string>): string[] {
  const pulls: { url: string }[] = JSON.parse(outputs.pullRequests ?? "");
  return pulls.map(({ url }) => url.replace(/^.*\/pull\//, ""));
}

test("the docs pull request of a run that did not wait is found when its job opens it, and links to the request", async () => {
  await using world = await startWorld({ ...LAND, steering: { durationMs: 3_600_000 } });
  await startJob(world);
  expect((await world.run("land")).outputs).toMatchObject({ openCount: "0" });
  expect(world.ledger("land").ledger.jobs).toHaveLength(1);
  const [job] = await world.service.jobs();
  const prLink = `${world.github.url}/acme/docs/pull/2`;
  await world.github.openPull({ author: "docs-agent[bot]" });
  await world.service.setJob(job?.id ?? "", { status: "completed", prLink });
  const run = await world.run("land");
  expect(numbersIn(run.outputs)).toEqual(["2"]);
  expect(world.comment(2)).toMatch(/\*\*Asked for\*\* in \[this comment\]\(http\S+issuecomment/);
  expect(world.ledger("land").ledger.jobs).toEqual([]);
});

test("comments are read since the last run, and status comments of another key count with previous-api-key", async () => {
  await using world = await startWorld(LAND);
  await startJob(world);
  const { adminKey } = world.service;
  const inputs = { "api-key": world.service.assistantKey };
  // The assistant's key cannot use the agent, and cannot verify the first key's status comments.
  const unknown = await world.run("land", { inputs });
  expect(unknown.outputs.openCount).toBe("0");
  const { home } = world.github;
  for (const ref of [...home.refs.keys()]) if (ref.includes("/land/")) home.setRef(ref, null);
  const refused = await world.run("land", { inputs: { ...inputs, "previous-api-key": adminKey } });
  // The status comment verifies, so its job is polled.
  expect(refused.outputs.errorKind).toMatch(/^(unauthorized|forbidden)$/);
  expect((await world.run("land")).outputs.openCount).toBe("1");
  await world.run("land");
  const lists = world.received("GET /repos/acme/docs/issues/comments");
  const since = lists.map(({ path }) => {
    return Date.parse(new URL(path, world.github.url).searchParams.get("since") ?? "");
  });
  expect(Date.now() - (since[0] ?? 0)).toBeGreaterThan(29 * 86_400_000);
  expect(Date.now() - (since.at(-1) ?? 0)).toBeLessThan(3_600_000);
});

/** Lets the queue document something, and its job end. */
async function documentByQueue(world: World): Promise<void> {
  const inputs = { "tasks-file": "tasks.yml" };
  const workspaceFiles = { "tasks.yml": '["Document it."]' };
  for (let run = 0; run < 2; run++) {
    await world.run("queue", { inputs, workspaceFiles });
    await world.passTime(HOUR);
  }
}

test("docs pull requests of the queue's ledger are found, but not those of another project's ledger", async () => {
  await using world = await startWorld(LAND);
  await documentChange(world);
  await documentByQueue(world);
  expect(numbersIn((await world.run("land")).outputs)).toHaveLength(2);
  const { service } = world;
  const other = await world.run("land", {
    inputs: { "project-id": "other", "base-url": service.url },
  });
  expect(other.outputs).toMatchObject({ openCount: "0" });
  expect(other.outputs.errorKind).toBeUndefined();
});

test("a ledger with a link that is no URL is left alone until it is repaired, and does not affect others", async () => {
  await using world = await startWorld(LAND);
  await documentChange(world);
  await documentByQueue(world);
  const { home } = world.github;
  const upkeeps = ledgersOf(home).find((ledger) => ledger.ref.includes("/upkeep/"));
  if (upkeeps === undefined) throw new Error("there is one");
  const { ref, sha, files } = upkeeps;
  const text = files["ledger.json"]?.replace(/"prLink":"[^"]+"/, '"prLink":"pull 7"') ?? "";
  home.setRef(ref, home.commit(sha, { files: { "ledger.json": text } }));
  const run = await world.run("land");
  expect(run.outputs).toMatchObject({ openCount: "1" });
  expect(run.warnings.join()).toMatch(
    /upkeep\/.* cannot be read \(at reviews\.0\.prLink\): docs pull/,
  );
  const upkeep = await world.run("upkeep");
  expect(upkeep.outputs).toMatchObject({ errorKind: "invalid-input" });
  expect(upkeep.outputs.errorMessage).toContain("at reviews.0.prLink");
  home.setRef(ref, sha);
  const repaired = await world.run("land");
  expect(repaired.outputs).toMatchObject({ openCount: "2" });
  expect(repaired.warnings).toEqual([]);
});

test("pull requests that cannot be read cause one warning each, do not affect others, and are dropped after a month", async () => {
  await using world = await startWorld(LAND);
  const [first, second] = [await documentChange(world, "One"), await documentChange(world, "Two")];
  const { service, github } = world;
  await startJob(world, "emulate: pr=https://example.org/acme/docs/pull/3");
  await startJob(world, `emulate: pr=${github.url}/acme/hidden/pull/4`);
  expect(await service.jobs()).toHaveLength(4);
  const run = await world.run("land");
  expect(run.exitCode).toBe(0);
  expect(run.warnings).toHaveLength(2);
  expect(run.warnings.join("\n")).toContain("not on the GitHub that this workflow runs on");
  expect(run.warnings.join("\n")).toContain("It cannot be read");
  expect(run.outputs).toMatchObject({ openCount: "4", needsPersonCount: "2" });
  expect(world.comment(first)).toContain("Ready for review");
  expect(world.comment(second)).toContain("Ready for review");
  expect((await world.run("land")).warnings).toEqual([]);
  await world.passTime(31 * DAY);
  await world.run("land");
  expect(world.ledger("land").ledger.open).toHaveLength(2);
});

test("an outage of GitHub does not remove an old docs pull request from the ledger", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.report(number);
  await world.run("land");
  await world.passTime(40 * DAY);
  world.github.emulated.addFault({ path: "^/graphql", status: 502, times: 9 });
  await world.run("land", { fastClock: 20 });
  world.github.emulated.clearFaults();
  expect(world.ledger("land").ledger.open[0]).toMatchObject({ followUps: [expect.anything()] });
});

test.each(
  someOf([
    ["v2-get", 401, "unauthorized"],
    ["v2-get", 403, "forbidden"],
    ["v2-message", 401, "unauthorized"],
  ] as const),
)("a key that the service refuses (%s: %i) fails the step with %s", async (route, status, kind) => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.report(number);
  await world.service.addFault({ route, status });
  const run = await world.run("land");
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ errorKind: kind });
  const later = await world.run("land");
  expect(later.exitCode).toBe(0);
  expect(later.outputs).toMatchObject({ followUpCount: "1" });
});

test("one error reports every invalid input, and there is no request", async () => {
  await using world = await startWorld(LAND);
  const run = await world.run("land", {
    inputs: {
      comment: "yes",
      preview: "1",
      checks: "fix",
      reviews: "none",
      conflicts: "merge",
      "max-follow-ups": "-1",
      "max-files": "1.5",
      merge: "always",
      "merge-method": "fast-forward",
      "merge-delay-hours": "-1",
      "remind-after-days": "soon",
      "close-after-days": "1e9",
      "dry-run": "maybe",
      "allowed-paths": "docs/[",
      reviewers: "a b",
      "allowed-bots": "all bots",
      ledgers: "main",
      "ledger-ref": "main",
    },
  });
  expect(run.exitCode).toBe(1);
  expect(run.outputs.errorKind).toBe("invalid-input");
  const names = [
    "comment",
    "preview",
    "checks",
    "reviews",
    "conflicts",
    "max-follow-ups",
    "max-files",
    "merge",
    "merge-method",
    "merge-delay-hours",
    "remind-after-days",
    "close-after-days",
    "dry-run",
    "allowed-paths",
    "reviewers",
    "allowed-bots",
    "ledgers",
    "ledger-ref",
  ];
  for (const name of names) expect(run.outputs.errorMessage).toMatch(new RegExp(`\\b${name}: `));
  const alone = await world.run("land", { inputs: { merge: "checks" } });
  expect(alone.outputs.errorMessage).toContain("only together with `allowed-paths`");
  expect(world.asked()).toEqual([]);
});

test("the token and the URL of GitHub's API can be given, and ledger-ref is used as land's ref", async () => {
  await using world = await startWorld(LAND);
  const { url, token } = world.github;
  await documentChange(world);
  const inputs = { "github-token": token, "github-api-url": url };
  const run = await world.run("land", { apiUrl: "http://127.0.0.1:9", token: "", inputs });
  expect(run.outputs.openCount).toBe("1");
  await world.run("land", { inputs: { "ledger-ref": "refs/heads/land" } });
  const refs = [...world.github.home.refs.keys()];
  expect(refs.filter((ref) => ref.includes("land"))).toEqual([
    expect.stringMatching(/^refs\/docs-agent\/land\/[0-9a-f]+$/),
    "refs/heads/land",
  ]);
});

test("a ledger elsewhere is read if ledgers names it, and a warning says if there is none at all", async () => {
  await using world = await startWorld(LAND);
  const first = await world.run("land");
  expect(first.warnings).toEqual([
    expect.stringContaining("There is no ledger of upkeep or queue"),
  ]);
  await documentChange(world);
  const { home } = world.github;
  const [[ref = "", sha = ""] = []] = [...home.refs].filter(([name]) => name.includes("/upkeep/"));
  home.setRef("refs/heads/docs-ledger", sha);
  home.setRef(ref, null);
  const none = await world.run("land", { inputs: { ledgers: "refs/heads/docs" } });
  expect(none.warnings).toEqual([
    expect.stringContaining("There is no ref refs/heads/docs here"),
    expect.stringContaining("There is no ledger"),
  ]);
  const found = await world.run("land", { inputs: { ledgers: "refs/heads/docs-ledger" } });
  expect(found.outputs.openCount).toBe("1");
  expect(found.warnings).toEqual([]);
});

test("without contents: write, nothing is sent, and the error names the permission", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.report(number);
  await world.github.restrict({ contents: "read" });
  const run = await world.run("land");
  expect(run.exitCode).toBe(1);
  expect(run.outputs.errorKind).toBe("github-refused");
  expect(run.outputs.errorMessage).toContain("contents: write");
  expect(await world.prompts()).toHaveLength(1);
  expect(world.comments(number)).toEqual([]);
});

test("without issues: write and pull-requests: write, each refusal causes a warning, and the step succeeds", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await world.github.restrict({ contents: "write", issues: "read", pull_requests: "read" });
  const run = await world.run("land", { inputs: { labels: "docs" } });
  expect(run.exitCode).toBe(0);
  expect(run.warnings.join("\n")).toContain("It could not be labelled");
  expect(run.warnings.join("\n")).toContain("It could not be commented on");
  expect(world.comments(number)).toEqual([]);
});

test("a run with nothing new makes at most 6 requests to GitHub for three docs pull requests, and writes nothing", async () => {
  await using world = await startWorld(LAND);
  for (const title of ["One", "Two", "Three"]) await documentChange(world, title);
  const inputs = {
    "allowed-paths": "docs/**",
    "required-checks": "docs-check",
    merge: "checks",
    preview: "true",
    reviewers: "authors",
  };
  for (let run = 0; run < 3; run++) await world.run("land", { inputs });
  const { sha } = world.ledger("land");
  const { toGitHub } = await world.run("land", { inputs });
  expect(toGitHub.length).toBeGreaterThan(0);
  expect(toGitHub.length).toBeLessThanOrEqual(6);
  expect(world.ledger("land").sha).toBe(sha);
});
