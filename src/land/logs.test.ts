import { expect, test } from "vitest";
import { text } from "../../test/support/answers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { connectClient } from "../../test/support/github-client.ts";
import {
  checkOf,
  entryOf,
  factsOf,
  landInputs,
  lastRead,
  NOW,
  pullOf,
  timeBefore,
} from "../../test/support/land-facts.ts";
import { contextOf } from "../../test/support/run-context.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import type { PullFacts } from "./facts.ts";
import type { Entry } from "./ledger.ts";
import { withLogs } from "./logs.ts";
import { setUpRun } from "./run.ts";

const HOUR = 60 * 60_000;
const job = (id: number, over: Partial<Check> = {}) =>
  checkOf({ id: String(id), state: "red", conclusion: "failure", log: null, ...over });

interface Scene {
  checks?: Check[];
  facts?: Partial<PullFacts>;
  entry?: Partial<Entry>;
  inputs?: Record<string, string>;
}

/** @returns the logs of the checks after reading */
async function logsOf({ checks = [job(9)], facts = {}, entry = {}, inputs = {} }: Scene) {
  const { server, connect } = connectClient();
  for (const { id } of checks) {
    server.on(`GET /repos/acme/docs/actions/jobs/${id}/logs`, text(200, `Log of ${id}`));
  }
  const run = setUpRun(landInputs(inputs), contextOf("schedule"), dependenciesOf());
  run.store.namedAt = NOW;
  const pull = pullOf({ checks });
  const known = entryOf({ lastRead: lastRead(pull.head), ...entry }, 2 * HOUR);
  const place = { url: pull.url, repository: "acme/docs", number: 7, isNamed: true };
  const read = await withLogs(factsOf({ pull, ...facts }), known, place, { ...run, connect });
  return read.checks.map(({ log }) => log);
}

test("the logs of failed jobs are read, but not those of other checks", async () => {
  const other = job(8, { isJob: false });
  const green = job(7, { state: "green", conclusion: "success" });
  expect(await logsOf({ checks: [job(9), other, green] })).toEqual(["Log of 9", null, null]);
});

test("the logs of at most five failed jobs are read", async () => {
  const checks = [1, 2, 3, 4, 5, 6].map((id) => job(id, { name: `job ${id}` }));
  expect((await logsOf({ checks })).filter((log) => log !== null)).toHaveLength(5);
});

test.each<[string, Scene]>([
  ["was sent before", { entry: { sent: ["check 9"] } }],
  ["is ignored", { inputs: { "ignore-checks": "build" } }],
  [
    "waits for others",
    { checks: [job(9), job(8, { state: "pending" })], entry: { headAt: timeBefore(0) } },
  ],
  ["may not be sent any more", { inputs: { "max-follow-ups": "0" } }],
  ["is another run's to send", { entry: { intent: { decision: "r", at: "", followUp: null } } }],
  ["is of a job at work", { facts: { job: { state: "active", prLink: null } } }],
  ["is of a job that no longer names it", { facts: { job: { state: "ended", prLink: null } } }],
])("no log is read of a failed job that %s", async (_, scene) => {
  expect((await logsOf(scene)).every((log) => log === null)).toBe(true);
});
