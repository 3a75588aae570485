/** Reads a docs pull request with one GraphQL query. Anyone may have written its texts. */

import type * as z from "zod/mini";
import { type Fact, known } from "../../runtime/fact.ts";
import { UnusableAnswer } from "../api/answer.ts";
import type * as docsPullAnswers from "../api/answers/docs-pull.ts";
import type { GitHub } from "../api/client.ts";
import { askForPull, readAllChecks } from "./docs-pull-asking.ts";
import { emailOf, headsBeforeUpdates, isEditedByOthers, loginOf } from "./docs-pull-authors.ts";
import { type Check, checksOf, unfinishedRuns } from "./docs-pull-checks.ts";
import { withFurtherPages } from "./docs-pull-rest.ts";
import { fullLogin, type PullWords, seenAt, wordsOf } from "./docs-pull-words.ts";
import { hasSkipMark } from "./skip-marks.ts";

export interface DocsPull extends PullWords {
  /** `owner/name`: the present one, if it was renamed. */
  repository: string;
  /** The repository's ID in the REST API; null if GitHub does not return it. */
  repositoryId: number | null;
  number: number;
  /** Its ID in GraphQL. */
  id: string;
  /** Login of the token's account. */
  reader: string;
  url: string;
  title: string;
  /** Whether a mark that skips workflows is in its title or description, or in one of its commits' messages. */
  skipMarks: { inText: boolean; inCommits: boolean };
  labels: readonly string[];
  isDraft: boolean;
  /** Whether its conversation is locked, so that it may take no comments. */
  isLocked: boolean;
  /** Login, of a bot with `[bot]`; null if the account was deleted. */
  author: string | null;
  isByPerson: boolean;
  createdAt: string;
  /** `at`: when it was merged or closed. */
  state: { type: "open" } | { type: "merged" | "closed"; at: string };
  /** SHA of its branch's tip. */
  head: string;
  branch: string;
  /** The branch that it is to be merged into. */
  base: string;
  /** When that was last changed to another branch; null for never. */
  baseChangedAt: string | null;
  /** Whether its reviews are not what the rules of its base want, whatever the reader may bypass. */
  lacksReviews: boolean;
  /** Null if GitHub has not computed it yet. */
  isConflicting: boolean | null;
  /** `clean`, `blocked`, `behind`, … */
  mergeState: string;
  hasMergeQueue: boolean;
  isInMergeQueue: boolean;
  /** By GitHub's list, which may be behind. */
  changedFiles: number;
  /** Paths of its files, from a list that may be behind; null if it lacks any of them. */
  listedPaths: readonly string[] | null;
  /** Those that count. */
  checks: Check[];
  /** How many of its checks were read; none if the token may not read them. */
  checksRead: "all" | "some" | "none";
  /** The workflows' runs on its head; null if they were not all read. */
  unfinishedRuns: ReturnType<typeof unfinishedRuns>;
  /** Whether somebody else than its author and the allowed committers has committed to its branch. */
  isEditedByOthers: boolean;
  /** Its head, and those from which the reader had GitHub bring the branch up to date since, newest first. */
  headsBeforeUpdates: readonly string[];
  /** E-mail address of its first commit's author; null if there is none. */
  firstAuthor: string | null;
  /** Time of the last comment, review or commit, without the reader's own comments; null for none. */
  lastActivityAt: string | null;
}

/** What GitHub says of a docs pull request. */
export async function docsPullAt(
  github: GitHub,
  place: {
    /** `owner/name` */
    repository: string;
    number: number;
    /** Logins whose commits count as the agent's. */
    allowedCommitters: readonly string[];
    /** The heads from which the reader had GitHub bring the branch up to date. */
    updatedFrom: readonly string[];
    /** The mark at the beginning of the reader's own comments, whoever's token it uses; null if it writes none. */
    ownMark: string | null;
  },
): Promise<Fact<DocsPull>> {
  const asked = await askForPull(github, place);
  if (asked.type !== "known") return asked;
  const { answer, mayReadChecks } = asked.value;
  const { pullRequest } = answer.repository;
  const author = loginOf(pullRequest.author);
  const [words, checks] = await Promise.all([
    withFurtherPages(pullRequest, github.docsPulls, { ...place, author }),
    mayReadChecks ? readAllChecks(github, pullRequest, place) : known(null),
  ]);
  if (words.type !== "known") return words;
  if (checks.type !== "known") return checks;
  const repository = { ...answer.repository, pullRequest: words.value };
  return known(docsPullOf({ ...answer, repository }, checks.value, place));
}

