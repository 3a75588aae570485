import { oneOf, parserOf, wholeNumber } from "./checks.ts";
import { PROJECT } from "./shared.ts";

/** The inputs of the action that lists jobs. */
export const parseJobsInputs = parserOf({
  ...PROJECT,
  state: oneOf(["all", "running", "finished"], "all"),
  limit: wholeNumber("100"),
});
