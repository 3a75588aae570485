import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../../emulator/local-world/index.ts";
import { type RunResult, runAction } from "../../../emulator/runner/runner.ts";
import { isExhaustive } from "../../support/sample.ts";
import { MARKER } from "../../support/scenario.ts";

const RUNS = isExhaustive ? 200 : 12;
const AT_A_TIME = isExhaustive ? 25 : 4;
const ISSUES = 20;

/** What a job is told to do, and how its run comes out. */
const LIVES = [
  { steering: "outcome=no-changes", exitCode: 0, outputs: { status: "completed" }, pull: false },
  { steering: "pr=open", exitCode: 0, outputs: { status: "completed" }, pull: true },
  {
    ...{ steering: "outcome=failed", exitCode: 1, pull: false },
    outputs: { status: "failed", errorKind: "job-failed" },
  },
  { steering: "outcome=archived", exitCode: 0, outputs: { status: "archived" }, pull: false },
  {
    steering: "status=queued lag=100ms",
    exitCode: 0,
    outputs: { status: "completed" },
    pull: true,
  },
];

let world: LocalWorld;

beforeAll(async () => {
  // Each step that runs is minded, so that none outlives this process.
  process.setMaxListeners(AT_A_TIME + process.getMaxListeners());
  const issues = Array.from({ length: ISSUES }, (_, nth) => ({
    ...{ title: `Issue ${nth + 1}`, body: "Please explain.", author: "writer" },
  }));
  world = await startLocalWorld({
    steering: { durationMs: 300 },
    service: { limit: { uses: 2 * RUNS } },
    issues,
  });
});

afterAll(() => world.close());

const lifeOf = (nth: number) => LIVES[nth % LIVES.length] ?? LIVES[0];
const issueOf = (nth: number) => 1 + (nth % ISSUES);

function run(nth: number): Promise<RunResult> {
  return runAction({
    runId: String(5000 + nth),
    repository: world.github.repository,
    apiUrl: world.github.url,
    serverUrl: world.github.url,
    token: world.github.token,
    limitMs: 300_000,
    inputs: {
      "api-key": world.service.adminKey,
      "project-id": world.service.projectId,
      prompt: `Explain number ${nth}.\nemulate: ${lifeOf(nth)?.steering}`,
      "issue-number": String(issueOf(nth)),
      "base-url": world.service.url,
      "poll-interval-seconds": "0.2",
      "poll-max-interval-seconds": "0.4",
    },
  });
}

/** Runs all of them, so many at a time, each as soon as another has ended. */
async function runAll(): Promise<RunResult[]> {
  const results: RunResult[] = [];
  let next = 0;
  const lane = async () => {
    for (let nth = next++; nth < RUNS; nth = next++) results[nth] = await run(nth);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  return results;
}

interface IssueComment {
  html_url: string;
  body: string;
}

async function commentsOn(issue: number): Promise<IssueComment[]> {
  return await world.github.api(`/issues/${issue}/comments?per_page=100`);
}

test(
  "many runs at a time: a right result, a comment and a job for each",
  async () => {
    const results = await runAll();
    for (const [nth, result] of results.entries()) {
      const life = lifeOf(nth);
      const told = `run ${nth}, ${life?.steering}:\n${result.stdout}${result.stderr}`;
      expect(result.exitCode, told).toBe(life?.exitCode);
      expect(result.outputs, told).toMatchObject(life?.outputs ?? {});
      expect((result.outputs.prLink ?? "") !== "", told).toBe(life?.pull);
      expect(result.stderr, told).toBe("");
    }

    const jobs = await world.service.jobs();
    const ids = results.map(({ outputs }) => outputs.jobId);
    expect(jobs).toHaveLength(RUNS);
    expect(new Set(ids)).toEqual(new Set(jobs.map(({ id }) => id)));
    for (const [nth, id] of ids.entries()) {
      const job = jobs.find((it) => it.id === id);
      expect(job?.turns.map(({ prompt }) => prompt.split("\n")[0])).toEqual([
        `Explain number ${nth}.`,
      ]);
      expect(job?.record.prLink ?? "").toBe(results[nth]?.outputs.prLink ?? "");
    }
    const pulls = results.flatMap(({ outputs }) => (outputs.prLink ? [outputs.prLink] : []));
    expect(new Set(pulls).size).toBe(pulls.length);

    const all = await Promise.all(
      Array.from({ length: ISSUES }, (_, index) => commentsOn(index + 1)),
    );
    expect(all.flat()).toHaveLength(RUNS);
    for (const [nth, { outputs }] of results.entries()) {
      const own = all[issueOf(nth) - 1]?.filter((it) => it.html_url === outputs.commentUrl) ?? [];
      expect(own).toHaveLength(1);
      const [{ body } = { body: "" }] = own;
      expect(body).toContain(`/actions/runs/${5000 + nth}/`);
      expect(body).toContain(`\`${outputs.jobId}\``);
      expect(body).toContain(`Status \`${outputs.status}\``);
      if (outputs.prLink) expect(body).toContain(`(${outputs.prLink})`);
      expect(body.match(MARKER)).toHaveLength(1);
    }
  },
  20 * 60_000,
);
