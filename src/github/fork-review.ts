import type { Dependencies } from "../runtime/dependencies.ts";
import { tryWriteSummary } from "../runtime/step-outputs.ts";
import type { RunContext } from "./run-context.ts";

const WHY =
  "This request is part of a review on a pull request from a fork, and GitHub passes no secrets to workflows for these reviews. To ask the agent, comment on the pull request's conversation instead.";

/**
 * Skips a request that can have no key, whoever made it: a review on a pull request from a fork. It says
 * where to ask instead, and the step ends green.
 *
 * @returns whether there is nothing to do
 */
export function skipForkReview(
  apiKey: string,
  { eventName, payload }: RunContext,
  { outputs, log }: Pick<Dependencies, "outputs" | "log">,
): boolean {
  const { head, base } = payload.pull_request ?? {};
  // The repository of a fork may be deleted.
  const isFork = head !== undefined && head.repo?.full_name !== base?.repo?.full_name;
  if (apiKey.trim() !== "" || !isFork || !eventName.startsWith("pull_request_review")) return false;
  log.warning(WHY);
  tryWriteSummary(outputs, log, `### ⚠️ Docs agent: nothing was started\n\n${WHY}`);
  outputs.setOutput("status", "skipped");
  return true;
}
