import { expect, test } from "vitest";
import { issueOpened } from "../support/events.ts";
import { type LandSetup, setUpLand } from "../support/land-setup.ts";
import { ledgersOf } from "../support/ledgers-of.ts";
import { someOf } from "../support/sample.ts";

/** Runs the root action on issue 1, without waiting for the job. */
async function startJob(scene: LandSetup, prompt = "Document the webhooks."): Promise<void> {
  const { url, repository, token } = scene.world.github;
  await scene.run({
    ...issueOpened(1),
    action: ".",
    repository,
    apiUrl: url,
    serverUrl: url,
    token,
    inputs: { prompt, wait: "false" },
  });
}

/** The numbers of the pull requests in the output `pullRequests`. */
function numbersIn(outputs: Record<string, string>): string[] {
  const pulls: { url: string }[] = JSON.parse(outputs.pullRequests ?? "");
  return pulls.map(({ url }) => url.replace(/^.*\/pull\//, ""));
}

test("the docs pull request of a run that did not wait is found when its job opens it, and links to the request", async () => {
  await using scene = await setUpLand({ steering: { durationMs: 3_600_000 } });
  await startJob(scene);
  expect((await scene.run()).outputs).toMatchObject({ openCount: "0" });
  expect(scene.landLedger().jobs).toHaveLength(1);
  const [job] = await scene.world.service.jobs();
  const prLink = `${scene.world.github.url}/acme/docs/pull/2`;
  await scene.history.openPull({ author: "docs-agent[bot]" });
  await scene.world.service.setJob(job?.id ?? "", { status: "completed", prLink });
  const run = await scene.run();
  expect(numbersIn(run.outputs)).toEqual(["2"]);
  expect(await scene.comment(2)).toMatch(
    /\*\*Asked for\*\* in \[this comment\]\(http\S+issuecomment/,
  );
  expect(scene.landLedger().jobs).toEqual([]);
});

test("comments are read since the last run, and status comments of another key count with previous-api-key", async () => {
  await using scene = await setUpLand();
  await startJob(scene);
  const { adminKey } = scene.world.service;
  const inputs = { "api-key": scene.world.service.assistantKey };
  // The assistant's key cannot use the agent, and cannot verify the first key's status comments.
  const unknown = await scene.run({ inputs });
  expect(unknown.outputs.openCount).toBe("0");
  const { home } = scene.world.github;
  for (const ref of [...home.refs.keys()]) if (ref.includes("/land/")) home.setRef(ref, null);
  const refused = await scene.run({ inputs: { ...inputs, "previous-api-key": adminKey } });
  // The status comment verifies, so its job is polled.
  expect(refused.outputs.errorKind).toMatch(/^(unauthorized|forbidden)$/);
  expect((await scene.run()).outputs.openCount).toBe("1");
  await scene.run();
  const lists = (await scene.world.github.requests()).filter(
    ({ method, path }) => method === "GET" && path.endsWith("/issues/comments"),
  );
  const since = lists.map(({ query }) => Date.parse(query.since ?? ""));
  expect(Date.now() - (since[0] ?? 0)).toBeGreaterThan(29 * 86_400_000);
  expect(Date.now() - (since.at(-1) ?? 0)).toBeLessThan(3_600_000);
});

/** Lets the queue document something, and its job end. */
async function documentByQueue(scene: LandSetup): Promise<void> {
  const inputs = { "tasks-file": "tasks.yml" };
  const workspaceFiles = { "tasks.yml": '["Document it."]' };
  for (let run = 0; run < 2; run++) {
    await scene.run({ action: "queue", inputs, workspaceFiles });
    await scene.passTime();
  }
}

test("docs pull requests of the queue's ledger are found, but not those of another project's ledger", async () => {
  await using scene = await setUpLand();
  await scene.document();
  await documentByQueue(scene);
  expect(numbersIn((await scene.run()).outputs)).toHaveLength(2);
  const { service } = scene.world;
  const other = await scene.run({ inputs: { "project-id": "other", "base-url": service.url } });
  expect(other.outputs).toMatchObject({ openCount: "0" });
  expect(other.outputs.errorKind).toBeUndefined();
});

test("a ledger with a link that is no URL is left alone until it is repaired, and does not affect others", async () => {
  await using scene = await setUpLand();
  await scene.document();
  await documentByQueue(scene);
  const { home } = scene.world.github;
  const upkeeps = ledgersOf(home).find((ledger) => ledger.ref.includes("/upkeep/"));
  if (upkeeps === undefined) throw new Error("there is one");
  const { ref, sha, files } = upkeeps;
  const text = files["ledger.json"]?.replace(/"prLink":"[^"]+"/, '"prLink":"pull 7"') ?? "";
  home.setRef(ref, home.commit(sha, { files: { "ledger.json": text } }));
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ openCount: "1" });
  expect(run.warnings.join()).toMatch(
    /upkeep\/.* cannot be read \(at reviews\.0\.prLink\): docs pull/,
  );
  const upkeep = await scene.run({ action: "upkeep" });
  expect(upkeep.outputs).toMatchObject({ errorKind: "invalid-input" });
  expect(upkeep.outputs.errorMessage).toContain("at reviews.0.prLink");
  home.setRef(ref, sha);
  const repaired = await scene.run();
  expect(repaired.outputs).toMatchObject({ openCount: "2" });
  expect(repaired.warnings).toEqual([]);
});

test("pull requests that cannot be read cause one warning each, do not affect others, and are dropped after a month", async () => {
  await using scene = await setUpLand();
  const [first, second] = [await scene.document("One"), await scene.document("Two")];
  const { service, github } = scene.world;
  await startJob(scene, "emulate: pr=https://example.org/acme/docs/pull/3");
  await startJob(scene, `emulate: pr=${github.url}/acme/hidden/pull/4`);
  expect(await service.jobs()).toHaveLength(4);
  const run = await scene.run();
  expect(run.exitCode).toBe(0);
  expect(run.warnings).toHaveLength(2);
  expect(run.warnings.join("\n")).toContain("not on the GitHub that this workflow runs on");
  expect(run.warnings.join("\n")).toContain("It cannot be read");
  expect(run.outputs).toMatchObject({ openCount: "4", needsPersonCount: "2" });
  expect(await scene.comment(first)).toContain("Ready for review");
  expect(await scene.comment(second)).toContain("Ready for review");
  expect((await scene.run()).warnings).toEqual([]);
  await scene.passTime(24 * 31);
  await scene.run();
  expect(scene.landLedger().open).toHaveLength(2);
});

test("an outage of GitHub does not remove an old docs pull request from the ledger", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.report(number);
  await scene.run();
  await scene.passTime(24 * 40);
  scene.world.github.emulated.addFault({ path: "^/graphql", status: 502, times: 9 });
  await scene.run({ fastClock: 20 });
  scene.world.github.emulated.clearFaults();
  expect(scene.landLedger().open[0]).toMatchObject({ followUps: [expect.anything()] });
});

