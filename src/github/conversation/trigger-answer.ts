/** What the author of a request, the log and the summary learn of the decision about a run. */

import type { Dependencies } from "../../runtime/dependencies.ts";
import { type ActionError, KIND_WORDS } from "../../runtime/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { safeLink } from "../../text/link.ts";
import { inlineCode, quotation } from "../../text/markdown.ts";
import { capitalized } from "../../text/sentence.ts";
import type { Connect } from "../api/connect.ts";
import { reasonOf } from "../api/explain.ts";
import type { Denial } from "../trigger/permission.ts";
import type { Request } from "../trigger/phrase.ts";
import { type RunContext, reactionTarget, textOf } from "../trigger/run-context.ts";
import { triggeringPost } from "../trigger/trigger.ts";
import { renderUsage } from "./comment-text.ts";
import { addReaction, IssueComments, type Reaction } from "./comments.ts";
import { commentPlace, type GitHubSettings } from "./feedback.ts";

/** What a run does, with what was decided so far. */
export interface AllowedRun {
  type: "run";
  /** What somebody requested by phrase; null for other runs. */
  request: Request | null;
  settings: GitHubSettings;
  connect: Connect;
  /** Why a part of what was written is no part of the request, as the rest of a sentence; null for none. */
  doubt: string | null;
}

/** Who asks for what, or why a run has nothing to do. */
export type TriggerDecision =
  | AllowedRun
  /** The request is only the phrase. */
  | (Omit<AllowedRun, "type"> & { type: "usage" })
  | { type: "nothing"; reason: string }
  /** The phrase is where it does not count. `reacts`: the client for a reaction; null for no reaction. */
  | { type: "ignored"; reason: string; reacts: Connect | null }
  | { type: "refused"; denial: Denial; reacts: Connect | null };

/** Says what was decided: in the log, in the outputs, and to whoever asked. */
export async function sayDecision(
  decision: TriggerDecision,
  phrase: string,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const { title, log } = dependencies;
  switch (decision.type) {
    case "nothing":
      return skipRun(`Nothing to do: ${decision.reason}.`, dependencies);
    case "ignored": {
      const { reason, reacts } = decision;
      if (reacts !== null) await react("confused", context, reacts, log);
      const advice = `To make a request, start a line of a new comment with ${phrase}.`;
      const text = `Nothing to do: ${reason}. ${advice}`;
      writeSummary(`### ⏭️ ${title}: no request`, quotation(text), context, dependencies);
      return skipRun(text, dependencies);
    }
    case "refused":
      return await sayDenial(decision.denial, decision.reacts, context, dependencies);
    case "run":
      return;
    case "usage": {
      const { settings, connect, doubt } = decision;
      const notes = doubt === null ? [] : [noteOfDoubt(doubt)];
      for (const note of notes) log.info(note);
      const usage = [renderUsage(title, phrase), ...notes].join("\n\n");
      await postAnswer(usage, settings, context, connect, dependencies);
      return skipRun("Nothing to do: the request contains only the phrase.", dependencies);
    }
  }
}

/** What the status comment says of what is no part of a request. */
export function noteOfDoubt(doubt: string): string {
  return `Not all of the text was taken for the request: ${inlineCode(doubt)}.`;
}

/**
 * Tells whoever asked, and may, that nothing was started, in a comment and by a reaction. The step fails with the
 * error.
 */
export async function sayFailure(
  { kind, problem, advice }: ActionError,
  { settings, connect }: Pick<AllowedRun, "settings" | "connect">,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const { title, log } = dependencies;
  const { runUrl } = context;
  const heading = `### ❌ ${title}: ${KIND_WORDS[kind]}`;
  const link = runUrl === null ? null : `[Workflow run](${runUrl})`;
  const text = [heading, quotation(problem), advice, link].filter((part) => part !== null);
  await react("confused", context, connect, log);
  await postAnswer(text.join("\n\n"), settings, context, connect, dependencies);
}

/** Says why a run is not allowed. @param reacts the client for a reaction; null for no reaction */
export async function sayDenial(
  { reason, advice }: Denial,
  reacts: Connect | null,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const { title, log } = dependencies;
  const text = `${capitalized(reason)}. ${advice}`;
  const summary = `${text} Nothing was sent to the service.`;
  writeSummary(`### 👎 ${title}: not allowed`, summary, context, dependencies);
  if (reacts !== null) await react("-1", context, reacts, log);
  skipRun(`Not allowed: ${text}`, dependencies);
}

/** Why a run for the agent's own pull request, push or check does nothing. */
export const AGENTS_OWN = "Nothing to do: what the docs agent itself does starts no run.";

/** Ends a run that has nothing to do. */
export function skipRun(reason: string, { outputs, log }: Dependencies): void {
  log.info(reason);
  outputs.setOutput("status", "skipped");
}

function writeSummary(
  heading: string,
  text: string,
  context: RunContext,
  { outputs }: Dependencies,
): void {
  const link = safeLink(textOf(triggeringPost(context)?.html_url));
  const where = link === null ? [] : [`[What triggered this run](${link})`];
  outputs.writeSummary([heading, text, ...where].join("\n\n"));
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
  const sent = await addReaction(connect, repository, target, content);
  if (sent.type === "accepted") return;
  log.info(`The ${content} reaction could not be added: ${reasonOf(sent)}.`);
}

async function postAnswer(
  text: string,
  settings: GitHubSettings,
  context: RunContext,
  connect: Connect,
  { outputs, log }: Dependencies,
): Promise<void> {
  const place = settings.comment ? commentPlace(settings, context, true) : null;
  if (place === null) return;
  const sent = await new IssueComments(connect, place).create(text);
  if (sent.type === "accepted") outputs.setOutput("commentUrl", sent.value.url);
  else log.warning(`The comment could not be written: ${reasonOf(sent)}.`);
}
