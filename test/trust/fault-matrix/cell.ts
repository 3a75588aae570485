import { isDeepStrictEqual } from "node:util";
import { type RunResult, runAction as runProcess } from "../../../emulator/runner/runner.ts";
import { ASK, ASK_V2 } from "../../support/assistant-scenario.ts";
import { runAction } from "../../support/run-action.ts";
import { CREATE, MESSAGE, PR_LINK } from "../../support/scenario.ts";
import { CREATE_V1 } from "../../support/scenario-v1.ts";
import { setUpCell } from "./cell-setup.ts";
import type { Fault } from "./fault.ts";
import { type Pace, paceOf } from "./pace.ts";
import { brokenPromises, type CommentState, type RunEnd, type Seen } from "./promises.ts";
import type { CellSetup, Row, Times } from "./row.ts";

/** One request, one fault, once or for good. */
export interface Cell {
  row: Row;
  fault: Fault;
  times: Times;
}

/** Number of the job's pull request. */
const PULL = Number(PR_LINK.split("/").at(-1));

/** Requests that ask for work. */
const STARTS = [CREATE, CREATE_V1, MESSAGE, ASK, ASK_V2];

/** What refuses a request for work for certain. */
const REFUSED = /^(4(?!08|25)|503 soon)/;

/** The name of a cell's test, for example `create: 503, for good`. */
export function nameOfCell({ row, fault, times }: Cell): string {
  return `${row.name}: ${fault.name}, ${times}`;
}

/** Runs a cell, and returns which promises were broken, as sentences. */
export async function runCell(cell: Cell): Promise<string[]> {
  try {
    return brokenPromises(await seenIn(cell));
  } catch (error) {
    return [String(error)];
  }
}

/** Runs a cell, and what comes after it. */
export async function seenIn(cell: Cell): Promise<Seen> {
  const { row, fault, times } = cell;
  await using setup = await setUpCell(row, fault, times);
  const pace = paceOf(row, fault, times);
  // How long a host is away is measured in real time.
  const run = fault.way.type === "refuse" ? runProcess : runAction;
  const result = await run(optionsOf(setup, row, pace));
  const { service, github, other } = setup;
  const end = await endOf(setup, result, cell);
  const bodies = await bodiesOn(setup, 7);
  const isRepeated = result.exitCode !== 0 || row.run.action === "collect";
  const seen: Omit<Seen, "later"> = {
    ...end,
    result,
    within: pace.within,
    faultStatus: /^\d+$/.test(fault.name) ? fault.name : (/^\d+/.exec(fault.kind)?.[0] ?? ""),
    purpose: row.purpose,
    host: row.host,
    kind: fault.kind,
    times,
    action: row.run.action ?? "root",
    isStart: STARTS.includes(row.route),
    arrived: (row.host === "service" ? service : github.server).requestsTo(row.route).length,
    toService: [...service.requests],
    toGitHub: [...github.server.requests],
    elsewhere: other.connections,
    bodies: [...github.bodies, ...bodies],
    undisturbed: await undisturbedEnd(row),
  };
  return { ...seen, later: isRepeated ? await runLater(setup, cell) : null };
}

/** The run after the one that met a fault: a re-run of a failed one, or the next sweep. */
async function runLater(setup: CellSetup, cell: Cell): Promise<RunEnd> {
  await setup.heal();
  const options = optionsOf(setup, cell.row, paceOf(cell.row, null, cell.times));
  const attempt = (cell.row.run.attempt ?? 1) + 1;
  return await endOf(setup, await runAction({ ...options, attempt }), cell);
}

const ends = new Map<string, Promise<RunEnd>>();

/** How the run of a row ends if nothing goes wrong. */
async function undisturbedEnd(row: Row): Promise<RunEnd> {
  const end = ends.get(row.name) ?? runUndisturbed(row);
  ends.set(row.name, end);
  return await end;
}

/** @throws Error if the run does not end as it should */
async function runUndisturbed(row: Row): Promise<RunEnd> {
  await using setup = await setUpCell(row, null, "once");
  const result = await runAction(optionsOf(setup, row, paceOf(row, null, "once")));
  const end = await endOf(setup, result);
  const { action = "root" } = row.run;
  const jobId = action === "root" ? (row.jobId ?? "job_1") : "";
  const prLink = action === "root" ? PR_LINK : "";
  const due = { ...end, end: "green", jobId, prLink };
  if (isDeepStrictEqual(end, due)) return end;
  throw new Error(`${row.name}, undisturbed, ends as ${JSON.stringify(end)}`);
}

async function endOf(setup: CellSetup, result: RunResult, cell?: Cell): Promise<RunEnd> {
  const { errorKind = "", status = "", jobId = "", prLink = "" } = result.outputs;
  return {
    end: errorKind || (status === "skipped" ? "skipped" : "green"),
    status,
    jobId,
    prLink,
    comments: (await bodiesOn(setup, 7)).map(stateOf),
    invitations: (await bodiesOn(setup, PULL)).length,
    accepted: acceptedBy(setup, cell),
  };
}

/** Requests for work that the service received and did not clearly refuse. */
function acceptedBy({ service, struck }: CellSetup, cell?: Cell): number {
  const arrived = STARTS.flatMap((route) => service.requestsTo(route)).length;
  const isRefused =
    cell !== undefined && STARTS.includes(cell.row.route) && REFUSED.test(cell.fault.kind);
  return isRefused ? arrived - struck : arrived;
}

async function bodiesOn({ github }: CellSetup, issue: number): Promise<string[]> {
  return (await github.comments(issue)).map(({ body }) => body);
}

/** What a comment on the issue says. */
function stateOf(body: string): CommentState {
  if (body.startsWith("### ⏳")) return "working";
  return /^### (✅|💬)/u.test(body) ? "ended" : "error";
}

/** Real delays of 20 to 400 ms between two polls, and the cell's time limit. */
function optionsOf({ options, onLine }: CellSetup, { run: { action = "root" } }: Row, pace: Pace) {
  const { fastClock, timeout, within } = pace;
  const isPolling = action === "root" || action === "deploy";
  const hasLimit = isPolling || action === "assistant";
  const limit = { "timeout-minutes": String(timeout / 60_000) };
  const delays = {
    "poll-interval-seconds": String(0.02 * fastClock),
    "poll-max-interval-seconds": String(0.4 * fastClock),
  };
  const inputs = {
    ...options.inputs,
    ...(hasLimit ? limit : {}),
    ...(isPolling ? delays : {}),
  };
  return { ...options, fastClock, onLine, limitMs: 2 * within, inputs };
}
