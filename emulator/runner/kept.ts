/** What GitHub keeps of what a step leaves behind. */

import type { StepFiles } from "./step-folders.ts";
import type { StepLog } from "./workflow-commands.ts";

/** Annotations of each kind that are kept of a step, and characters of each. */
const MAX_ANNOTATIONS = 10;
const MAX_ANNOTATION = 4_096;

/** Maximum size of a step's summary, in bytes. */
const MAX_SUMMARY = 1024 * 1024;

/** Maximum size of all outputs of a job, in bytes of UTF-16. */
const MAX_OUTPUTS = 1024 * 1024;

/** Maximum size of a variable with its name, in bytes: Linux starts no process with a longer one. */
const MAX_VARIABLE = 128 * 1024;

export interface Kept {
  errors: string[];
  warnings: string[];
  notices: string[];
  summary: string;
  /** The outputs as those of the job, if it maps each; those with a masked text are missing. */
  jobOutputs: Record<string, string>;
}

/** @param log with the masks that the step set */
export function keptOf(log: StepLog, { outputs, summary }: StepFiles): Kept {
  const summarySize = Buffer.byteLength(summary);
  const isSummaryKept = summarySize <= MAX_SUMMARY;
  const jobOutputs = mappedOutputs(outputs, log.masks);
  return {
    errors: [
      ...keptAnnotations(log.errors),
      ...(isSummaryKept ? [] : [tooLong(summarySize)]),
      ...(jobOutputs === null ? ["The outputs of the job are larger than 1 MB."] : []),
    ],
    warnings: keptAnnotations(log.warnings),
    notices: keptAnnotations(log.notices),
    summary: isSummaryKept ? summary : "",
    jobOutputs: jobOutputs ?? {},
  };
}

function keptAnnotations(texts: readonly string[]): string[] {
  return texts.slice(0, MAX_ANNOTATIONS).map((text) => text.slice(0, MAX_ANNOTATION));
}

function tooLong(bytes: number): string {
  const size = `got ${Math.ceil(bytes / 1024)}k`;
  return `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, ${size}.`;
}

/** Null if they are too large together. */
function mappedOutputs(
  outputs: Readonly<Record<string, string>>,
  masks: readonly string[],
): Record<string, string> | null {
  const isMasked = (value: string) => masks.some((mask) => mask !== "" && value.includes(mask));
  const kept = Object.entries(outputs).filter(([, value]) => !isMasked(value));
  const size = kept.reduce((sum, [, value]) => sum + 2 * value.length, 0);
  return size > MAX_OUTPUTS ? null : Object.fromEntries(kept);
}

/** @throws if the system would not start the step */
export function checkVariables(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (Buffer.byteLength(`${name}=${value}`) < MAX_VARIABLE) continue;
    throw new Error(`${name}: Argument list too long (E2BIG)`);
  }
}
