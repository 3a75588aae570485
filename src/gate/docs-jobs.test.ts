import { describe, expect, test } from "vitest";
import { WORKFLOW } from "../../emulator/github/people.ts";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, runInMemory } from "../../test/support/memory-world/runs.ts";
import { jobMarkers } from "../github/conversation/job-marker.ts";
import { gate } from "./gate.ts";

const HOUR = 3_600_000;
const CREATE = new URL("https://service.test/v2/agent/docs/job");

/** A pull request whose status comment was written under an old name of the repository. */
function setUp() {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 3_600_000 }));
  const { repository: home } = servers;
  const pull = home.openPull({ commits: [{ files: { "src/retry.ts": "1\n" } }] });
  servers.exchange({ method: "POST", url: CREATE, body: JSON.stringify({ prompt: "Docs." }) });
  const [job] = servers.agent.jobs;
  const comment = home.comment(pull, "", WORKFLOW);
  const step = { run: "1", attempt: 1, step: "docs", asks: "hash" };
  const facts = { job: job?.id ?? "", api: "v2", request: "accepted" as const, ended: null };
  const place = { repository: REPOSITORY, issue: pull.number };
  const marker = { ...facts, ...step };
  home.setComment(comment, jobMarkers(["mint_test"], "docs").write(place, marker, comment.id));
  home.rename("acme/handbook");
  const run = async () => {
    const inputs = { "docs-paths": "docs/**" };
    const payload = { pull_request: { number: pull.number } };
    const { fullName: repository, id: repositoryId } = home;
    const context = { eventName: "pull_request", payload, repository, repositoryId };
    const main = async (...args: Parameters<typeof gate>) => void (await gate(...args));
    return await runInMemory(servers, { main, inputs, context }, { random: chance(1) });
  };
  return { servers, run };
}

test("a job whose status comment was written before the repository was renamed covers", async () => {
  const { run } = setUp();
  expect(await run()).toMatchObject({ outputs: { verdict: "covered", jobId: "job-1" } });
});

test("it does not cover if another repository has the old name", async () => {
  const { servers, run } = setUp();
  servers.github.create(REPOSITORY);
  expect(await run()).toMatchObject({ outputs: { verdict: "needed" } });
});

type Outcome = "active" | "completed" | "failed" | "unknown";

/** A pull request with status comments about jobs that end like this, the newest first, and the gate on it. */
function setUpJobs(
  outcomes: readonly Outcome[],
  over: { author?: string; isOneJob?: boolean; age?: number; noted?: "unknown" } = {},
) {
  let outcome: Outcome = "active";
  const servers = new FaultyServers(() => {
    if (outcome === "active") return { outcome: "completed", takes: 1_000 * HOUR };
    return { outcome, takes: 0 };
  });
  const { repository: home } = servers;
  const pull = home.openPull({ commits: [{ files: { "src/retry.ts": "1\n" } }] });
  const markers = jobMarkers(["mint_test"], "docs");
  const place = { repository: REPOSITORY, issue: pull.number };
  for (outcome of outcomes.toReversed()) {
    if (!over.isOneJob || servers.agent.jobs.length === 0) {
      servers.exchange({ method: "POST", url: CREATE, body: JSON.stringify({ prompt: "Docs." }) });
    }
    const comment = home.comment(pull, "", over.author ?? WORKFLOW);
    const job = servers.agent.jobs.at(-1)?.id ?? "";
    const ended = outcome === "failed" ? outcome : (over.noted ?? null);
    const marker = { job, api: "v2", request: "accepted", ended } as const;
    const step = { run: "1", attempt: 1, step: "docs", asks: job };
    const written = markers.write(place, { ...marker, ...step }, comment.id);
    home.setComment(comment, written);
  }
  servers.now += over.age ?? HOUR;
  const run = async (inputs: Record<string, string> = {}) => {
    const payload = { pull_request: { number: pull.number } };
    const context = { eventName: "pull_request", payload };
    const main = async (...args: Parameters<typeof gate>) => void (await gate(...args));
    const action = { main, inputs: { "docs-paths": "docs/**", ...inputs }, context };
    const ran = await runInMemory(servers, action, { random: chance(1) });
    const { outputs, requests, errorKind } = ran;
    const polls = requests.filter((request) => request.includes("service.test")).length;
    const failed = errorKind === "" ? {} : { errorKind };
    return { verdict: outputs.verdict, jobId: outputs.jobId, polls, ...failed };
  };
  return { servers, run };
}

describe("of the docs jobs that were asked for", () => {
  test.each<[string, Outcome[], string, string, number]>([
    ["one at work covers", ["active"], "covered", "job-1", 1],
    ["one that completed covers", ["completed"], "covered", "job-1", 1],
    ["one that failed does not", ["failed"], "needed", "job-1", 1],
    ["one that the service does not know does not", ["unknown"], "needed", "job-1", 1],
    ["an older one covers after one that failed", ["failed", "active"], "covered", "job-1", 2],
    ["the newest one covers, and no other is polled", ["active", "failed"], "covered", "job-2", 1],
    [
      "five are polled at most",
      ["failed", "failed", "failed", "failed", "failed", "active"],
      "needed",
      "job-6",
      5,
    ],
  ])("%s", async (_, outcomes, verdict, jobId, polls) => {
    expect(await setUpJobs(outcomes).run()).toEqual({ verdict, jobId, polls });
  });

  test("one that the service does not know yet covers", async () => {
    const { run } = setUpJobs(["unknown"], { age: 1_000 });
    expect(await run()).toMatchObject({ verdict: "covered", jobId: "job-1" });
  });

  test("one that several comments name is polled once", async () => {
    const { run } = setUpJobs(["failed", "failed"], { isOneJob: true });
    expect(await run()).toMatchObject({ verdict: "needed", polls: 1 });
  });

  test("one whose docs pull request was closed unmerged does not cover", async () => {
    const { servers, run } = setUpJobs(["completed"]);
    servers.agent.openDuePulls();
    for (const docs of servers.agent.pulls) servers.repository.close(docs);
    expect(await run()).toMatchObject({ verdict: "needed", jobId: "job-1" });
  });

  test("one whose docs pull request cannot be read for now gives no verdict", async () => {
    const { servers, run } = setUpJobs(["completed"]);
    servers.agent.openDuePulls();
    const [docs] = servers.agent.pulls;
    for (const pull of servers.agent.pulls) servers.repository.close(pull);
    const path = `/pulls/${docs?.number}$`;
    servers.github.addFault({ method: "GET", path, status: 502, times: 9 });
    expect(await run()).toMatchObject({ verdict: undefined, errorKind: "github-unavailable" });
    servers.github.clearFaults();
    servers.github.addFault({ method: "GET", path, status: 404, times: 9 });
    expect(await run()).toMatchObject({ verdict: "covered" });
  });

  test("one of which its comment says that it is unknown does not cover without a key", async () => {
    const { run } = setUpJobs(["unknown"], { noted: "unknown" });
    expect(await run({ "api-key": "" })).toMatchObject({ verdict: "needed", polls: 0 });
  });

  test.each<[string, Outcome, string, string]>([
    ["a bot's comment covers", "active", WORKFLOW, "covered"],
    ["a bot's comment that reports a failure does not", "failed", WORKFLOW, "needed"],
    ["a person's comment does not", "active", "writer", "needed"],
  ])("without a key, %s", async (_, outcome, author, verdict) => {
    const { run } = setUpJobs([outcome], { author });
    expect(await run({ "api-key": "" })).toMatchObject({ verdict, polls: 0 });
  });
});
