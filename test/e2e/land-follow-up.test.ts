import { expect, test } from "vitest";
import { AGENT } from "../../emulator/github/people.ts";
import type { Fault } from "../../emulator/service/faults.ts";
import { type LandSetup, setUpLand } from "../support/land-setup.ts";
import { someOf } from "../support/sample.ts";

type Prepare = (scene: LandSetup, number: number) => Promise<unknown> | unknown;
type Inputs = Record<string, string>;

const red: Prepare = ({ history }, number) => history.report(number);
const comment =
  (login: string, body: string): Prepare =>
  async (scene, number) => {
    const path = await scene.pageOf(number);
    await scene.history.review(number, "COMMENT", { login, comments: [{ path, line: 1, body }] });
  };

/** What happens to a docs pull request, and what of it the agent is told. */
const told: [string, Prepare, string[], Inputs][] = [
  [
    "a failed check, with its annotations",
    ({ history }, number) =>
      history.report(number, {
        name: "links",
        summary: "One is dead.",
        annotations: [{ path: "docs/a.md", start_line: 7, message: "Leads nowhere." }],
      }),
    ["1 failed check", "links: failure", "One is dead.", "docs/a.md:7: Leads nowhere."],
    { checks: "ignore" },
  ],
  [
    "a review that asks for changes",
    ({ history }, number) => history.review(number, "REQUEST_CHANGES", { body: "Say it shorter." }),
    ["1 review that asks for changes", "maintainer", "Say it shorter."],
    { reviews: "ignore" },
  ],
  [
    "an open comment by somebody who may write",
    comment("writer", "Which retries?"),
    ["1 review comment", "writer", "Which retries?", "docs/", ":1", "@@"],
    { reviews: "ignore" },
  ],
  [
    "a conflict",
    ({ history }, number) => history.conflict(number),
    ["1 conflict with its base", "up to date with `main`"],
    { conflicts: "ignore" },
  ],
  [
    "all that is new, at once",
    async (scene, number) => {
      await red(scene, number);
      await comment("writer", "Which retries?")(scene, number);
      await scene.history.conflict(number);
    },
    ["1 failed check, 1 review comment and 1 conflict with its base"],
    { checks: "ignore", reviews: "ignore", conflicts: "ignore" },
  ],
];

test.each(someOf(told))("the agent is told once of %s", async (_, prepare, words, ignored) => {
  await using it = await setUpLand();
  const number = await it.document();
  await prepare(it, number);
  const before = (await it.prompts()).length;
  const left = await it.run({ inputs: ignored });
  expect(left.outputs).toMatchObject({ followUpCount: "0" });
  const run = await it.run();
  expect(run.outputs).toMatchObject({ followUpCount: "1", openCount: "1", needsPersonCount: "0" });
  const [prompt = "", ...others] = (await it.prompts()).slice(before);
  expect(others).toEqual([]);
  for (const word of words) expect(prompt).toContain(word);
  expect(await it.comment(number)).toContain(words[0]);
  // What the agent has pushed answers it, or waits for whoever asked: nothing is sent again.
  for (const hours of [0, 1, 24]) {
    await it.passTime(hours);
    expect((await it.run()).outputs.followUpCount).toBe("0");
  }
  expect(await it.prompts()).toHaveLength(before + 1);
});

/** What is none of the agent's business, or not any more. */
const untold: [string, Prepare, Inputs, string][] = [
  ["a stranger's comment", comment("reader", "Buy this."), {}, "A person reviews"],
  [
    "a stranger's review",
    ({ history }, number) => history.review(number, "REQUEST_CHANGES", { login: "reader" }),
    ...([{}, "A person reviews"] as const),
  ],
  [
    "a comment that is resolved",
    async (scene, number) => {
      await comment("writer", "Which retries?")(scene, number);
      await scene.history.resolve(number);
    },
    ...([{}, "A person reviews"] as const),
  ],
  [
    "a failed check while another is not over",
    async (scene, number) => {
      await red(scene, number);
      await scene.history.report(number, { name: "slow", conclusion: "" });
    },
    ...([{}, "Checks or builds are not over yet"] as const),
  ],
  [
    "a failed check after somebody else has pushed",
    async (scene, number) => {
      await scene.history.pushTo(number, { files: ["docs/more.md"] });
      await red(scene, number);
    },
    ...([{}, "Somebody else than the agent has pushed to it"] as const),
  ],
  [
    "a failed check while the agent works",
    async (scene, number) => {
      await red(scene, number);
      await scene.world.service.setJob(await scene.jobOf(number), { status: "active" });
    },
    ...([{}, "The agent is at work on it"] as const),
  ],
  [
    "a failed check of what its job no longer names",
    async (scene, number) => {
      await red(scene, number);
      const prLink = `${scene.world.github.url}/acme/docs/pull/1`;
      await scene.world.service.setJob(await scene.jobOf(number), { prLink });
    },
    ...([{}, "no longer names this pull request"] as const),
  ],
];

