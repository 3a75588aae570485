/** Merging pull requests: whether GitHub can, and the three methods. */

import { hash } from "node:crypto";
import { HttpError } from "../http/http-error.ts";
import { resultsOf } from "./checks.ts";
import type { Commit, Signature } from "./git/objects.ts";
import { difference, entryAt, mergeTrees } from "./git/trees.ts";
import { signature } from "./identities.ts";
import type { Pull } from "./state.ts";
import type { RepositoryStore } from "./store.ts";

export type MergeMethod = "merge" | "squash" | "rebase";

interface MergeOrder {
  method: MergeMethod;
  /** Of its message, in place of GitHub's own. */
  title?: string | undefined;
  body?: string | undefined;
  /** Login of who merges. */
  by: string;
  /** Whether the merge queue merges. */
  isOfQueue?: boolean;
}

/** Whether a pull request can be merged: GitHub's name for its state, and why a merge is refused, if it is. */
export interface Mergeability {
  state: "clean" | "has_hooks" | "unstable" | "behind" | "blocked" | "draft" | "dirty" | "unknown";
  refusal?: string;
}

/** @throws HttpError 403, 405 */
export function mergePull(store: RepositoryStore, pull: Pull, order: MergeOrder): string {
  const workflow = changedWorkflow(store, pull);
  if (workflow !== undefined && !store.site.mayChangeWorkflows(order.by)) {
    const refused = "refusing to allow a GitHub App to create or update workflow";
    throw new HttpError(403, `${refused} \`${workflow}\` without \`workflows\` permission`);
  }
  const { refusal } = mergeabilityOf(store, pull, order.by);
  const isQueues = order.isOfQueue === true && refusal === QUEUE_ONLY;
  if (refusal !== undefined && !isQueues) throw new HttpError(405, refusal);
  const { methods = [order.method] } = store.mergeRule;
  if (!methods.includes(order.method)) {
    throw new HttpError(405, `${METHODS[order.method]} are not allowed on this repository.`);
  }
  const commits = store.commitsOf(pull).map(({ sha }) => sha);
  const fork = store.forkOf(pull)?.sha ?? "";
  const landed = land(store, pull, order);
  const sha = landed?.at(-1);
  if (landed === undefined || sha === undefined) throw new HttpError(405, NOT_MERGEABLE);
  store.change(pull, { commits, fork, landed, mergeSha: sha });
  store.change(pull, { mergedAt: store.site.second, mergedBy: order.by });
  store.setState(pull, "closed", order.by);
  store.setRef(`refs/heads/${pull.base}`, sha);
  return sha;
}

const METHODS: Record<MergeMethod, string> = {
  merge: "Merge commits",
  squash: "Squash merges",
  rebase: "Rebase merges",
};
const QUEUE_ONLY = "Changes must be made through the merge queue";
const NOT_MERGEABLE = "Pull Request is not mergeable";

/** @param login who asks; without one, somebody who cannot bypass the rule and may change everything */
export function mergeabilityOf(store: RepositoryStore, pull: Pull, login?: string): Mergeability {
  if (pull.state !== "open") return { state: "unknown", refusal: NOT_MERGEABLE };
  if (store.pushedMerges.has(pull.number)) return { state: "dirty", refusal: NOT_MERGEABLE };
  if (mergedTree(store, pull) === undefined) return { state: "dirty", refusal: NOT_MERGEABLE };
  if (pull.isDraft) return { state: "draft", refusal: "Pull Request is still a draft" };
  const { bypass = [], ...rule } = store.mergeRule;
  const isBound = login === undefined || !bypass.includes(login);
  const { approvals = 0, checks = [], upToDate = false, queue = false } = isBound ? rule : {};
  const isBehind = store.forkOf(pull)?.sha !== store.tip(pull.base);
  if (upToDate && isBehind) {
    return { state: "behind", refusal: "Head branch is not up to date with the base branch." };
  }
  const verdicts = lastVerdicts(store, pull);
  const isRefused = approvals > 0 && verdicts.includes("CHANGES_REQUESTED");
  if (isRefused || verdicts.filter((verdict) => verdict === "APPROVED").length < approvals) {
    const refusal = `At least ${approvals} approving review is required by reviewers with write access.`;
    return { state: "blocked", refusal };
  }
  const results = resultsOf(store, pull.head);
  const missing = checks.find((name) => results.get(name) !== true);
  if (missing !== undefined) {
    return { state: "blocked", refusal: `Required status check "${missing}" is expected.` };
  }
  const other = isBound ? unmetRule(store, pull) : null;
  if (other !== null) return { state: "blocked", refusal: other };
  const mayAll = login === undefined || store.site.mayChangeWorkflows(login);
  if (!mayAll && changedWorkflow(store, pull) !== undefined) {
    return { state: "blocked", refusal: NOT_MERGEABLE };
  }
  const best = store.mergeRule.hasHooks === true ? "has_hooks" : "clean";
  const state = [...results.values()].every(Boolean) ? best : "unstable";
  return queue ? { state, refusal: QUEUE_ONLY } : { state };
}

