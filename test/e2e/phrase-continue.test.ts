import { expect, test } from "vitest";
import { held, json, refusal } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { byPhrase, comment, newIssue } from "../support/phrase-events.ts";
import { someOf } from "../support/sample.ts";
import { addComment } from "../support/world/comments.ts";
import { GRAPHQL, LIST_COMMENTS, MARKER } from "../support/world/conversation.ts";
import { CREATE, MESSAGE, POLL, PR_LINK, record, WITH_JOB } from "../support/world/jobs.ts";

import { startWorld, type World } from "../support/world/world.ts";

const job2 = { id: "job_2", prLink: "https://github.com/octo/docs/pull/10" };
const POLL_2 = POLL.replace("job_1", "job_2");

/** Starts a conversation with one completed job. */
async function startConversation(): Promise<World> {
  const world = await startWorld(WITH_JOB);
  await world.run("root", { ...byPhrase(newIssue("/docs explain retries")), runId: "1000" });
  expect(world.asked("service")).toEqual([CREATE, POLL]);
  world.on(MESSAGE, json(200, record("active")));
  // From now on, another job is created.
  world.on(CREATE, json(201, record("active", job2)));
  world.on(POLL_2, json(200, record("completed", job2)));
  return world;
}

/** The requests to the service after those of the first job. */
function laterRequests(world: World): string[] {
  return world.asked("service").slice(2);
}

test("a further request goes to the same job, and gets its own comment", async () => {
  await using world = await startConversation();
  const result = await world.run(
    "root",
    byPhrase(comment("/docs also mention limits"), { "include-context": "false" }),
  );
  expect(laterRequests(world)).toEqual([POLL, MESSAGE, POLL]);
  const [message] = world.received(MESSAGE);
  expect(JSON.parse(String(message?.body))).toEqual({ prompt: "also mention limits" });
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  const comments = world.comments(7);
  expect(comments).toHaveLength(2);
  for (const { body } of comments) expect(body).toContain(PR_LINK);
});

test("the job is found in more than a hundred comments whose last page GitHub does not name", async () => {
  await using world = await startWorld(WITH_JOB);
  world.github.emulated.site.switches.hasNoLastPage = true;
  for (let nth = 0; nth < 120; nth++) addComment(world, 7, `Comment ${nth}`);
  await world.run("root", byPhrase(comment("/docs explain retries")));
  world.on(MESSAGE, json(200, record("active")));
  const result = await world.run("root", byPhrase(comment("/docs also mention limits")));
  expect(world.received(CREATE)).toHaveLength(1);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed" });
});

test("--new starts a new job without searching the issue's comments", async () => {
  await using world = await startConversation();
  const before = world.received(LIST_COMMENTS).length;
  const inputs = { "include-context": "false" };
  const result = await world.run(
    "root",
    byPhrase(comment("/docs --new describe webhooks"), inputs),
  );
  expect(laterRequests(world)).toEqual([CREATE, POLL_2]);
  const [, create] = world.received(CREATE);
  expect(JSON.parse(String(create?.body))).toEqual({ prompt: "describe webhooks" });
  expect(result.outputs.jobId).toBe("job_2");
  // Only the job's pull request is searched, for the invitation.
  const searched = world.received(LIST_COMMENTS).slice(before);
  const places = new Set(searched.map(({ path }) => path.split("?")[0]));
  expect([...places]).toEqual(["/repos/octo/docs/issues/10/comments"]);
});

test("with continue-job: false, every request starts a new job", async () => {
  await using world = await startConversation();
  await world.run(
    "root",
    byPhrase(comment("/docs also mention limits"), { "continue-job": "false" }),
  );
  expect(laterRequests(world)).toEqual([CREATE, POLL_2]);
});

test("a request on the job's pull request goes to the job that its invitation names", async () => {
  await using world = await startConversation();
  expect(world.comments(9)).toHaveLength(1);
  const on = { number: 9, onPullRequest: true };
  await world.run("root", byPhrase(comment("/docs also mention limits", on)));
  expect(laterRequests(world)).toEqual([POLL, MESSAGE, POLL]);
  expect(world.comments(9)).toHaveLength(2);
  expect(world.comments(7)).toHaveLength(1);
});

