import { GitHub } from "../../emulator/github/github.ts";
import type { Pull } from "../../emulator/github/state.ts";
import type { Filters } from "../../src/github/change-filters.ts";
import { History } from "../../src/github/history.ts";
import { parseSince, type Since } from "../../src/inputs/since.ts";
import { parsePathFilter } from "../../src/text/path-filter.ts";
import { keyOf, type SourceChange, type SourceCursor } from "../../src/upkeep/changes.ts";
import { readRange } from "../../src/upkeep/range.ts";
import { collectChanges, Walk } from "../../src/upkeep/walk.ts";
import { memoryGitHub } from "./memory-github.ts";

export const HOUR = 3_600_000;

export interface RunOptions {
  max?: number;
  /** How many requests it may make. */
  requests?: number;
  since?: string;
  branch?: string;
  paths?: string;
  filters?: Partial<Filters>;
  /** Whether the next run knows of this one. Default: true. */
  isKept?: boolean;
}

export interface Ran {
  problem: string;
  /** What was handed over. */
  keys: string[];
  /** Title and reason. */
  passedOver: string[];
  changes: SourceChange[];
  waiting: string[];
  requests: number;
}

/** A repository in memory, and runs over it that remember what they handed over. */
export function scene(name = "acme/code") {
  let now = Date.parse("2026-03-01T00:00:00Z");
  const emulated = new GitHub(() => now);
  const repository = emulated.create(name);
  const { github } = memoryGitHub(emulated);
  const handed: string[] = [];
  let cursor: SourceCursor | undefined;

  const run = async (options: RunOptions = {}): Promise<Ran> => {
    now += 1000;
    const { branch, max = 20, requests = 1000, isKept = true } = options;
    const history = new History(github, name);
    const range = await readRange({
      history,
      since: parseSince(options.since ?? "", 1) as Since,
      ...(branch === undefined ? {} : { branch }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    if ("problem" in range) {
      const nothing = { keys: [], passedOver: [], changes: [], waiting: [] };
      return { ...range, ...nothing, requests: history.requests };
    }
    const walk = new Walk(history, range, {
      filters: filtersOf(options),
      isKnown: (key) => handed.includes(key),
      left: () => requests - history.requests,
    });
    const { items, cursors, waiting } = await collectChanges([walk], max);
    const keys = items.filter(({ fate }) => fate === "counts").map(({ change }) => keyOf(change));
    if (isKept) {
      handed.push(...keys);
      cursor = cursors.get(name);
    }
    return {
      problem: "",
      keys,
      passedOver: items.flatMap((item) =>
        item.fate === "passed over" ? [`${item.change.title}: ${item.why}`] : [],
      ),
      changes: items.map(({ change }) => change),
      waiting: waiting.map(keyOf),
      requests: history.requests,
    };
  };

  return {
    repository,
    github,
    run,
    /** Keys of what was handed over in all runs. */
    handed,
    cursor: () => cursor,
    key: (of: string | Pick<Pull, "number">) =>
      typeof of === "string" ? `${name}@${of}` : `${name}#${of.number}`,
    /** Lets GitHub's clock go on, in milliseconds. */
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

function filtersOf({ filters, paths: patterns = "" }: RunOptions): Filters {
  const paths = parsePathFilter(patterns);
  if ("problem" in paths) throw new Error(paths.problem);
  return {
    ignoreLabels: ["skip-docs"],
    ignoreAuthors: ["renovate[bot]"],
    own: new Set(),
    ...filters,
    paths,
  };
}