/** What the rarer rules want; null for nothing. */
function unmetRule(store: RepositoryStore, { number }: Pull): string | null {
  const { threads = false, signatures = false, deployments = false } = store.mergeRule;
  const isOpen = store.reviewComments.some(
    ({ pull, isResolved }) => pull === number && !isResolved,
  );
  if (threads && isOpen)
    return "A conversation must be resolved before this pull request can be merged.";
  if (signatures) return "Commits must have verified signatures.";
  return deployments ? "Required deployments are missing." : null;
}

/** Merges the base into a pull request's branch. @param login who asks @throws HttpError 422 */
export function updateBranch(store: RepositoryStore, pull: Pull, login: string): void {
  const base = store.tip(pull.base);
  if (store.forkOf(pull)?.sha === base) {
    throw new HttpError(422, "There are no new commits on the base branch.");
  }
  const tree = mergedTree(store, pull);
  if (tree === undefined) throw new HttpError(422, "merge conflict between base and head");
  const { second: at, identity } = store.site;
  const { sha } = store.objects.commit({
    tree,
    parents: [pull.head, base],
    author: signature(identity, login, at),
    committer: signature(identity, "GitHub", at),
    message: `Merge branch '${pull.base}' into ${pull.branch}`,
  });
  store.setRef(`refs/heads/${pull.branch}`, sha);
}

/** As an answer shows it: with `site.isMergeabilityLate`, it is known only after some requests. */
export function shownMergeability(
  store: RepositoryStore,
  pull: Pull,
  login?: string,
): Mergeability["state"] {
  const trial = `${pull.number} ${pull.head} ${store.tip(pull.base)}`;
  const { isMergeabilityLate, mergeabilityTries } = store.site;
  const tried = store.triedMerges.get(trial) ?? 0;
  store.triedMerges.set(trial, tried + 1);
  const isLate = isMergeabilityLate && tried < mergeabilityTries;
  return isLate ? "unknown" : mergeabilityOf(store, pull, login).state;
}

/** What the reviews come to by the rules of the base; null if those want none. Nobody bypasses it. */
export function reviewDecisionOf(store: RepositoryStore, pull: Pull): string | null {
  const { approvals = 0 } = store.mergeRule;
  if (approvals === 0) return null;
  const verdicts = lastVerdicts(store, pull);
  if (verdicts.includes("CHANGES_REQUESTED")) return "CHANGES_REQUESTED";
  const given = verdicts.filter((verdict) => verdict === "APPROVED").length;
  return given < approvals ? "REVIEW_REQUIRED" : "APPROVED";
}

/** The state of the last review of each person with write permission, comments aside. */
function lastVerdicts(store: RepositoryStore, { number }: Pull): string[] {
  const last = new Map<string, string>();
  for (const { pull, user, state } of store.reviews) {
    const isVerdict = state !== "COMMENTED" && state !== "PENDING";
    if (pull === number && isVerdict && store.may(user, "write")) last.set(user, state);
  }
  return [...last.values()];
}

const WORKFLOWS = ".github/workflows";

