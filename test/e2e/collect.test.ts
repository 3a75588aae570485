import { expect, test } from "vitest";
import { jobMarkers } from "../../src/github/conversation/job-marker.ts";
import { json, text } from "../support/answers.ts";
import { startCollectScenario } from "../support/collect-scenario.ts";
import { refusal } from "../support/github.ts";
import { comment, review } from "../support/phrase-events.ts";
import { API_KEY, CREATE, POLL, PR_LINK, record } from "../support/scenario.ts";

test("a sweep finishes the comment of a job that ended, and reports it in its outputs", async () => {
  await using scenario = await startCollectScenario();
  await scenario.ask();
  const { exitCode, stdout, outputs } = await scenario.sweep();
  expect(exitCode, stdout).toBe(0);
  const [comment] = await scenario.github.comments(7);
  expect(comment?.body).toContain(PR_LINK);
  expect(outputs).toMatchObject({
    checkedCount: "1",
    finishedCount: "1",
    runningCount: "0",
  });
  expect(JSON.parse(outputs.finished ?? "")).toEqual([
    { jobId: "job_1", status: "completed", prLink: PR_LINK, commentUrl: comment?.html_url },
  ]);
});

test("the comment of a running job does not change", async () => {
  await using scenario = await startCollectScenario();
  scenario.service.on(POLL, json(200, record("active")));
  await scenario.ask();
  const [before] = await scenario.github.comments(7);
  const { outputs } = await scenario.sweep();
  expect(outputs).toMatchObject({ checkedCount: "1", finishedCount: "0", runningCount: "1" });
  expect(await scenario.github.comments(7)).toEqual([before]);
});

const ended = record("completed", { prLink: PR_LINK });
const LIST = "GET /repos/octo/docs/issues/comments";

test("a sweep without unfinished comments makes one request to GitHub and none to the service", async () => {
  await using scenario = await startCollectScenario();
  await scenario.github.addComment(3, "Please have a look.");
  const { exitCode, outputs } = await scenario.sweep();
  expect(exitCode).toBe(0);
  expect(outputs).toMatchObject({ checkedCount: "0", finishedCount: "0", finished: "[]" });
  expect(scenario.github.server.requests).toHaveLength(1);
  expect(scenario.asked()).toEqual([]);
});

test("a limit of a second before the first request is waited out", async () => {
  await using scenario = await startCollectScenario();
  await scenario.ask();
  const limited = refusal(403, "You have exceeded a secondary rate limit.", { "retry-after": "1" });
  scenario.github.server.on(LIST, limited, scenario.github.genuine);
  const result = await scenario.sweep({ fastClock: 5 });
  expect(result).toMatchObject({ exitCode: 0, errors: [], outputs: { finishedCount: "1" } });
  expect(result.visible.join()).toContain("GitHub's rate limit is reached. Trying again in 1 s.");
});

test("a run whose token ends before the job says so, and a sweep finishes its comment", async () => {
  await using scenario = await startCollectScenario();
  const { github } = scenario;
  const expired = refusal(401, "Bad credentials");
  github.server.on("PATCH /repos/octo/docs/issues/comments/:id", github.genuine, expired);
  const waited = await scenario.ask({ inputs: { wait: "true" } });
  expect(waited).toMatchObject({ exitCode: 0, outputs: { status: "completed", prLink: PR_LINK } });
  expect(waited.warnings.join()).toMatch(/401: .* expired .* The `collect` action finishes it/);
  expect(await github.firstBody(7)).not.toContain(PR_LINK);
  github.restore("edit-comment");
  // No run that waits for 30 minutes can still be at work.
  await github.passTime(60 * 60_000);
  expect((await scenario.sweep()).outputs).toMatchObject({ finishedCount: "1" });
  expect(await github.firstBody(7)).toContain(PR_LINK);
});

test("a review that was deleted keeps no sweep from finishing the comment", async () => {
  await using scenario = await startCollectScenario();
  const { github } = scenario;
  await scenario.ask(review("/docs Describe the events."));
  const errors = [{ type: "NOT_FOUND", message: "Could not resolve to a node." }];
  github.server.on("POST /graphql", json(200, { data: { addReaction: null }, errors }));
  const { outputs, warnings } = await scenario.sweep();
  expect(outputs).toMatchObject({ checkedCount: "1", finishedCount: "1" });
  expect(warnings.join()).toContain("The rocket reaction could not be added: GitHub says");
  expect(await github.firstBody(7)).toContain(PR_LINK);
});

test("a token that GitHub refuses ends the sweep as github-refused", async () => {
  await using scenario = await startCollectScenario();
  scenario.github.answer("list-all-comments", refusal(401, "Bad credentials"));
  const { exitCode, outputs, summary } = await scenario.sweep();
  expect(exitCode).toBe(1);
  expect(outputs).toMatchObject({ errorKind: "github-refused" });
  expect(outputs.errorMessage).toContain("`github-token` is invalid or has expired");
  expect(summary).toContain("GitHub refused a request");
});