test("each pull request gets one invitation, with the phrase, the issue and a marker", async () => {
  await using world = await startConversation();
  const [invitation] = world.comments(9);
  expect(invitation?.body).toContain("`/docs`");
  expect(invitation?.body).toContain("#7");
  expect(invitation?.body.match(MARKER)).toHaveLength(1);
  await world.run("root", { ...byPhrase(comment("/docs also mention limits")), runId: "1001" });
  await world.run("root", { ...byPhrase(comment("/docs --new anew")), runId: "1002" });
  expect(world.comments(9)).toHaveLength(1);
  expect(world.comments(10)).toHaveLength(1);
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
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("completed", { prLink })));
  const result = await world.run("root", {
    ...byPhrase(comment("/docs explain retries")),
    serverUrl,
  });
  expect(world.bodies.length).toBeGreaterThan(0);
  expect(world.comments(9)).toEqual([]);
  // Its comments are not even searched.
  expect(result.warnings).toEqual([]);
  const searched = world.received(LIST_COMMENTS).map(({ path }) => path.split("?")[0]);
  expect(searched).toEqual(["/repos/octo/docs/issues/7/comments"]);
});

test.each(
  someOf([
    [400, "did not accept another message"],
    [410, "no longer known"],
    [413, "did not accept another message"],
    [422, "did not accept another message"],
  ]),
)(
  "if the job answers a follow-up with %i, a new job is started, and the comment says why",
  async (status, reason) => {
    await using world = await startConversation();
    world.on(MESSAGE, json(status, { error: "no" }));
    const inputs = { "include-context": "false" };
    const result = await world.run("root", byPhrase(comment("/docs also mention limits"), inputs));
    expect(laterRequests(world)).toEqual([POLL, MESSAGE, CREATE, POLL_2]);
    const [, create] = world.received(CREATE);
    expect(JSON.parse(String(create?.body))).toEqual({ prompt: "also mention limits" });
    expect(result.outputs).toMatchObject({ jobId: "job_2", status: "completed" });
    expect(world.comments(7)).toHaveLength(2);
    for (const shown of [world.comments(7)[1]?.body, result.summary]) {
      expect(shown).toContain(reason);
      expect(shown).toContain("a new job was started");
    }
  },
);

test("a job that is at work for minutes gets the follow-up after that, and no second job is started", async () => {
  await using world = await startConversation();
  const busy = json(409, { error: "The job is busy." });
  world.on(MESSAGE, busy, ...Array.from({ length: 11 }, () => busy), json(200, record("active")));
  const request = byPhrase(comment("/docs also mention limits"));
  const result = await world.run("root", { ...request, fastClock: 60 });
  expect(world.received(MESSAGE)).toHaveLength(13);
  expect(world.received(CREATE)).toHaveLength(1);
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed" });
});

test.each([
  ["the time limit", { "timeout-minutes": "3" }],
  ["a minute, if the run does not wait", { wait: "false" }],
])(
  "a job that is at work until %s gets nothing, and whoever asked learns that",
  async (_, inputs) => {
    await using world = await startConversation();
    world.on(MESSAGE, json(409, { error: "The job is busy." }));
    const request = byPhrase(comment("/docs also mention limits"), inputs);
    const result = await world.run("root", { ...request, fastClock: 60 });
    expect(world.received(CREATE)).toHaveLength(1);
    expect(result.exitCode).toBe(1);
    const body = world.comments(7).at(-1)?.body;
    expect(body).toContain("nothing was started");
    expect(body).toMatch(/still at work.*when it has ended.*`--new`/);
    expect(world.reactions().join()).toContain("confused");
  },
);

test("a job that is archived and answers a follow-up with 404 is replaced by a new one", async () => {
  await using world = await startConversation();
  world.on(MESSAGE, json(404, { error: "Job not found" }));
  world.on(POLL, json(200, record("archived")));
  const inputs = { "include-context": "false" };
  const result = await world.run("root", byPhrase(comment("/docs also mention limits"), inputs));
  expect(laterRequests(world)).toEqual([POLL, MESSAGE, POLL, CREATE, POLL_2]);
  expect(result.outputs).toMatchObject({ jobId: "job_2", status: "completed" });
  expect(result.visible.join()).toContain("Started job job_2.");
  expect(result.visible.join()).not.toContain("Sent a follow-up to job job_2");
  expect(world.comments(7)[1]?.body).toContain("no longer known");
});