/** The first workflow file that a pull request changes. */
function changedWorkflow(store: RepositoryStore, pull: Pull): string | undefined {
  const [from, to] = [store.forkOf(pull), store.find(pull.head)];
  const folders = [from, to].map((at) => entryAt(store.objects, at?.tree ?? "", WORKFLOWS)?.sha);
  if (folders[0] === folders[1]) return undefined;
  const [file] = difference(store.objects, folders[0], folders[1] ?? "");
  return file && `${WORKFLOWS}/${file.path}`;
}

/** SHA of the commit with which GitHub tests whether it can merge. */
export function trialMerge({ number, head }: Pull): string {
  return hash("sha1", `${number} ${head}`);
}

/** The tree of base and head together; undefined: they conflict. */
function mergedTree(store: RepositoryStore, pull: Pull): string | undefined {
  const [ours, theirs] = [store.find(store.tip(pull.base)), store.find(pull.head)];
  const base = store.forkOf(pull);
  if (base === undefined || ours === undefined || theirs === undefined) return undefined;
  const trees = { base: base.tree, ours: ours.tree, theirs: theirs.tree };
  return mergeTrees(store.objects, trees);
}

/** Makes the commits that come onto the base, oldest first; undefined: they conflict with it. */
function land(store: RepositoryStore, pull: Pull, order: MergeOrder): string[] | undefined {
  const base = store.tip(pull.base);
  if (order.method === "rebase") {
    // A rebase leaves out merges.
    const plain = store.commitsOf(pull).filter(({ parents }) => parents.length < 2);
    // GitHub always makes new commits, even of those that were made in this second.
    const { second } = store.site;
    const at = plain.some((commit) => commit.at === second) ? second + 1000 : second;
    const made = replay(store, plain, base, signature(store.site.identity, order.by, at));
    return made?.map(({ sha }) => sha);
  }
  const isSquash = order.method === "squash";
  const tree = mergedTree(store, pull);
  if (tree === undefined) return undefined;
  const { second: at, identity } = store.site;
  const { sha } = store.objects.commit({
    tree,
    parents: isSquash ? [base] : [base, pull.head],
    author: signature(identity, isSquash ? pull.author : order.by, at),
    committer: signature(identity, "GitHub", at),
    message: messageOf(store, pull, order),
  });
  return [sha];
}

/** Makes the commits again on top of another one, with the same authors and messages. Undefined if one conflicts. */
export function replay(
  store: RepositoryStore,
  commits: readonly Commit[],
  onto: string,
  committer?: Signature,
): Commit[] | undefined {
  const made: Commit[] = [];
  for (const { tree: theirs, parents, author, message, ...commit } of commits) {
    const tip = made.at(-1)?.sha ?? onto;
    const [base = "", ours = ""] = [parents[0], tip].map((sha) => store.find(sha ?? "")?.tree);
    const tree = mergeTrees(store.objects, { base, ours, theirs });
    if (tree === undefined) return undefined;
    const by = committer ?? { ...commit.committer, at: store.site.second };
    made.push(store.objects.commit({ tree, parents: [tip], author, committer: by, message }));
  }
  return made;
}

function messageOf(store: RepositoryStore, pull: Pull, order: MergeOrder): string {
  const usual = usualMessage(store, pull, order);
  const title = order.title ?? usual.title;
  const body = order.body ?? usual.body;
  return `${title}${body === "" ? "" : `\n\n${body}`}`;
}

function usualMessage(store: RepositoryStore, pull: Pull, order: MergeOrder) {
  const messages = store.commitsOf(pull).map(({ message }) => message);
  const [subject, ...rest] = messages.length === 1 ? (messages[0] ?? "").split("\n\n") : [];
  const isSquash = order.method === "squash";
  const title = isSquash
    ? `${subject ?? pull.title} (#${pull.number})`
    : `Merge pull request #${pull.number} from ${store.owner}/${pull.branch}`;
  const list = messages.map((message) => `* ${message}`).join("\n\n");
  const squashed = subject === undefined ? list : rest.join("\n\n");
  const said = store.switches.isSquashedWithDescription ? (pull.body ?? "") : squashed;
  return { title, body: isSquash ? said : pull.title };
}
