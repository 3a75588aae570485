/** Three hands that act on docs pull requests between any two requests of a run: a stranger, a colleague, and GitHub. */

import fc from "fast-check";
import { startSuite } from "../../../emulator/github/checks.ts";
import { mergeabilityOf, updateBranch } from "../../../emulator/github/merge.ts";
import { mergeQueued } from "../../../emulator/github/merge-queue.ts";
import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import type { NewCheckRun } from "../../../emulator/github/repository.ts";
import { filesOf } from "../../../emulator/github/routes/pulls.ts";
import type { Pull, Review } from "../../../emulator/github/state.ts";
import { HttpError } from "../../../emulator/http/http-error.ts";
import type { World } from "../../support/memory-world/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** What a hand has in front of it. */
interface Table {
  world: World;
  pull: Pull;
  /** The code pull request that one of them was drafted for; null for none. */
  code: Pull | null;
  /** Login of the account of land's token. */
  reader: string;
  /** Who of the colleagues acts. */
  by: string;
  /** A text that is nowhere else. */
  thing: string;
}

type Does = (table: Table) => unknown;

/** A job of the workflow that checks the documentation, for an event. */
function job(pull: Pull, fields: Partial<NewCheckRun>): NewCheckRun {
  return {
    name: "docs-check",
    head_sha: pull.head,
    app: WORKFLOW,
    event: "pull_request",
    ...fields,
  };
}

/** A run of a workflow of its own, with one job. */
function runOf({ world: { home }, pull, thing }: Table, event: string, conclusion: string | null) {
  const suite = startSuite(home, { sha: pull.head, app: WORKFLOW, event, workflow: "CI" }).id;
  return home.report(job(pull, { event, suite, conclusion, output: { summary: thing } }));
}

function status({ world: { home, servers }, pull }: Table, state: string): void {
  home.add("statuses", {
    id: servers.github.site.nextId(),
    sha: pull.head,
    creator: "maintainer",
    state,
    context: "preview",
    created_at: new Date(servers.github.site.second).toISOString(),
    description: null,
    target_url: null,
  });
}

/** A review with a comment on a line. */
function commentsOn({ world, pull, thing }: Table, login: string, body = thing) {
  const [file] = filesOf(world.home, pull);
  const comments = [{ path: file?.path ?? "", line: 1, body }];
  return world.people.review(pull.number, "COMMENT", { login, comments });
}

function reviews(
  { world, pull, thing }: Table,
  event: "APPROVE" | "REQUEST_CHANGES",
  login: string,
) {
  const isWriting = world.home.reviews.some(
    ({ user, state, pull: of }) => user === login && state === "PENDING" && of === pull.number,
  );
  if (isWriting) return null;
  return world.people.review(pull.number, event, { login, body: thing });
}

/** Changes the reviews that match, in the way that an outdated copy still has them as they were. */
function changeReviews(
  { world: { home }, pull }: Table,
  of: (review: Review) => Partial<Review> | null,
) {
  for (const review of home.reviews) {
    const fields = review.pull === pull.number ? of(review) : null;
    if (fields !== null) home.add("reviews", { ...review, ...fields });
  }
}

function resolveThreads({ world: { home }, pull }: Table, resolvedBy: string | null): void {
  for (const { resolvedBy: _, ...comment } of home.reviewComments) {
    if (comment.pull !== pull.number) continue;
    const by = resolvedBy === null ? {} : { resolvedBy };
    home.add("reviewComments", { ...comment, isResolved: resolvedBy !== null, ...by });
  }
}

/** What outsiders may do. */
const STRANGER: Record<string, Does> = {
  approves: (table) => reviews(table, "APPROVE", "outsider"),
  objects: (table) => reviews(table, "REQUEST_CHANGES", "outsider"),
  "comments on a line": (table) => commentsOn(table, "outsider"),
  "reads and approves": (table) => reviews(table, "APPROVE", "reader"),
  "says docs: none": ({ world: { home }, pull }) =>
    home.comment(pull, "docs: none, it is a test", "outsider"),
  "starts a run that skips": (table) => runOf(table, "pull_request_review", "skipped"),
  "starts a run that succeeds": (table) => runOf(table, "pull_request_review", "success"),
  "pushes to a fork": ({ world: { home, servers } }) => {
    const name = `outsider/${home.name}`;
    const fork = servers.github.repositories.find(({ fullName }) => fullName === name);
    (fork ?? servers.github.fork(home, name)).push({ author: "outsider" });
  },
  "opens another pull request with its head": ({ world: { home }, pull }) => {
    const branch = `copy/${home.nextNumber}`;
    home.setRef(`refs/heads/${branch}`, pull.head);
    home.openPullOf({ title: "The same", branch, base: pull.base, author: "outsider" });
  },
};

