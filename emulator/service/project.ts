/** The documentation projects that the service knows. */

import { HttpError } from "../http/http-error.ts";

/** A documentation project: what the agent works on. */
export interface Project {
  id: string;
  /** `owner/name` on the emulated GitHub. */
  repository: string;
  baseBranch: string;
}

/** @throws HttpError 404 */
export function findProject({ projects }: { projects: readonly Project[] }, id: string): Project {
  const project = projects.find((candidate) => candidate.id === id);
  if (project === undefined) throw new HttpError(404, "Project not found");
  return project;
}
