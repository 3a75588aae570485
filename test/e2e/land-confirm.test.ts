import { expect, test } from "vitest";
import { tokenOf } from "../../emulator/github/people.ts";
import type { Pull } from "../../emulator/github/state.ts";
import { byName, someOf } from "../support/sample.ts";
import { documentChange, LAND, seeHeads } from "../support/world/docs-pulls.ts";
import { startWorld, type World } from "../support/world/world.ts";

/** Something that happens on GitHub at one moment. */
type Change = (world: World, pull: Pull) => unknown;

/** Changes the world once, right after the run has written what it is about to do. */
function onceIntended(world: World, number: number, change: Change): void {
  const { emulated } = world.github;
  const { beforeRequest } = emulated;
  emulated.beforeRequest = () => {
    beforeRequest();
    const isIntended = world.ledger("land").ledger.open.some(({ intent }) => intent !== null);
    if (!isIntended) return;
    emulated.beforeRequest = beforeRequest;
    change(world, world.pull(number));
  };
}

const review =
  (event: "APPROVE" | "REQUEST_CHANGES", login: string): Change =>
  ({ github }, { number }) => {
    const path = `/repos/${github.home.fullName}/pulls/${number}/reviews`;
    const headers = { authorization: `token ${tokenOf(login)}` };
    const body = JSON.stringify({ event, body: "Not yet." });
    const { status } = github.emulated.handle({ method: "POST", path, headers, body });
    expect(status).toBe(200);
  };
const report =
  (conclusion: string): Change =>
  ({ github }, { head }) =>
    github.home.report({ name: "docs-check", head_sha: head, conclusion });
const push: Change = ({ github }, { branch }) =>
  github.home.push({ files: { "docs/more.md": "More." } }, branch);
const close: Change = ({ github }, pull) => github.home.close(pull);
const otherBase: Change = ({ github }, pull) => {
  github.home.setRef("refs/heads/release", github.home.tip());
  github.home.retarget(pull, "release");
};

const APPROVED = { merge: "approved", comment: "true" };

interface Meanwhile {
  name: string;
  inputs: Record<string, string>;
  prepare: (world: World, number: number) => Promise<unknown>;
  change: Change;
  /** What the next run does if the change is taken back, or has settled. */
  next: Record<string, string>;
}

const approve: Meanwhile["prepare"] = ({ github }, number) => github.review(number, "APPROVE");
const red: Meanwhile["prepare"] = ({ github }, number) => github.report(number);
const STAYS = { mergedCount: "0", followUpCount: "0", openCount: "1" };

const CHANGES: Meanwhile[] = [
  {
    name: "an objection keeps it from being merged",
    inputs: APPROVED,
    prepare: approve,
    change: review("REQUEST_CHANGES", "writer"),
    next: { mergedCount: "0", followUpCount: "1" },
  },
  {
    name: "another head is not merged",
    inputs: APPROVED,
    prepare: approve,
    change: push,
    next: STAYS,
  },
  {
    name: "a title that came to skip workflows is not in the message",
    inputs: APPROVED,
    prepare: approve,
    change: ({ github }, pull) => github.home.change(pull, { title: "Retries [skip ci]" }),
    next: { mergedCount: "1" },
  },
  {
    name: "a changed base is not merged into",
    inputs: APPROVED,
    prepare: approve,
    change: otherBase,
    next: { openCount: "1", needsPersonCount: "1" },
  },
  {
    name: "a closed pull request is left alone",
    inputs: APPROVED,
    prepare: approve,
    change: close,
    next: { mergedCount: "0", closedCount: "1", openCount: "0" },
  },
  {
    name: "a red check keeps it from being merged",
    inputs: APPROVED,
    prepare: approve,
    change: report("failure"),
    next: { ...STAYS, needsPersonCount: "1" },
  },
  {
    name: "a check that has succeeded is not sent to the agent",
    inputs: {},
    prepare: red,
    change: report("success"),
    next: STAYS,
  },
  {
    name: "the agent gets nothing about a pull request that was closed",
    inputs: {},
    prepare: red,
    change: close,
    next: { followUpCount: "0", closedCount: "1" },
  },
];

test.each(byName(someOf(CHANGES)))("between plan and act, %s", async (_, meanwhile) => {
  const { inputs, prepare, change, next } = meanwhile;
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await seeHeads(world);
  await prepare(world, number);
  const before = (await world.prompts()).length;
  onceIntended(world, number, change);
  const run = await world.run("land", { inputs });
  expect(run.exitCode).toBe(0);
  expect(run.warnings).toEqual([]);
  expect(run.outputs).toMatchObject({ mergedCount: "0", closedCount: "0", followUpCount: "0" });
  expect(await world.prompts()).toHaveLength(before);
  expect(world.pull(number).mergedAt).toBeNull();
  const [entry] = world.ledger("land").ledger.open;
  expect(entry).toMatchObject({ intent: null, followUps: [], sent: [], refused: null });
  const sentence = "Right before it was done, this could not be confirmed";
  expect(world.comment(number)).toContain(`**Next:** ${sentence}`);
  expect(run.summary).toContain(sentence);
  expect((await world.run("land", { inputs })).outputs).toMatchObject(next);
});

test("to confirm a merge costs two requests to GitHub", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await seeHeads(world);
  await approve(world, number);
  let first = 0;
  onceIntended(world, number, () => {
    // The request that is being answered.
    first = world.asked("github").length - 1;
  });
  const inputs = { ...APPROVED, "allowed-paths": "docs/**" };
  expect((await world.run("land", { inputs })).outputs).toMatchObject({ mergedCount: "1" });
  const own = world.asked("github").slice(first);
  const untilMerge = own.slice(
    0,
    own.findIndex((request) => request.endsWith("/merge")),
  );
  expect(untilMerge).toEqual([
    expect.stringMatching(/^POST .*\/graphql$/),
    expect.stringMatching(/^GET .*\/rules\/branches\/main/),
  ]);
});
