import { expect, test } from "vitest";
import { tokenOf, WORKFLOW } from "../../emulator/github/people.ts";
import { issueOpened } from "../support/events.ts";
import { type LandSetup, setUpLand } from "../support/land-setup.ts";
import { someOf } from "../support/sample.ts";

/** A root run on issue 1 that does not wait. */
async function ask(it: LandSetup, prompt = "Document the webhooks."): Promise<void> {
  const { url, repository, token } = it.world.github;
  await it.run({
    ...issueOpened(1),
    action: ".",
    repository,
    apiUrl: url,
    serverUrl: url,
    token,
    inputs: { prompt, wait: "false" },
  });
}

function urls(outputs: Record<string, string>): string[] {
  const found: { url: string }[] = JSON.parse(outputs.pullRequests ?? "");
  return found.map(({ url }) => url.replace(/^.*\/pull\//, ""));
}

test("a docs pull request of a run that did not wait is found once its job has opened it, and links where it was asked for", async () => {
  await using it = await setUpLand({ steering: { durationMs: 3_600_000 } });
  await ask(it);
  expect((await it.run()).outputs).toMatchObject({ openCount: "0" });
  expect(it.landLedger().jobs).toHaveLength(1);
  const [job] = await it.world.service.jobs();
  const prLink = `${it.world.github.url}/acme/docs/pull/2`;
  await it.history.openPull({ author: "docs-agent[bot]" });
  await it.world.service.setJob(job?.id ?? "", { status: "completed", prLink });
  const run = await it.run();
  expect(urls(run.outputs)).toEqual(["2"]);
  expect(await it.comment(2)).toMatch(/\*\*Asked for\*\* in \[this comment\]\(http\S+issuecomment/);
  expect(it.landLedger().jobs).toEqual([]);
});

test("comments are read from where the last run ended, and status comments of another key count with `previous-api-key`", async () => {
  await using it = await setUpLand();
  await ask(it);
  const { adminKey } = it.world.service;
  const inputs = { "api-key": it.world.service.assistantKey };
  // The world's other key may not ask the agent: with it, nothing that the first key signed counts.
  const unknown = await it.run({ inputs });
  expect(unknown.outputs.openCount).toBe("0");
  const { home } = it.world.github;
  for (const ref of [...home.refs.keys()]) if (ref.includes("/land/")) home.setRef(ref, null);
  const refused = await it.run({ inputs: { ...inputs, "previous-api-key": adminKey } });
  // Now there is a job to poll.
  expect(refused.outputs.errorKind).toMatch(/^(unauthorized|forbidden)$/);
  expect((await it.run()).outputs.openCount).toBe("1");
  await it.run();
  const asked = (await it.world.github.requests()).filter(
    ({ method, path }) => method === "GET" && path.endsWith("/issues/comments"),
  );
  const since = asked.map(({ query }) => Date.parse(query.since ?? ""));
  expect(Date.now() - (since[0] ?? 0)).toBeGreaterThan(29 * 86_400_000);
  expect(Date.now() - (since.at(-1) ?? 0)).toBeLessThan(3_600_000);
});

test("docs pull requests of the queue's ledger are found, those of another project's ledger are not", async () => {
  await using it = await setUpLand();
  await it.document();
  const inputs = { "tasks-file": "tasks.yml" };
  const workspaceFiles = { "tasks.yml": '["Document it."]' };
  for (let run = 0; run < 2; run++) {
    await it.run({ action: "queue", inputs, workspaceFiles });
    await it.passTime();
  }
  expect(urls((await it.run()).outputs)).toHaveLength(2);
  const { service } = it.world;
  const other = await it.run({ inputs: { "project-id": "other", "base-url": service.url } });
  expect(other.outputs).toMatchObject({ openCount: "0" });
  expect(other.outputs.errorKind).toBeUndefined();
});

test("what cannot be read is a warning once, the others go on, and after a month it is given up", async () => {
  await using it = await setUpLand();
  const [one, two] = [await it.document("One"), await it.document("Two")];
  const { service, github } = it.world;
  const link = (url: string) => ({ prLink: url });
  await ask(it, "emulate: pr=https://example.org/acme/docs/pull/3");
  await ask(it, `emulate: pr=${github.url}/acme/hidden/pull/4`);
  expect((await service.jobs()).map(link as never)).toHaveLength(4);
  const run = await it.run();
  expect(run.exitCode).toBe(0);
  expect(run.warnings).toHaveLength(2);
  expect(run.warnings.join("\n")).toContain("not on the GitHub that this workflow runs on");
  expect(run.warnings.join("\n")).toContain("It cannot be read");
  expect(run.outputs).toMatchObject({ openCount: "4", needsPersonCount: "2" });
  expect(await it.comment(one)).toContain("Ready for review");
  expect(await it.comment(two)).toContain("Ready for review");
  expect((await it.run()).warnings).toEqual([]);
  await it.passTime(24 * 31);
  await it.run();
  expect(it.landLedger().open).toHaveLength(2);
});

test("one bad day of GitHub does not cost what is known of an old docs pull request", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  await it.history.report(number);
  await it.run();
  await it.passTime(24 * 40);
  it.world.github.emulated.addFault({ path: "^/graphql", status: 502, times: 9 });
  await it.run({ fastClock: 20 });
  it.world.github.emulated.clearFaults();
  expect(it.landLedger().open[0]).toMatchObject({ followUps: [expect.anything()] });
});

test.each(
  someOf([
    ["v2-get", 401, "unauthorized"],
    ["v2-get", 403, "forbidden"],
    ["v2-message", 401, "unauthorized"],
  ] as const),
)("a key that the service refuses (%s: %i) fails the step", async (route, status, kind) => {
  await using it = await setUpLand();
  const number = await it.document();
  await it.history.report(number);
  await it.world.service.addFault({ route, status });
  const run = await it.run();
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ errorKind: kind });
  const later = await it.run();
  expect(later.exitCode).toBe(0);
  expect(later.outputs).toMatchObject({ followUpCount: "1" });
});

