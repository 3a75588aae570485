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
import { CREATE, completed, POLL, PR_LINK, record, startScenario } from "../../support/scenario.ts";

/** A sample is long enough to show that the memory stays flat, and no longer. */
const POLLS = isExhaustive ? 2000 : 200;
const MEBIBYTE = 1024 * 1024;
/** What may be held more in the last quarter than in the second: a short run is still compiling code in both. */
const GROWTH = (isExhaustive ? 1 : 3) * MEBIBYTE;
const MEMORY = new URL("../../support/record-memory.mjs", import.meta.url).href;

/** What a service that is unwell may answer with, for as long as that lasts. */
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
 * The answers to all polls: the service is well for up to 40 of them, then unwell for up to 40 in one
 * way, and so on; now and then the job's status is another one.
 */
function answersInTurn(): Answer[] {
  const answers: Answer[] = [];
  let drawn = 0;
  let status = "active";
  const random = () => chanceOf(`poll answers ${drawn++}`);
  while (answers.length < POLLS) {
    status = status === "active" ? "indexing" : "active";
    const well = json(200, record(status, { steps: answers.length }));
    answers.push(...Array(1 + Math.floor(random() * 40)).fill(well));
    const fault = FAULTS[Math.floor(random() * FAULTS.length)] ?? well;
    // What takes longest is sent a few times only.
    const most = fault === FAULTS.at(-1) ? 4 : 40;
    answers.push(...Array(1 + Math.floor(random() * most)).fill(fault));
  }
  return [...answers.slice(0, POLLS), json(200, completed)];
}

interface Sample {
  rss: number;
  /** Heap after a collection, and what it holds outside of itself. */
  held: number;
}

function samplesOf({ files }: RunResult): Sample[] {
  const [, file = "[]"] = Object.entries(files).find(([name]) => /memory\.json$/.test(name)) ?? [];
  return JSON.parse(file);
}

/** A quarter of the samples, from 0, in order of their size. */
function sorted(values: readonly number[], quarter: number): number[] {
  const size = Math.floor(values.length / 4);
  return values.slice(quarter * size, (quarter + 1) * size).sort((one, other) => one - other);
}

/** What is held whatever is being read at the moment: growth that stays raises it too. */
function lowest(values: readonly number[], quarter: number): number {
  return sorted(values, quarter)[0] ?? Number.NaN;
}

function median(values: readonly number[], quarter: number): number {
  const part = sorted(values, quarter);
  return part[Math.floor(part.length / 2)] ?? Number.NaN;
}

test("a run that polls a service thousands of times, which is often unwell, ends right, in flat memory", async () => {
  await using scenario = await startScenario();
  const [first = json(200, completed), ...others] = answersInTurn();
  scenario.service.on(POLL, first, ...others);
  const result = await scenario.run({
    env: { NODE_OPTIONS: `--import ${MEMORY}` },
    inputs: { "poll-interval-seconds": "0.002", "poll-max-interval-seconds": "0.002" },
    limitMs: 300_000,
  });

  expect(result).toMatchObject({ exitCode: 0, errors: [], stderr: "" });
  expect(result.outputs).toMatchObject({ jobId: "job_1", status: "completed", prLink: PR_LINK });
  expect(scenario.service.requestsTo(CREATE)).toHaveLength(1);
  expect(scenario.service.requestsTo(POLL)).toHaveLength(POLLS + 1);
  expect(await scenario.github.comments(7)).toHaveLength(1);
  expect((await scenario.github.comments(7))[0]?.body).toContain(PR_LINK);
  // Every spell of being unwell has a beginning and an end, and "indexing" is warned of once.
  const warned = (words: RegExp) => result.warnings.filter((it) => words.test(it)).length;
  expect(warned(/failed polls/)).toBeGreaterThan(POLLS / 200);
  expect(warned(/good answers again/)).toBe(warned(/failed polls/));
  expect(warned(/"indexing"/)).toBe(1);

  const samples = samplesOf(result);
  // One at every tenth request.
  expect(samples.length).toBeGreaterThanOrEqual(POLLS / 10);
  const held = samples.map((it) => it.held);
  const rss = samples.map((it) => it.rss);
  expect(lowest(held, 3)).toBeLessThan(lowest(held, 1) + GROWTH);
  expect(median(rss, 3)).toBeLessThan(Math.max(1.25 * median(rss, 1), 120 * MEBIBYTE));
}, 600_000);
