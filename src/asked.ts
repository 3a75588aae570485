import { ActionError } from "./errors.ts";
import { type Asked, ask } from "./github/ask.ts";
import { createComment } from "./github/comments.ts";
import { type Connect, connector } from "./github/connect.ts";
import type { Given } from "./github/given.ts";
import { commentPlace, permissionFor } from "./github/place.ts";
import { explainRefusal } from "./github/refusal.ts";
import { readTrigger } from "./github/trigger.ts";
import type { ReadInput } from "./inputs/checks.ts";
import { type Gate, parseGate, readTriggerPhrase } from "./inputs/gate.ts";
import type { World } from "./world.ts";

/** After a signal, in milliseconds: when calls to GitHub are given up. */
const GITHUB_GRACE = 2_400;

/**
 * Whether anything is asked: before any other input counts, so that a fork without secrets stays green.
 *
 * @param usage the comment that answers a phrase with nothing after it
 */
export async function findOut(
  read: ReadInput,
  given: Given,
  world: World,
  usage: (gate: Gate) => string | Promise<string>,
): Promise<Asked> {
  const trigger = readTrigger(given, readTriggerPhrase(read));
  if (trigger.type === "untouched") return { type: "run", request: null };
  if (trigger.type !== "request") return { type: "skip", why: trigger.why };
  const gate = parseGate(read, given);
  // An input that decides over the request is wrong: all that are wrong are told, and nothing is done.
  if (gate === null) return { type: "run", request: trigger.request };
  const connect = connectorOf(gate, world);
  const asked = await ask(gate, given, connect);
  // A permission that was not read to its end says nothing about whoever asked.
  if (world.cancellation.stop.aborted) {
    throw new ActionError("cancelled", "This workflow run was cancelled before a job was started.");
  }
  if (asked.type === "usage") await showUsage(await usage(gate), gate, given, world, connect);
  return asked;
}

/** Ends a run that has nothing to do: green, with a line in the log. */
export function skip(asked: Exclude<Asked, { type: "run" }>, { desk, log }: World): boolean {
  const why = asked.type === "skip" ? asked.why : "the request says nothing but the phrase";
  log.info(`Nothing to do: ${why}.`);
  desk.setOutput("status", "skipped");
  return false;
}

async function showUsage(
  usage: string,
  gate: Gate,
  given: Given,
  world: World,
  connect: Connect,
): Promise<void> {
  const place = commentPlace(gate, given);
  if (place === null) return;
  try {
    const { url } = await createComment(await connect(), place, usage);
    world.desk.setOutput("commentUrl", url);
  } catch (error) {
    const { why } = explainRefusal(error, permissionFor(gate, given));
    world.log.warning(`The comment could not be written: ${why}.`);
  }
}

/** The client of GitHub's API for this run; it outlives a cancellation by a moment, to tell of it. */
export function connectorOf(
  { githubToken, githubApiUrl }: Gate,
  { http, clock, cancellation }: World,
): Connect {
  const signal = cancellation.after(GITHUB_GRACE);
  return connector({ http, clock, token: githubToken, apiUrl: githubApiUrl, signal });
}
