/** The agent's changes: a branch, commits and a pull request, made through GitHub's own API. */

import type { GitHub } from "../../github/github.ts";
import { AGENT, tokenOf } from "../../github/people.ts";
import type { Project } from "../project.ts";
import { withoutOptions } from "../steering-options.ts";
import type { Job } from "./job.ts";

/** A prompt may be a megabyte long; what the agent writes about it need not be. */
const MAX_TITLE = 60;
const MAX_SECTION = 2000;
const WORDS_IN_A_PATH = 6;

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
  const isFirst = job.prLink === null;
  if (isFirst) ensureBranch(api, project.baseBranch, job.branch);

  const file = `/contents/${page.path}`;
  const old = api("GET", `${file}?ref=${encodeURIComponent(job.branch)}`, undefined, 404);
  const text = old === undefined ? `# ${page.title}\n` : decode(String(old.content));
  api("PUT", file, {
    message: isFirst ? `Write about: ${page.title}` : `Follow up: ${titleOf(page.section)}`,
    content: Buffer.from(`${text}\n${page.section}\n`).toString("base64"),
    branch: job.branch,
    ...(old === undefined ? {} : { sha: old.sha }),
  });
  if (job.prLink !== null) return job.prLink;
  const [owner] = project.repository.split("/");
  const head = encodeURIComponent(`${owner}:${job.branch}`);
  // A branch that a job was given may have one already.
  const [known] = api("GET", `/pulls?head=${head}`) as unknown as { html_url: string }[];
  if (known !== undefined) return known.html_url;

  const quoted = page.section.replaceAll("\n", "\n> ");
  const pull = api("POST", "/pulls", {
    ...{ title: page.title, head: job.branch, base: project.baseBranch, draft: job.draft },
    body: `The documentation agent wrote this for job \`${job.id}\`.\n\n> ${quoted}`,
  });
  return String(pull?.html_url);
}

/** What the agent writes, and where: one page a job, one section a prompt. */
function pageOf(job: Job): { title: string; path: string; section: string } {
  const prompts = job.turns.map((turn) => withoutOptions(turn.prompt));
  const title = titleOf(prompts[0] ?? "");
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words.slice(0, WORDS_IN_A_PATH).join("-");
  const section = (prompts.at(-1) ?? "").slice(0, MAX_SECTION);
  return { title, path: `docs/${slug || job.id}.md`, section };
}

/** What a request is about, in a few words. */
export function titleOf(prompt: string): string {
  const line = prompt.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  const title = line.replace(/^[#>\s]+/, "").trim();
  if (title === "") return "Update the documentation";
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title;
}

function ensureBranch(api: GitHubApi, base: string, branch: string): void {
  const head = api("GET", `/git/ref/heads/${base}`) as { object: { sha: string } };
  // 422: the branch is there already, which is fine; a job may be given one to work on.
  api("POST", "/git/refs", { ref: `refs/heads/${branch}`, sha: head.object.sha }, 422);
}

/** @returns undefined for the status that is allowed besides success */
type GitHubApi = (
  method: string,
  path: string,
  body?: object,
  allowed?: number,
) => Record<string, unknown> | undefined;

/** Calls GitHub for one repository, as the agent. */
function gitHubApi(github: GitHub, repository: string): GitHubApi {
  return (method, path, given, allowed) => {
    const headers = { authorization: `Bearer ${tokenOf(AGENT)}` };
    const asked = { method, path: `/repos/${repository}${path}`, headers };
    const { status, body } = github.handle({ ...asked, body: given && JSON.stringify(given) });
    if (status === allowed) return undefined;
    if (status >= 300) throw new Error(`GitHub answered ${status} to ${method} ${path}: ${body}`);
    return JSON.parse(String(body)) as Record<string, unknown>;
  };
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}
