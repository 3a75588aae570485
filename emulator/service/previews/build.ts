/** The build of a preview: what the service shows of it follows from when it began, and how it was steered. */

import type { GitHub } from "../../github/github.ts";
import { gitHubApi } from "../agent/pull-request.ts";
import type { Quality } from "../agent/steering.ts";
import type { Project } from "../project.ts";

export interface Build {
  id: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  takesMs: number;
  quality: Quality;
  /** Of the pages that the branch changes. */
  paths: string[];
}

/** The paths of the pages that a branch changes; undefined: there is no such branch. */
export function pathsOf(github: GitHub, project: Project, ref: string): string[] | undefined {
  const range = `${project.baseBranch}...${encodeURIComponent(ref)}`;
  const compared = gitHubApi(github, project.repository)(
    "GET",
    `/compare/${range}`,
    undefined,
    404,
  );
  const files = compared?.files as { filename: string; status: string }[] | undefined;
  return files?.filter(({ status }) => status !== "removed").map(({ filename }) => filename);
}

/** What a client is shown of a build. */
export function buildRecord({ id, createdAt, takesMs, quality, paths }: Build, now: number) {
  const begun = ["Fetched the branch", ...paths.map((path) => `Parsing ${path}`)];
  if (now < createdAt + takesMs / 4) return { _id: id, status: "queued", summary: "", logs: [] };
  if (now < createdAt + takesMs)
    return { _id: id, status: "in_progress", summary: "", logs: begun };
  if (quality === "green") {
    const logs = [...begun, "Build succeeded"];
    return { _id: id, status: "success", summary: "The preview is up to date.", logs };
  }
  const [path = "docs.json"] = paths;
  const logs = [...begun, `error: ${path}:3: unexpected end of a component`, "Build failed"];
  return { _id: id, status: "failure", summary: "The preview could not be built.", logs };
}
