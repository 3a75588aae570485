import type { Octokit } from "@octokit/core";
import { MARKER_START, type Markers, type Place } from "../../github/markers.ts";
import { ActionError } from "../../runtime/errors.ts";
import { type Change, EMPTY_CHECKPOINT } from "../model/record.ts";
import { foreign, guarded, unavailable } from "./dashboard-errors.ts";
import { BODY, type IssueRecord, readIssue, recordOf } from "./ledger-issue.ts";
import type { LedgerMarker } from "./ledger-markers.ts";

export interface DashboardOptions<C extends Change> {
  /** `owner/name` */
  repository: string;
  markers: Markers<LedgerMarker<C>>;
  /** The number that the workflow gives; null: found by its label and marker, or opened. */
  number: number | null;
  title: string;
  label: string;
  /** Tells the dashboards of several projects apart without their keys: see `ledgerTag`. */
  tag: string;
  /** What a new dashboard says. */
  text: string;
  /** Names the issue before it has a number; no other issue has this name. */
  draft: string;
}

/** The issue of the ledger, as it was just read. */
export interface FoundDashboard {
  issue: IssueRecord;
  /** Whether its body has yet to be written: it was just opened, or given by its number. */
  isBlank: boolean;
  /** Other issues that verify, which two first runs opened at the same time: they are to be closed. */
  others: number[];
}

/** How many issues GitHub gives at a time. */
const PAGE = 100;

/** See `ledgerTag`. */
export const TAG = /<!-- docs-agent-ledger:[0-9a-f]+ -->/;

/**
 * Finds the dashboard; null when there is none yet. Starting afresh would do everything twice, so one that
 * does not verify is an error.
 *
 * @throws ActionError `invalid-input`, `github-unavailable`
 */
export async function findDashboard<C extends Change>(
  github: Octokit,
  options: DashboardOptions<C>,
): Promise<FoundDashboard | null> {
  const { number } = options;
  if (number !== null) return await readGiven(github, number, options);
  const issues = await guarded("issues: write", () => readLabelled(github, options));
  return await chooseFrom(issues, (issue) => kindOfLabelled(github, issue, options));
}

/** Puts back the label by which the next run finds the dashboard. */
export async function labelAgain<C extends Change>(
  github: Octokit,
  { repository, label }: DashboardOptions<C>,
  number: number,
): Promise<void> {
  const [owner = "", repo = ""] = repository.split("/");
  await github.request("POST /repos/{owner}/{repo}/issues/{issue_number}/labels", {
    ...{ owner, repo, labels: [label] },
    issue_number: number,
  });
}

/** The lowest number of those that are this ledger's. */
export async function chooseFrom(
  issues: readonly IssueRecord[],
  kindOf: (issue: IssueRecord) => Promise<Kind>,
): Promise<FoundDashboard | null> {
  const own: { issue: IssueRecord; kind: Kind }[] = [];
  for (const issue of issues) {
    const kind = await kindOf(issue);
    if (kind === "own" || kind === "draft") own.push({ issue, kind });
  }
  const [first, ...others] = own.sort((one, other) => one.issue.number - other.issue.number);
  if (first === undefined) return null;
  return {
    issue: first.issue,
    isBlank: first.kind === "draft",
    others: others.flatMap(({ issue }) => (issue.isClosed ? [] : [issue.number])),
  };
}

/** Every issue with the label: the ledgers of all projects share it. */
async function readLabelled<C extends Change>(
  github: Octokit,
  { repository, label }: DashboardOptions<C>,
): Promise<IssueRecord[]> {
  const [owner = "", repo = ""] = repository.split("/");
  const issues: IssueRecord[] = [];
  for (let page = 1; ; page++) {
    const { data } = await github.request("GET /repos/{owner}/{repo}/issues", {
      ...{ owner, repo, labels: label, state: "all" as const, page },
      ...{ sort: "created" as const, direction: "asc" as const, per_page: PAGE },
    });
    issues.push(...data.map(recordOf).filter(({ isPull }) => !isPull));
    if (data.length < PAGE) return issues;
  }
}

