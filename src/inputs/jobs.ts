import type { RunContext } from "../github/run-context.ts";
import { oneOf, parseInputs, type ReadInput, type ValuesOf, wholeNumber } from "./checks.ts";
import { PROJECT } from "./shared.ts";

const JOBS = {
  ...PROJECT,
  state: oneOf(["all", "running", "finished"], "all"),
  limit: wholeNumber("100"),
};

/** The inputs of the action that lists jobs. */
export type JobsInputs = ValuesOf<typeof JOBS>;

/** @throws ActionError `invalid-input` with every invalid input */
export function parseJobsInputs(read: ReadInput, context: RunContext): JobsInputs {
  return parseInputs(JOBS, read, context);
}