test.each(
  someOf([
    ["v2-get", 401, "unauthorized"],
    ["v2-get", 403, "forbidden"],
    ["v2-message", 401, "unauthorized"],
  ] as const),
)("a key that the service refuses (%s: %i) fails the step with %s", async (route, status, kind) => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.report(number);
  await scene.world.service.addFault({ route, status });
  const run = await scene.run();
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ errorKind: kind });
  const later = await scene.run();
  expect(later.exitCode).toBe(0);
  expect(later.outputs).toMatchObject({ followUpCount: "1" });
});

test("one error reports every invalid input, and there is no request", async () => {
  await using scene = await setUpLand();
  const run = await scene.run({
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
  const alone = await scene.run({ inputs: { merge: "checks" } });
  expect(alone.outputs.errorMessage).toContain("only together with `allowed-paths`");
  expect(await scene.world.github.requests()).toEqual([]);
  expect(await scene.world.service.requests()).toEqual([]);
});

test("the token and the URL of GitHub's API can be given, and ledger-ref is used as land's ref", async () => {
  await using scene = await setUpLand();
  const { url, token } = scene.world.github;
  await scene.document();
  const inputs = { "github-token": token, "github-api-url": url };
  const run = await scene.run({ apiUrl: "http://127.0.0.1:9", token: "", inputs });
  expect(run.outputs.openCount).toBe("1");
  await scene.run({ inputs: { "ledger-ref": "refs/heads/land" } });
  const refs = [...scene.world.github.home.refs.keys()];
  expect(refs.filter((ref) => ref.includes("land"))).toEqual([
    expect.stringMatching(/^refs\/docs-agent\/land\/[0-9a-f]+$/),
    "refs/heads/land",
  ]);
});

test("a ledger elsewhere is read if ledgers names it, and a warning says if there is none at all", async () => {
  await using scene = await setUpLand();
  const first = await scene.run();
  expect(first.warnings).toEqual([
    expect.stringContaining("There is no ledger of upkeep or queue"),
  ]);
  await scene.document();
  const { home } = scene.world.github;
  const [[ref = "", sha = ""] = []] = [...home.refs].filter(([name]) => name.includes("/upkeep/"));
  home.setRef("refs/heads/docs-ledger", sha);
  home.setRef(ref, null);
  const none = await scene.run({ inputs: { ledgers: "refs/heads/docs" } });
  expect(none.warnings).toEqual([
    expect.stringContaining("There is no ref refs/heads/docs here"),
    expect.stringContaining("There is no ledger"),
  ]);
  const found = await scene.run({ inputs: { ledgers: "refs/heads/docs-ledger" } });
  expect(found.outputs.openCount).toBe("1");
  expect(found.warnings).toEqual([]);
});

test("without contents: write, nothing is sent, and the error names the permission", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.report(number);
  await scene.history.restrict({ contents: "read" });
  const run = await scene.run();
  expect(run.exitCode).toBe(1);
  expect(run.outputs.errorKind).toBe("github-refused");
  expect(run.outputs.errorMessage).toContain("contents: write");
  expect(await scene.prompts()).toHaveLength(1);
  expect(await scene.comments(number)).toEqual([]);
});

test("without issues: write and pull-requests: write, each refusal causes a warning, and the step succeeds", async () => {
  await using scene = await setUpLand();
  const number = await scene.document();
  await scene.history.restrict({ contents: "write", issues: "read", pull_requests: "read" });
  const run = await scene.run({ inputs: { labels: "docs" } });
  expect(run.exitCode).toBe(0);
  expect(run.warnings.join("\n")).toContain("It could not be labelled");
  expect(run.warnings.join("\n")).toContain("It could not be commented on");
  expect(await scene.comments(number)).toEqual([]);
});

test("a run with nothing new makes at most 6 requests to GitHub for three docs pull requests, and writes nothing", async () => {
  await using scene = await setUpLand();
  for (const title of ["One", "Two", "Three"]) await scene.document(title);
  const inputs = {
    "allowed-paths": "docs/**",
    "required-checks": "docs-check",
    merge: "checks",
    preview: "true",
    reviewers: "authors",
  };
  for (let run = 0; run < 3; run++) await scene.run({ inputs });
  const shaOfLand = () => scene.ledgers().find(({ ref }) => ref.includes("/land/"))?.sha;
  const sha = shaOfLand();
  const { requests } = scene.world.github.emulated.received;
  requests.splice(0);
  await scene.run({ inputs });
  const isByAction = (agent = "") => agent.startsWith("docs-agent-action");
  const own = requests.filter(({ headers }) => isByAction(headers["user-agent"]));
  expect(own.length).toBeGreaterThan(0);
  expect(own.length).toBeLessThanOrEqual(6);
  expect(shaOfLand()).toBe(sha);
});
