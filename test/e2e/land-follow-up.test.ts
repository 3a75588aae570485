import { expect, test } from "vitest";
import { AGENT } from "../../emulator/github/people.ts";
import type { Fault } from "../../emulator/service/faults.ts";
import { byName, someOf } from "../support/sample.ts";
import { documentChange, jobOf, LAND, pageOf } from "../support/world/docs-pulls.ts";
import { HOUR, startWorld, type World } from "../support/world/world.ts";

type Prepare = (world: World, number: number) => Promise<unknown> | unknown;
type Inputs = Record<string, string>;

const red: Prepare = ({ github }, number) => github.report(number);
const comment =
  (login: string, body: string): Prepare =>
  async (world, number) => {
    const path = await pageOf(world, number);
    await world.github.review(number, "COMMENT", { login, comments: [{ path, line: 1, body }] });
  };

interface Problem {
  name: string;
  prepare: Prepare;
  /** Texts in the follow-up. The first one is in land's comment, too. */
  words: [string, ...string[]];
  /** Inputs with which the problem causes no follow-up. */
  ignoring: Inputs;
}

const PROBLEMS: Problem[] = [
  {
    name: "a failed check, with its annotations",
    prepare: ({ github }, number) =>
      github.report(number, {
        name: "links",
        summary: "One is dead.",
        annotations: [{ path: "docs/a.md", start_line: 7, message: "Leads nowhere." }],
      }),
    words: ["1 failed check", "links: failure", "One is dead.", "docs/a.md:7: Leads nowhere."],
    ignoring: { checks: "ignore" },
  },
  {
    name: "a review that asks for changes",
    prepare: ({ github }, number) =>
      github.review(number, "REQUEST_CHANGES", { body: "Say it shorter." }),
    words: ["1 review that asks for changes", "maintainer", "Say it shorter."],
    ignoring: { reviews: "ignore" },
  },
  {
    name: "an open comment by somebody with write permission",
    prepare: comment("writer", "Which retries?"),
    words: ["1 review comment", "writer", "Which retries?", "docs/", ":1", "@@"],
    ignoring: { reviews: "ignore" },
  },
  {
    name: "a comment with the beginning of a hidden comment in code, and one that is hidden",
    prepare: comment("writer", "Why `<!--`?<!-- hidden --> Drop it."),
    words: ["1 review comment", "Why `<!--`? Drop it.", "@@"],
    ignoring: { reviews: "ignore" },
  },
  {
    name: "a conflict",
    prepare: ({ github }, number) => github.conflict(number),
    words: ["1 conflict with its base", "up to date with `main`"],
    ignoring: { conflicts: "ignore" },
  },
  {
    name: "several problems at once",
    prepare: async (world, number) => {
      await red(world, number);
      await comment("writer", "Which retries?")(world, number);
      await world.github.conflict(number);
    },
    words: ["1 failed check, 1 review comment and 1 conflict with its base"],
    ignoring: { checks: "ignore", reviews: "ignore", conflicts: "ignore" },
  },
];

test.each(byName(someOf(PROBLEMS)))("one follow-up is sent about %s", async (_, problem) => {
  const { prepare, words, ignoring } = problem;
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await prepare(world, number);
  const before = (await world.prompts()).length;
  const ignored = await world.run("land", { inputs: ignoring });
  expect(ignored.outputs).toMatchObject({ followUpCount: "0" });
  const run = await world.run("land");
  expect(run.outputs).toMatchObject({ followUpCount: "1", openCount: "1", needsPersonCount: "0" });
  const [prompt = "", ...others] = (await world.prompts()).slice(before);
  expect(others).toEqual([]);
  for (const word of words) expect(prompt).toContain(word);
  expect(world.comment(number)).toContain(words[0]);
  // The agent's push resolves the problem, or the problem waits for the reviewer. Nothing is sent again.
  for (const hours of [0, 1, 24]) {
    await world.passTime(hours * HOUR);
    expect((await world.run("land")).outputs.followUpCount).toBe("0");
  }
  expect(await world.prompts()).toHaveLength(before + 1);
});

interface Unsent {
  name: string;
  prepare: Prepare;
  /** Text in land's comment. */
  words: string;
}

const UNSENT: Unsent[] = [
  {
    name: "a comment by somebody without write permission",
    prepare: comment("reader", "Buy this."),
    words: "A person reviews",
  },
  {
    name: "a review by somebody without write permission",
    prepare: ({ github }, number) => github.review(number, "REQUEST_CHANGES", { login: "reader" }),
    words: "A person reviews",
  },
  {
    name: "a comment that is resolved",
    prepare: async (world, number) => {
      await comment("writer", "Which retries?")(world, number);
      await world.github.resolve(number);
    },
    words: "A person reviews",
  },
  {
    name: "a failed check while another one is pending",
    prepare: async (world, number) => {
      await red(world, number);
      await world.github.report(number, { name: "slow", conclusion: "" });
    },
    words: "Checks or builds have not finished",
  },
  {
    name: "a failed check after a push by another account",
    prepare: async (world, number) => {
      await world.github.pushTo(number, { files: ["docs/more.md"] });
      await red(world, number);
    },
    words: "Somebody other than the agent has pushed to it",
  },
  {
    name: "a failed check while the job is running",
    prepare: async (world, number) => {
      await red(world, number);
      await world.service.setJob(await jobOf(world, number), { status: "active" });
    },
    words: "The agent is at work on it",
  },
  {
    name: "a failed check of a pull request that its job no longer names",
    prepare: async (world, number) => {
      await red(world, number);
      const prLink = `${world.github.url}/acme/docs/pull/1`;
      await world.service.setJob(await jobOf(world, number), { prLink });
    },
    words: "no longer names this pull request",
  },
];

