import { oneOf, type ReadInput, type ValuesOf, valuesOf, wholeNumber } from "./checks.ts";
import { checkServiceInputs, PROJECT } from "./service.ts";

const JOBS = {
  ...PROJECT,
  state: oneOf(["all", "running", "finished"], "all"),
  limit: wholeNumber("a whole number of 1 or more", "100"),
};

/** The inputs of the action that lists jobs. */
export type JobsInputs = ValuesOf<typeof JOBS>;

/** @throws ActionError `invalid-input` with every invalid input */
export function parseJobsInputs(read: ReadInput): JobsInputs {
  return valuesOf(checkServiceInputs(JOBS, read));
}
