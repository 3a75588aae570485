import type { Connect } from "../github/connect.ts";
import { type GitHubRequest, History } from "../github/history.ts";
import { explainRefusal } from "../github/refusal.ts";
import type { UpkeepInputs } from "../inputs/upkeep.ts";
import type { LedgerState } from "../ledger/model/read-ledger.ts";
import type { FoundChange } from "../ledger/model/select-changes.ts";
import { ActionError } from "../runtime/errors.ts";
import { keyOf, type SourceChange } from "./changes.ts";
import { decodeCursor, encodeCursor, ledgerChange, type UpkeepChange } from "./ledger-change.ts";
import { readRange } from "./range.ts";
import { collectChanges, Walk } from "./walk.ts";

/** Requests to GitHub that the reading of changes may make, besides those of the ledger. */
export const BUDGET = 48;

export interface ReadOptions {
  inputs: Pick<
    UpkeepInputs,
    "repositories" | "since" | "paths" | "ignoreLabels" | "ignoreAuthors" | "maxChanges"
  >;
  connect: Connect;
  /** By `owner/name`, the default branch where the event tells it. */
  defaultBranches: ReadonlyMap<string, string>;
  /** Keys of the pull requests that the agent opened. */
  own: ReadonlySet<string>;
}

/** A change that a filter left out. */
export interface PassedOver {
  key: string;
  title: string;
  url: string;
  landedAt: number;
  why: string;
}

/** What the repositories gained since the cursors. */
export interface ReadChanges {
  /** Where sources without a cursor begin; the rest is empty then. */
  beginnings: Record<string, string>;
  found: FoundChange<UpkeepChange>[];
  /** With files and description, by key: what a prompt is made of. */
  details: Map<string, SourceChange>;
  passedOver: PassedOver[];
  /** Not looked at yet: those that may count. */
  later: UpkeepChange[];
  /** How many requests it took. */
  requests: number;
}

/** How the ledger names a repository's branch. */
export function sourceOf({ repository, branch }: UpkeepInputs["repositories"][number]): string {
  return `${repository.toLowerCase()}@${branch ?? ""}`;
}

/**
 * Reads what the repositories gained since the ledger's cursors.
 *
 * @throws ActionError `invalid-input` for a repository, branch or `since` that GitHub does not know;
 * `github-unavailable`
 */
export async function readChanges(
  state: LedgerState<UpkeepChange>,
  options: ReadOptions,
): Promise<ReadChanges> {
  try {
    return await read(state, options);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { why } = explainRefusal(error, "contents: read` and `pull-requests: read");
    throw new ActionError("github-unavailable", `The changes could not be read: ${why}.`, NOTHING, {
      cause: error,
    });
  }
}

/** Whether it came from GitHub's client, which gives every error a status. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && typeof (error as { status?: unknown }).status === "number";
}

async function read(state: LedgerState<UpkeepChange>, options: ReadOptions): Promise<ReadChanges> {
  const { inputs, connect, defaultBranches, own } = options;
  const { since, paths } = inputs;
  const github = await connect();
  const histories: History[] = [];
  const used = () => histories.reduce((sum, { requests }) => sum + requests, 0);
  const beginnings: Record<string, string> = {};
  const walks: Walk[] = [];
  /** Two branches of one repository are two sources. */
  const sources = new Map<Walk, string>();
  for (const source of inputs.repositories) {
    const name = sourceOf(source);
    const history = new History(github as GitHubRequest, source.repository);
    histories.push(history);
    const cursor = state.cursors.get(name);
    const branch = source.branch ?? defaultBranches.get(source.repository.toLowerCase());
    const range = await readRange({
      history,
      since,
      ...(branch === undefined ? {} : { branch }),
      ...(cursor === undefined ? {} : { cursor: decodeCursor(cursor.sha) }),
    });
    if ("problem" in range) throw new ActionError("invalid-input", `${range.problem}.`, NOTHING);
    if (cursor === undefined) beginnings[name] = encodeCursor(range.start);
    const { ignoreLabels, ignoreAuthors } = inputs;
    const walk = new Walk(history, range, {
      filters: { ignoreLabels, ignoreAuthors, paths, own },
      isKnown: (key) => state.known.has(key) || state.open.has(key),
      left: () => BUDGET - used(),
    });
    walks.push(walk);
    sources.set(walk, name);
  }
  if (Object.keys(beginnings).length > 0) {
    const nothing = { found: [], details: new Map(), passedOver: [], later: [] };
    return { beginnings, ...nothing, requests: used() };
  }
  const { items, waiting } = await collectChanges(walks, inputs.maxChanges);
  return {
    beginnings,
    found: items.map(({ change, after, fate, walk }) => ({
      change: ledgerChange(change),
      source: sources.get(walk) ?? "",
      sha: encodeCursor(after),
      passedOver: fate === "passed over",
    })),
    details: new Map(items.map(({ change }) => [keyOf(change), change])),
    passedOver: items.flatMap((item) =>
      item.fate === "passed over" ? [passedOverOf(item.change, item.why)] : [],
    ),
    later: waiting.map(ledgerChange),
    requests: used(),
  };
}

const NOTHING = "Nothing was sent.";

function passedOverOf(change: SourceChange, why: string): PassedOver {
  const { key, title, url, landedAt } = ledgerChange(change);
  return { key, title, url, landedAt, why };
}