async function readGiven<C extends Change>(
  github: Octokit,
  number: number,
  options: DashboardOptions<C>,
): Promise<FoundDashboard> {
  const place: Place = { repository: options.repository, issue: number };
  let issue: IssueRecord;
  try {
    issue = await readIssue(github, place);
  } catch (error) {
    const { status } = error as { status?: unknown };
    if (status !== 404 && status !== 410) throw unavailable(error, "issues: write");
    throw new ActionError(
      "invalid-input",
      `dashboard: ${number} is not allowed: there is no such issue in ${options.repository}, or the token lacks the permission \`issues: write\`.`,
      "Give the number of an issue, or leave `dashboard` out. Nothing was sent.",
    );
  }
  if (issue.isPull) {
    throw new ActionError(
      "invalid-input",
      `dashboard: ${number} is not allowed: it is a pull request, and its text would be overwritten.`,
      "Give the number of an issue, or leave `dashboard` out. Nothing was sent.",
    );
  }
  const kind = await kindOf(github, issue, options);
  if (kind === "foreign") throw foreign(issue, options.repository);
  return { issue, isBlank: kind !== "own", others: [] };
}

/** @throws ActionError `invalid-input` for one that may be this ledger's and does not verify */
export async function kindOfLabelled<C extends Change>(
  github: Octokit,
  issue: IssueRecord,
  options: DashboardOptions<C>,
): Promise<Kind> {
  const tag = TAG.exec(issue.body)?.[0];
  if (tag !== undefined && tag !== options.tag) return "blank";
  const kind = await kindOf(github, issue, options);
  if (kind === "foreign") throw foreign(issue, options.repository);
  return kind;
}

/** `draft`: opened by a run that did not come to write its body; `blank`: nothing on it is a ledger's. */
export type Kind = "own" | "draft" | "foreign" | "blank";

/** Whether an issue is this ledger's: by its body, or, if that was emptied or edited, by its comments. */
export async function kindOf<C extends Change>(
  github: Octokit,
  issue: IssueRecord,
  { repository, markers, tag }: DashboardOptions<C>,
): Promise<Kind> {
  const place: Place = { repository, issue: issue.number };
  const inBody = markers.verify(issue.body, place)?.comment === BODY;
  if (inBody) return "own";
  if (markers.verify(issue.body, { repository, issue: 0 }) !== null) return "draft";
  let isMarked = issue.body.includes(MARKER_START) || issue.body.includes(tag);
  const [owner = "", repo = ""] = repository.split("/");
  // After key rotations the first pages may hold nothing that verifies any more.
  for (let page = 1; ; page++) {
    const { data } = await guarded("issues: write", () =>
      github.request("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...{ owner, repo, per_page: 100, page },
        issue_number: issue.number,
      }),
    );
    for (const { body = "" } of data) {
      if (markers.verify(body, place) !== null) return "own";
      isMarked ||= body.includes(MARKER_START);
    }
    if (data.length < 100) return isMarked ? "foreign" : "blank";
  }
}

/**
 * Opens a dashboard. Killed at any point, it leaves an issue that the next run finds and goes on with, or
 * none.
 *
 * @throws ActionError `github-unavailable`
 */
export async function openDashboard<C extends Change>(
  github: Octokit,
  options: DashboardOptions<C>,
): Promise<IssueRecord> {
  const { repository, markers, title, label, text, draft } = options;
  const [owner = "", repo = ""] = repository.split("/");
  const record = { ...EMPTY_CHECKPOINT };
  // Its number is not known yet: the draft verifies for this repository alone.
  const marker = markers.writeDraft({ repository, issue: 0 }, { record }, draft);
  return await guarded("issues: write", async () => {
    const { data } = await github.request("POST /repos/{owner}/{repo}/issues", {
      ...{ owner, repo, title, labels: [label] },
      body: `${text}\n\n${marker}`,
    });
    const issue = recordOf(data);
    const labels = data.labels.map((it) => (typeof it === "string" ? it : it.name));
    if (!labels.includes(label)) {
      // GitHub drops labels silently if the token may not set them.
      await labelAgain(github, options, issue.number);
    }
    return issue;
  });
}

/** Closes the dashboards that lost against a lower number. */
export async function closeIssue(
  github: Octokit,
  repository: string,
  number: number,
  winner: number,
): Promise<void> {
  const [owner = "", repo = ""] = repository.split("/");
  await github.request("PATCH /repos/{owner}/{repo}/issues/{issue_number}", {
    ...{ owner, repo },
    issue_number: number,
    state: "closed",
    state_reason: "not_planned",
    // By its label or its title every run would look at it again.
    labels: [],
    title: `Not in use: see #${winner}`,
    body: `Two runs opened a dashboard at the same time. #${winner} is the one in use.`,
  });
}
