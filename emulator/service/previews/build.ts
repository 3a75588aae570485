/** The build of a preview: what the service shows of it follows from when it began, and how it was steered. */

import type { GitHub } from "../../github/github.ts";
import { type GitHubApi, gitHubApi } from "../agent/pull-request.ts";
import type { Quality } from "../agent/steering.ts";
import type { Project } from "../project.ts";

/** A commit, as the record of a build has it. */
export interface BuildCommit {
  sha: string;
  ref: string;
  message: string;
  /** Paths. */
  filesChanged: { added: string[]; modified: string[]; removed: string[] };
}

export interface Build {
  id: string;
  projectId: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  takesMs: number;
  quality: Quality;
  commit: BuildCommit;
}

interface Compared {
  commits: { sha: string; commit: { message: string } }[];
  base_commit: Compared["commits"][number];
  files: { filename: string; status: string }[];
}

/** The newest commit of a branch, and what the branch changes; undefined: there is no such branch. */
export function commitOf(github: GitHub, project: Project, ref: string): BuildCommit | undefined {
  const api: GitHubApi = gitHubApi(github, project.repository);
  const range = `${project.baseBranch}...${encodeURIComponent(ref)}`;
  const compared = api("GET", `/compare/${range}`, undefined, 404) as unknown as
    | Compared
    | undefined;
  if (compared === undefined) return undefined;
  const { sha, commit } = compared.commits.at(-1) ?? compared.base_commit;
  const named = (...words: string[]) =>
    compared.files.filter(({ status }) => words.includes(status)).map(({ filename }) => filename);
  const added = named("added", "renamed");
  const filesChanged = { added, modified: named("modified"), removed: named("removed") };
  return { sha, ref, message: commit.message, filesChanged };
}

/** What a client is shown of a build. */
export function buildRecord({ id, projectId, createdAt, takesMs, ...build }: Build, now: number) {
  const { quality, commit } = build;
  const endsAt = createdAt + takesMs;
  const isQueued = now < createdAt + takesMs / 4;
  const end = quality === "green" ? "success" : "failure";
  const status = now >= endsAt ? end : isQueued ? "queued" : "in_progress";
  return {
    ...{ _id: id, projectId, createdAt: new Date(createdAt).toISOString() },
    endedAt: now >= endsAt ? new Date(endsAt).toISOString() : null,
    ...{ status, summary: SUMMARIES[status] ?? "", logs: logsOf(status, commit), commit },
  };
}

const SUMMARIES: Record<string, string> = {
  success: "The preview is up to date.",
  failure: "The preview could not be built.",
};

function logsOf(status: string, { sha, filesChanged }: BuildCommit): string[] {
  if (status === "queued") return [];
  const { added, modified } = filesChanged;
  const begun = [`Fetched ${sha}`, ...[...added, ...modified].map((path) => `Parsing ${path}`)];
  if (status === "in_progress") return begun;
  if (status === "success") return [...begun, "Build succeeded"];
  const [path = "docs.json"] = [...added, ...modified];
  return [...begun, `error: ${path}:3: unexpected end of a component`, "Build failed"];
}
