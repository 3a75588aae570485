import { ProxySettingsError } from "../../net/http.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { ActionError } from "../../runtime/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { safeLink } from "../../text/link.ts";
import { quotation } from "../../text/markdown.ts";
import { type Connect, connector } from "../api/connect.ts";
import type { Patience } from "../api/patience.ts";
import { refusalOf } from "../api/refusal.ts";
import { checkApp, checkPermission, checkRequester, type Denial } from "../trigger/permission.ts";
import type { Request } from "../trigger/phrase.ts";
import { inRepository, type RunContext, reactionTarget } from "../trigger/run-context.ts";
import { readTrigger, triggeringPost } from "../trigger/trigger.ts";
import { renderUsage } from "./comment-text.ts";
import { addReaction, COMMENT_PERMISSION, IssueComments, type Reaction } from "./comments.ts";
import { commentPlace, type GitHubSettings } from "./feedback.ts";

/** Whether a run has anything to do. `request`: what somebody requested by phrase; null for other runs. */
type Resolved = { type: "run"; request: Request | null; connect: Connect } | { type: "skip" };

interface TriggerOptions {
  /** Null if a run needs no phrase. */
  phrase: string | null;
  /** Gets the request, without which the check of all inputs would report that there is none. */
  settingsFor: (request: Request | null) => GitHubSettings;
  patience: Patience;
}

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
  options: TriggerOptions,
): Promise<Resolved> {
  const { phrase, settingsFor, patience } = options;
  const { title, log } = dependencies;
  const skip = (reason: string) => skipRun(reason, dependencies);
  const summarize = (heading: string, text: string) =>
    writeSummary(heading, text, context, dependencies);
  const trigger = await readTrigger(context, phrase, settingsFor);
  if (trigger.type === "no-request" || trigger.type === "missed") {
    const isTold =
      trigger.type === "missed"
        ? await answerMiss(context, dependencies, settingsFor)
        : trigger.isTried;
    const reason = `Nothing to do: ${trigger.reason}.`;
    if (!isTold || phrase === null) return skip(reason);
    const advice = `To make a request, start a line of a new comment with ${phrase}.`;
    summarize(`### ⏭️ ${title}: no request`, quotation(`${reason} ${advice}`));
    return skip(`${reason} ${advice}`);
  }
  // A run that has nothing to do needs no GitHub, so its settings and its proxy may be wrong.
  const settings = settingsFor(trigger.type === "run" ? trigger.request : null);
  const connect = connector(settings, dependencies, patience);
  const refuse = async ({ reason, advice }: Denial) => {
    const text = `${capitalized(reason)}. ${advice}`;
    summarize(`### 👎 ${title}: not allowed`, `${text} Nothing was sent to the service.`);
    if (phrase !== null) await react("-1", context, connect, log);
    return skip(`Not allowed: ${text}`);
  };
  if (trigger.type === "not-allowed") return await refuse(trigger);
  const { people, request, doubt } = trigger;
  if (people === null) return { type: "run", request, connect };
  const denial = await whyNotAllowed(people, context, dependencies, settings, connect);
  if (denial !== null) return await refuse(denial);
  if (doubt !== null) log.info(`Not all of the request with ${phrase} counts: ${doubt}.`);
  if (phrase === null || request?.text !== "") return { type: "run", request, connect };
  await postUsage(renderUsage(title, phrase), settings, context, connect, dependencies);
  return skip("Nothing to do: the request contains only the phrase.");
}

/** Ends a run that has nothing to do. */
export function skipRun(reason: string, { outputs, log }: Dependencies): { type: "skip" } {
  log.info(reason);
  outputs.setOutput("status", "skipped");
  return { type: "skip" };
}

function writeSummary(
  heading: string,
  text: string,
  context: RunContext,
  { outputs }: Dependencies,
): void {
  const link = safeLink(triggeringPost(context)?.html_url);
  const where = link === null ? [] : [`[What triggered this run](${link})`];
  outputs.writeSummary([heading, text, ...where].join("\n\n"));
}

/**
 * Shows a person who may make requests that the phrase does not count where it is. For anybody else there is no
 * reaction, so that nobody can make the action react all over the place.
 *
 * @returns whether the person may make requests
 */
async function answerMiss(
  context: RunContext,
  dependencies: Dependencies,
  settingsFor: TriggerOptions["settingsFor"],
): Promise<boolean> {
  try {
    const settings = settingsFor(null);
    const post = triggeringPost(context) ?? {};
    const requester = checkRequester(post, context.payload.sender, settings);
    if ("reason" in requester) return false;
    const connect = connector(settings, dependencies, null);
    const people = requester.isNamed ? [] : [requester.login];
    const denial = await whyNotAllowed(people, context, dependencies, settings, connect);
    if (denial !== null) return false;
    await react("confused", context, connect, dependencies.log);
    return true;
  } catch (error) {
    // A comment that is not a request never fails the step, whatever is wrong with the inputs or GitHub.
    if (error instanceof ActionError || error instanceof ProxySettingsError) return false;
    throw error;
  }
}

/** Asks GitHub whether the people behind an event have the permission; null if they have. */
async function whyNotAllowed(
  people: readonly string[],
  context: RunContext,
  { cancellation }: Dependencies,
  settings: GitHubSettings,
  connect: Connect,
): Promise<Denial | null> {
  const required = settings.requiredPermission;
  const permissionOf = (login: string) =>
    checkPermission(connect, inRepository(context).repository, login, required);
  const checks = [
    ...people.map((login) => () => permissionOf(login)),
    () => checkApp(connect, context, triggeringPost(context) ?? {}, settings),
  ];
  for (const check of checks) {
    const denial = await check();
    // A request that was interrupted says nothing about the account.
    if (cancellation.stop.aborted) throw new ActionError("cancelled", CANCELLED);
    if (denial === null) continue;
    if (!denial.isPassing) return denial;
    const problem = `${capitalized(denial.reason)}.`;
    throw new ActionError("github-unavailable", problem, "Nothing was started. Run again later.");
  }
  return null;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Shows the author what became of the text. A run from a fork cannot. */
async function react(
  content: Reaction,
  context: RunContext,
  connect: Connect,
  log: Log,
): Promise<void> {
  const { repository } = context;
  const target = reactionTarget(context);
  if (target === null || repository === null) return;
  const refusal = await addReaction(connect, repository, target, content);
  if (refusal !== null) log.info(`The ${content} reaction could not be added: ${refusal.reason}.`);
}

async function postUsage(
  usage: string,
  settings: GitHubSettings,
  context: RunContext,
  connect: Connect,
  { outputs, log }: Dependencies,
): Promise<void> {
  const place = settings.comment ? commentPlace(settings, context) : null;
  if (place === null) return;
  const post = async () => {
    const { url } = await new IssueComments(connect, place).create(usage);
    outputs.setOutput("commentUrl", url);
  };
  const refusal = await refusalOf(post, COMMENT_PERMISSION);
  if (refusal !== null) log.warning(`The comment could not be written: ${refusal.reason}.`);
}