/** What people with write permission may do. */
const COLLEAGUE: Record<string, Does> = {
  objects: (table) => reviews(table, "REQUEST_CHANGES", table.by),
  approves: (table) => reviews(table, "APPROVE", table.by),
  "comments on a line": (table) => commentsOn(table, table.by),
  "says something aside": (table) => commentsOn(table, table.by, `/aside ${table.thing}`),
  "begins a comment": ({ world, pull, by, thing }) => {
    const [file] = filesOf(world.home, pull);
    const comments = [{ path: file?.path ?? "", line: 1, body: thing }];
    const path = `/pulls/${pull.number}/reviews`;
    const token = world.people.tokenOf(by);
    return world.people.api(path, { method: "POST", token, body: { comments } });
  },
  "submits what was begun": (table) =>
    changeReviews(table, ({ state }) =>
      state === "PENDING" ? { state: "COMMENTED", submitted_at: secondOf(table.world) } : null,
    ),
  withdraws: (table) =>
    changeReviews(table, ({ state, user }) =>
      state === "CHANGES_REQUESTED" && user === table.by ? { state: "DISMISSED" } : null,
    ),
  "dismisses approvals": (table) =>
    changeReviews(table, ({ state }) => (state === "APPROVED" ? { state: "DISMISSED" } : null)),
  "asks for another review": ({ world: { home }, pull, by }) =>
    home.change(pull, { reviewers: [...new Set([...pull.reviewers, by])] }),
  "resolves threads": (table) => resolveThreads(table, table.by),
  "reopens threads": (table) => resolveThreads(table, null),
  "changes the base there and back": ({ world: { home }, pull }) => {
    const { base } = pull;
    home.setRef("refs/heads/other", home.tip(base));
    home.retarget(pull, "other");
    home.retarget(pull, base);
  },
  "changes the base": ({ world: { home }, pull }) => {
    home.setRef("refs/heads/other", home.tip(home.defaultBranch));
    home.retarget(pull, pull.base === "other" ? home.defaultBranch : "other");
  },
  "pushes a page": ({ world: { people }, pull, by, thing }) =>
    people.pushTo(pull.number, { author: by, files: { [`docs/${thing}md`]: thing } }),
  "pushes code": ({ world: { people }, pull, by, thing }) =>
    people.pushTo(pull.number, { author: by, files: { [`src/${thing}ts`]: thing } }),
  "updates the branch on the page": ({ world: { home }, pull, by, thing }) => {
    home.push({ author: by, files: { [`src/${thing}ts`]: thing } }, pull.base);
    updateBranch(home, pull, by);
  },
  "pushes to the base": ({ world: { home }, pull, by, thing }) =>
    home.push({ author: by, files: { [`src/${thing}ts`]: thing } }, pull.base),
  "makes it conflict": ({ world: { people }, pull }) => people.conflict(pull.number),
  "resolves the conflict on the page": ({ world: { home }, pull, by }) => {
    if (mergeabilityOf(home, pull).state !== "dirty") return;
    const parents = [pull.head, home.tip(pull.base)];
    const commit = home.commit(parents, { author: by, committer: "GitHub", files: {} });
    home.setRef(`refs/heads/${pull.branch}`, commit);
  },
  "puts it on hold": ({ world: { home }, pull, by }) =>
    home.change(pull, { labels: [...pull.labels, by === "writer" ? "docs-hold" : "Docs-Hold"] }),
  "takes it off hold": ({ world: { home }, pull }) =>
    home.change(pull, { labels: pull.labels.filter((name) => !/^docs-hold$/i.test(name)) }),
  closes: ({ world: { home }, pull, by }) => home.close(pull, by),
  reopens: ({ world: { home }, pull, by }) =>
    pull.mergedAt === null && home.setState(pull, "open", by),
  "makes it a draft": ({ world: { home }, pull }) => home.change(pull, { isDraft: true }),
  "makes it ready": ({ world: { home }, pull }) => home.change(pull, { isDraft: false }),
  "merges the code": ({ world: { home }, code }) => code?.state === "open" && home.merge(code),
  "closes the code": ({ world: { home }, code }) => code !== null && home.close(code),
  "reopens the code": ({ world: { home }, code, by }) =>
    code?.mergedAt === null && home.setState(code, "open", by),
  "pushes to the code": ({ world: { home }, code, thing }) =>
    code?.state === "open" && home.push({ files: { [`src/${thing}ts`]: thing } }, code.branch),
  "links another pull request": ({ world: { servers }, pull }) => {
    const { jobs } = servers.agent.service.state;
    const of = jobs.find(({ prLink }) => prLink?.endsWith(`/pull/${pull.number}`));
    if (of !== undefined) of.byHand = { prLink: "https://github.com/acme/code/pull/99" };
  },
};

