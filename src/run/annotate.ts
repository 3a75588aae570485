import { messageOf, type StepResult } from "../job/step-result.ts";
import type { Log } from "../runtime/log.ts";

/** Shows a result where a reader of the log, or of the run's page, sees it. @param link its pull request */
export function annotate(log: Log, result: StepResult, link: string | null, id: string): void {
  const job = id === "" ? "" : ` Job: ${id}`;
  const { severity, headline } = result;
  if (severity === "error") log.error(`${messageOf(result)}${job}`);
  if (severity === "warning") log.warning(`${messageOf(result)}${job}`);
  if (link !== null) log.notice(`Pull request: ${link}`);
  const first = headline.charAt(0).toUpperCase();
  if (link === null && severity === "ok")
    log.info(`${first}${headline.slice(1)}. ${messageOf(result)}`.trimEnd());
}
