/** Finds, opens, reads and writes an issue of the action, which it recognizes by a label and by its body. */

import type * as z from "zod/mini";
import { ABSENT, type Fact, known } from "../../runtime/fact.ts";
import type * as issueAnswers from "../api/answers/issues.ts";
import type { Connect } from "../api/connect.ts";
import type { Sent } from "../api/explain.ts";

export interface Issue {
  number: number;
  body: string;
  isLabelled: boolean;
  isClosed: boolean;
  /** Who closed it, and when (ISO 8601); null if unknown. */
  closedBy: string | null;
  closedAt: string | null;
  /** Whether an app closed it, such as one for stale issues. */
  isClosedByBot: boolean;
}

export class LabelledIssue {
  readonly #options;
  readonly #connect: Connect;

  constructor(
    options: {
      /** `owner/name` */
      repository: string;
      label: string;
      title: string;
      /** Whether a body belongs to the issue. */
      isOwn(body: string): boolean;
    },
    connect: Connect,
  ) {
    this.#options = options;
    this.#connect = connect;
  }

  /** Its number. Open issues come before closed ones, then the newest first. */
  async find(): Promise<Fact<number>> {
    const { repository, label, isOwn } = this.#options;
    const github = await this.#connect();
    const fact = await github.issues.labelled({ repository, labels: label });
    // Issues are disabled, or the token cannot read them.
    if (fact.type === "unread" && !fact.isPassing && fact.status !== 401) return ABSENT;
    if (fact.type !== "known") return fact;
    const issues = fact.value.items.filter(({ pull_request }) => pull_request === undefined);
    const own = issues.filter(({ body }) => isOwn(body));
    own.sort((a, b) => a.number - b.number);
    const newest = own.findLast(({ state }) => state === "open") ?? own.at(-1);
    return newest === undefined ? ABSENT : known(newest.number);
  }

  async open(body: string): Promise<Sent<{ number: number }>> {
    const { repository, title, label } = this.#options;
    const github = await this.#connect();
    return await github.issues.open({ repository, title, body, labels: [label] });
  }

  /** Absent if it was deleted, transferred, or converted to a discussion. */
  async read(number: number): Promise<Fact<Issue>> {
    const { repository } = this.#options;
    const github = await this.#connect();
    const fact = await github.issues.get({ repository, number });
    return fact.type === "known" ? this.#issueIn(fact.value, number) : fact;
  }

  #issueIn(answer: z.infer<typeof issueAnswers.issue>, number: number): Fact<Issue> {
    const { repository, label } = this.#options;
    // GitHub answers for a transferred issue from its new repository.
    const isHere = answer.repository_url.toLowerCase().endsWith(`/${repository.toLowerCase()}`);
    const isIssue = isHere && answer.number === number && answer.pull_request === undefined;
    if (!isIssue) return ABSENT;
    const { body, state, labels, closed_by, closed_at } = answer;
    // A label may have no name.
    const names = labels.map((it) => (typeof it === "string" ? it : it.name));
    return known({
      number,
      body,
      isLabelled: names.includes(label),
      isClosed: state === "closed",
      closedBy: closed_by?.login ?? null,
      closedAt: closed_at ?? null,
      isClosedByBot: state === "closed" && closed_by?.type === "Bot",
    });
  }

  /** @param isReopened whether it is opened again, too */
  async write(number: number, body: string, isReopened: boolean): Promise<Sent<unknown>> {
    const { repository } = this.#options;
    const github = await this.#connect();
    const place = { repository, number, body };
    return await (isReopened ? github.issues.reopen(place) : github.issues.edit(place));
  }
}