test("every wrong input is told in one go, and nothing is asked", async () => {
  await using it = await setUpLand();
  const run = await it.run({
    inputs: {
      comment: "yes",
      preview: "1",
      checks: "fix",
      reviews: "none",
      conflicts: "merge",
      "max-follow-ups": "-1",
      "max-files": "1.5",
      "max-deleted-lines": "many",
      merge: "always",
      "merge-method": "fast-forward",
      "merge-delay-hours": "-1",
      "remind-after-days": "soon",
      "close-after-days": "1e9",
      "dry-run": "maybe",
      "allowed-paths": "docs/[",
      reviewers: "a b",
      name: "../x",
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
    "max-deleted-lines",
    "merge",
    "merge-method",
    "merge-delay-hours",
    "remind-after-days",
    "close-after-days",
    "dry-run",
    "allowed-paths",
    "reviewers",
    "name",
    "ledger-ref",
  ];
  for (const name of names) expect(run.outputs.errorMessage).toMatch(new RegExp(`\\b${name}: `));
  const alone = await it.run({ inputs: { merge: "checks" } });
  expect(alone.outputs.errorMessage).toContain("only together with `allowed-paths`");
  expect(await it.world.github.requests()).toEqual([]);
  expect(await it.world.service.requests()).toEqual([]);
});

test("each name has a ledger of its own, and `ledger-ref` puts it elsewhere", async () => {
  await using it = await setUpLand();
  const { url, token } = it.world.github;
  await it.run({
    apiUrl: "http://127.0.0.1:9",
    token: "",
    inputs: { name: "second", "github-token": token, "github-api-url": url },
  });
  await it.run({ inputs: { "ledger-ref": "refs/heads/land" } });
  const refs = [...it.world.github.home.refs.keys()];
  expect(refs).toEqual(expect.arrayContaining(["refs/docs-agent/land/second", "refs/heads/land"]));
});

test("without the permission to write the ledger nothing is done, and the message says so", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  await it.history.report(number);
  await it.history.restrict({ contents: "read" });
  const run = await it.run();
  expect(run.exitCode).toBe(1);
  expect(run.outputs.errorKind).toBe("github-unavailable");
  expect(run.outputs.errorMessage).toContain("contents: write");
  expect(await it.prompts()).toHaveLength(1);
  expect(await it.comments(number)).toEqual([]);
});

test("without the permission to write pull requests each refusal is a warning, and the step is green", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  await it.history.restrict({ contents: "write", issues: "read", pull_requests: "read" });
  const run = await it.run({ inputs: { labels: "docs" } });
  expect(run.exitCode).toBe(0);
  expect(run.warnings.join("\n")).toContain("It could not be labelled");
  expect(run.warnings.join("\n")).toContain("It could not be commented on");
  expect(await it.comments(number)).toEqual([]);
});

test("a run is small when nothing is new: at most 6 requests to GitHub, and 4 for each docs pull request", async () => {
  await using it = await setUpLand();
  for (const title of ["One", "Two", "Three"]) await it.document(title);
  const inputs = {
    "allowed-paths": "docs/**",
    merge: "checks",
    preview: "true",
    reviewers: "authors",
  };
  for (let run = 0; run < 3; run++) await it.run({ inputs });
  const isOurs = ({ authorization = "" }: { authorization?: string }) =>
    authorization.includes(tokenOf(WORKFLOW));
  const count = async () =>
    (await it.world.github.requests()).filter((one) => isOurs(one.headers)).length;
  const before = await count();
  const { sha } = it.ledgers().find(({ ref }) => ref.includes("/land/")) ?? {};
  await it.run({ inputs });
  expect((await count()) - before).toBeLessThanOrEqual(6 + 3 * 4);
  expect(it.ledgers().find(({ ref }) => ref.includes("/land/"))?.sha).toBe(sha);
});
