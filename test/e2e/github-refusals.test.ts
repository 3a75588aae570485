import { expect, test } from "vitest";
import { json, refusal } from "../support/answers.ts";
import { issueComment } from "../support/events.ts";
import { byPhrase, comment, review, reviewComment } from "../support/phrase-events.ts";
import {
  CREATE_COMMENT,
  EDIT_COMMENT,
  GET_COMMENT,
  GRAPHQL,
  LIST_COMMENTS,
  PERMISSION,
  REACT_TO_COMMENT,
  REACT_TO_ISSUE,
  REACT_TO_REVIEW_COMMENT,
} from "../support/world/conversation.ts";
import { CREATE, completed, POLL, PR_LINK, record, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld, type World } from "../support/world/world.ts";

const REACT = [REACT_TO_ISSUE, REACT_TO_COMMENT, REACT_TO_REVIEW_COMMENT];
const CALLS = [CREATE_COMMENT, EDIT_COMMENT, ...REACT];

test("a comment that is refused on a pull request causes a warning about pull-requests: write", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE_COMMENT, refusal(403, "Resource not accessible by integration"));
  const result = await world.run("root", issueComment(7, 555, true));
  expect(result.warnings.join()).toMatch(/pull-requests: write/);
});

test("a failed job fails the step with job-failed when GitHub refuses every call", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("failed")));
  for (const call of CALLS) world.on(call, refusal(403, "no"));
  const result = await world.run("root");
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("job-failed");
});

test("with an empty token, the job runs, and a warning names github-token", async () => {
  await using world = await startWorld(WITH_JOB);
  const unauthorized = refusal(401, "Requires authentication");
  for (const call of CALLS) world.on(call, unauthorized);
  const result = await world.run("root", { inputs: { "github-token": "" } });
  expect(result.exitCode).toBe(0);
  expect(result.outputs.status).toBe("completed");
  expect(result.warnings.join()).toContain("github-token");
});

const FORBIDDEN = refusal(403, "Resource not accessible by integration");

/** Makes GitHub refuse these calls, as for a token without the permission. */
function forbid(world: World, ...calls: string[]): void {
  for (const call of calls) world.on(call, FORBIDDEN);
}

test("a token that can only read permissions still gets the result of a fresh job in the outputs and the summary", async () => {
  await using world = await startWorld(WITH_JOB);
  forbid(world, ...CALLS, LIST_COMMENTS, GET_COMMENT);
  world.on("GET /repos/octo/docs/pulls/:n/files", FORBIDDEN);
  const result = await world.run("root", byPhrase(reviewComment("/docs --new explain retries")));
  expect(result.exitCode).toBe(0);
  expect(result.errors).toEqual([]);
  expect(result.outputs).toMatchObject({ status: "completed", prLink: PR_LINK, jobId: "job_1" });
  expect(result.summary).toContain(PR_LINK);
  expect(result.warnings.length).toBeLessThanOrEqual(6);
});

test("with an empty token, a request by phrase fails, because no permission can be read", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(PERMISSION, refusal(401, "Requires authentication"));
  const result = await world.run(
    "root",
    byPhrase(comment("/docs explain"), { "github-token": "" }),
  );
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind: "github-refused" });
  expect(result.errors.join()).toContain("github-token");
  expect(world.asked("service")).toEqual([]);
});

const SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes.";

test("a first comment that is refused is posted while the job runs, so that a re-run finds it", async () => {
  await using world = await startWorld(WITH_JOB);
  // Longer than the action waits for GitHub before a job exists.
  const limited = refusal(403, SECONDARY, { "retry-after": "90" });
  world.on(CREATE_COMMENT, limited, world.genuine.github);
  world.on(POLL, json(200, record("active")));
  const inputs = { "timeout-minutes": "3", "poll-max-interval-seconds": "5" };
  const first = await world.run("root", { fastClock: 20, inputs });
  expect(first.outputs.errorKind).toBe("timeout");
  const waits = first.visible.filter((line) => /^GitHub's rate limit/.test(line));
  expect(waits[0]).toBe("GitHub's rate limit is reached. Trying again in 1 min 30 s.");
  expect(waits).toHaveLength(2);
  expect(world.comments(7)).toHaveLength(1);
  world.on(POLL, json(200, completed));
  const again = await world.run("root", { attempt: 2 });
  expect(again.outputs).toMatchObject({ status: "completed", prLink: PR_LINK });
  expect(world.received(CREATE)).toHaveLength(1);
  expect(world.comments(7)).toHaveLength(1);
});

test("a run that is cancelled while it waits for GitHub ends in time", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("active")));
  world.on(CREATE_COMMENT, refusal(429, "Slow down", { "retry-after": "3600" }));
  const run = world.start("root");
  await world.waitForRequest(POLL, 3);
  const signalledAt = performance.now();
  run.signal("SIGINT");
  const result = await run.result;
  expect(performance.now() - signalledAt).toBeLessThan(3_500);
  expect(result.outputs.errorKind).toBe("cancelled");
});

test("a rate limit in a GraphQL answer with status 200 is waited for", async () => {
  await using world = await startWorld(WITH_JOB);
  const limited = { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] };
  const done = json(200, { data: { addReaction: { clientMutationId: null } } });
  world.on(GRAPHQL, json(200, limited, { "retry-after": "1" }), done);
  const result = await world.run("root", { ...byPhrase(review("/docs explain")), fastClock: 20 });
  expect(result.warnings).toEqual([]);
  expect(world.received(GRAPHQL)).toHaveLength(3);
});