test("job-id is used instead of the conversation, and no new job replaces it", async () => {
  await using world = await startConversation();
  world.on(
    "POST service /v2/agent/acme-docs/job/job_9/message",
    json(404, { error: "Job not found" }),
  );
  const inputs = { "job-id": "job_9" };
  const result = await world.run("root", byPhrase(comment("/docs also mention limits"), inputs));
  expect(laterRequests(world)).toEqual(["POST service /v2/agent/acme-docs/job/job_9/message"]);
  expect(result.outputs.errorKind).toBe("not-found");
});

test("a request is answered where it was asked, whatever issue-number says", async () => {
  await using world = await startConversation();
  await world.run("root", byPhrase(comment("/docs more", { number: 8 }), { "issue-number": "7" }));
  expect(laterRequests(world)).toEqual([CREATE, POLL_2]);
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comments(8)).toHaveLength(1);
});

test.each<[string, Answer, string]>([
  ["GitHub fails", refusal(502, "Bad Gateway"), "github-unavailable"],
  ["the token may not", refusal(403, "Resource not accessible by integration"), "github-refused"],
])("nothing is sent if the comments cannot be read because %s", async (_, answer, errorKind) => {
  await using world = await startConversation();
  world.on(LIST_COMMENTS, answer);
  const result = await world.run("root", byPhrase(comment("/docs also mention limits")));
  expect(laterRequests(world)).toEqual([]);
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ errorKind });
  // Who asked is told.
  expect(world.comments(7).at(-1)?.body).toContain("no job was started");
});

test("an outsider's copy of an invitation's draft is never edited, and names no job", async () => {
  await using world = await startConversation();
  const [draft = ""] = world.bodies.filter((body) => body.includes("`/docs`"));
  const { home } = world.github;
  for (const invitation of home.commentsOn(9)) home.setComment(invitation, null);
  const copy = addComment(world, 9, draft, "outsider");
  world.restore(GRAPHQL);
  await world.run("root", byPhrase(comment("/docs also mention limits")));
  expect(world.comments(9).find(({ id }) => id === copy.id)?.body).toBe(draft);
  const invitations = world.comments(9).filter(({ id }) => id !== copy.id);
  expect(invitations).toHaveLength(1);
});

test("two requests at once both go to the job, and each gets its own comment", async () => {
  await using world = await startConversation();
  const requestOf = (id: number) => ({
    ...byPhrase(comment(`/docs request ${id}`, { id }), { "include-context": "false" }),
    runId: String(id),
  });
  const both = await Promise.all([
    world.run("root", requestOf(2001)),
    world.run("root", requestOf(2002)),
  ]);
  for (const { exitCode, outputs } of both) {
    expect(exitCode).toBe(0);
    expect(outputs).toMatchObject({ jobId: "job_1", prLink: PR_LINK });
  }
  const sent = world.sent(MESSAGE).map(({ prompt }) => prompt);
  expect(sent.toSorted()).toEqual(["request 2001", "request 2002"]);
  const answers = world.comments(7).slice(1);
  expect(answers.map(({ url }) => url).toSorted()).toEqual(
    both.map(({ outputs }) => outputs.commentUrl).toSorted(),
  );
  for (const id of [2001, 2002]) {
    expect(answers.filter(({ body }) => body.includes(`/runs/${id}/`))).toHaveLength(1);
    const reactions = world.reactions().filter((reaction) => reaction.includes(`/${id}/`));
    expect(reactions.map((reaction) => reaction.split(" ")[1])).toEqual(["eyes", "rocket"]);
  }
  expect(world.comments(9)).toHaveLength(1);
});

test("two first requests at once start two jobs, and each gets its own comment", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(CREATE, json(201, record("active")), json(201, record("active", job2)));
  world.on(POLL_2, json(200, record("completed", job2)));
  // Neither finds the other's comment, because both list the comments before either posts one.
  const list = held(json(200, []));
  world.on(LIST_COMMENTS, list);
  const runs = [2001, 2002].map((id) =>
    world.run("root", { ...byPhrase(comment(`/docs request ${id}`, { id })), runId: String(id) }),
  );
  await world.waitForRequest(LIST_COMMENTS, 2);
  world.restore(LIST_COMMENTS);
  list.release();
  const both = await Promise.all(runs);
  expect(both.map(({ outputs }) => outputs.jobId).toSorted()).toEqual(["job_1", "job_2"]);
  expect(world.comments(7)).toHaveLength(2);
  for (const pull of [9, 10]) expect(world.comments(pull)).toHaveLength(1);
});
