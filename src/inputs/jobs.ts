import * as z from "zod/mini";
import { invalid, oneOf, type ReadInput, readAll, wholeNumber } from "./checks.ts";
import { problemsOf, projectChecks } from "./service.ts";

const schema = z.object({
  ...projectChecks,
  state: oneOf(["all", "running", "finished"], "all"),
  limit: wholeNumber("a whole number of 1 or more", "100"),
});

/** The inputs of the action that lists jobs, checked. */
export interface JobsInputs {
  apiKey: string;
  projectId: string;
  baseUrl: URL;
  state: "all" | "running" | "finished";
  limit: number;
}

/** @throws ActionError `invalid-input`, naming every input that is wrong */
export function parseJobsInputs(read: ReadInput): JobsInputs {
  const raw = readAll(schema.shape, read);
  const { data, error } = schema.safeParse(raw);
  const problems = problemsOf(raw, error);
  if (data === undefined || problems.length > 0) throw invalid(problems);
  const { "api-key": apiKey, "project-id": projectId, "base-url": baseUrl, state, limit } = data;
  return { apiKey, projectId, baseUrl, state, limit };
}
