import { oneOf, wholeNumber } from "./checks.ts";
import { PROJECT } from "./shared.ts";

/** The inputs of the action that lists jobs. */
export const JOBS = {
  ...PROJECT,
  state: oneOf(["all", "running", "finished"], "all"),
  limit: wholeNumber("100"),
};
