import type { Connect } from "../github/api/connect.ts";
import { Patience } from "../github/api/patience.ts";
import {
  type FeedbackPlan,
  type GitHubSettings,
  planFeedback,
} from "../github/conversation/feedback.ts";
import { resolveTrigger, skipRun } from "../github/conversation/resolve-trigger.ts";
import type { Request } from "../github/trigger/phrase.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { isLabelOrMerge } from "../github/trigger/trigger.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ReadInput } from "./checks.ts";
import { readGitHubSettings, readTriggerPhrase } from "./shared.ts";

/** The beginning of a run that has something to do. */
interface ResolvedRun<Inputs> {
  inputs: Inputs;
  /** The request by phrase; null if there was none. */
  request: Request | null;
  /** The phrase of the request; null if there was none. */
  phrase: string | null;
  connect: Connect;
  patience: Patience;
  feedback: FeedbackPlan;
}

/** What a run without a request by phrase needs. */
interface Task {
  /** The input that a workflow sets to have one. */
  input: "prompt" | "question";
  /** Not asked by runs that need no phrase. */
  isThere(): boolean;
}

/**
 * The beginning of an action that may run by phrase: finds out whether anything is requested, then checks every input.
 * No input is checked twice.
 *
 * @param parse reads and checks every input, except for the settings if they are there
 * @param task what there is to do without a request
 * @returns null if there is nothing to do
 */
export async function resolveInputs<Inputs extends GitHubSettings>(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
  parse: (request: Request | null, settings: GitHubSettings | null) => Inputs,
  task: Task,
): Promise<ResolvedRun<Inputs> | null> {
  const patience = new Patience(dependencies);
  const phrase = readTriggerPhrase(read);
  // A workflow for requests may run for labels too, because of another job or of its own `if:`.
  if (phrase !== null && isLabelOrMerge(context) && !task.isThere()) {
    const reason = `Nothing to do: there is no request with ${phrase}, and no ${task.input}.`;
    const advice = `To run for labels and merges too, set \`${task.input}\`.`;
    skipRun(`${reason} ${advice}`, dependencies);
    return null;
  }
  // Without a phrase, every run of the workflow needs its inputs, so they are checked first.
  const all = phrase === null ? parse(null, null) : null;
  let settings: GitHubSettings | null = all;
  const settingsFor = (request: Request | null): GitHubSettings => {
    settings ??= readGitHubSettings(read, context);
    // If one of them is invalid, all inputs are checked, so that one error reports every invalid one.
    return settings ?? parse(request, null);
  };
  const resolved = await resolveTrigger(context, dependencies, { phrase, settingsFor, patience });
  if (resolved.type === "skip") return null;
  const { request, connect } = resolved;
  const inputs = all ?? parse(request, settings);
  const feedback = planFeedback(inputs, context, request !== null, dependencies.random);
  return { inputs, request, phrase: request && phrase, connect, patience, feedback };
}
