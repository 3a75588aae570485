/** The gate's rules and verdicts on pull requests that are made up. */

import type { findExcuse } from "../../src/gate/excuse.ts";
import type { GatePull } from "../../src/gate/gate-pull.ts";
import type { GateRules } from "../../src/gate/inputs.ts";
import { type DocsJob, decideVerdict, type PullDraft } from "../../src/gate/verdict.ts";
import { detailsOfTip } from "../../src/github/changes/change-details.ts";
import type { ChangedFile } from "../../src/github/changes/history-records.ts";
import type { PullFiles } from "../../src/github/changes/pull-files.ts";
import { type Fact, known } from "../../src/runtime/fact.ts";
import { parsePathFilter } from "../../src/text/path-filter.ts";

function filter(text: string) {
  const parsed = parsePathFilter(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

const RULES: GateRules = {
  paths: filter("src/**"),
  docsPaths: filter("docs/**\n**/*.mdx\n**/README.md"),
  ignoreLabels: ["skip-docs"],
  onlyLabels: [],
  ignoreAuthors: ["dependabot[bot]", "renovate[bot]", "mintlify[bot]"],
  ifNeeded: "error",
  docsPatterns: ["docs/**"],
};
const AGENT = { links: [], branches: ["agent/1"] };

function pull(over: Partial<GatePull> = {}): GatePull {
  return {
    number: 2,
    title: "Add retries",
    body: "",
    url: "https://github.com/acme/code/pull/2",
    author: { login: "writer", name: "", isBot: false },
    labels: [],
    branch: "work",
    isFork: false,
    head: "b",
    base: "main",
    mergedAt: null,
    isOpen: true,
    repositoryId: 1,
    fileCount: 1,
    isDraft: false,
    headOwner: "acme",
    headRepository: "acme/code",
    description: { author: "writer", isByBot: false, isInsider: true, body: "", writtenAt: 0 },
    updatedAt: 0,
    comments: [],
    status: null,
    ...over,
  };
}

export function file(path: string): ChangedFile {
  return { path, previousPath: path, isRemoved: false, patch: "", additions: 1, deletions: 0 };
}

export interface KnownOfPull {
  pull?: Partial<GatePull>;
  files?: ChangedFile[];
  /** Whether there are more than GitHub lists. */
  hasMore?: boolean;
  jobs?: DocsJob[];
  excuse?: Excuse;
  draft?: PullDraft;
  /** What could not be read. */
  unread?: Record<string, Fact<never>>;
}

type Excuse = Extract<Awaited<ReturnType<typeof findExcuse>>, { type: "known" }>["value"];

const NO_EXCUSE: Excuse = { by: null, denials: [] };
const NO_DRAFT: PullDraft = { type: "none", why: null };
export const EXCUSED: Excuse = { by: { login: "writer", words: "a test" }, denials: [] };

export const CODE = [file("src/a.ts")];

/** The verdict, and what was read for it. */
export async function judgedOf(answers: KnownOfPull) {
  const { pull: over, files = CODE, hasMore = false } = answers;
  const { jobs = [], excuse = NO_EXCUSE, draft = NO_DRAFT } = answers;
  const reads: string[] = [];
  const reading = <T>(name: string, value: T) => {
    return async (): Promise<Fact<T>> => {
      reads.push(name);
      return answers.unread?.[name] ?? known(value);
    };
  };
  const judgedPull = pull({ fileCount: files.length, ...over });
  const details = detailsOfTip("acme/code", judgedPull);
  const judged = await decideVerdict(judgedPull, details, RULES, {
    files: reading<PullFiles>(
      "files",
      hasMore ? { type: "unlisted", files } : { type: "listed", files, isInBase: false },
    ),
    agent: reading("agent", AGENT),
    jobs: reading("jobs", jobs),
    excuse: reading("excuse", excuse),
    draft: reading("draft", draft),
  });
  return { ...judged, reads };
}
