import { expect, test } from "vitest";
import { ADMIN_KEY, PROJECT_ID } from "../../emulator/service/state.ts";
import { jobMarkers } from "../../src/github/conversation/job-marker.ts";
import { json, refusal, text } from "../support/answers.ts";
import { comment, review } from "../support/phrase-events.ts";
import { addComment, editComment } from "../support/world/comments.ts";
import { EDIT_COMMENT, GRAPHQL, LIST_ALL_COMMENTS } from "../support/world/conversation.ts";
import { CREATE, POLL, PR_LINK, record, WITH_JOB } from "../support/world/jobs.ts";
import { leaveJob } from "../support/world/requests.ts";
import { startWorld } from "../support/world/world.ts";

test("a sweep finishes the comment of a job that ended, and reports it in its outputs", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", leaveJob());
  const { exitCode, stdout, outputs } = await world.run("collect");
  expect(exitCode, stdout).toBe(0);
  const [comment] = world.comments(7);
  expect(comment?.body).toContain(PR_LINK);
  expect(outputs).toMatchObject({
    checkedCount: "1",
    finishedCount: "1",
    runningCount: "0",
  });
  expect(JSON.parse(outputs.finished ?? "")).toEqual([
    { jobId: "job_1", status: "completed", prLink: PR_LINK, commentUrl: comment?.url },
  ]);
});

test("the comment of a running job does not change", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("active")));
  await world.run("root", leaveJob());
  const [before] = world.comments(7);
  const { outputs } = await world.run("collect");
  expect(outputs).toMatchObject({ checkedCount: "1", finishedCount: "0", runningCount: "1" });
  expect(world.comments(7)).toEqual([before]);
});

const ended = record("completed", { prLink: PR_LINK });

test("a sweep without unfinished comments makes one request to GitHub and none to the service", async () => {
  await using world = await startWorld(WITH_JOB);
  addComment(world, 3, "Please have a look.");
  const { exitCode, outputs, requests } = await world.run("collect");
  expect(exitCode).toBe(0);
  expect(outputs).toMatchObject({ checkedCount: "0", finishedCount: "0", finished: "[]" });
  expect(requests).toEqual([LIST_ALL_COMMENTS]);
});

test("a repository with more changed comments than a sweep reads is a warning", async () => {
  await using world = await startWorld(WITH_JOB);
  const comment = { id: 1, body: "Thanks.", updated_at: new Date().toISOString() };
  world.on(
    LIST_ALL_COMMENTS,
    json(
      200,
      Array.from({ length: 100 }, () => comment),
    ),
  );
  const { exitCode, warnings, requests } = await world.run("collect");
  expect(exitCode).toBe(0);
  expect(requests).toHaveLength(100);
  expect(warnings).toEqual([
    expect.stringContaining("Those that changed longest ago were left out"),
  ]);
});

test("a limit of a second before the first request is waited out", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", leaveJob());
  const limited = refusal(403, "You have exceeded a secondary rate limit.", { "retry-after": "1" });
  world.on(LIST_ALL_COMMENTS, limited, world.genuine.github);
  const result = await world.run("collect", { fastClock: 5 });
  expect(result).toMatchObject({ exitCode: 0, errors: [], outputs: { finishedCount: "1" } });
  expect(result.visible.join()).toContain("GitHub's rate limit is reached. Trying again in 1 s.");
});

test("a run whose token ends before the job says so, and a sweep finishes its comment and invitation", async () => {
  await using world = await startWorld(WITH_JOB);
  world.restore(GRAPHQL);
  const expired = refusal(401, "Bad credentials");
  world.on(EDIT_COMMENT, world.genuine.github, expired);
  const waited = await world.run("root", leaveJob({ inputs: { wait: "true" } }));
  expect(waited).toMatchObject({ exitCode: 0, outputs: { status: "completed", prLink: PR_LINK } });
  expect(waited.warnings.join()).toMatch(/401: .* expired .* The `collect` action finishes it/);
  expect(world.comment(7)).not.toContain(PR_LINK);
  world.restore(EDIT_COMMENT);
  // No run that waits for 30 minutes can still be at work.
  await world.passTime(60 * 60_000);
  expect((await world.run("collect")).outputs).toMatchObject({ finishedCount: "1" });
  expect(world.comment(7)).toContain(PR_LINK);
  // The run could not name its invitation.
  const markers = jobMarkers([ADMIN_KEY], PROJECT_ID);
  const there = { repository: "octo/docs", issue: 9 };
  const named = world.comments(9).map(({ id, body }) => markers.read(body, there, id)?.job);
  expect(named).toEqual(["job_1"]);
});

test.each<[string, Record<string, string>]>([
  ["at its time limit", { "timeout-minutes": "0.005" }],
  ["without waiting", { "job-id": "job_1", prompt: "", wait: "false" }],
])("a sweep finds the link that came after a run's polls %s", async (_, inputs) => {
  for (const link of [PR_LINK, null]) {
    await using world = await startWorld(WITH_JOB);
    world.on(POLL, json(200, record("completed")));
    const { outputs } = await world.run("root", { inputs });
    expect(outputs).toMatchObject({ jobId: "job_1", status: "completed" });
    expect(world.comment(7)).toContain("completed without a pull request");
    world.on(POLL, json(200, record("completed", { prLink: link })));
    await world.passTime(60 * 60_000);
    expect((await world.run("collect")).outputs).toMatchObject({ finishedCount: "1" });
    expect(world.comment(7)).toContain(link ?? "completed without a pull request");
    expect((await world.run("collect")).outputs).toMatchObject({ checkedCount: "0" });
  }
});

