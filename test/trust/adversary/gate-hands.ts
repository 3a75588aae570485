/** The three hands on code pull requests, between any two requests of a run of the gate. */

import fc from "fast-check";
import type { Pull } from "../../../emulator/github/state.ts";
import { HttpError } from "../../../emulator/http/http-error.ts";
import type { LedgerWorld } from "../../support/memory-world/ledger-world.ts";
import type { AskedJob } from "./gate-judge.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

interface Table {
  world: LedgerWorld;
  pull: Pull;
  /** Jobs that were asked for by comment. */
  asked: AskedJob[];
  /** Different each time. */
  count: number;
}

type Does = (table: Table) => unknown;

const EXCUSE = "docs: none, it is a test";

function push({ world: { home }, pull, count }: Table, path: string): void {
  home.push({ author: pull.author, files: { [path]: `${count}\n` } }, pull.branch);
}

/** Changes the comments of writers that begin with a line. */
function changeExcuses({ world: { home }, pull }: Table, body: string | null): void {
  for (const comment of home.commentsOn(pull.number)) {
    if (comment.author === "writer" && /^docs: none/m.test(comment.body)) {
      home.setComment(comment, body);
    }
  }
}

/** The docs pull request of the newest job that was asked for. */
function docsPullOf({ world, pull, asked }: Table): Pull | undefined {
  world.servers.agent.openDuePulls();
  const job = asked.findLast(({ number }) => number === pull.number)?.job;
  const { prLink } = world.servers.agent.jobs.find(({ id }) => id === job) ?? {};
  return world.servers.agent.pulls.find(({ number }) => prLink?.endsWith(`/${number}`));
}

const STRANGER: Record<string, Does> = {
  "says docs: none": ({ world: { home }, pull }) => home.comment(pull, EXCUSE, "outsider"),
  "says it in the description": ({ world: { home }, pull }) =>
    pull.author === "outsider" && home.change(pull, { body: EXCUSE }),
  "pushes code to the fork": (table) =>
    table.pull.forkOwner !== null && push(table, `src/${table.count}.ts`),
  "opens another pull request with its head": ({ world: { home }, pull }) => {
    const branch = `copy/${home.nextNumber}`;
    home.setRef(`refs/heads/${branch}`, pull.head);
    const fields = { title: "The same", branch, base: pull.base, forkOwner: "outsider" };
    home.openPullOf({ ...fields, author: "outsider" });
  },
  "copies a status comment": ({ world: { home }, pull, asked }) => {
    const text = asked.at(-1)?.text;
    if (text !== undefined) home.comment(pull, text, "outsider");
  },
  "approves it": ({ world, pull }) =>
    world.people.review(pull.number, "APPROVE", { login: "outsider" }),
};

