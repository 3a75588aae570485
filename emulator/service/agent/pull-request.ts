/** The agent's changes: a branch, commits and a pull request in a repository of the emulated GitHub. */

import { writeTree } from "../../github/git/trees.ts";
import type { GitHub } from "../../github/github.ts";
import { signature } from "../../github/identities.ts";
import { mergeabilityOf } from "../../github/merge.ts";
import { AGENT, OWNER } from "../../github/people.ts";
import type { Repository } from "../../github/repository.ts";
import type { Project } from "../project.ts";
import { type Job, lastTurn } from "./job.ts";
import { type Writing, writingFor } from "./writing.ts";

/**
 * Writes what the job's latest prompt asks for: first in a new pull request, later in further commits on its branch.
 *
 * @returns its link
 * @throws if the repository refuses any of it
 */
export function publishChanges(github: GitHub, project: Project, job: Job): string {
  const repository = github.find(project.repository);
  const [first = "", last = first] = [job.turns[0]?.prompt, lastTurn(job).prompt];
  // One page a job, named by its first prompt.
  const path = `docs/${writingFor(first).slug || job.id}.md`;
  const writing = writingFor(last);
  writePage(repository, project.baseBranch, job, path, writing);
  const link = job.prLink ?? openPull(repository, project.baseBranch, job, writing);
  const { checks, conflict } = lastTurn(job).steering;
  if (checks !== "none") report(repository, job.branch, path, checks === "green");
  if (conflict) {
    const tip = repository.tip(project.baseBranch);
    const text = `# ${writing.title}\n\nWritten by somebody else at ${tip}.\n`;
    const commit = { message: writing.title, author: OWNER, files: { [path]: text } };
    repository.push(commit, project.baseBranch);
  }
  return link;
}

function writePage(
  repository: Repository,
  base: string,
  { branch, prLink }: Job,
  path: string,
  { message, page, section }: Writing,
): void {
  // A follow-up works even if the base was renamed.
  const from = prLink === null ? repository.tip(base) : repository.tip(branch);
  if (from === "") throw new Error(`Branch ${prLink === null ? base : branch} not found`);
  const start = repository.tip(branch) || from;
  const pull = repository.pulls.find(({ number }) => prLink?.endsWith(`/pull/${number}`));
  const isDirty = pull !== undefined && mergeabilityOf(repository, pull).state === "dirty";
  const tip = isDirty ? mergeBase(repository, base, branch, path) : start;
  const old = repository.read(tip, path);
  const files = { [path]: old === undefined ? page : `${old}\n${section}` };
  repository.forcePush(tip, branch, [{ message, author: AGENT, files }]);
}

/** Merges a base that conflicts into the branch: the page stays as the agent wrote it. */
function mergeBase(repository: Repository, base: string, branch: string, path: string): string {
  const { objects, site } = repository;
  const parents = [branch, base].map((name) => repository.tip(name));
  const [tip = "", onto = ""] = parents;
  const held = repository.read(tip, path);
  if (held === undefined) return tip;
  const change = { path, sha: objects.blob(held) };
  const tree = writeTree(objects, repository.find(onto)?.tree, [change]);
  const author = signature(site.identity, AGENT, site.second);
  const message = `Merge branch '${base}' into ${branch}`;
  return objects.commit({ tree, parents, author, committer: author, message }).sha;
}

function openPull(repository: Repository, base: string, job: Job, { title, body }: Writing) {
  const { branch, draft: isDraft } = job;
  // A branch that a job was given may have one already.
  const known = repository.pulls.findLast(
    (pull) => pull.state === "open" && pull.branch === branch,
  );
  const by = `_Job \`${job.id}\` of the emulated service wrote this, in place of a real agent._`;
  const pull =
    known ??
    repository.openPullOf({
      title,
      body: `${body}\n\n${by}`,
      branch,
      base,
      isDraft,
      author: AGENT,
    });
  return `${repository.page}/pull/${pull.number}`;
}

/** Reports a check on the pushed head; a red one names a problem of the page. */
function report(repository: Repository, branch: string, path: string, isGreen: boolean): void {
  const message = "This link leads to a page that does not exist.";
  const problem = { path, start_line: 3, end_line: 3, annotation_level: "failure", message };
  repository.report({
    name: "docs-check",
    head_sha: repository.tip(branch),
    conclusion: isGreen ? "success" : "failure",
    output: {
      title: isGreen ? "Every link leads somewhere" : "1 broken link",
      summary: `Looked at ${path}.`,
    },
    annotations: isGreen ? [] : [problem],
  });
}
