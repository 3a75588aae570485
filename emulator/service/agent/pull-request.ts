/** The agent's changes: a branch, commits and a pull request, made through GitHub's own API. */

import type { GitHub } from "../../github/github.ts";
import { AGENT, CHECKS, OWNER, tokenOf } from "../../github/people.ts";
import type { Project } from "../project.ts";
import { type Job, lastTurn } from "./job.ts";
import { standIn, type Writing, writingFor } from "./writing.ts";

/**
 * Brings the job's latest prompt into the repository: the first time with a new pull request,
 * after that with one more commit to its branch.
 *
 * @returns the link of the pull request.
 * @throws when GitHub refuses any of it.
 */
export function publishChanges(github: GitHub, project: Project, job: Job): string {
  const api = gitHubApi(github, project.repository);
  const page = pageOf(job);
  if (job.prLink === null) ensureBranch(api, project.baseBranch, job.branch);
  else mergeBase(api, project.baseBranch, job, page.path);
  writePage(api, job, page);
  const link = job.prLink ?? openPull(api, project, job, page);
  const { checks, conflict } = lastTurn(job).steering;
  if (checks !== "none") report(github, project, job, page.path);
  if (conflict) writeOnBase(github, project, page);
  return link;
}

function writePage(api: GitHubApi, job: Job, page: Page): void {
  const file = `/contents/${page.path}`;
  const old = api("GET", `${file}?ref=${encodeURIComponent(job.branch)}`, undefined, 404);
  const { message, page: whole, section } = page.latest;
  const text = old === undefined ? whole : `${decode(String(old.content))}\n${section}`;
  api("PUT", file, {
    message,
    content: encode(text),
    branch: job.branch,
    ...(old === undefined ? {} : { sha: old.sha }),
  });
}

function openPull(api: GitHubApi, project: Project, job: Job, page: Page): string {
  const [owner] = project.repository.split("/");
  const head = encodeURIComponent(`${owner}:${job.branch}`);
  // A branch that a job was given may have one already.
  const [known] = api("GET", `/pulls?head=${head}`) as unknown as { html_url: string }[];
  if (known !== undefined) return known.html_url;

  const { title, body } = page.latest;
  const pull = api("POST", "/pulls", {
    ...{ title, head: job.branch, base: project.baseBranch, draft: job.draft },
    body: `${body}\n\n${standIn(job.id)}`,
  });
  return String(pull?.html_url);
}

/** Merges a base that conflicts into the branch: the page stays as the agent wrote it. */
function mergeBase(api: GitHubApi, base: string, { branch, prLink }: Job, path: string): void {
  const number = prLink?.split("/").at(-1);
  const isDirty = () => api("GET", `/pulls/${number}`, undefined, 404)?.mergeable_state === "dirty";
  // GitHub may not know at the first time.
  if (!isDirty() && !isDirty()) return;
  const tips = [branch, base].map((name) => shaOf(api, name));
  const held = api("GET", `/contents/${path}?ref=${encodeURIComponent(branch)}`, undefined, 404);
  if (held === undefined) return;
  const entry = { path, mode: "100644", type: "blob", sha: held.sha };
  const tree = api("POST", "/git/trees", { base_tree: tips[1], tree: [entry] })?.sha;
  const message = `Merge branch '${base}' into ${branch}`;
  const merge = api("POST", "/git/commits", { message, tree, parents: tips });
  api("PATCH", `/git/refs/heads/${branch}`, { sha: merge?.sha });
}

/** Reports a check on the head that was pushed; a red one says what is wrong with the page. */
function report(github: GitHub, project: Project, job: Job, path: string): void {
  const api = gitHubApi(github, project.repository, CHECKS);
  const isGreen = lastTurn(job).steering.checks === "green";
  const message = "This link leads to a page that does not exist.";
  const problem = { path, start_line: 3, end_line: 3, annotation_level: "failure", message };
  api("POST", "/check-runs", {
    ...{ name: "docs-check", head_sha: shaOf(api, job.branch) },
    ...{ status: "completed", conclusion: isGreen ? "success" : "failure" },
    output: {
      title: isGreen ? "Every link leads somewhere" : "1 broken link",
      summary: `Looked at ${path}.`,
      annotations: isGreen ? [] : [problem],
    },
  });
}

/** Lets somebody else write the same page. */
function writeOnBase(github: GitHub, { repository, baseBranch }: Project, page: Page): void {
  const api = gitHubApi(github, repository, OWNER);
  const file = `/contents/${page.path}`;
  const old = api("GET", `${file}?ref=${encodeURIComponent(baseBranch)}`, undefined, 404);
  api("PUT", file, {
    ...{ message: page.latest.title, branch: baseBranch },
    content: encode(
      `# ${page.latest.title}\n\nWritten by somebody else at ${shaOf(api, baseBranch)}.\n`,
    ),
    ...(old === undefined ? {} : { sha: old.sha }),
  });
}

/** One page a job, named by its first prompt. */
interface Page {
  path: string;
  /** What the latest prompt leads to. */
  latest: Writing;
}

function pageOf({ id, turns }: Job): Page {
  const [first = "", last = first] = [turns[0]?.prompt, turns.at(-1)?.prompt];
  return { path: `docs/${writingFor(first).slug || id}.md`, latest: writingFor(last) };
}

function ensureBranch(api: GitHubApi, base: string, branch: string): void {
  // 422: the branch is there already, which is fine; a job may be given one to work on.
  api("POST", "/git/refs", { ref: `refs/heads/${branch}`, sha: shaOf(api, base) }, 422);
}

function shaOf(api: GitHubApi, branch: string): string {
  return (api("GET", `/git/ref/heads/${branch}`) as { object: { sha: string } }).object.sha;
}

/** @returns undefined for the status that is allowed besides success */
export type GitHubApi = (
  method: string,
  path: string,
  body?: object,
  allowed?: number,
) => Record<string, unknown> | undefined;

/** Calls GitHub for one repository. @param login default: the agent's */
export function gitHubApi(github: GitHub, repository: string, login = AGENT): GitHubApi {
  return (method, path, given, allowed) => {
    const headers = { authorization: `Bearer ${tokenOf(login)}` };
    const asked = { method, path: `/repos/${repository}${path}`, headers };
    const { status, body } = github.handle({ ...asked, body: given && JSON.stringify(given) });
    if (status === allowed) return undefined;
    if (status >= 300) throw new Error(`GitHub answered ${status} to ${method} ${path}: ${body}`);
    return JSON.parse(String(body)) as Record<string, unknown>;
  };
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}
