import { expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { AGENT } from "../../emulator/github/people.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { connectEmulated } from "../../test/support/github-client.ts";
import { checkOf, entryOf, landInputs, NOW } from "../../test/support/land-facts.ts";
import { contextOf } from "../../test/support/run-context.ts";
import type { PolledJob } from "../service/agent.ts";
import { setUpLandRun } from "./land-run.ts";
import type { PullEntry } from "./ledger.ts";
import { keptReads, landReads } from "./reads.ts";

const URL = "https://github.com/acme/docs/pull/1";

/** A docs pull request on an emulated GitHub, and reads of it. */
function scene() {
  const github = new GitHub(() => NOW);
  const repository = github.create("acme/docs");
  const { number } = repository.openPull({ author: AGENT, commits: [{ author: AGENT }] });
  const { connect, asked } = connectEmulated(github);
  const dependencies = dependenciesOf();
  const run = setUpLandRun(landInputs(), contextOf("schedule"), dependencies);
  run.store.namedAt = NOW;
  const polled: string[] = [];
  const polls = {
    poll: async (_: unknown, id: string): Promise<PolledJob | null> => {
      polled.push(id);
      return null;
    },
  };
  const own = { ...run, connect, polls: Object.assign(run.polls, polls) };
  const kept = keptReads(own);
  const reads = () => landReads(own, kept);
  const entry = (over: Partial<PullEntry> = {}) =>
    entryOf({ url: URL, repositoryId: null, ...over });
  return { github, repository, number, asked, reads, entry, polled, lines: dependencies.lines };
}

test("each question is asked once, and again by fresh reads", async () => {
  const { asked, reads, entry, polled } = scene();
  const first = reads();
  const [one, other] = await Promise.all([first.pull(entry()), first.pull(entry())]);
  expect(one).toBe(other);
  await first.job("job_1");
  await first.job("job_1");
  expect([asked.length, polled.length]).toEqual([1, 1]);
  await reads().pull(entry());
  await reads().job("job_1");
  expect([asked.length, polled.length]).toEqual([2, 2]);
});

test("the files at a head are read once, also by fresh reads, and those of another head anew", async () => {
  const { asked, reads, entry, repository, number } = scene();
  const pull = await reads().pull(entry());
  if (pull.type !== "known") throw new Error(pull.type);
  const before = asked.length;
  const files = await reads().files(pull.value);
  expect(files).toMatchObject({ type: "known", value: { type: "listed" } });
  const { length } = asked;
  expect(length).toBeGreaterThan(before);
  expect(await reads().files(pull.value)).toEqual(files);
  expect(asked).toHaveLength(length);
  repository.push({ author: AGENT, files: { "docs/more.md": "More." } }, pull.value.branch);
  const moved = await reads().pull(entry());
  if (moved.type !== "known") throw new Error(moved.type);
  expect(moved.value).toMatchObject({ number });
  await reads().files(moved.value);
  expect(asked.length).toBeGreaterThan(length + 1);
});

test.each([
  ["on another host", { url: "https://other.example/acme/docs/pull/1" }, { type: "absent" }],
  [
    "that GitHub does not show",
    { url: "https://github.com/acme/other/pull/1" },
    { type: "unread", cause: "refused", isPassing: false },
  ],
  [
    "whose repository's ID leads nowhere",
    { url: "https://github.com/acme/other/pull/1", repositoryId: 999 },
    { type: "unread", cause: "refused" },
  ],
])("one %s", async (_, over, expected) => {
  const { reads, entry } = scene();
  expect(await reads().pull(entry(over))).toMatchObject(expected);
});

test("one under a former name is found by its repository's ID", async () => {
  const { reads, entry, repository } = scene();
  const url = "https://github.com/acme/former/pull/1";
  const found = await reads().pull(entry({ url, repositoryId: repository.id }));
  expect(found).toMatchObject({ type: "known", value: { repository: "acme/docs" } });
});

test("GitHub's failures pass, and are said as such", async () => {
  const { reads, entry, github } = scene();
  github.addFault({ path: "^/graphql", status: 502, times: 9 });
  expect(await reads().pull(entry())).toMatchObject({
    type: "unread",
    cause: "unanswered",
    isPassing: true,
  });
});

test("a log that cannot be read is a line of the log, where the docs pull request may be named", async () => {
  const { reads, entry, lines } = scene();
  const first = reads();
  const pull = await first.pull(entry());
  if (pull.type !== "known") throw new Error(pull.type);
  const log = await first.log(entry(), pull.value, checkOf({ id: "77", name: "links" }));
  expect(log).toMatchObject({ type: "unread" });
  expect(lines.filter((line) => line.includes("The log of the job"))).toEqual([
    expect.stringContaining(`${URL}: The log of the job "links" could not be read: `),
  ]);
});
