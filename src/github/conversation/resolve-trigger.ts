import { ProxySettingsError } from "../../net/http.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { ActionError } from "../../runtime/errors.ts";
import { capitalized } from "../../text/sentence.ts";
import { type Connect, connector } from "../api/connect.ts";
import { kindOfUnread } from "../api/explain.ts";
import type { Patience } from "../api/patience.ts";
import { checkApp, checkPermission, checkRequester, type Denial } from "../trigger/permission.ts";
import type { Request } from "../trigger/phrase.ts";
import { inRepository, type Post, type RunContext } from "../trigger/run-context.ts";
import {
  type NoRequest,
  type Requesters,
  readCausers,
  readRequesters,
  readTrigger,
  triggeringPost,
} from "../trigger/trigger.ts";
import type { GitHubSettings } from "./feedback.ts";
import {
  type AllowedRun,
  sayDecision,
  sayDenial,
  skipRun,
  type TriggerDecision,
} from "./trigger-answer.ts";

const CANCELLED = "This workflow run was cancelled before anything was sent to the service.";

/**
 * Finds out whether the event contains a request, and whether its author may make it. This comes before any
 * other input is checked, so that a fork without secrets stays green. A run that has nothing to do ends
 * with `status` set to `skipped` and a line in the log; if somebody who may ask wrote the phrase, the summary says why.
 *
 * @throws ActionError `invalid-input`; `cancelled`; `github-unavailable` if GitHub does not return the permission
 */
export async function resolveTrigger(
  context: RunContext,
  dependencies: Dependencies,
  options: {
    phrase: string;
    /** Whether the workflow has an instruction of its own, so that a phrase by itself is a request. */
    isInstructed: () => boolean;
    /** Reads the settings, once they are needed. An error about all inputs takes the request into account. */
    settingsFor: (request: Request | null) => GitHubSettings;
    patience: Patience;
  },
): Promise<AllowedRun | { type: "skip" }> {
  const decision = await decide(context, dependencies, options);
  await sayDecision(decision, options.phrase, context, dependencies);
  return decision.type === "run" ? decision : { type: "skip" };
}

/** The same for a run that needs no phrase: only checks whether those who caused the event may make it run. */
export async function resolveCausers(
  context: RunContext,
  dependencies: Dependencies,
  settings: GitHubSettings,
  patience: Patience,
): Promise<AllowedRun | { type: "skip" }> {
  const connect = connector(settings, dependencies, patience);
  const causers = readCausers(context, settings);
  if (causers.type === "no-request") {
    skipRun(`Nothing to do: ${causers.reason}.`, dependencies);
    return { type: "skip" };
  }
  const denial = await denialOf(causers, context, dependencies, settings, connect);
  if (denial === null) return { type: "run", request: null, settings, connect, doubt: null };
  await sayDenial(denial, null, context, dependencies);
  return { type: "skip" };
}

/** Decides what becomes of a run. Asks GitHub for permissions, and changes nothing. */
async function decide(
  context: RunContext,
  dependencies: Dependencies,
  options: Parameters<typeof resolveTrigger>[2],
): Promise<TriggerDecision> {
  const { phrase, isInstructed, settingsFor, patience } = options;
  const trigger = await readTrigger(context, phrase);
  if (trigger.type === "no-request") return withoutRequest(trigger);
  if (trigger.type === "missed") {
    const reacts = await clientForMiss(context, dependencies, settingsFor);
    const type = reacts === null ? "nothing" : "ignored";
    return { type, reason: trigger.reason, reacts };
  }
  const request = trigger.type === "request" ? trigger.request : null;
  const settings = settingsFor(request);
  const requesters =
    trigger.type === "request"
      ? readRequesters(trigger.post, context.payload, phrase, settings)
      : readCausers(context, settings);
  if (requesters.type === "no-request") return withoutRequest(requesters);
  // A run that has nothing to do needs no GitHub, so its settings and its proxy may be wrong.
  const connect = connector(settings, dependencies, patience);
  const denial = await denialOf(requesters, context, dependencies, settings, connect);
  // Only whoever asks sees that the request is refused.
  if (denial !== null) return { type: "refused", denial, reacts: request && connect };
  const doubt = trigger.type === "request" ? trigger.doubt : null;
  const type = request?.text === "" && !isInstructed() ? "usage" : "run";
  return { type, request, settings, connect, doubt };
}