test.each(someOf(untold))("the agent is not told of %s", async (_, prepare, inputs, words) => {
  await using it = await setUpLand();
  const number = await it.document();
  const before = (await it.prompts()).length;
  await prepare(it, number);
  const run = await it.run({ inputs });
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ followUpCount: "0", openCount: "1", mergedCount: "0" });
  expect(await it.comment(number)).toContain(words);
  expect(await it.prompts()).toHaveLength(before);
});

/** How the service answers a follow-up; how many count as sent; whether a person is needed, and how many go out at last. */
const refusals: [string, Fault, string, string, string, number][] = [
  ...([400, 404, 410] as const).map((status): [string, Fault, string, string, string, number] => [
    `${status}: its job takes no more`,
    { route: "v2-message", status },
    ...(["0", "1", "0", 0] as const),
  ]),
  ["409: it waits", { route: "v2-message", status: 409, times: 9 }, "0", "0", "1", 1],
  ["429: it waits", { route: "v2-message", status: 429, times: 9 }, "0", "0", "1", 1],
  [
    "an answer that nobody can read: it may have been received, and is not sent again",
    { route: "v2-message", status: 200, body: "<html>" },
    ...(["0", "0", "0", 0] as const),
  ],
];

test.each(someOf(refusals))("a follow-up is answered with %s", async (...row) => {
  const [, fault, sent, needy, later, arrived] = row;
  await using it = await setUpLand();
  const number = await it.document();
  await red(it, number);
  const before = (await it.prompts()).length;
  await it.world.service.addFault(fault);
  const run = await it.run();
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ followUpCount: sent, needsPersonCount: needy });
  // A job that is at work on something else is nothing to warn of.
  expect(run.warnings).toHaveLength(fault.status === 409 ? 0 : 1);
  expect(await it.comment(number)).not.toContain("the agent was told");
  await it.world.service.clearFaults();
  const next = await it.run();
  expect(next.outputs.followUpCount).toBe(later);
  expect(next.warnings).toEqual([]);
  await it.passTime();
  await it.run();
  expect(await it.prompts()).toHaveLength(before + arrived);
});

test("a red check that no follow-up mends needs a person after so many, who is told what was tried", async () => {
  await using it = await setUpLand({ steering: { checks: "stuck" } });
  const number = await it.document();
  const inputs = { "max-follow-ups": "2" };
  for (const count of ["1", "1", "0", "0"]) {
    const run = await it.run({ inputs });
    expect(run.outputs.followUpCount).toBe(count);
    await it.passTime();
  }
  const last = await it.run({ inputs });
  expect(last.outputs).toMatchObject({ needsPersonCount: "1" });
  expect(last.outputs.pullRequests).toContain("1 failed check, after 2 follow-ups of at most 2");
  const text = await it.comment(number);
  expect(text).toContain("needs a person");
  expect(text.match(/\*\*Follow-up:\*\*/g)).toHaveLength(2);
});

test("what was told of stays told of when GitHub does not show it for a while", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  await comment("writer", "Which retries?")(it, number);
  expect((await it.run()).outputs.followUpCount).toBe("1");
  await it.passTime();
  await it.history.resolve(number);
  await it.run();
  for (const one of it.world.github.home.reviewComments) one.isResolved = false;
  expect((await it.run()).outputs.followUpCount).toBe("0");
});

test("the agent that has not answered a follow-up gets half an hour, and then a person is asked", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  await red(it, number);
  const prompt = "outcome=no-changes";
  await it.history.report(number, { name: "second", summary: `emulate: ${prompt}` });
  await it.run();
  const early = await it.run();
  expect(early.outputs).toMatchObject({ followUpCount: "0", needsPersonCount: "0" });
  expect(await it.prompts()).toHaveLength(2);
});

test("the agent's own words on its pull request ask for nothing", async () => {
  await using it = await setUpLand();
  const number = await it.document();
  await comment(AGENT, "I wrote this.")(it, number);
  expect((await it.run()).outputs.followUpCount).toBe("0");
});