const COLLEAGUE: Record<string, Does> = {
  "says docs: none": ({ world: { home }, pull }) => home.comment(pull, EXCUSE, "writer"),
  "quotes docs: none": ({ world: { home }, pull }) =>
    home.comment(pull, `> ${EXCUSE}\n\nNo.`, "writer"),
  "hides docs: none": ({ world: { home }, pull }) =>
    home.comment(pull, `<!--\n${EXCUSE}\n-->\nHello.`, "writer"),
  "takes docs: none back": (table) => changeExcuses(table, null),
  "edits docs: none away": (table) => changeExcuses(table, "It needs some."),
  "edits docs: none": (table) => changeExcuses(table, EXCUSE),
  "sets the label": ({ world: { home }, pull }) => home.change(pull, { labels: ["skip-docs"] }),
  "takes the label off": ({ world: { home }, pull }) => home.change(pull, { labels: [] }),
  "asks for the docs": ({ world, pull, asked }) => {
    const job = world.startJob("Document it.");
    const { id, body } = world.postStatus(job, pull.number, { repositoryId: world.home.id });
    asked.push({ number: pull.number, job, comment: id, text: body });
  },
  "closes the docs": (table) => {
    const docs = docsPullOf(table);
    if (docs !== undefined) table.world.home.close(docs);
  },
  "reopens the docs": (table) => {
    const docs = docsPullOf(table);
    if (docs?.mergedAt === null) table.world.home.setState(docs, "open", "maintainer");
  },
  "pushes docs": (table) => push(table, "docs/page.md"),
  "removes the docs": ({ world: { home }, pull }) =>
    home.read(pull.head, "docs/page.md") !== undefined &&
    home.push({ author: pull.author, files: { "docs/page.md": null } }, pull.branch),
  "pushes code": (table) => push(table, `src/${table.count}.ts`),
  approves: ({ world, pull }) =>
    world.people.review(pull.number, "APPROVE", { login: "maintainer" }),
  objects: ({ world, pull }) =>
    world.people.review(pull.number, "REQUEST_CHANGES", { login: "writer", body: "No." }),
  "objects after all": ({ world, pull }) =>
    world.people.review(pull.number, "REQUEST_CHANGES", { login: "maintainer", body: "No." }),
  "makes it a draft": ({ world: { home }, pull }) => home.change(pull, { isDraft: true }),
  "makes it ready": ({ world: { home }, pull }) => home.change(pull, { isDraft: false }),
  "loses permission": ({ world: { home } }) => home.roles.set("writer", "read"),
  "gets permission": ({ world: { home } }) => home.roles.set("writer", "write"),
  closes: ({ world: { home }, pull }) => home.close(pull),
  reopens: ({ world: { home }, pull }) =>
    pull.mergedAt === null && home.setState(pull, "open", "maintainer"),
};

const GITHUB: Record<string, Does> = {
  "answers late": ({ world: { servers } }) => {
    servers.github.lag = { graphql: 4 * SECOND };
  },
  "lists comments late": ({ world: { servers } }) => {
    servers.github.lag = { comments: MINUTE };
  },
  "lists files late": ({ world: { servers } }) => {
    servers.github.lag = { files: MINUTE, objects: MINUTE };
  },
  "answers in time": ({ world: { servers } }) => {
    servers.github.lag = {};
  },
  "starts a check of the head": ({ world: { home }, pull }) =>
    home.report({ name: "build", head_sha: pull.head, conclusion: "success" }),
  "lets some minutes pass": ({ world: { servers } }) => {
    servers.now += 6 * MINUTE;
  },
};

const HANDS = { stranger: STRANGER, colleague: COLLEAGUE, GitHub: GITHUB };
type Hand = keyof typeof HANDS;

/** What a hand does, to the code pull request number `at`. */
export interface GateMove {
  hand: Hand;
  does: string;
  at: number;
}

/** Lets a hand act. What GitHub refuses does not happen. */
export function actOnCode({ hand, does }: GateMove, table: Table): void {
  try {
    const done = HANDS[hand][does]?.(table);
    if (done instanceof Promise) void done.catch(() => {});
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

const moves = Object.entries(HANDS).flatMap(([hand, does]) =>
  Object.keys(does).map((name) => ({ hand: hand as Hand, does: name })),
);
const at = fc.nat({ max: 1 });
const gateMove: fc.Arbitrary<GateMove> = fc
  .record({ what: fc.constantFrom(...moves), at })
  .map((it) => ({ ...it.what, at: it.at }));

/** What hides a no in several moves. */
const GAMBITS: [hand: Hand, does: string][][] = [
  [
    ["colleague", "says docs: none"],
    ["stranger", "pushes code to the fork"],
  ],
  [
    ["colleague", "sets the label"],
    ["stranger", "opens another pull request with its head"],
  ],
  [
    ["colleague", "asks for the docs"],
    ["colleague", "closes the docs"],
  ],
  [["colleague", "approves"]],
  [
    ["colleague", "approves"],
    ["colleague", "objects"],
  ],
  [
    ["colleague", "pushes docs"],
    ["colleague", "removes the docs"],
  ],
];

export const gateMoves: fc.Arbitrary<GateMove[]> = fc.oneof(
  { weight: 4, arbitrary: gateMove.map((it) => [it]) },
  {
    weight: 1,
    arbitrary: fc
      .record({ gambit: fc.constantFrom(...GAMBITS), at })
      .map((it) => it.gambit.map(([hand, does]) => ({ hand, does, at: it.at }))),
  },
);
