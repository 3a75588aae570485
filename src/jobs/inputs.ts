import { oneOf, parseInputs, type ReadInput, wholeNumber } from "../inputs/checks.ts";
import { type ProjectInputs, project } from "../inputs/shared.ts";

/** The inputs of the action that lists jobs. */
export interface JobsInputs extends ProjectInputs {
  state: "all" | "running" | "finished";
  /** Maximum number of jobs in the output. */
  limit: number;
}

/** @throws ActionError `invalid-input` with every invalid input */
export function parseJobsInputs(read: ReadInput): JobsInputs {
  return parseInputs(read, (input) => ({
    ...project(input),
    state: input("state", oneOf(["all", "running", "finished"], "all")),
    limit: input("limit", wholeNumber("100")),
  }));
}