function withoutRequest({ reason, isTried }: NoRequest): TriggerDecision {
  return isTried ? { type: "ignored", reason, reacts: null } : { type: "nothing", reason };
}

/**
 * The client to show a person who may make requests that the phrase does not count where it is. For anybody else there
 * is no reaction, so that nobody can make the action react all over the place.
 *
 * @returns null if the person may not make requests, or if that is not known
 */
async function clientForMiss(
  context: RunContext,
  dependencies: Dependencies,
  settingsFor: (request: Request | null) => GitHubSettings,
): Promise<Connect | null> {
  try {
    const settings = settingsFor(null);
    const post = triggeringPost(context) ?? {};
    const requester = checkRequester(post, context.payload.sender, settings);
    if ("reason" in requester) return null;
    const connect = connector(settings, dependencies, null);
    const people = requester.isNamed ? [] : [requester.login];
    const asking = { people, post, isBrief: true };
    const denial = await whyNotAllowed(asking, context, dependencies, settings, connect);
    return denial === null ? connect : null;
  } catch (error) {
    // A comment that is not a request never fails the step, whatever is wrong with the inputs or GitHub.
    if (error instanceof ActionError || error instanceof ProxySettingsError) return null;
    throw error;
  }
}

/** Why those who are behind an event may not make it run; null if they may. */
async function denialOf(
  requesters: Requesters,
  context: RunContext,
  dependencies: Dependencies,
  settings: GitHubSettings,
  connect: Connect,
): Promise<Denial | null> {
  switch (requesters.type) {
    case "unguarded":
      return null;
    case "not-allowed":
      return requesters;
    case "people":
      return await whyNotAllowed(
        { ...requesters, isBrief: false },
        context,
        dependencies,
        settings,
        connect,
      );
  }
}

/** How long a permission is asked for again while GitHub fails, in milliseconds, and the first delay. */
const LONGEST = 60_000;
const FIRST_DELAY = 2_000;

/**
 * Asks GitHub whether the people behind an event have the permission; null if they have.
 *
 * @param asking `isBrief`: nobody is asked about twice
 * @throws ActionError `github-refused` if GitHub refuses the token itself, `github-unavailable` if it does not answer:
 * then nobody was judged
 */
async function whyNotAllowed(
  { people, post, isBrief }: { people: readonly string[]; post: Post | null; isBrief: boolean },
  context: RunContext,
  { cancellation, clock }: Dependencies,
  settings: GitHubSettings,
  connect: Connect,
): Promise<Denial | null> {
  const required = settings.requiredPermission;
  const permissionOf = (login: string) =>
    checkPermission(connect, inRepository(context).repository, login, required);
  const checks = people.map((login) => () => permissionOf(login));
  if (post !== null) checks.push(() => checkApp(connect, context, post, settings));
  const last = clock.now() + (isBrief ? 0 : LONGEST);
  for (const check of checks) {
    let denial = await check();
    for (let delay = FIRST_DELAY; mayPass(denial) && clock.now() + delay <= last; delay *= 2) {
      await clock.sleep(delay, cancellation.stop);
      denial = await check();
    }
    // A request that was interrupted says nothing about the account.
    if (cancellation.stop.aborted) throw new ActionError("cancelled", CANCELLED);
    if (denial !== null) return judged(denial);
  }
  return null;
}

/** Whether the same question may be answered in a moment. A limit was waited out already, as far as that goes. */
function mayPass(denial: Denial | null): boolean {
  const unread = denial?.unread ?? null;
  return unread?.isPassing === true && unread.cause !== "limited";
}

/** @throws ActionError if the token was refused, or GitHub did not answer */
function judged(denial: Denial): Denial {
  const { unread, reason } = denial;
  const isOfToken = unread?.status === 401 || unread?.status === 403;
  if (unread === null || !(unread.isPassing || isOfToken)) return denial;
  const kind = kindOfUnread(unread);
  const advice =
    kind === "github-refused"
      ? "Nothing was started, and nobody was refused. Correct this, and run again."
      : "Nothing was started. Run again later.";
  throw new ActionError(kind, `${capitalized(reason)}.`, advice);
}
