import { expect, test } from "vitest";
import { held, json } from "../support/answers.ts";
import { byPhrase, comment, newIssue } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import {
  CREATE,
  MARKER,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  type Scenario,
  startScenario,
} from "../support/scenario.ts";

const LIST = "GET /repos/octo/docs/issues/:n/comments";
const job2 = { id: "job_2", prLink: "https://github.com/octo/docs/pull/10" };
const POLL_2 = POLL.replace("job_1", "job_2");

/** Starts a conversation with one completed job. */
async function startConversation(): Promise<Scenario> {
  const scenario = await startScenario();
  await scenario.run({ ...byPhrase(newIssue("/docs explain retries")), runId: "1000" });
  expect(scenario.asked()).toEqual([CREATE, POLL]);
  scenario.service.on(MESSAGE, json(200, record("active")));
  // From now on, another job is created.
  scenario.service.on(CREATE, json(201, record("active", job2)));
  scenario.service.on(POLL_2, json(200, record("completed", job2)));
  return scenario;
}

/** The requests to the service after those of the first job. */
function laterRequests(scenario: Scenario): string[] {
  return scenario.asked().slice(2);
}

test("a further request goes to the same job, and gets its own comment", async () => {
  await using scenario = await startConversation();
  const result = await scenario.run(
    byPhrase(comment("/docs also mention limits"), { "include-context": "false" }),
  );
  expect(laterRequests(scenario)).toEqual([POLL, MESSAGE, POLL]);
  const [message] = scenario.service.requestsTo(MESSAGE);
  expect(JSON.parse(String(message?.body))).toEqual({ prompt: "also mention limits" });
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  const comments = await scenario.github.comments(7);
  expect(comments).toHaveLength(2);
  for (const { body } of comments) expect(body).toContain(PR_LINK);
});

test("the job is found in more than a hundred comments whose last page GitHub does not name", async () => {
  await using scenario = await startScenario();
  scenario.github.site.switches.hasNoLastPage = true;
  for (let nth = 0; nth < 120; nth++) await scenario.github.addComment(7, `Comment ${nth}`);
  await scenario.run(byPhrase(comment("/docs explain retries")));
  scenario.service.on(MESSAGE, json(200, record("active")));
  const result = await scenario.run(byPhrase(comment("/docs also mention limits")));
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed" });
});

test("--new starts a new job without searching the issue's comments", async () => {
  await using scenario = await startConversation();
  const before = scenario.github.server.requestsTo(LIST).length;
  const inputs = { "include-context": "false" };
  const result = await scenario.run(byPhrase(comment("/docs --new describe webhooks"), inputs));
  expect(laterRequests(scenario)).toEqual([CREATE, POLL_2]);
  const [, create] = scenario.service.requestsTo(CREATE);
  expect(JSON.parse(String(create?.body))).toEqual({ prompt: "describe webhooks" });
  expect(result.outputs.jobId).toBe("job_2");
  // Only the job's pull request is searched, for the invitation.
  const searched = scenario.github.server.requestsTo(LIST).slice(before);
  const places = new Set(searched.map(({ path }) => path.split("?")[0]));
  expect([...places]).toEqual(["/repos/octo/docs/issues/10/comments"]);
});

test("with continue-job: false, every request starts a new job", async () => {
  await using scenario = await startConversation();
  await scenario.run(byPhrase(comment("/docs also mention limits"), { "continue-job": "false" }));
  expect(laterRequests(scenario)).toEqual([CREATE, POLL_2]);
});

test("a request on the job's pull request goes to the job that its invitation names", async () => {
  await using scenario = await startConversation();
  expect(await scenario.github.comments(9)).toHaveLength(1);
  const on = { number: 9, onPullRequest: true };
  await scenario.run(byPhrase(comment("/docs also mention limits", on)));
  expect(laterRequests(scenario)).toEqual([POLL, MESSAGE, POLL]);
  expect(await scenario.github.comments(9)).toHaveLength(2);
  expect(await scenario.github.comments(7)).toHaveLength(1);
});

test("each pull request gets one invitation, with the phrase, the issue and a marker", async () => {
  await using scenario = await startConversation();
  const [invitation] = await scenario.github.comments(9);
  expect(invitation?.body).toContain("`/docs`");
  expect(invitation?.body).toContain("#7");
  expect(invitation?.body.match(MARKER)).toHaveLength(1);
  await scenario.run({ ...byPhrase(comment("/docs also mention limits")), runId: "1001" });
  await scenario.run({ ...byPhrase(comment("/docs --new anew")), runId: "1002" });
  expect(await scenario.github.comments(9)).toHaveLength(1);
  expect(await scenario.github.comments(10)).toHaveLength(1);
});

