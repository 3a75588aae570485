import { expect, test } from "vitest";
import { startConversation } from "../support/conversation.ts";
import { someOf } from "../support/sample.ts";
import { MARKER } from "../support/scenario.ts";

interface Commit {
  sha: string;
}

test("a conversation: from the issue to the pull request, and on from both", async () => {
  await using talk = await startConversation();
  const { github, service } = talk.world;
  const only = { "include-context": "false" };

  // Somebody asks on the issue: eyes, an answer, a pull request, an invitation on it.
  const first = await talk.say(1, "Good idea!\n\n/docs explain how to rotate a key");
  expect(first.errors.concat(first.warnings)).toEqual([]);
  const { jobId, prLink, prNumber } = first.outputs;
  const [asked, answer] = await talk.comments(1);
  expect(await talk.reactionsTo(asked?.id ?? 0)).toEqual(["eyes", "rocket"]);
  expect(answer?.html_url).toBe(first.outputs.commentUrl);
  expect(answer?.body).toContain(`(${prLink})`);
  const pull = Number(prNumber);
  const commits = () => github.api<Commit[]>(`/pulls/${pull}/commits`);
  const changed = (await github.api<{ filename: string }[]>(`/pulls/${pull}/files`))[0]?.filename;
  expect(await commits()).toHaveLength(1);
  const invitations = async () =>
    (await talk.comments(pull)).filter(({ body }) => body.includes("To request changes"));
  expect(await invitations()).toHaveLength(1);
  expect((await invitations())[0]?.body).toContain("#1");

  // A further request on the issue goes to the same job, and adds to the same pull request.
  const second = await talk.say(1, "/docs also mention the default", { inputs: only });
  expect(second.outputs).toMatchObject({ jobId, prLink, status: "completed" });
  expect(await commits()).toHaveLength(2);

  // So does one on the pull request …
  const third = await talk.say(pull, "/docs and the limits", { inputs: only });
  expect(third.outputs).toMatchObject({ jobId, prLink, status: "completed" });
  expect(third.outputs.commentUrl).toContain(`/${pull}#`);
  expect(await commits()).toHaveLength(3);

  // … and one on a line of its change, which the agent is told.
  const onLine = {
    path: changed ?? "",
    line: 3,
    hunk: "@@ -0,0 +1,3 @@\n+# Keys\n+\n+Rotate them.",
  };
  const fourth = await talk.say(pull, "/docs say how often", { onLine });
  expect(fourth.outputs).toMatchObject({ jobId, prLink, status: "completed" });
  expect(await commits()).toHaveLength(4);
  const jobs = await service.jobs();
  expect(jobs).toHaveLength(1);
  const prompts = jobs[0]?.turns.map(({ prompt }) => prompt) ?? [];
  expect(prompts[0]).toContain("explain how to rotate a key");
  expect(prompts[0]).toContain("> Good idea!");
  expect(prompts.slice(1, 3)).toEqual(["also mention the default", "and the limits"]);
  expect(prompts[3]).toMatch(/^say how often\n\n---\n/);
  for (const line of [`${changed}:3`, "+Rotate them.", String(prLink), String(changed)]) {
    expect(prompts[3]).toContain(`> ${line}`);
  }

  // Nobody was invited twice, and every request has an answer of its own.
  expect(await invitations()).toHaveLength(1);
  const own = [...(await talk.comments(1)), ...(await talk.comments(pull))];
  expect(own.filter(({ body }) => body.match(MARKER))).toHaveLength(5);
  const urls = [first, second, third, fourth].map(({ outputs }) => outputs.commentUrl);
  expect(new Set(urls).size).toBe(4);

  // Anew is anew.
  const fifth = await talk.say(pull, "/docs --new describe webhooks", { inputs: only });
  expect(fifth.outputs.jobId).not.toBe(jobId);
  expect(fifth.outputs.prNumber).not.toBe(prNumber);
  expect(await service.jobs()).toHaveLength(2);
  expect(await commits()).toHaveLength(4);
});

test("a stranger who writes the same gets nothing started", async () => {
  await using talk = await startConversation();
  await talk.say(1, "/docs explain how to rotate a key");
  for (const by of ["outsider", "reader", "triager"]) {
    const result = await talk.say(1, "/docs also mention the default", { by });
    expect(result.exitCode).toBe(0);
    expect(result.outputs).toEqual({ status: "skipped" });
  }
  const jobs = await talk.world.service.jobs();
  expect(jobs.map(({ turns }) => turns.length)).toEqual([1]);
  const comments = await talk.comments(1);
  expect(comments.filter(({ user }) => user.login.endsWith("[bot]"))).toHaveLength(1);
  for (const { id } of comments.slice(2)) expect(await talk.reactionsTo(id)).toEqual(["-1"]);
});

