import { oneOf, parseInputs, type ReadInput, wholeNumber } from "../inputs/checks.ts";
import { project } from "../inputs/shared.ts";

/** The inputs of the action that lists jobs. @throws ActionError `invalid-input` with every invalid input */
export function parseJobsInputs(read: ReadInput) {
  return parseInputs(read, (input) => ({
    ...project(input),
    state: input("state", oneOf(["all", "running", "finished"], "all")),
    /** Maximum number of jobs in the output. */
    limit: input("limit", wholeNumber("100")),
  }));
}