test.each(
  someOf([
    ["in another repository", "https://github.com/octo/code/pull/9", "https://github.com"],
    ["on another server", PR_LINK, "https://github.example"],
    [
      "on another kind of server",
      "https://gitlab.example/octo/docs/-/merge_requests/9",
      "https://github.com",
    ],
  ]),
)("a pull request %s gets no invitation", async (_, prLink, serverUrl) => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("completed", { prLink })));
  const result = await scenario.run({ ...byPhrase(comment("/docs explain retries")), serverUrl });
  expect(scenario.github.bodies.length).toBeGreaterThan(0);
  expect(await scenario.github.comments(9)).toEqual([]);
  // Its comments are not even searched.
  expect(result.warnings).toEqual([]);
  const searched = scenario.github.server.requestsTo(LIST).map(({ path }) => path.split("?")[0]);
  expect(searched).toEqual(["/repos/octo/docs/issues/7/comments"]);
});

test.each(
  someOf([
    [400, "did not accept another message"],
    [404, "no longer known"],
    [410, "no longer known"],
  ]),
)(
  "if the job answers a follow-up with %i, a new job is started, and the comment says why",
  async (status, reason) => {
    await using scenario = await startConversation();
    scenario.service.on(MESSAGE, json(status, { error: "no" }));
    const inputs = { "include-context": "false" };
    const result = await scenario.run(byPhrase(comment("/docs also mention limits"), inputs));
    expect(laterRequests(scenario)).toEqual([POLL, MESSAGE, CREATE, POLL_2]);
    const [, create] = scenario.service.requestsTo(CREATE);
    expect(JSON.parse(String(create?.body))).toEqual({ prompt: "also mention limits" });
    expect(result.outputs).toMatchObject({ jobId: "job_2", status: "completed" });
    expect(await scenario.github.comments(7)).toHaveLength(2);
    for (const shown of [(await scenario.github.comments(7))[1]?.body, result.summary]) {
      expect(shown).toContain(reason);
      expect(shown).toContain("a new job was started");
    }
  },
);

test("job-id is used instead of the conversation, and no new job replaces it", async () => {
  await using scenario = await startConversation();
  scenario.service.on(
    "POST /v2/agent/docs/job/job_9/message",
    json(404, { error: "Job not found" }),
  );
  const inputs = { "job-id": "job_9" };
  const result = await scenario.run(byPhrase(comment("/docs also mention limits"), inputs));
  expect(laterRequests(scenario)).toEqual(["POST /v2/agent/docs/job/job_9/message"]);
  expect(result.outputs.errorKind).toBe("not-found");
});

test("with issue-number, the conversation of that issue continues", async () => {
  await using scenario = await startConversation();
  await scenario.run(byPhrase(comment("/docs more", { number: 8 }), { "issue-number": "7" }));
  expect(laterRequests(scenario)).toEqual([POLL, MESSAGE, POLL]);
});

test("two requests at once both go to the job, and each gets its own comment", async () => {
  await using scenario = await startConversation();
  const requestOf = (id: number) => ({
    ...byPhrase(comment(`/docs request ${id}`, { id }), { "include-context": "false" }),
    runId: String(id),
  });
  const both = await Promise.all([scenario.run(requestOf(2001)), scenario.run(requestOf(2002))]);
  for (const { exitCode, outputs } of both) {
    expect(exitCode).toBe(0);
    expect(outputs).toMatchObject({ jobId: "job_1", prLink: PR_LINK });
  }
  const sent = scenario.service
    .requestsTo(MESSAGE)
    .map(({ body }) => JSON.parse(String(body)).prompt);
  expect(sent.toSorted()).toEqual(["request 2001", "request 2002"]);
  const answers = (await scenario.github.comments(7)).slice(1);
  expect(answers.map(({ html_url }) => html_url).toSorted()).toEqual(
    both.map(({ outputs }) => outputs.commentUrl).toSorted(),
  );
  for (const id of [2001, 2002]) {
    expect(answers.filter(({ body }) => body.includes(`/runs/${id}/`))).toHaveLength(1);
    const reactions = scenario.github.reactions.filter((reaction) => reaction.includes(`/${id}/`));
    expect(reactions.map((reaction) => reaction.split(" ")[1])).toEqual(["eyes", "rocket"]);
  }
  expect(await scenario.github.comments(9)).toHaveLength(1);
});

test("two first requests at once start two jobs, and each gets its own comment", async () => {
  await using scenario = await startScenario();
  scenario.service.on(CREATE, json(201, record("active")), json(201, record("active", job2)));
  scenario.service.on(POLL_2, json(200, record("completed", job2)));
  // Neither finds the other's comment, because both list the comments before either posts one.
  const list = held(json(200, []));
  scenario.github.answer("list-comments", list);
  const runs = [2001, 2002].map((id) =>
    scenario.run({ ...byPhrase(comment(`/docs request ${id}`, { id })), runId: String(id) }),
  );
  await scenario.github.server.waitForRequest(LIST, 2);
  scenario.github.restore("list-comments");
  list.release();
  const both = await Promise.all(runs);
  expect(both.map(({ outputs }) => outputs.jobId).toSorted()).toEqual(["job_1", "job_2"]);
  expect(await scenario.github.comments(7)).toHaveLength(2);
  for (const pull of [9, 10]) expect(await scenario.github.comments(pull)).toHaveLength(1);
});
