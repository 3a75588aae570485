import { Patience } from "../github/api/patience.ts";
import { type GitHubSettings, planFeedback } from "../github/conversation/feedback.ts";
import { resolveCausers, resolveTrigger } from "../github/conversation/resolve-trigger.ts";
import {
  AGENTS_OWN,
  type AllowedRun,
  noteOfDoubt,
  sayFailure,
  skipRun,
} from "../github/conversation/trigger-answer.ts";
import { isAgentsEvent } from "../github/trigger/agents-own.ts";
import type { Request } from "../github/trigger/phrase.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { isLabelOrMerge } from "../github/trigger/trigger.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import type { ReadInput } from "./checks.ts";
import { readGitHubSettings, readTriggerPhrase } from "./shared.ts";

/**
 * Reads and checks every input.
 *
 * @param request null for none
 * @param settings the part that is checked already; null if nothing is
 */
type Parse<Inputs> = (request: Request | null, settings: GitHubSettings | null) => Inputs;

/**
 * The beginning of an action that may run by phrase: finds out whether anything is requested, then checks every input.
 * No valid input is checked twice.
 *
 * @param task what there is to do without a request: the input that a workflow sets to have one, whether there is
 * one, which runs that need no phrase do not ask, and whether it is one to which a request may add
 * @returns the beginning of a run that has something to do, with the request by phrase, that phrase, and a note of
 * what is no part of it, null for none;
 * null if there is nothing to do
 */
export async function resolveInputs<Inputs extends GitHubSettings>(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
  parse: Parse<Inputs>,
  task: { input: "prompt" | "question"; isThere(): boolean; isInstruction(): boolean },
) {
  const phrase = readTriggerPhrase(read);
  if (isAgentsEvent(context)) {
    skipRun(AGENTS_OWN, dependencies);
    return null;
  }
  if (phrase === null) return await resolveWithoutPhrase(context, dependencies, parse);
  // A workflow for requests may run for labels too, because of another job or of its own `if:`.
  if (isLabelOrMerge(context) && !task.isThere()) {
    const reason = `Nothing to do: there is no request with ${phrase}, and no ${task.input}.`;
    const advice = `To run for labels and merges too, set \`${task.input}\`.`;
    skipRun(`${reason} ${advice}`, dependencies);
    return null;
  }
  const trigger = { phrase, isInstructed: task.isInstruction };
  return await resolveWithPhrase(read, context, dependencies, parse, trigger);
}

/** Without a phrase, every run of the workflow needs its inputs, so they are checked first. */
async function resolveWithoutPhrase<Inputs extends GitHubSettings>(
  context: RunContext,
  dependencies: Dependencies,
  parse: Parse<Inputs>,
) {
  const patience = new Patience(dependencies);
  const inputs = parse(null, null);
  const resolved = await resolveCausers(context, dependencies, inputs, patience);
  if (resolved.type === "skip") return null;
  const { connect } = resolved;
  const feedback = planFeedback(inputs, context, false, dependencies.random);
  return { inputs, request: null, phrase: null, note: null, connect, patience, feedback };
}

/** With a phrase, only the settings are checked before it is clear that there is something to do. */
async function resolveWithPhrase<Inputs extends GitHubSettings>(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
  parse: Parse<Inputs>,
  trigger: { phrase: string; isInstructed(): boolean },
) {
  const patience = new Patience(dependencies);
  // If a setting is invalid, all inputs are checked, so that one error reports every invalid one.
  const settingsFor = (request: Request | null): GitHubSettings =>
    readGitHubSettings(read, context) ?? parse(request, null);
  const options = { ...trigger, settingsFor, patience };
  const resolved = await resolveTrigger(context, dependencies, options);
  if (resolved.type === "skip") return null;
  const { request, settings, connect, doubt } = resolved;
  const inputs = await answered(() => parse(request, settings), resolved, context, dependencies);
  const feedback = planFeedback(inputs, context, request !== null, dependencies.random);
  const phrase = request && trigger.phrase;
  const note = doubt === null ? null : noteOfDoubt(doubt);
  return { inputs, request, phrase, note, connect, patience, feedback };
}

/** Tells whoever asked, and may, what is wrong with the workflow's inputs. @throws what `parse` throws */
async function answered<Inputs>(
  parse: () => Inputs,
  run: AllowedRun,
  context: RunContext,
  dependencies: Dependencies,
): Promise<Inputs> {
  try {
    return parse();
  } catch (error) {
    if (run.request !== null && error instanceof ActionError) {
      await sayFailure(error, run, context, dependencies);
    }
    throw error;
  }
}
