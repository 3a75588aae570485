import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, failureOf, jobOf, replyOf } from "../../test/support/job.ts";
import type { PolledJob } from "../service/agent.ts";
import { SinglePolls } from "./wait.ts";

const ACTIVE = jobOf("active");

/** What polls of one run bring, one after the other, and what they log. */
async function pollAll(...answers: (PolledJob | Error)[]) {
  const dependencies = dependenciesOf();
  const polls = new SinglePolls(dependencies, 16);
  const found = [];
  for (const [nth, answer] of answers.entries()) {
    const get = async () => {
      if (answer instanceof Error) throw answer;
      return replyOf(answer);
    };
    found.push(await polls.poll({ get }, `job_${nth}`));
  }
  return { found, lines: dependencies.lines };
}

test.each([
  ["a record", ACTIVE, ACTIVE, "info: Job job_0 is active."],
  ["404", answered(404), answered(404), "info: Job job_0 is unknown to the service."],
  ["410", answered(410), answered(410), "info: Job job_0 is unknown to the service."],
  ["500", answered(500), null, expect.stringContaining("The next run polls it again.")],
  ["a lost answer", failureOf({ type: "lost" }), null, expect.stringContaining("polls it again.")],
])("after %s, the next job is polled", async (_, answer, expected, line) => {
  const { found, lines } = await pollAll(answer, ACTIVE);
  expect(found).toEqual([expected, ACTIVE]);
  expect(lines[0]).toEqual(line);
});

test("a pull request whose URL is not safe to show is a warning", async () => {
  const { lines } = await pollAll(jobOf("completed", { prLink: "http://git.example/pull/9" }));
  expect(lines).toContainEqual(expect.stringMatching(/^warning: Job \w+: There is a pull request/));
});

test("a status that is not known is a warning, once for each job of a run", async () => {
  const dependencies = dependenciesOf();
  const polls = new SinglePolls(dependencies);
  const get = async (id: string) => replyOf(jobOf("reindexing", { id }));
  for (const id of ["job_a", "job_b", "job_a"]) await polls.poll({ get }, id);
  const warnings = ["job_a", "job_b"].map((id) => {
    return `warning: Job ${id} has the status "reindexing", which this version of the action does not know. It counts as running, and the next run polls it again.`;
  });
  expect(dependencies.lines).toEqual(warnings);
});

test("after 429, no further job is polled", async () => {
  const { found, lines } = await pollAll(answered(429), ACTIVE);
  expect(found).toEqual([null, null]);
  expect(lines).toEqual([
    expect.stringMatching(/^warning: .*polls it and the jobs not polled yet/),
  ]);
});

test("after as many failures in a row as may be, no further job is polled", async () => {
  const some = Array(15).fill(answered(500));
  expect((await pollAll(...some, ACTIVE, ...some, ACTIVE)).found.at(-1)).toBe(ACTIVE);
  const { found, lines } = await pollAll(...some, answered(500), ACTIVE);
  expect(found.at(-1)).toBeNull();
  expect(lines.at(-1)).toMatch(/polls it and the jobs not polled yet/);
});

test.each([
  ["401", answered(401), "unauthorized"],
  ["403", answered(403), "forbidden"],
  ["302", answered(302), "invalid-response"],
  ["304", answered(304), "invalid-response"],
])("%s ends the run", async (_, answer, kind) => {
  await expect(pollAll(answer)).rejects.toMatchObject({ kind });
});

/** A clock that only sleeping, and polls that hang, advance. */
function fakeClock() {
  let now = 0;
  return {
    now: () => now,
    timeOfDay: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test("a limit that is short is waited out, and the same job is polled again", async () => {
  const clock = fakeClock();
  const dependencies = { ...dependenciesOf(), clock };
  const polls = new SinglePolls(dependencies);
  const limited = failureOf({ type: "status", status: 429, body: "error" }, 20_000);
  const answers = [limited, replyOf(ACTIVE), replyOf(ACTIVE)];
  const get = async () => {
    const answer = answers.shift();
    if (answer instanceof Error || answer === undefined) throw answer;
    return answer;
  };
  expect(await polls.poll({ get }, "job_1")).toEqual(ACTIVE);
  expect(clock.now()).toBe(20_000);
  expect(await polls.poll({ get }, "job_2")).toEqual(ACTIVE);
  expect(clock.now()).toBe(20_000);
});

test("all polls of a run together take less than two minutes, and other work does not count", async () => {
  const clock = fakeClock();
  const dependencies = { ...dependenciesOf(), clock };
  const polls = new SinglePolls(dependencies);
  const get = async (_: string, { limit = 0 } = {}) => {
    clock.advance(limit);
    throw failureOf({ type: "lost" });
  };
  let spent = 0;
  for (let nth = 0; nth < 25; nth++) {
    const before = clock.now();
    await polls.poll({ get }, `job_${nth}`);
    spent += clock.now() - before;
    clock.advance(60_000);
  }
  expect(spent).toBe(100_000);
  const ends = dependencies.lines.filter((line) =>
    line.includes("polls of this run took 1 min 40 s"),
  );
  expect(ends).toHaveLength(1);
});