test.each(someOf([["writer"], ["maintainer"], ["octocat"]]))("%s may ask", async (by) => {
  await using talk = await startConversation();
  const result = await talk.say(1, "/docs explain how to rotate a key", { by });
  expect(result.outputs.status).toBe("completed");
});

test("the action's own comments ask for nothing, however often they come by", async () => {
  await using talk = await startConversation();
  await talk.say(1, "/docs explain how to rotate a key");
  const [, answer] = await talk.comments(1);
  const result = await talk.say(1, `/docs again\n\n${answer?.body}`);
  expect(result.outputs).toEqual({ status: "skipped" });
  expect(await talk.world.service.jobs()).toHaveLength(1);
});

test("nothing but the phrase is answered with how to ask, and that with a request", async () => {
  await using talk = await startConversation();
  const empty = await talk.say(1, "/docs");
  expect(empty.outputs.status).toBe("skipped");
  expect(await talk.comments(1)).toHaveLength(2);
  expect(await talk.world.service.jobs()).toEqual([]);
  const result = await talk.say(1, "/docs explain how to rotate a key");
  expect(result.outputs.status).toBe("completed");
});

test("a job that the service has forgotten gives way to a new one, and the answer says so", async () => {
  await using talk = await startConversation();
  const first = await talk.say(1, "/docs explain keys\nemulate: forget");
  const second = await talk.say(1, "/docs also mention the default");
  expect(second.outputs.status).toBe("completed");
  expect(second.outputs.jobId).not.toBe(first.outputs.jobId);
  const body = (await talk.comments(1)).at(-1)?.body;
  expect(body).toContain("no longer known");
  const third = await talk.say(1, "/docs and the limits");
  expect(third.outputs.jobId).toBe(second.outputs.jobId);
});

test("a request while the job is busy waits for it", async () => {
  await using talk = await startConversation();
  const first = await talk.begin(1, "/docs explain keys\nemulate: busy duration=4s");
  await first.waitForOutput("commentUrl");
  const second = await talk.say(1, "/docs also mention the default", {
    inputs: { "poll-max-interval-seconds": "0.2" },
  });
  expect(second.outputs).toMatchObject({ status: "completed" });
  expect(second.outputs.jobId).toBe((await first.result).outputs.jobId);
  const jobs = await talk.world.service.jobs();
  expect(jobs.map(({ turns }) => turns.length)).toEqual([2]);
  const requests = await talk.world.service.requests();
  expect(requests.filter(({ path }) => path.endsWith("/message")).length).toBeGreaterThan(1);
});

test("several requests at once: none is lost, and each gets an answer of its own", async () => {
  await using talk = await startConversation();
  await talk.say(1, "/docs explain how to rotate a key");
  const runs = await Promise.all(
    ["the default", "the limits", "the errors"].map((it) => talk.say(1, `/docs mention ${it}`)),
  );
  for (const { exitCode, outputs } of runs) {
    expect(exitCode).toBe(0);
    expect(outputs.status).toBe("completed");
  }
  expect(new Set(runs.map(({ outputs }) => outputs.commentUrl)).size).toBe(3);
  const jobs = await talk.world.service.jobs();
  const prompts = jobs.flatMap(({ turns }) => turns.map(({ prompt }) => prompt)).join("\n");
  for (const it of ["the default", "the limits", "the errors"]) {
    expect(prompts).toContain(`mention ${it}`);
  }
  expect(jobs).toHaveLength(1);
});

test("a run that is attempted again waits for its job, and tells in the same comment", async () => {
  await using talk = await startConversation();
  const asking = { runId: "4711", inputs: { "timeout-minutes": "0.003" } };
  const request = "/docs explain keys\nemulate: duration=1500ms";
  const first = await talk.say(1, request, asking);
  expect(first.outputs.errorKind).toBe("timeout");
  const second = await talk.say(1, request, { runId: "4711", attempt: 2 });
  expect(second.outputs).toMatchObject({ jobId: first.outputs.jobId, status: "completed" });
  expect(second.outputs.commentUrl).toBe(first.outputs.commentUrl);
  const jobs = await talk.world.service.jobs();
  expect(jobs.map(({ turns }) => turns.length)).toEqual([1]);
});
