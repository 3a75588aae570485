import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { issueOpened } from "../support/events.ts";
import { someOf } from "../support/sample.ts";
import {
  CREATE,
  completed,
  POLL,
  PR_LINK,
  record,
  type Scenario,
  startScenario,
} from "../support/scenario.ts";

/** A first attempt that hits its time limit while the job goes on. */
async function firstAttempt(scenario: Scenario): Promise<void> {
  scenario.service.on(POLL, json(200, record("active")));
  const result = await scenario.run({ inputs: { "timeout-minutes": "0.005" } });
  expect(result.outputs.errorKind).toBe("timeout");
  scenario.service.on(POLL, json(200, record("active")), json(200, completed));
}

test("a second attempt waits for the job of the first", async () => {
  await using scenario = await startScenario();
  await firstAttempt(scenario);
  const result = await scenario.run({ attempt: 2 });
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
  expect(result.exitCode).toBe(0);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  expect(await scenario.github.comments(7)).toHaveLength(1);
  expect((await scenario.github.comments(7))[0]?.body).toContain(PR_LINK);
});

test("so does the third, after a first that was killed", async () => {
  await using scenario = await startScenario();
  const pace = { "poll-interval-seconds": "60", "poll-max-interval-seconds": "60" };
  const run = scenario.start({ inputs: pace });
  await run.waitForOutput("commentUrl");
  run.signal("SIGKILL");
  await run.result;
  scenario.service.on(POLL, json(200, record("active")), json(200, completed));
  const result = await scenario.run({ attempt: 3 });
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
  expect(result.outputs.status).toBe("completed");
});

test.each(someOf([["completed"], ["failed"]]))(
  "a job that has %s in the first attempt is not waited for: a new one is started",
  async (status) => {
    await using scenario = await startScenario();
    scenario.service.on(POLL, json(200, record(status)));
    await scenario.run();
    const result = await scenario.run({ attempt: 2 });
    expect(scenario.service.requestsTo(CREATE)).toHaveLength(2);
    expect(result.outputs.jobId).toBe("job_1");
  },
);

test("a job whose end nobody was told of is told, and no second one started", async () => {
  await using scenario = await startScenario();
  await firstAttempt(scenario);
  scenario.service.on(POLL, json(200, completed));
  const result = await scenario.run({ attempt: 2 });
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
});

test("another run starts its own job", async () => {
  await using scenario = await startScenario();
  await firstAttempt(scenario);
  await scenario.run({ runId: "1002" });
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(2);
  expect(await scenario.github.comments(7)).toHaveLength(2);
});

test("the first attempt asks for no comments: there can be none of its own", async () => {
  await using scenario = await startScenario();
  await scenario.run();
  expect(scenario.github.server.requestsTo("GET /repos/octo/docs/issues/:n/comments")).toEqual([]);
});

test.each<[string, (marker: string) => string]>([
  [
    "was changed",
    (marker) => marker.replace(/\.(\w)/, (_, first: string) => `.${first === "A" ? "B" : "A"}`),
  ],
  ["lost its signature", (marker) => marker.replace(/\.[\w-]+/, ".")],
  ["is no payload at all", () => "<!-- docs-agent:x.y -->"],
  [
    "names another job under the old signature",
    (marker) =>
      marker.replace(/docs-agent:([\w-]+)/, (_, payload: string) => {
        const text = Buffer.from(payload, "base64url").toString().replace("job_1", "job_2");
        return `docs-agent:${Buffer.from(text).toString("base64url")}`;
      }),
  ],
])("a marker that %s is as if it were not there", async (_, change) => {
  await using scenario = await startScenario();
  await firstAttempt(scenario);
  const [comment] = await scenario.github.comments(7);
  if (comment === undefined) throw new Error("the first attempt left no comment");
  const changed = comment.body.replace(/<!-- docs-agent:.* -->/, change);
  expect(changed).not.toBe(comment.body);
  await scenario.github.editComment(comment.id, changed);
  const result = await scenario.run({ attempt: 2 });
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(2);
  expect(result.exitCode).toBe(0);
});

test.each(
  someOf([
    ["another issue", {}],
    ["another project", { "project-id": "other" }],
  ]),
)("a marker copied from %s is as if it were not there", async (what, inputs) => {
  await using scenario = await startScenario();
  scenario.service.on("POST /v2/agent/other/job", json(201, record("active")));
  scenario.service.on("GET /v2/agent/other/job/job_1", json(200, record("completed")));
  await firstAttempt(scenario);
  const body = (await scenario.github.comments(7))[0]?.body ?? "";
  const issue = what === "another issue" ? 8 : 7;
  if (issue === 8) await scenario.github.addComment(8, body);
  await scenario.run({ ...issueOpened(issue), attempt: 2, inputs });
  expect(scenario.service.requestsTo("POST /v2/agent/:project/job")).toHaveLength(2);
});

test("the comment is found beyond the first page", async () => {
  await using scenario = await startScenario();
  for (let n = 0; n < 130; n += 1) await scenario.github.addComment(7, `comment ${n}`);
  await firstAttempt(scenario);
  await scenario.run({ attempt: 2 });
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
});

test("two steps of one run each find their own job", async () => {
  await using scenario = await startScenario();
  await firstAttempt(scenario);
  const other = { GITHUB_ACTION: "docs_2" };
  await scenario.run({ attempt: 2, env: other });
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(2);
});
