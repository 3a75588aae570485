/** Finds, opens, reads and writes an issue of the action, which it recognizes by a label and by its body. */

import * as z from "zod/mini";
import { readAnswer, textOrEmpty } from "../api/answer.ts";
import type { Connect } from "../api/connect.ts";
import {
  hasStatus,
  isFinal,
  type TokenPermissions,
  type UnavailableError,
  unlessRefused,
} from "../api/refusal.ts";
import { owned, readList } from "../api/rest.ts";

const PERMISSIONS: TokenPermissions = ["issues: write"];
const PAGES = 5;

export interface Issue {
  number: number;
  body: string;
  isLabelled: boolean;
  isClosed: boolean;
  /** Who closed it, and when (ISO 8601); null if unknown. */
  closedBy: string | null;
  closedAt: string | null;
}

export type IssueRead =
  | { type: "issue"; issue: Issue }
  /** It was deleted, transferred, or converted to a discussion. */
  | { type: "gone" }
  /** The token lacks the permission, or Issues are disabled. The run continues without the issue. */
  | { type: "refused"; reason: string };

interface LabelledIssueOptions {
  /** `owner/name` */
  repository: string;
  label: string;
  title: string;
  /** Whether a body belongs to the issue. */
  isOwn(body: string): boolean;
  unavailable: UnavailableError;
}

const ISSUES = "/repos/{owner}/{repo}/issues";
const ISSUE = "/repos/{owner}/{repo}/issues/{issue_number}";

const listAnswer = z.array(
  z.object({
    number: z.int(),
    body: textOrEmpty,
    state: z.string(),
    /** Set on an issue that is a pull request. */
    pull_request: z.optional(z.unknown()),
  }),
);
const labelAnswer = z.union([z.string(), z.object({ name: z.nullish(z.string()) })]);
const createdAnswer = z.object({ number: z.int() });
const issueAnswer = z.object({
  number: z.int(),
  repository_url: z.string(),
  body: textOrEmpty,
  state: z.string(),
  labels: z.array(labelAnswer),
  closed_by: z.nullish(z.object({ login: z.string() })),
  closed_at: z.nullish(z.string()),
  pull_request: z.optional(z.unknown()),
});

/** Methods throw the error of the options if GitHub refuses a request or does not answer it. */
export class LabelledIssue {
  readonly #options: LabelledIssueOptions;
  readonly #connect: Connect;

  constructor(options: LabelledIssueOptions, connect: Connect) {
    this.#options = options;
    this.#connect = connect;
  }

  /** Its number; null if there is none. Open issues come before closed ones, then the newest first. */
  async find(): Promise<number | null> {
    const { label, isOwn, unavailable } = this.#options;
    const find = async () => {
      const github = await this.#connect();
      const place = owned(this.#options);
      const request = (page: object) =>
        github.request(`GET ${ISSUES}`, { ...place, labels: label, state: "all", ...page });
      const { items } = await readList(PAGES, request, (data) => readAnswer(listAnswer, data));
      const issues = items.filter(({ pull_request }) => pull_request === undefined);
      const own = issues.filter(({ body }) => isOwn(body));
      own.sort((a, b) => a.number - b.number);
      const newest = own.findLast(({ state }) => state === "open") ?? own.at(-1);
      return newest?.number ?? null;
    };
    // Issues are disabled, or the token cannot read them.
    return await unlessRefused<number | null>(find, PERMISSIONS, unavailable, (refusal) => {
      return refusal.isPassing || hasStatus(refusal, 401) ? undefined : null;
    });
  }

  /** @returns `refused`: why GitHub does not open one */
  async open(body: string): Promise<{ number: number } | { refused: string }> {
    const { title, label, unavailable } = this.#options;
    const open = async (): Promise<{ number: number } | { refused: string }> => {
      const fields = { ...owned(this.#options), title, body, labels: [label] };
      const { data } = await (await this.#connect()).request(`POST ${ISSUES}`, fields);
      return readAnswer(createdAnswer, data);
    };
    return await unlessRefused(open, PERMISSIONS, unavailable, (refusal) =>
      isFinal(refusal) ? { refused: refusal.reason } : undefined,
    );
  }

  async read(number: number): Promise<IssueRead> {
    const { repository, label, unavailable } = this.#options;
    const place = { ...owned(this.#options), issue_number: number };
    const read = async (): Promise<IssueRead> => {
      const { data } = await (await this.#connect()).request(`GET ${ISSUE}`, place);
      const answer = readAnswer(issueAnswer, data);
      // GitHub answers for a transferred issue from its new repository.
      const isHere = answer.repository_url.toLowerCase().endsWith(`/${repository.toLowerCase()}`);
      const isIssue = isHere && answer.number === number && answer.pull_request === undefined;
      if (!isIssue) return { type: "gone" };
      const { body, state, labels, closed_by, closed_at } = answer;
      const isLabelled = labels.map(nameOfLabel).includes(label);
      const issue: Issue = {
        number,
        body,
        isLabelled,
        isClosed: state === "closed",
        closedBy: closed_by?.login ?? null,
        closedAt: closed_at ?? null,
      };
      return { type: "issue", issue };
    };
    return await unlessRefused(read, PERMISSIONS, unavailable, (refusal) => {
      if (hasStatus(refusal, 404, 410)) return { type: "gone" };
      return refusal.isPassing ? undefined : { type: "refused", reason: refusal.reason };
    });
  }

  async write(number: number, body: string): Promise<void> {
    const fields = { ...owned(this.#options), issue_number: number, body };
    const write = async () => (await this.#connect()).request(`PATCH ${ISSUE}`, fields);
    await unlessRefused(write, PERMISSIONS, this.#options.unavailable);
  }
}

/** Undefined or null for a label without a name. */
function nameOfLabel(label: z.infer<typeof labelAnswer>): string | null | undefined {
  return typeof label === "string" ? label : label.name;
}