test.each(byName(someOf(UNSENT)))("no follow-up is sent about %s", async (_, unsent) => {
  const { prepare, words } = unsent;
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  const before = (await world.prompts()).length;
  await prepare(world, number);
  const run = await world.run("land");
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ followUpCount: "0", openCount: "1", mergedCount: "0" });
  expect(world.comment(number)).toContain(words);
  expect(await world.prompts()).toHaveLength(before);
});

interface Refusal {
  name: string;
  fault: Fault;
  needsPersonCount: string;
  /** Follow-ups that the next run sends, without the fault. */
  sentNext: string;
  /** Follow-ups that the service has accepted in the end. */
  accepted: number;
}

const REFUSALS: Refusal[] = [
  ...[400, 410, 413, 422].map((status) => ({
    name: `${status} needs a person, and is not sent again`,
    fault: { route: "v2-message", status } as const,
    needsPersonCount: "1",
    sentNext: "0",
    accepted: 0,
  })),
  // The job that one answer does not know is there: a poll says so.
  ...[404, 409, 429].map((status) => ({
    name: `${status} is sent by the next run`,
    fault: { route: "v2-message", status, times: 9 } as const,
    needsPersonCount: "0",
    sentNext: "1",
    accepted: 1,
  })),
  {
    name: "HTML may have been received, and is not sent again",
    fault: { route: "v2-message", status: 200, body: "<html>" },
    needsPersonCount: "0",
    sentNext: "0",
    accepted: 0,
  },
];

test.each(byName(someOf(REFUSALS)))("a follow-up that is answered with %s", async (_, refusal) => {
  const { fault, needsPersonCount, sentNext, accepted } = refusal;
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await red(world, number);
  const before = (await world.prompts()).length;
  await world.service.addFault(fault);
  const run = await world.run("land");
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ followUpCount: "0", needsPersonCount });
  // A job that is busy causes no warning.
  expect(run.warnings).toHaveLength([404, 409].includes(fault.status) ? 0 : 1);
  expect(world.comment(number)).not.toContain("was sent to the agent");
  await world.service.clearFaults();
  const next = await world.run("land");
  expect(next.outputs.followUpCount).toBe(sentNext);
  expect(next.warnings).toEqual([]);
  await world.passTime(HOUR);
  await world.run("land");
  expect(await world.prompts()).toHaveLength(before + accepted);
});

test("a job that stays busy is tried for a day, then needs a person, and is tried again after a comment", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await red(world, number);
  await world.service.addFault({ route: "v2-message", status: 409, times: 99 });
  const sent = () =>
    world.received("service").filter(({ path, method }) => {
      return method === "POST" && path.endsWith("/message");
    }).length;
  const runs = [
    { hours: 0, needsPersonCount: "0", isTried: true },
    { hours: 23, needsPersonCount: "0", isTried: true },
    { hours: 2, needsPersonCount: "1", isTried: false },
    { hours: 24, needsPersonCount: "1", isTried: false },
  ];
  for (const { hours, needsPersonCount, isTried } of runs) {
    await world.passTime(hours * HOUR);
    const before = sent();
    const run = await world.run("land");
    expect(run.outputs).toMatchObject({ followUpCount: "0", needsPersonCount });
    expect(sent() > before).toBe(isTried);
  }
  expect(world.comment(number)).toContain("Its job is busy");
  await world.service.clearFaults();
  world.github.home.comment({ number }, "It is free now.", "maintainer");
  expect((await world.run("land")).outputs).toMatchObject({
    followUpCount: "1",
    needsPersonCount: "0",
  });
});

test("a check that stays red after max-follow-ups needs a person, and the comment lists the follow-ups", async () => {
  await using world = await startWorld({ ...LAND, steering: { checks: "stuck" } });
  const number = await documentChange(world);
  const inputs = { "max-follow-ups": "2" };
  for (const count of ["1", "1", "0", "0"]) {
    const run = await world.run("land", { inputs });
    expect(run.outputs.followUpCount).toBe(count);
    await world.passTime(HOUR);
  }
  const last = await world.run("land", { inputs });
  expect(last.outputs).toMatchObject({ needsPersonCount: "1" });
  expect(last.outputs.pullRequests).toContain("1 failed check after 2 of at most 2 follow-ups");
  const text = world.comment(number);
  expect(text).toContain("needs a person");
  expect(text.match(/\*\*Follow-up:\*\*/g)).toHaveLength(2);
});

test("a review comment that is reopened after a follow-up is not sent again", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await comment("writer", "Which retries?")(world, number);
  expect((await world.run("land")).outputs.followUpCount).toBe("1");
  await world.passTime(HOUR);
  await world.github.resolve(number);
  await world.run("land");
  for (const remark of world.github.home.reviewComments) remark.isResolved = false;
  expect((await world.run("land")).outputs.followUpCount).toBe("0");
});

test("right after a follow-up that the agent has not answered, no other is sent and no person is needed", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await red(world, number);
  await world.github.report(number, { name: "second", summary: "emulate: outcome=no-changes" });
  await world.run("land");
  const early = await world.run("land");
  expect(early.outputs).toMatchObject({ followUpCount: "0", needsPersonCount: "0" });
  expect(await world.prompts()).toHaveLength(2);
});

test("a review comment by the agent itself causes no follow-up", async () => {
  await using world = await startWorld(LAND);
  const number = await documentChange(world);
  await comment(AGENT, "I wrote this.")(world, number);
  expect((await world.run("land")).outputs.followUpCount).toBe("0");
});