/** What GitHub does, and what runs there. */
const GITHUB: Record<string, Does> = {
  "answers late": ({ world: { servers } }) => {
    servers.github.lag = { graphql: 4 * SECOND };
  },
  "answers very late": ({ world: { servers } }) => {
    servers.github.lag = { graphql: 2 * MINUTE };
  },
  "answers in time": ({ world: { servers } }) => {
    servers.github.lag = {};
  },
  "does not know whether it can be merged": ({ world: { servers } }) => {
    servers.github.site.isMergeabilityLate = true;
    servers.github.site.mergeabilityTries = 1 + (servers.github.site.mergeabilityTries % 4);
  },
  "shows checks late": ({ world: { servers } }) => {
    servers.github.site.switches.checksLate = 10 * MINUTE;
  },
  "shows checks at once": ({ world: { servers } }) => {
    servers.github.site.switches.checksLate = 0;
  },
  "hides checks": ({ world: { servers }, reader }) => {
    servers.github.restrict(reader, { checks: "none" });
    servers.github.site.switches.hidesInSilence = true;
  },
  "shows checks": ({ world: { servers }, reader }) => servers.github.restrict(reader, {}),
  "lets a status fail": (table) => status(table, "failure"),
  "lets a status wait": (table) => status(table, "pending"),
  "lets a status succeed": (table) => status(table, "success"),
  "lets a check fail": (table) => runOf(table, "pull_request", "failure"),
  "lets a check succeed": (table) => runOf(table, "pull_request", "success"),
  "skips a check": (table) => runOf(table, "pull_request", "skipped"),
  "cancels a check": (table) => runOf(table, "pull_request", "cancelled"),
  "starts a check": (table) => runOf(table, "pull_request", null),
  "starts a run without a job": ({ world: { home }, pull }) =>
    startSuite(home, { sha: pull.head, app: WORKFLOW, event: "push", workflow: "Late" }),
  "holds a run": ({ world: { home }, pull }) => {
    const key = { sha: pull.head, app: WORKFLOW, event: "pull_request", workflow: "Held" };
    startSuite(home, key).isHeld = true;
  },
  "lets another app's check fail": ({ world: { home }, pull, thing }) =>
    home.report({
      name: "links",
      head_sha: pull.head,
      conclusion: "timed_out",
      output: { summary: thing },
    }),
  "lets another app's check succeed": ({ world: { home }, pull }) =>
    home.report({ name: "links", head_sha: pull.head, conclusion: "success" }),
  "lets the agent resolve threads": (table) => resolveThreads(table, AGENT),
  "merges what is queued": ({ world: { home } }) => mergeQueued(home),
  "lets some minutes pass": ({ world: { servers } }) => {
    servers.now += 6 * MINUTE;
  },
};

const HANDS = { stranger: STRANGER, colleague: COLLEAGUE, GitHub: GITHUB };
type Hand = keyof typeof HANDS;

/** What a hand does, to the docs pull request number `at`. */
export interface Move {
  hand: Hand;
  does: string;
  by: "maintainer" | "writer";
  at: number;
}

/** Lets a hand act. What GitHub refuses does not happen. */
export function act({ hand, does, by }: Move, table: Omit<Table, "by">): void {
  try {
    const done = HANDS[hand][does]?.({ ...table, by });
    // People's requests are done by now; only their answers are not there yet.
    if (done instanceof Promise) void done.catch(() => {});
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

function secondOf({ servers }: World): string {
  return new Date(servers.github.site.second).toISOString().replace(/\.\d+Z$/, "Z");
}

const moves = Object.entries(HANDS).flatMap(([hand, does]) =>
  Object.keys(does).map((name) => ({ hand: hand as Hand, does: name })),
);

const by = fc.constantFrom<Move["by"][]>("maintainer", "writer");
const at = fc.nat({ max: 1 });

const move: fc.Arbitrary<Move> = fc
  .record({ what: fc.constantFrom(...moves), by, at })
  .map(({ what, ...where }) => ({ ...what, ...where }));

/** What hides a no in several moves, which chance alone would seldom make. `other`: not by who makes the first one. */
const GAMBITS: [hand: Hand, does: string, isOther?: true][][] = [
  [
    ["GitHub", "lets a check fail"],
    ["stranger", "starts a run that skips"],
  ],
  [
    ["GitHub", "lets a check fail"],
    ["GitHub", "skips a check"],
  ],
  [
    ["GitHub", "lets a check fail"],
    ["stranger", "starts a run that succeeds"],
  ],
  [
    ["colleague", "begins a comment"],
    ["colleague", "approves", true],
    ["colleague", "submits what was begun"],
  ],
  [
    ["colleague", "comments on a line"],
    ["GitHub", "lets the agent resolve threads"],
  ],
  [
    ["colleague", "objects"],
    ["stranger", "approves"],
    ["colleague", "approves", true],
  ],
  [
    ["GitHub", "hides checks"],
    ["GitHub", "lets a check fail"],
  ],
  [
    ["colleague", "closes the code"],
    ["colleague", "reopens the code"],
  ],
  [
    ["colleague", "makes it conflict"],
    ["colleague", "resolves the conflict on the page"],
  ],
];

/** Moves one after the other. A second passes before each. */
export const movesInTurn: fc.Arbitrary<Move[]> = fc.oneof(
  { weight: 2, arbitrary: move.map((it) => [it]) },
  {
    weight: 1,
    arbitrary: fc.record({ gambit: fc.constantFrom(...GAMBITS), by, at }).map((it) =>
      it.gambit.map(([hand, does, isOther]) => {
        const other = it.by === "writer" ? "maintainer" : "writer";
        return { hand, does, by: isOther ? other : it.by, at: it.at };
      }),
    ),
  },
);
