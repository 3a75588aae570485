/** The issue that shows a ledger, on GitHub: found, opened, read and written. */

import { owned } from "../../github/comments.ts";
import type { Connect } from "../../github/connect.ts";
import { explainRefusal } from "../../github/refusal.ts";
import type { Failure } from "../git/ledger-ref.ts";
import { readMark } from "./boxes.ts";

const PERMISSION = "issues: write";
/** Pages of labelled issues that are read at most. */
const PAGES = 5;
const PAGE = 100;

/** Answers after which a run goes on without a dashboard; 410 also says that Issues are disabled. */
const REFUSALS = [401, 403, 404, 410, 422];

/** The issue that shows the ledger. */
export interface DashboardIssue {
  number: number;
  body: string;
  /** It has the label of dashboards. */
  isLabelled: boolean;
  isClosed: boolean;
  /** Who closed it, and when (ISO 8601); empty if GitHub does not tell. */
  closedBy: string;
  closedAt: string;
}

export type DashboardRead =
  | { type: "issue"; issue: DashboardIssue }
  /** It was deleted, transferred, or made a discussion. */
  | { type: "gone" }
  /** The token may not, or Issues are disabled: the run goes on without a dashboard. */
  | { type: "refused"; why: string };

export interface DashboardOptions {
  /** `owner/name` */
  repository: string;
  /** The ledger's ref, which the body names. */
  ref: string;
  label: string;
  title: string;
  /** What follows in the title where another dashboard has the same. */
  project: string;
}

interface IssueData {
  number: number;
  title: string;
  state: string;
  body?: string | null;
  labels?: { name?: string }[];
  pull_request?: unknown;
  repository_url?: string;
  closed_at?: string | null;
  closed_by?: { login?: string } | null;
}

export class DashboardIssues {
  readonly #options: DashboardOptions;
  readonly #connect: Connect;
  /** Titles of other dashboards. */
  #titles = new Set<string>();

  constructor(options: DashboardOptions, connect: Connect) {
    this.#options = options;
    this.#connect = connect;
  }

  /** The dashboard by its label and its mark: an open one before a closed one, then the newest. */
  async find(): Promise<{ number: number | null } | Failure> {
    const { ref, label } = this.#options;
    try {
      const found: IssueData[] = [];
      for (let page = 1; page <= PAGES; page++) {
        const query = { labels: label, state: "all", per_page: PAGE, page };
        const issues = (await this.#request(
          "GET /repos/{owner}/{repo}/issues",
          query,
        )) as IssueData[];
        found.push(...issues.filter(({ pull_request }) => pull_request === undefined));
        if (issues.length < PAGE) break;
      }
      const isOwn = ({ body }: IssueData) => readMark(body ?? "")?.ref === ref;
      this.#titles = new Set(found.filter((it) => !isOwn(it)).map(({ title }) => title));
      const own = found.filter(isOwn).sort((a, b) => a.number - b.number);
      return {
        number: (own.findLast(({ state }) => state === "open") ?? own.at(-1))?.number ?? null,
      };
    } catch (error) {
      const { status } = error as { status?: number };
      const { why, isPassing, isLimit = false } = explainRefusal(error, PERMISSION);
      // Issues are disabled, or not for this token: there is none to be seen.
      return isPassing || isLimit || status === 401 ? { failed: why } : { number: null };
    }
  }

  async open(body: string): Promise<{ number: number } | { refused: string } | Failure> {
    const { title, project, label } = this.#options;
    const told = this.#titles.has(title) ? `${title} (${project})` : title;
    const fields = { title: told, body, labels: [label] };
    return await this.#orWhyNot(async () => {
      const { number } = (await this.#request(
        "POST /repos/{owner}/{repo}/issues",
        fields,
      )) as IssueData;
      return { number };
    });
  }

  async read(number: number): Promise<DashboardRead | Failure> {
    try {
      const path = "GET /repos/{owner}/{repo}/issues/{issue_number}";
      const issue = (await this.#request(path, { issue_number: number })) as IssueData;
      const isIssue = this.#isHere(issue, number) && issue.pull_request === undefined;
      return isIssue
        ? { type: "issue", issue: told(issue, this.#options.label) }
        : { type: "gone" };
    } catch (error) {
      const { status } = error as { status?: number };
      const { why, isPassing, isLimit = false } = explainRefusal(error, PERMISSION);
      if (status === 404 || status === 410) return { type: "gone" };
      return isPassing || isLimit ? { failed: why } : { type: "refused", why };
    }
  }

  async write(number: number, body: string): Promise<Record<never, never> | Failure> {
    try {
      const path = "PATCH /repos/{owner}/{repo}/issues/{issue_number}";
      await this.#request(path, { issue_number: number, body });
      return {};
    } catch (error) {
      return { failed: explainRefusal(error, PERMISSION).why };
    }
  }

  /** What was transferred is answered from where it is now. */
  #isHere({ number, repository_url = "" }: IssueData, asked: number): boolean {
    const place = `/${this.#options.repository}`.toLowerCase();
    return number === asked && repository_url.toLowerCase().endsWith(place);
  }

  async #orWhyNot<T extends object>(
    request: () => Promise<T>,
  ): Promise<T | { refused: string } | Failure> {
    try {
      return await request();
    } catch (error) {
      const { why, isLimit = false } = explainRefusal(error, PERMISSION);
      const { status } = error as { status?: number };
      return !isLimit && REFUSALS.includes(status ?? 0) ? { refused: why } : { failed: why };
    }
  }

  async #request(route: string, parameters: Record<string, unknown>): Promise<unknown> {
    const github = await this.#connect();
    const { data } = await github.request(route, { ...owned(this.#options), ...parameters });
    return data;
  }
}

function told(issue: IssueData, label: string): DashboardIssue {
  const { number, body, state, labels = [], closed_at, closed_by } = issue;
  return {
    isLabelled: labels.some(({ name }) => name === label),
    ...{ number, body: body ?? "", isClosed: state === "closed" },
    closedBy: closed_by?.login ?? "",
    closedAt: closed_at ?? "",
  };
}