function docsPullOf(
  {
    viewer,
    repository: { databaseId = null, nameWithOwner, pullRequest: answer },
  }: z.infer<typeof docsPullAnswers.docsPullAnswer>,
  checks: { nodes: z.infer<typeof docsPullAnswers.check>[]; isComplete: boolean } | null,
  { number, allowedCommitters, updatedFrom, ownMark }: Parameters<typeof docsPullAt>[1],
): DocsPull {
  const author = loginOf(answer.author);
  const { head, commits, url } = answer;
  const firstAuthor = emailOf(commits.nodes[0]?.commit.author);
  const updates = { reader: viewer.login, from: updatedFrom };
  const agent = { author, firstAuthor, allowedCommitters, updates };
  return {
    repository: nameWithOwner,
    repositoryId: databaseId,
    number,
    id: answer.id,
    reader: viewer.login,
    url,
    title: answer.title,
    skipMarks: skipMarksOf(answer),
    labels: (answer.labels?.nodes ?? []).map(({ name }) => name),
    isDraft: answer.isDraft,
    isLocked: answer.isLocked,
    author: fullLogin(answer.author),
    isByPerson: answer.author?.__typename === "User",
    createdAt: answer.createdAt,
    state: stateOf(answer),
    head,
    ...mergingOf(answer),
    changedFiles: answer.changedFiles,
    listedPaths: listedPaths(answer),
    ...wordsOf(answer, author),
    checks: checksOf(checks?.nodes ?? []),
    checksRead: checks === null ? "none" : checks.isComplete ? "all" : "some",
    unfinishedRuns: unfinishedRuns(answer.headCommit.nodes[0]?.commit, head),
    isEditedByOthers: isEditedByOthers(commits, url, agent),
    headsBeforeUpdates: headsBeforeUpdates(commits, { head, url }, updates),
    firstAuthor,
    lastActivityAt: timesOf(answer, ownMark).toSorted().at(-1) ?? null,
  };
}

/** What GitHub says of conflicts with the base, once it has computed it. */
const CONFLICTING: Readonly<Record<string, boolean>> = { MERGEABLE: false, CONFLICTING: true };

/** What GitHub documents. Another state is as good as none. */
const MERGE_STATES = ["clean", "has_hooks", "unstable", "behind", "blocked", "dirty", "draft"];

/** From where to where it is merged, and what GitHub says of that. */
function mergingOf(answer: z.infer<typeof docsPullAnswers.pullRequest>) {
  return {
    branch: answer.branch,
    base: answer.base,
    baseChangedAt: answer.baseChanges.nodes[0]?.at ?? null,
    lacksReviews: answer.reviewDecision !== null && answer.reviewDecision !== "APPROVED",
    isConflicting: CONFLICTING[answer.isConflicting] ?? null,
    mergeState:
      MERGE_STATES.find((state) => state === answer.mergeState.toLowerCase()) ?? "unknown",
    hasMergeQueue: answer.hasMergeQueue,
    isInMergeQueue: answer.isInMergeQueue,
  };
}

/** A message that could not be read may have one. */
function skipMarksOf({
  title,
  body,
  commits: { nodes, totalCount },
}: z.infer<typeof docsPullAnswers.pullRequest>): DocsPull["skipMarks"] {
  return {
    inText: hasSkipMark(title) || hasSkipMark(body),
    inCommits: totalCount > nodes.length || nodes.some(({ commit }) => hasSkipMark(commit.message)),
  };
}

function stateOf({
  state,
  endedAt: at,
}: z.infer<typeof docsPullAnswers.pullRequest>): DocsPull["state"] {
  if (state === "OPEN") return { type: "open" };
  if (at === null) throw new UnusableAnswer("GitHub did not return when it was merged or closed");
  return { type: state === "MERGED" ? "merged" : "closed", at };
}

/** GraphQL returns no former names of files, and at most 100 files at once. */
function listedPaths({
  files = null,
}: z.infer<typeof docsPullAnswers.pullRequest>): string[] | null {
  const isMoved = ({ changeType }: { changeType: string }) =>
    changeType === "RENAMED" || changeType === "COPIED";
  if (files === null || files.nodes.some(isMoved)) return null;
  return files.nodes.length === files.totalCount ? files.nodes.map(({ path }) => path) : null;
}

/** When somebody else than the reader said or committed something, ISO 8601, in no order. */
function timesOf(
  { comments, newestReviews, reviewThreads, commits }: z.infer<typeof docsPullAnswers.pullRequest>,
  ownMark: string | null,
): string[] {
  const isOwn = (body: string) => ownMark !== null && body.startsWith(`<!-- ${ownMark}`);
  const others = comments.nodes.filter(({ body }) => !isOwn(body));
  const times = [
    ...others.map(({ createdAt }) => createdAt),
    ...newestReviews.nodes.map(({ at }) => at),
    ...reviewThreads.nodes.flatMap((thread) => thread.comments.nodes.map(seenAt)),
    ...commits.nodes.map(({ commit }) => commit.committedDate),
  ];
  return times.filter((time) => time !== null);
}
