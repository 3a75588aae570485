import { Patience } from "../github/api/patience.ts";
import { type GitHubSettings, planFeedback } from "../github/conversation/feedback.ts";
import { resolveTrigger } from "../github/conversation/resolve-trigger.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { Request } from "../github/trigger/trigger.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { ReadInput } from "./checks.ts";
import { readGitHubSettings, readTriggerPhrase } from "./shared.ts";

/**
 * The beginning of an action that may run by phrase: finds out whether anything is requested, then checks every input.
 *
 * @param parse reads and checks every input
 * @returns the request by phrase, if there was one, and the inputs; null if there is nothing to do
 */
export async function resolveInputs<Inputs extends GitHubSettings>(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
  parse: (request: Request | null) => Inputs,
) {
  // If one of them is invalid, all inputs are checked, so that one error reports every invalid one.
  const settingsFor = (request: Request | null): GitHubSettings =>
    readGitHubSettings(read, context) ?? parse(request);
  const patience = new Patience(dependencies);
  const phrase = readTriggerPhrase(read, context);
  // Without a phrase, every run of the workflow needs its inputs, so they are checked first.
  if (phrase === "") parse(null);
  const trigger = { phrase, settingsFor, patience };
  const resolved = await resolveTrigger(context, dependencies, trigger);
  if (resolved.type === "skip") return null;
  const { request, connect } = resolved;
  const inputs = parse(request);
  const feedback = planFeedback(inputs, context, request !== null, dependencies.random);
  return { inputs, request, phrase: request && phrase, connect, patience, feedback };
}