test("an empty token is refused, and the message says where it may come from", async () => {
  await using scenario = await startCollectScenario();
  const result = await scenario.sweep({ inputs: { "github-token": "" } });
  expect(result).toMatchObject({ exitCode: 1, outputs: { errorKind: "invalid-input" } });
  expect(result.errors.join()).toMatch(
    /^github-token: an empty value .* caller names in `secrets:`/,
  );
  expect(scenario.github.server.requests).toEqual([]);
});

test("a pull request whose URL is unsafe causes a warning and is not in the outputs", async () => {
  await using scenario = await startCollectScenario();
  const prLink = "http://git.example/octo/docs/pull/9";
  scenario.service.on(POLL, json(200, record("completed", { prLink })));
  await scenario.ask();
  const { exitCode, outputs, warnings } = await scenario.sweep();
  expect(exitCode).toBe(0);
  expect(JSON.parse(outputs.finished ?? "")).toMatchObject([{ status: "completed", prLink: "" }]);
  expect(warnings).toEqual([expect.stringContaining("Job job_1: There is a pull request")]);
});

test("a poll that fails causes a warning, and other comments are still finished", async () => {
  await using scenario = await startCollectScenario();
  const { service, github } = scenario;
  await scenario.ask();
  service.on(CREATE, json(201, record("active", { id: "job_2" })));
  service.on("GET /v2/agent/docs/job/job_2", text(500, "oops"));
  await scenario.ask({ ...comment("/docs Else.", { number: 8, id: 556 }), runId: "1002" });
  const { exitCode, outputs, stdout } = await scenario.sweep();
  expect(exitCode).toBe(0);
  expect(outputs).toMatchObject({ checkedCount: "2", finishedCount: "1", runningCount: "0" });
  expect(stdout).toMatch(/::warning.*job_2.*The next run polls it again/);
  service.on("GET /v2/agent/docs/job/job_2", json(200, { ...ended, id: "job_2" }));
  expect((await scenario.sweep()).outputs.finishedCount).toBe("1");
  const [second] = await github.comments(8);
  expect(second?.body).toContain("completed with a pull request");
});

test("a comment that was edited during the sweep is not overwritten", async () => {
  await using scenario = await startCollectScenario();
  const { github, service } = scenario;
  await scenario.ask();
  const [before] = await github.comments(7);
  const id = before?.id ?? 0;
  service.on(POLL, async (exchange) => {
    await github.editComment(id, `A person's words.\n\n${before?.body}`);
    await json(200, ended)(exchange);
  });
  const { outputs, stdout } = await scenario.sweep();
  expect(outputs.finishedCount).toBe("0");
  expect(stdout).toContain("was edited during the sweep");
  const [after] = await github.comments(7);
  expect(after?.body).toBe(`A person's words.\n\n${before?.body}`);
});

test("after a key rotation, comments of previous-api-key are finished and signed with the new key", async () => {
  await using scenario = await startCollectScenario();
  await scenario.ask();
  const rotated = { "api-key": "mint_new", "previous-api-key": "" };
  expect((await scenario.sweep({ inputs: rotated })).outputs.checkedCount).toBe("0");
  const both = { ...rotated, "previous-api-key": API_KEY };
  expect((await scenario.sweep({ inputs: both })).outputs.finishedCount).toBe("1");
  const [finished] = await scenario.github.comments(7);
  const place = { repository: "octo/docs", issue: 7 };
  const marker = jobMarkers(["mint_new"], "docs").read(
    finished?.body ?? "",
    place,
    finished?.id ?? 0,
  );
  expect(marker).toMatchObject({ job: "job_1", ended: "completed" });
});

test("comments are listed from `days` ago", async () => {
  await using scenario = await startCollectScenario();
  await scenario.sweep({ inputs: { days: "0.5" } });
  const [list] = scenario.github.server.requestsTo(LIST);
  const since = new URL(list?.path ?? "", "http://x").searchParams.get("since") ?? "";
  const hours = (Date.now() - Date.parse(since)) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThan(12.1);
});

test("one error reports every invalid input", async () => {
  await using scenario = await startCollectScenario();
  const inputs = {
    days: "0",
    "project-id": "",
    "trigger-phrase": "a\nb",
    "github-token": "two words",
    "github-api-url": "http://github.example",
    "base-url": "http://api.example",
  };
  const { exitCode, outputs } = await scenario.sweep({ inputs });
  expect(exitCode).toBe(1);
  expect(outputs.errorKind).toBe("invalid-input");
  for (const name of Object.keys(inputs)) {
    expect(outputs.errorMessage).toContain(name);
  }
  expect(scenario.github.server.requests).toEqual([]);
});
