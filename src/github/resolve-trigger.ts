import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { commentPermission, commentPlace } from "./comment-place.ts";
import { createComment } from "./comments.ts";
import type { Connect } from "./connect.ts";
import { checkPermission } from "./permission.ts";
import { explainRefusal } from "./refusal.ts";
import type { RunContext } from "./run-context.ts";
import type { GitHubSettings } from "./settings.ts";
import { type Request, readTrigger } from "./trigger.ts";

/** Whether a run has anything to do; `request` is set when somebody asked for it by phrase. */
export type Resolved = { type: "run"; request: Request | null } | { type: "skip" };

export interface TriggerOptions {
  /** As in `trigger-phrase`. */
  phrase: string;
  /** Null when an input is wrong: then nothing is done here, and the check of all inputs reports it. */
  settings: GitHubSettings | null;
  /** Null exactly when the settings are. */
  connect: Connect | null;
  /** The comment that answers a phrase with nothing after it. */
  usage: (phrase: string) => string | Promise<string>;
}

const CANCELLED = "This workflow run was cancelled before anything was sent to the service.";

const NOBODY = { allowedUsers: [], allowedBots: [] };

/**
 * Finds out whether anything is asked, and by somebody with the right to ask. This comes before any
 * other input is checked, so that a fork without secrets stays green. A run that has nothing to do ends
 * with `status` set to `skipped` and a line in the log.
 *
 * @throws ActionError `cancelled`; `github-unavailable`, rather than drop the request in silence
 */
export async function resolveTrigger(
  context: RunContext,
  dependencies: Dependencies,
  { phrase, settings, connect, usage }: TriggerOptions,
): Promise<Resolved> {
  const { outputs, log, cancellation } = dependencies;
  const skip = (why: string): Resolved => {
    log.info(`Nothing to do: ${why}.`);
    outputs.setOutput("status", "skipped");
    return { type: "skip" };
  };
  const trigger = await readTrigger(context, phrase, settings ?? NOBODY);
  if (trigger.type === "no-phrase-needed") return { type: "run", request: null };
  if (trigger.type !== "request") return skip(trigger.why);
  const { request, isNamed } = trigger;
  if (settings === null || connect === null) return { type: "run", request };

  if (!isNamed) {
    const { requiredPermission: required } = settings;
    const permission = await checkPermission(connect, context.repository, request.login, required);
    // A permission that was not read to its end says nothing about the account.
    if (cancellation.stop.aborted) {
      throw new ActionError("cancelled", CANCELLED);
    }
    if (!permission.isAllowed && permission.isPassing) {
      const what = `${permission.why.replace(/^t/, "T")}.`;
      throw new ActionError("github-unavailable", what, "Nothing was sent. Run again later.");
    }
    if (!permission.isAllowed) return skip(permission.why);
  }
  if (request.text !== "") return { type: "run", request };
  await postUsage(await usage(phrase), { settings, context, connect, dependencies });
  return skip("the request contains only the phrase");
}

async function postUsage(
  usage: string,
  {
    settings,
    context,
    connect,
    dependencies: { outputs, log },
  }: {
    settings: GitHubSettings;
    context: RunContext;
    connect: Connect;
    dependencies: Dependencies;
  },
): Promise<void> {
  const place = settings.comment ? commentPlace(settings, context) : null;
  if (place === null) return;
  try {
    const { url } = await createComment(await connect(), place, usage);
    outputs.setOutput("commentUrl", url);
  } catch (error) {
    const { why } = explainRefusal(error, commentPermission(settings, context));
    log.warning(`The comment could not be written: ${why}.`);
  }
}
