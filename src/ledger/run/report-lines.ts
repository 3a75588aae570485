/** What the reports of upkeep and queue have in common. */

import type { Dependencies } from "../../runtime/dependencies.ts";
import type { Log } from "../../runtime/log.ts";
import { codeBlock } from "../../text/markdown.ts";
import type { LedgerStepResult } from "./step-result.ts";

/** Most characters of the prompts that the summary of a dry run shows. */
const MAX_PROMPTS = 40_000;

/** Reports an event that asks for nothing. */
export function reportNothingToDo(
  why: string,
  values: Readonly<Record<string, string>>,
  { outputs, log }: Pick<Dependencies, "outputs" | "log">,
): void {
  log.info(`Nothing to do: ${why}.`);
  for (const [name, value] of Object.entries(values)) outputs.setOutput(name, value);
}

/** What the output `result` says, as a sentence. */
export function resultSentence<R extends string>(
  result: R | "",
  words: Readonly<Record<R, string>>,
): string {
  return result === "" ? "Nothing is known to have been started." : `${words[result]}.`;
}

/** The service's own limit, for a warning. */
export function serviceLimitSentence(what: "changes" | "tasks"): string {
  return `The service's limit of 100 uses per project per hour is reached. The ${what} wait for a later run.`;
}

/** @param why why the dashboard could not be written; empty: it could */
export function warnUnwritten(why: string, log: Pick<Log, "warning">): void {
  if (why === "") return;
  log.warning(
    `The dashboard could not be written: ${why}. Nothing is lost: the next run writes it.`,
  );
}

export interface LedgerSummary<R extends string> {
  /** The action. */
  title: string;
  step: LedgerStepResult<R>;
  words: Readonly<Record<R, string>>;
  /** What stands between the result and the facts. */
  parts: readonly string[];
  dashboardUrl: string;
  /** What stands beside the link to the dashboard; empty for nothing. */
  facts: string;
  /** Requests to GitHub. */
  requests: number;
}

/** The step's summary. */
export function renderLedgerSummary<R extends string>(summary: LedgerSummary<R>): string {
  const { title, step, words, parts, dashboardUrl, facts, requests } = summary;
  const { result, error } = step;
  const said = result === "" ? "" : resultSentence(result, words);
  const link = dashboardUrl === "" ? "" : `[Dashboard](${dashboardUrl})`;
  return joined("\n\n", [
    `### ${title}: ${error === null ? result : error.kind}`,
    error === null ? said : codeBlock(error.message),
    ...parts,
    joined(" · ", [link, facts, `${requests} requests to GitHub`]),
  ]);
}

/** What a dry run would have sent, for its summary. */
export function promptsBlock(isDryRun: boolean, prompts: string): string {
  return isDryRun && prompts !== "" ? codeBlock(prompts, MAX_PROMPTS) : "";
}

/** Reports why the step fails, if it does. */
export function reportStepError(
  { error }: LedgerStepResult<string>,
  { outputs, log }: Pick<Dependencies, "outputs" | "log">,
): void {
  if (error === null) return;
  log.error(error.message);
  outputs.setOutput("errorKind", error.kind);
  outputs.setOutput("errorMessage", error.message);
}

function joined(separator: string, parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(separator);
}
