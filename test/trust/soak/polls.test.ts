import { expect, test } from "vitest";
import type { RunResult } from "../../../emulator/runner/runner.ts";
import {
  closeAfterRequest,
  halfBody,
  json,
  largeJson,
  resetAfterRequest,
  text,
} from "../../support/answers.ts";
import type { Answer } from "../../support/faulty-server.ts";
import { chanceOf, isExhaustive } from "../../support/sample.ts";
import { CREATE, completed, POLL, PR_LINK, record, WITH_JOB } from "../../support/world/jobs.ts";
import { startWorld } from "../../support/world/world.ts";

/** A sample is just long enough to show that the memory does not grow. */
const POLLS = isExhaustive ? 2000 : 200;
const MEBIBYTE = 1024 * 1024;
/** Maximum growth from the second to the last quarter. A short run is still compiling code in both. */
const GROWTH = (isExhaustive ? 1 : 3) * MEBIBYTE;
const MEMORY = new URL("../../support/record-memory.mjs", import.meta.url).href;

/** Answers of a failing service. */
const FAULTS: readonly Answer[] = [
  json(500, { error: "Out of order" }),
  text(502, "<h1>Bad gateway</h1>"),
  json(503, { error: "Come back" }, { "retry-after": "0" }),
  json(504, null),
  json(429, { error: "Too many" }, { "retry-after": "0" }),
  json(408, {}),
  text(200, "<p>Sign in</p>"),
  text(200, ""),
  json(200, []),
  halfBody(200, completed),
  closeAfterRequest,
  resetAfterRequest,
  largeJson(200, completed, 2),
];

/**
 * The answers to all polls: up to 40 successful ones alternate with up to 40 of the same fault. The job's status changes
 * with each alternation.
 */
function answersInTurn(): Answer[] {
  const answers: Answer[] = [];
  let drawn = 0;
  let status = "active";
  const random = () => chanceOf(`poll answers ${drawn++}`);
  while (answers.length < POLLS) {
    status = status === "active" ? "indexing" : "active";
    const success = json(200, record(status, { steps: answers.length }));
    answers.push(...Array(1 + Math.floor(random() * 40)).fill(success));
    const fault = FAULTS[Math.floor(random() * FAULTS.length)] ?? success;
    // The largest answer takes longest, so it is sent a few times only.
    const most = fault === FAULTS.at(-1) ? 4 : 40;
    answers.push(...Array(1 + Math.floor(random() * most)).fill(fault));
  }
  return [...answers.slice(0, POLLS), json(200, completed)];
}

interface Sample {
  rss: number;
  /** Heap after a garbage collection, and the external memory that it holds. */
  held: number;
}

function samplesOf({ files }: RunResult): Sample[] {
  const [, file = "[]"] = Object.entries(files).find(([name]) => /memory\.json$/.test(name)) ?? [];
  return JSON.parse(file);
}

/** A quarter of the values (from 0), sorted. */
function sorted(values: readonly number[], quarter: number): number[] {
  const size = Math.floor(values.length / 4);
  return values.slice(quarter * size, (quarter + 1) * size).sort((a, b) => a - b);
}

/** The minimum of a quarter. It does not depend on the answer that is being read, but a leak raises it. */
function lowest(values: readonly number[], quarter: number): number {
  return sorted(values, quarter)[0] ?? Number.NaN;
}

function median(values: readonly number[], quarter: number): number {
  const part = sorted(values, quarter);
  return part[Math.floor(part.length / 2)] ?? Number.NaN;
}

test("a run with thousands of polls, many of which fail, ends with the job's result, and its memory does not grow", async () => {
  await using world = await startWorld(WITH_JOB);
  const [first = json(200, completed), ...others] = answersInTurn();
  world.on(POLL, first, ...others);
  const result = await world.run("root", {
    env: { NODE_OPTIONS: `--import ${MEMORY}` },
    inputs: { "poll-interval-seconds": "0.002", "poll-max-interval-seconds": "0.002" },
    limitMs: 300_000,
  });

  expect(result).toMatchObject({ exitCode: 0, errors: [], stderr: "" });
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  expect(world.received(CREATE)).toHaveLength(1);
  expect(world.received(POLL)).toHaveLength(POLLS + 1);
  expect(world.comments(7)).toHaveLength(1);
  expect(world.comment(7)).toContain(PR_LINK);
  // Every series of faults causes a warning at its beginning and at its end, and "indexing" causes one in total.
  // After seven annotations, they are lines of the log.
  const logged = result.stdout.split("\n").filter((line) => line.startsWith("Warning: "));
  const warnings = [...result.warnings, ...logged];
  const warned = (words: RegExp) => warnings.filter((warning) => words.test(warning)).length;
  expect(warned(/polls have failed for 5 minutes/)).toBeGreaterThan(POLLS / 200);
  expect(warned(/responding normally again/)).toBe(warned(/polls have failed for 5 minutes/));
  expect(warned(/"indexing"/)).toBe(1);

  const samples = samplesOf(result);
  // One at every tenth request.
  expect(samples.length).toBeGreaterThanOrEqual(POLLS / 10);
  const held = samples.map((sample) => sample.held);
  const rss = samples.map((sample) => sample.rss);
  expect(lowest(held, 3)).toBeLessThan(lowest(held, 1) + GROWTH);
  expect(median(rss, 3)).toBeLessThan(Math.max(1.25 * median(rss, 1), 120 * MEBIBYTE));
}, 600_000);
