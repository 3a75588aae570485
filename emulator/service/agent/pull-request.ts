/** The agent's changes: a branch, commits and a pull request, made through GitHub's own API. */

import { callGitHub, type GitHubCall } from "../../github/client.ts";
import type { GitHubAccess, Project } from "../project.ts";
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
export async function publishChanges(
  github: GitHubAccess,
  project: Project,
  job: Job,
): Promise<string> {
  const api = gitHubApi(github, project.repository);
  const page = pageOf(job);
  const isFirst = job.prLink === null;
  if (isFirst) await ensureBranch(api, project.baseBranch, job.branch);

  const file = `/contents/${page.path}`;
  const old = await api<{ content: string; sha: string }>(
    "GET",
    `${file}?ref=${encodeURIComponent(job.branch)}`,
    { allow: [404] },
  );
  const text = old === undefined ? `# ${page.title}\n` : decode(old.content);
  await api("PUT", file, {
    body: {
      message: isFirst ? `Write about: ${page.title}` : `Follow up: ${titleOf(page.section)}`,
      content: Buffer.from(`${text}\n${page.section}\n`).toString("base64"),
      branch: job.branch,
      ...(old === undefined ? {} : { sha: old.sha }),
    },
  });
  if (job.prLink !== null) return job.prLink;

  const pull = await api<{ html_url: string }>("POST", "/pulls", {
    body: {
      title: page.title,
      head: job.branch,
      base: project.baseBranch,
      body: `The documentation agent wrote this for job \`${job.id}\`.\n\n> ${page.section.replaceAll("\n", "\n> ")}`,
      draft: job.draft,
    },
  });
  if (pull === undefined) throw new Error("GitHub returned no pull request");
  return pull.html_url;
}

/** A link where there is no emulated GitHub: well-formed, and leading nowhere. */
export function claimPullRequest(project: Project, number: number): string {
  return `https://github.com/${project.repository}/pull/${number}`;
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

async function ensureBranch(api: GitHubApi, base: string, branch: string): Promise<void> {
  const head = await api<{ object: { sha: string } }>("GET", `/git/ref/heads/${base}`);
  // 422: the branch is there already, which is fine; a job may be given one to work on.
  await api("POST", "/git/refs", {
    body: { ref: `refs/heads/${branch}`, sha: head?.object.sha },
    allow: [422],
  });
}

type GitHubApi = <Answer>(
  method: string,
  path: string,
  options?: Pick<GitHubCall, "body" | "allow">,
) => Promise<Answer | undefined>;

/** Calls GitHub for one repository. */
function gitHubApi({ apiUrl, token }: GitHubAccess, repository: string): GitHubApi {
  return (method, path, options) =>
    callGitHub(`${apiUrl}/repos/${repository}${path}`, { method, token, ...options });
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}
