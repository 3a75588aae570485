import { isDeepStrictEqual } from "node:util";
import type { RunResult } from "../../../emulator/runner/runner.ts";
import { routePattern } from "../../support/routes.ts";
import { PR_LINK } from "../../support/world/jobs.ts";
import { hostOf } from "../../support/world/servers.ts";
import type { World } from "../../support/world/world.ts";
import type { Cell } from "./cells.ts";
import { NOTHING } from "./faults.ts";
import { broken } from "./invariants.ts";
import { limitOf, paceOf } from "./pace.ts";
import type { Row } from "./rows.ts";
import type { CommentState, RunEnd, Seen } from "./seen.ts";
import { type CellWorld, setUpWorld } from "./world.ts";

/** Number of the job's pull request. */
const PULL = Number(PR_LINK.split("/").at(-1));

/** Runs a cell, and returns what does not hold, as sentences. */
export async function runCell(cell: Cell): Promise<string[]> {
  try {
    return broken(await seenIn(cell));
  } catch (error) {
    return [String(error)];
  }
}

/** Runs a cell, and what comes after it: a re-run of a failed run, or the next sweep. */
export async function seenIn(cell: Cell): Promise<Seen> {
  const { row } = cell;
  const { before, end: undisturbed } = await undisturbedRun(row);
  await using scene = await setUpWorld(cell, before);
  const { world, other, disturbance, run } = scene;
  const result = await run(paceOf(cell));
  const seen = {
    ...cell,
    ...endOf(scene, result),
    result,
    within: limitOf(cell),
    arrived: world.received(row.route).length,
    toService: world.received("service"),
    toGitHub: world.received("github"),
    elsewhere: other.connections,
    bodies: [...world.bodies, ...bodiesOn(world, 7)],
    undisturbed,
  };
  const { action, attempt = 1 } = row.run;
  if (result.exitCode === 0 && action !== "collect") return { ...seen, later: null };
  await disturbance.heal();
  const again = await run({ ...paceOf({ ...cell, fault: NOTHING }), attempt: attempt + 1 });
  return { ...seen, later: endOf(scene, again) };
}

/** A run in which nothing goes wrong. */
interface Undisturbed {
  end: RunEnd;
  /** How many requests the row's host gets before the row's. */
  before: number;
}

const undisturbed = new Map<string, Promise<Undisturbed>>();

async function undisturbedRun(row: Row): Promise<Undisturbed> {
  const run = undisturbed.get(row.name) ?? runUndisturbed(row);
  undisturbed.set(row.name, run);
  return await run;
}

/** @throws Error if the run does not end as it should */
async function runUndisturbed(row: Row): Promise<Undisturbed> {
  const cell: Cell = { row, fault: NOTHING, times: "once" };
  await using scene = await setUpWorld(cell, 0);
  const end = endOf(scene, await scene.run(paceOf(cell)));
  const isV1 = row.run.inputs?.["api-version"] === "v1";
  const isRoot = row.run.action === undefined;
  const jobId = isV1 ? "session_1" : "job_1";
  const due = { ...end, end: "green", jobId: isRoot ? jobId : "", prLink: isRoot ? PR_LINK : "" };
  const pattern = routePattern(row.route);
  const asked = scene.world.asked(hostOf(row.route));
  const before = asked.findIndex((request) => pattern.test(request));
  if (isDeepStrictEqual(end, due) && before >= 0) return { end, before };
  throw new Error(`${row.name}, undisturbed, ends as ${JSON.stringify({ ...end, before })}`);
}

function endOf({ world, disturbance }: CellWorld, result: RunResult): RunEnd {
  const { errorKind = "", status = "", jobId = "", prLink = "" } = result.outputs;
  return {
    end: errorKind || (status === "skipped" ? "skipped" : "green"),
    status,
    jobId,
    prLink,
    comments: bodiesOn(world, 7).map(stateOf),
    invitations: bodiesOn(world, PULL).length,
    accepted: disturbance.accepted,
  };
}

function bodiesOn(world: World, issue: number): string[] {
  return world.comments(issue).map(({ body }) => body);
}

/** What a comment on the issue says. */
function stateOf(body: string): CommentState {
  if (body.startsWith("### ⏳")) return "working";
  return /^### (✅|💬)/u.test(body) ? "ended" : "error";
}
