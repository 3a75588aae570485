/** `PUT /pulls/{number}/merge`: the three ways in which GitHub brings a pull request in. */

import { BODY, type Call } from "../../http/app.ts";
import type { GitHubProxy } from "../proxy.ts";
import { between, mergeBase } from "./graph.ts";
import type { Pull } from "./pull-request.ts";
import { type Commit, finder, type Merge, type Repository, read } from "./repository.ts";
import { commitTree, mergeTrees } from "./trees.ts";
import { asCaller, asSite, refusal, type Upstream } from "./upstream.ts";

/** The account in whose name GitHub itself commits. */
const WEB_FLOW = { name: "GitHub", email: "noreply@github.com" };

interface Order {
  merge_method?: string;
  commit_title?: string;
  commit_message?: string;
  sha?: string;
}

/** What is to be merged: a pull request, the tip of its base, and its commits. */
interface Task {
  pull: Pull;
  by: string;
  order: Order;
  base: Commit;
  head: Commit;
  fork: Commit;
  commits: Commit[];
}

/** @param now GitHub's time, in milliseconds since 1970. */
export async function mergePull(
  proxy: GitHubProxy,
  repository: Repository,
  call: Call,
  now: () => number,
): Promise<Response> {
  const order = JSON.parse(String(call.get(BODY) ?? "") || "{}") as Order;
  const caller = asCaller(proxy, call);
  const site = asSite(proxy, call);
  const number = Number(call.req.param("number"));
  const pull = await caller.get<Pull>(`/pulls/${number}`);
  if (pull.state !== "open") return refusal(call, 405, "Pull Request is not mergeable");
  if (pull.draft) return refusal(call, 405, "Pull Request is still a draft");
  const base = await read(repository, site, `heads/${pull.base.ref}`);
  const head = await read(repository, site, `heads/${pull.head.ref}`);
  if (order.sha !== undefined && order.sha !== head.sha) {
    return refusal(call, 409, "Head branch was modified. Review and try the merge again.");
  }
  const find = finder(repository);
  const fork = mergeBase(find, base.sha, head.sha);
  const commits = between(find, base.sha, head.sha);
  if (fork === undefined) return refusal(call, 405, "Pull Request is not mergeable");
  const by = proxy.loginOf(call) ?? "";
  const landed = await land(repository, site, { pull, by, order, base, head, fork, commits });
  const sha = landed?.at(-1);
  if (landed === undefined || sha === undefined) {
    return refusal(call, 405, "Merge conflict: Pull Request is not mergeable");
  }
  // With the caller's token: who may not push may not merge.
  await caller.send("PATCH", `/git/refs/heads/${pull.base.ref}`, { sha });
  await site.send("PATCH", `/pulls/${number}`, { state: "closed" });
  await read(repository, site, sha);
  remember(repository, number, landed, {
    sha,
    at: new Date(now()).toISOString(),
    by,
    head: head.sha,
    fork: fork.sha,
    commits: commits.map((commit) => commit.sha),
  });
  return call.json({ sha, merged: true, message: "Pull Request successfully merged" });
}

function remember(
  { merges, brought }: Repository,
  number: number,
  landed: readonly string[],
  merge: Merge,
): void {
  merges.set(number, merge);
  for (const sha of new Set([...landed, ...merge.commits])) {
    brought.set(sha, [...(brought.get(sha) ?? []), number]);
  }
}

/** Makes the commits that come onto the base, oldest first; undefined: they conflict with it. */
async function land(
  repository: Repository,
  upstream: Upstream,
  task: Task,
): Promise<string[] | undefined> {
  const { order, base, head, fork, by, pull } = task;
  if (order.merge_method === "rebase") return rebase(repository, upstream, task);
  const tree = await mergeTrees(upstream, repository.trees, {
    base: treeOf(fork),
    ours: treeOf(base),
    theirs: treeOf(head),
  });
  if (tree === undefined) return undefined;
  const isSquash = order.merge_method === "squash";
  const commit = await commitTree(upstream, {
    message: messageOf(task, isSquash),
    tree,
    parents: isSquash ? [base.sha] : [base.sha, head.sha],
    author: person(isSquash ? pull.user.login : by),
    committer: WEB_FLOW,
  });
  return [commit];
}

/** Each commit anew on top of the one before, by whoever merges; merges between them are left out. */
async function rebase(
  repository: Repository,
  upstream: Upstream,
  { base, by, commits }: Task,
): Promise<string[] | undefined> {
  const made: string[] = [];
  let tip = base.sha;
  let ours = treeOf(base);
  for (const { item, parents } of commits.filter(({ parents }) => parents.length < 2)) {
    const parent = repository.commits.get(parents[0] ?? "");
    if (parent === undefined) return undefined;
    const theirs = item.commit.tree.sha;
    const sources = { base: treeOf(parent), ours, theirs };
    const tree = await mergeTrees(upstream, repository.trees, sources);
    if (tree === undefined) return undefined;
    const { author, message } = item.commit;
    tip = await commitTree(upstream, {
      message,
      tree,
      parents: [tip],
      author,
      committer: person(by),
    });
    ours = tree;
    made.push(tip);
  }
  return made;
}

function messageOf({ pull, order, commits }: Task, isSquash: boolean): string {
  const owner = pull.head.label.split(":")[0];
  const [only] = commits.length === 1 ? commits : [];
  const [subject = "", ...rest] = (only?.item.commit.message ?? "").split("\n\n");
  const title = isSquash
    ? `${only === undefined ? pull.title : subject} (#${pull.number})`
    : `Merge pull request #${pull.number} from ${owner}/${pull.head.ref}`;
  const list = commits.map(({ item }) => `* ${item.commit.message}`).join("\n\n");
  const squashed = only === undefined ? list : rest.join("\n\n");
  const body = order.commit_message ?? (isSquash ? squashed : pull.title);
  return `${order.commit_title ?? title}${body === "" ? "" : `\n\n${body}`}`;
}

function person(login: string) {
  return { name: login, email: `${login}@users.noreply.github.com` };
}

function treeOf(commit: Commit): string {
  return commit.item.commit.tree.sha;
}
