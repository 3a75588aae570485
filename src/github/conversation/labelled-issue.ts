/** Finds, opens, reads and writes an issue of the action, which it recognizes by a label and by its body. */

import type { Fact } from "../../runtime/fact.ts";
import type { IssueAnswer, LabelAnswer } from "../api/answers/issues.ts";
import type { Connect } from "../api/connect.ts";
import {
  expectFact,
  expectMade,
  reasonOf,
  type Sent,
  type UnavailableError,
} from "../api/explain.ts";

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
    const { repository, label, isOwn } = this.#options;
    const github = await this.#connect();
    const fact = await github.issues.labelled({ repository, labels: label });
    // Issues are disabled, or the token cannot read them.
    if (fact.type === "unread" && !fact.isPassing && fact.status !== 401) return null;
    const { items } = this.#expect(fact) ?? { items: [] };
    const issues = items.filter(({ pull_request }) => pull_request === undefined);
    const own = issues.filter(({ body }) => isOwn(body));
    own.sort((a, b) => a.number - b.number);
    const newest = own.findLast(({ state }) => state === "open") ?? own.at(-1);
    return newest?.number ?? null;
  }

  /** @returns `refused`: why GitHub does not open one */
  async open(body: string): Promise<{ number: number } | { refused: string }> {
    const { repository, title, label } = this.#options;
    const github = await this.#connect();
    const sent = await github.issues.open({ repository, title, body, labels: [label] });
    if (sent.type === "refused") return { refused: reasonOf(sent) };
    return this.#made(sent);
  }

  async read(number: number): Promise<IssueRead> {
    const { repository } = this.#options;
    const github = await this.#connect();
    const fact = await github.issues.get({ repository, number });
    if (fact.type === "unread" && !fact.isPassing && fact.cause === "refused") {
      return { type: "refused", reason: fact.reason };
    }
    const answer = this.#expect(fact);
    return answer === null ? { type: "gone" } : this.#issueIn(answer, number);
  }

  #issueIn(answer: IssueAnswer, number: number): IssueRead {
    const { repository, label } = this.#options;
    // GitHub answers for a transferred issue from its new repository.
    const isHere = answer.repository_url.toLowerCase().endsWith(`/${repository.toLowerCase()}`);
    const isIssue = isHere && answer.number === number && answer.pull_request === undefined;
    if (!isIssue) return { type: "gone" };
    const { body, state, labels, closed_by, closed_at } = answer;
    const issue: Issue = {
      number,
      body,
      isLabelled: labels.map(nameOfLabel).includes(label),
      isClosed: state === "closed",
      closedBy: closed_by?.login ?? null,
      closedAt: closed_at ?? null,
    };
    return { type: "issue", issue };
  }

  async write(number: number, body: string): Promise<void> {
    const { repository } = this.#options;
    const github = await this.#connect();
    this.#made(await github.issues.edit({ repository, number, body }));
  }

  #expect<T>(fact: Fact<T>): T | null {
    return expectFact(fact, this.#options.unavailable);
  }

  #made<T>(sent: Sent<T>): T {
    return expectMade(sent, this.#options.unavailable);
  }
}

/** Undefined or null for a label without a name. */
function nameOfLabel(label: LabelAnswer): string | null | undefined {
  return typeof label === "string" ? label : label.name;
}
