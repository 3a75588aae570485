import { describe, expect, test } from "vitest";
import { type Plan, REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { type Fault, FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, runInMemory } from "../../test/support/memory-world/runs.ts";
import { comment as commentEvent } from "../../test/support/phrase-events.ts";
import type { Payload } from "../github/trigger/run-context.ts";
import { root } from "./root.ts";

const HOUR = 3_600_000;
const DONE: Plan = { outcome: "completed", takes: 0 };
const AT_WORK: Plan = { outcome: "completed", takes: 1_000 * HOUR };
const WITHOUT_WAITING = { wait: "false" };

/** An issue, and runs of the root action for it. */
function setUp(plan: Plan) {
  const servers = new FaultyServers(() => plan);
  const { repository: home } = servers;
  const issue = home.openIssue({ title: "The webhooks are not documented" });
  let seed = 0;
  const start = async (
    inputs: Record<string, string>,
    context: { eventName: string; payload: Payload; runId?: string; attempt?: number },
    faults: ReadonlyMap<number, Fault> = new Map(),
  ) => {
    seed += 1;
    servers.now += HOUR;
    const action = { main: async (...args: Parameters<typeof root>) => void (await root(...args)) };
    const options = { random: chance(seed), faults };
    return await runInMemory(servers, { ...action, inputs, context }, options);
  };
  /** Runs a workflow without a phrase. */
  const attempt = (
    nth: number,
    inputs: Record<string, string> = {},
    faults?: ReadonlyMap<number, Fault>,
  ) => {
    const all = { prompt: "Explain.", "issue-number": String(issue.number), ...inputs };
    return start(all, { eventName: "workflow_dispatch", payload: {}, attempt: nth }, faults);
  };
  /** Writes a request on the issue, and runs the workflow for it. */
  const ask = (body: string, inputs: Record<string, string> = {}) => {
    const { id } = home.comment(issue, body, "writer");
    const about = { number: issue.number, id, repository: REPOSITORY };
    const { eventName, event } = commentEvent(body, about);
    const all = { "trigger-phrase": "/docs", ...inputs };
    return start(all, { eventName, payload: event as Payload, runId: `run-${id}` });
  };
  const jobs = () => servers.agent.jobs.map(({ turns }) => turns.length);
  const texts = () => [...home.comments.values()].map(({ body }) => body).join("\n");
  return { servers, attempt, ask, jobs, texts };
}

describe("a step that runs again", () => {
  test("waits for the job whose end was not reported, and starts none", async () => {
    const { attempt, jobs } = setUp(DONE);
    await attempt(1, WITHOUT_WAITING);
    const again = await attempt(2);
    expect(jobs()).toEqual([1]);
    expect(again.outputs).toMatchObject({ jobId: "job-1", status: "completed" });
  });

  test("starts another job once the end was reported", async () => {
    const { attempt, jobs } = setUp(DONE);
    await attempt(1);
    await attempt(2);
    expect(jobs()).toEqual([1, 1]);
  });

  test("starts a job if the service refused the first request", async () => {
    const { servers, attempt, jobs } = setUp(DONE);
    servers.refusal = 401;
    expect((await attempt(1)).errorKind).toBe("unauthorized");
    servers.refusal = null;
    await attempt(2);
    expect(jobs()).toEqual([1]);
  });

  test("sends the request again, with a note, if the service may have received it", async () => {
    const { requests } = await setUp(DONE).attempt(1);
    const at = requests.findIndex((request) => request.startsWith("POST service.test"));
    const { attempt, jobs, texts } = setUp(DONE);
    const first = await attempt(1, {}, new Map([[at, { kind: "lost after" }]]));
    expect(first.errorKind).toBe("create-uncertain");
    expect(texts()).not.toContain("An earlier attempt");
    await attempt(2);
    expect(jobs()).toEqual([1, 1]);
    expect(texts()).toContain("An earlier attempt may have sent this request");
  });

  test("of another run starts a job of its own", async () => {
    const { attempt, jobs } = setUp(AT_WORK);
    await attempt(1, WITHOUT_WAITING);
    await attempt(1, WITHOUT_WAITING);
    expect(jobs()).toEqual([1, 1]);
  });
});

describe("a further request on an issue", () => {
  test("goes to the job of the conversation", async () => {
    const { ask, jobs } = setUp(DONE);
    await ask("/docs explain the webhooks");
    await ask("/docs and their retries");
    expect(jobs()).toEqual([2]);
  });

  test.each<[string, string, Record<string, string>]>([
    ["with --new", "/docs --new explain the keys", {}],
    ["with continue-job: false", "/docs explain the keys", { "continue-job": "false" }],
  ])("%s starts another job", async (_, body, inputs) => {
    const { ask, jobs, texts } = setUp(DONE);
    await ask("/docs explain the webhooks");
    await ask(body, inputs);
    expect(jobs()).toEqual([1, 1]);
    expect(texts()).not.toContain("so a new job was started");
  });

  test.each(["merged", "closed"] as const)(
    "starts another job, and says why, if the pull request was %s",
    async (end) => {
      const { servers, ask, jobs, texts } = setUp(DONE);
      await ask("/docs explain the webhooks");
      servers.agent.openDuePulls();
      for (const pull of servers.agent.pulls) {
        if (end === "merged") servers.repository.merge(pull);
        else servers.repository.close(pull);
      }
      await ask("/docs and their retries");
      expect(jobs()).toEqual([1, 1]);
      expect(texts()).toContain(`The job of this conversation has a ${end} pull request, so`);
    },
  );

  test("starts another job, and says why, if the service no longer knows the first", async () => {
    const { ask, jobs, texts } = setUp({ outcome: "unknown", takes: 0 });
    await ask("/docs explain the webhooks", WITHOUT_WAITING);
    await ask("/docs and their retries", WITHOUT_WAITING);
    expect(jobs()).toEqual([1, 1]);
    expect(texts()).toContain("is no longer known to the service, so a new job was started");
  });
});

test("without waiting, the run ends while the job is at work", async () => {
  const { servers, attempt } = setUp(AT_WORK);
  const before = servers.now + HOUR;
  const { outputs } = await attempt(1, WITHOUT_WAITING);
  expect(outputs).toMatchObject({ jobId: "job-1", status: "active" });
  expect(servers.now - before).toBeLessThan(60_000);
});

test("a step that takes up a job uses the comment of its earlier attempt again", async () => {
  const { servers, attempt } = setUp(AT_WORK);
  await attempt(1, WITHOUT_WAITING);
  const takeUp = { prompt: "", "job-id": "job-1", wait: "false" };
  await attempt(1, takeUp);
  const before = servers.repository.comments.size;
  await attempt(2, takeUp);
  expect(servers.repository.comments.size).toBe(before);
});

test("an existing job is polled once by a run that does not wait", async () => {
  const { servers, attempt, jobs } = setUp(AT_WORK);
  await attempt(1, WITHOUT_WAITING);
  const before = servers.now + HOUR;
  const { requests, outputs } = await attempt(1, { prompt: "", "job-id": "job-1", wait: "false" });
  expect(outputs).toMatchObject({ jobId: "job-1", status: "active" });
  expect(requests.filter((request) => request.includes("service.test"))).toHaveLength(1);
  expect(servers.now - before).toBeLessThan(60_000);
  expect(jobs()).toEqual([1]);
});