test("a review that was deleted keeps no sweep from finishing the comment", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", leaveJob(review("/docs Describe the events.")));
  const errors = [{ type: "NOT_FOUND", message: "Could not resolve to a node." }];
  world.on(GRAPHQL, json(200, { data: { addReaction: null }, errors }));
  const { outputs, warnings } = await world.run("collect");
  expect(outputs).toMatchObject({ checkedCount: "1", finishedCount: "1" });
  expect(warnings.join()).toContain("The rocket reaction could not be added: GitHub says");
  expect(world.comment(7)).toContain(PR_LINK);
});

test("a token that GitHub refuses ends the sweep as github-refused", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(LIST_ALL_COMMENTS, refusal(401, "Bad credentials"));
  const { exitCode, outputs, summary } = await world.run("collect");
  expect(exitCode).toBe(1);
  expect(outputs).toMatchObject({ errorKind: "github-refused" });
  expect(outputs.errorMessage).toContain("`github-token` is invalid or has expired");
  expect(summary).toContain("GitHub refused a request");
});

test("an empty token is refused, and the message says where it may come from", async () => {
  await using world = await startWorld(WITH_JOB);
  const result = await world.run("collect", { inputs: { "github-token": "" } });
  expect(result).toMatchObject({ exitCode: 1, outputs: { errorKind: "invalid-input" } });
  expect(result.errors.join()).toMatch(
    /^github-token: an empty value .* caller names in `secrets:`/,
  );
  expect(world.received("github")).toEqual([]);
});

test("a pull request whose URL is unsafe causes a warning and is not in the outputs", async () => {
  await using world = await startWorld(WITH_JOB);
  const prLink = "http://git.example/octo/docs/pull/9";
  world.on(POLL, json(200, record("completed", { prLink })));
  await world.run("root", leaveJob());
  const { exitCode, outputs, warnings } = await world.run("collect");
  expect(exitCode).toBe(0);
  expect(JSON.parse(outputs.finished ?? "")).toMatchObject([{ status: "completed", prLink: "" }]);
  expect(warnings).toEqual([expect.stringContaining("Job job_1: There is a pull request")]);
});

test("a poll that fails causes a warning, and other comments are still finished", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", leaveJob());
  world.on(CREATE, json(201, record("active", { id: "job_2" })));
  world.on("GET service /v2/agent/acme-docs/job/job_2", text(500, "oops"));
  await world.run(
    "root",
    leaveJob({ ...comment("/docs Else.", { number: 8, id: 556 }), runId: "1002" }),
  );
  const { exitCode, outputs, stdout } = await world.run("collect");
  expect(exitCode).toBe(0);
  expect(outputs).toMatchObject({ checkedCount: "2", finishedCount: "1", runningCount: "0" });
  expect(stdout).toMatch(/::warning.*job_2.*The next run polls it again/);
  world.on("GET service /v2/agent/acme-docs/job/job_2", json(200, { ...ended, id: "job_2" }));
  expect((await world.run("collect")).outputs.finishedCount).toBe("1");
  const [second] = world.comments(8);
  expect(second?.body).toContain("completed with a pull request");
});

test("a comment that was edited during the sweep is not overwritten", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", leaveJob());
  const [before] = world.comments(7);
  const id = before?.id ?? 0;
  world.on(POLL, async (exchange) => {
    editComment(world, id, `A person's words.\n\n${before?.body}`);
    await json(200, ended)(exchange);
  });
  const { outputs, stdout } = await world.run("collect");
  expect(outputs.finishedCount).toBe("0");
  expect(stdout).toContain("was edited during the sweep");
  const [after] = world.comments(7);
  expect(after?.body).toBe(`A person's words.\n\n${before?.body}`);
});

test("after a key rotation, comments of previous-api-key are finished and signed with the new key", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("root", leaveJob());
  const rotated = { "api-key": "mint_new", "previous-api-key": "" };
  expect((await world.run("collect", { inputs: rotated })).outputs.checkedCount).toBe("0");
  const both = { ...rotated, "previous-api-key": ADMIN_KEY };
  expect((await world.run("collect", { inputs: both })).outputs.finishedCount).toBe("1");
  const [finished] = world.comments(7);
  const place = { repository: "octo/docs", issue: 7 };
  const marker = jobMarkers(["mint_new"], PROJECT_ID).read(
    finished?.body ?? "",
    place,
    finished?.id ?? 0,
  );
  expect(marker).toMatchObject({ job: "job_1", ended: "completed" });
});

test("comments are listed from `days` ago", async () => {
  await using world = await startWorld(WITH_JOB);
  await world.run("collect", { inputs: { days: "0.5" } });
  const [list] = world.received(LIST_ALL_COMMENTS);
  const since = new URL(list?.path ?? "", "http://x").searchParams.get("since") ?? "";
  const hours = (Date.now() - Date.parse(since)) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThan(12.1);
});

test("one error reports every invalid input", async () => {
  await using world = await startWorld(WITH_JOB);
  const inputs = {
    days: "0",
    "project-id": "",
    "trigger-phrase": "a\nb",
    "github-token": "two words",
    "github-api-url": "http://github.example",
    "base-url": "http://api.example",
  };
  const { exitCode, outputs } = await world.run("collect", { inputs });
  expect(exitCode).toBe(1);
  expect(outputs.errorKind).toBe("invalid-input");
  for (const name of Object.keys(inputs)) {
    expect(outputs.errorMessage).toContain(name);
  }
  expect(world.received("github")).toEqual([]);
});
