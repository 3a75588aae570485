import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { someOf } from "../support/sample.ts";
import {
  API_KEY,
  CREATE,
  MARKER,
  POLL,
  record,
  startScenario,
  TOKEN,
} from "../support/scenario.ts";

const CREATE_COMMENT = "POST /repos/octo/docs/issues/7/comments";
const RUN_URL = "https://github.com/octo/docs/actions/runs/1001";

test("one comment: created when the job has started, edited in place at the end", async () => {
  await using scenario = await startScenario();
  await scenario.run();
  expect(await scenario.github.comments(7)).toHaveLength(1);
  const [first, last] = [scenario.github.bodies[0] ?? "", scenario.github.bodies.at(-1) ?? ""];
  expect(scenario.github.bodies.length).toBeGreaterThanOrEqual(2);
  for (const body of [first, last]) {
    expect(body).toContain(RUN_URL);
    expect(body.match(MARKER)).toHaveLength(1);
    expect(body.trimEnd()).toMatch(/ -->$/);
  }
  expect(last).not.toBe(first);
});

test("the token goes to GitHub, and the key does not", async () => {
  await using scenario = await startScenario();
  await scenario.run();
  for (const { headers, body } of scenario.github.server.requests) {
    expect(headers.authorization).toBe(`token ${TOKEN}`);
    expect(JSON.stringify(headers) + body).not.toContain(API_KEY);
  }
  for (const { headers } of scenario.service.requests) {
    expect(JSON.stringify(headers)).not.toContain(TOKEN);
  }
});

test("the comment is posted while the first delay runs, and not after it", async () => {
  await using scenario = await startScenario();
  const pace = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };
  const run = scenario.start({ inputs: pace });
  await scenario.github.server.waitForRequest(CREATE_COMMENT);
  expect(scenario.asked()).toEqual([CREATE]);
  run.signal("SIGINT");
  await run.result;
});

test("the marker is base64url JSON that names job, run and attempt, and holds no secret", async () => {
  await using scenario = await startScenario();
  await scenario.run({ attempt: 1 });
  const [, payload = ""] = /docs-agent:([\w-]+)\./.exec(scenario.github.bodies.at(-1) ?? "") ?? [];
  const text = Buffer.from(payload, "base64url").toString();
  const values = Object.values(JSON.parse(text)).map(String);
  for (const value of ["job_1", "v2", "octo/docs", "7", "1001", "1"]) {
    expect(values).toContain(value);
  }
  expect(text).not.toContain(API_KEY);
  expect(values).not.toContain("docs");
});

test("how long it took is told at the end", async () => {
  await using scenario = await startScenario();
  const active = json(200, record("active"));
  scenario.service.on(POLL, active, active, active, json(200, record("completed")));
  await scenario.run({
    fastClock: 10,
    inputs: { "poll-interval-seconds": "4", "poll-max-interval-seconds": "4" },
  });
  // Four delays of 3.2 to 4.8 seconds, and a little more.
  expect((await scenario.github.comments(7))[0]?.body).toMatch(/Took (1[2-9]|2\d) s/);
});

test.each(
  someOf([
    ["failed", record("failed")],
    ["archived", record("archived")],
    ["completed without changes", record("completed")],
  ]),
)("a job that %s leaves a comment that says so and links to the run", async (_, last) => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, last));
  await scenario.run();
  const body = (await scenario.github.comments(7))[0]?.body ?? "";
  expect(body).toContain(last.status);
  expect(body).toContain(RUN_URL);
});
