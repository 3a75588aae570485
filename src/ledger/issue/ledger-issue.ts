import type { Octokit } from "@octokit/core";
import type { Connect } from "../../github/connect.ts";
import { type Markers, markerIn, type Place } from "../../github/markers.ts";
import { explainRefusal } from "../../github/refusal.ts";
import { ExchangeError } from "../../net/http.ts";
import { tickedBoxes } from "../dashboard/boxes.ts";
import type { Dashboard, Failed, Thread } from "../model/issue-answers.ts";
import type { Change, Checkpoint, Claim, LedgerComment, LedgerRecord } from "../model/record.ts";
import type { LedgerMarker } from "./ledger-markers.ts";

/** How many comments GitHub gives at a time. */
const PAGE = 100;
/** What stands for a comment's id in the marker of the issue's own body. */
export const BODY = 0;

/** The issue as GitHub has it. */
export interface IssueRecord {
  number: number;
  url: string;
  title: string;
  body: string;
  isClosed: boolean;
  isPull: boolean;
}

export interface LedgerIssueOptions<C extends Change> {
  connect: Connect;
  place: Place;
  markers: Markers<LedgerMarker<C>>;
  /** What a person reads in the comment of a claim. */
  renderClaim(claim: Claim<C>): string;
  /** What a person reads in the comment where a first run began, or after a key rotation. */
  renderCheckpoint(): string;
}

/** Reads and writes the issue that keeps a ledger: one request each, no retries of writes. */
export class LedgerIssue<C extends Change> {
  readonly #options: LedgerIssueOptions<C>;
  /** What the run has read already, used once. */
  #read: IssueRecord | null;
  /** What the body's marker holds beside the ledger. */
  shown: unknown;
  /** What the body said to people when it was last read, its marker left out. */
  text = "";

  constructor(options: LedgerIssueOptions<C>, read: IssueRecord | null = null) {
    this.#options = options;
    this.#read = read;
  }

  async readDashboard(): Promise<Dashboard<C> | Failed> {
    const { connect, place, markers } = this.#options;
    try {
      const issue = this.#read ?? (await readIssue(await connect(), place));
      this.#read = null;
      const verified = markers.verify(issue.body, place);
      const own = verified?.comment === BODY ? verified : null;
      const record = own?.marker.record;
      if (own !== null) this.shown = own.marker.shown;
      this.text = withoutMarker(issue.body);
      return {
        isClosed: issue.isClosed,
        checkpoint: record?.kind === "checkpoint" ? record : null,
        isSignedByPreviousKey: own !== null && !own.isCurrentKey,
        ticked: tickedBoxes(issue.body),
      };
    } catch (error) {
      return failed(error, "issues: write");
    }
  }

  async readThread(since: number | null): Promise<Thread<C> | Failed> {
    const { connect, place } = this.#options;
    const comments: LedgerComment<C>[] = [];
    let now = 0;
    try {
      const github = await connect();
      for (let page = 1; ; page++) {
        const { data, headers } = await github.request(
          "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
          {
            ...issueOf(place),
            per_page: PAGE,
            page,
            ...(since === null ? {} : { since: new Date(since).toISOString() }),
          },
        );
        if (page === 1) now = Date.parse(String(headers.date));
        comments.push(...data.map((it) => this.#commentOf(it)));
        if (data.length < PAGE) break;
      }
    } catch (error) {
      return failed(error, "issues: write");
    }
    if (Number.isNaN(now)) {
      return { failed: "refused", why: "GitHub's answer does not tell the time" };
    }
    return { comments, now };
  }

  async post(record: LedgerRecord<C>, draft: string): Promise<{ commentId: number } | Failed> {
    const { connect, place, markers } = this.#options;
    try {
      const github = await connect();
      const body = `${this.#text(record)}\n\n${markers.writeDraft(place, { record }, draft)}`;
      const { data } = await github.request(
        "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
        { ...issueOf(place), body },
      );
      const commentId = Number(data.id);
      if (!Number.isSafeInteger(commentId)) {
        return { failed: "lost", why: "GitHub's answer is not a comment" };
      }
      return { commentId };
    } catch (error) {
      return failed(error, "issues: write");
    }
  }

  async edit(commentId: number, claim: Claim<C>): Promise<{ ok: true } | Failed> {
    const { connect, place, markers } = this.#options;
    try {
      const github = await connect();
      const marker = markers.write(place, { record: claim }, commentId);
      await github.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
        ...ownerOf(place),
        comment_id: commentId,
        body: `${this.#text(claim)}\n\n${marker}`,
      });
      return { ok: true };
    } catch (error) {
      return failed(error, "issues: write");
    }
  }

  /** Writes the first body. The run goes on from it, and not from what a copy that is behind may show. */
  async setUp(
    issue: IssueRecord,
    text: string,
    record: Checkpoint<C>,
    shown: unknown,
  ): Promise<{ ok: true } | Failed> {
    const written = await this.writeBody(text, record, shown);
    if ("ok" in written) this.#read = { ...issue, body: this.#bodyOf(text, record, shown) };
    return written;
  }

  /** @param text what people read; the marker is added */
  async writeBody(
    text: string,
    record: Checkpoint<C>,
    shown: unknown,
  ): Promise<{ ok: true } | Failed> {
    const { connect, place } = this.#options;
    try {
      const github = await connect();
      await github.request("PATCH /repos/{owner}/{repo}/issues/{issue_number}", {
        ...issueOf(place),
        body: this.#bodyOf(text, record, shown),
      });
      return { ok: true };
    } catch (error) {
      return failed(error, "issues: write");
    }
  }

  #bodyOf(text: string, record: Checkpoint<C>, shown: unknown): string {
    const { place, markers } = this.#options;
    return `${text}\n\n${markers.write(place, { record, shown }, BODY)}`;
  }

  #text(record: LedgerRecord<C>): string {
    const { renderClaim, renderCheckpoint } = this.#options;
    return record.kind === "claim" ? renderClaim(record) : renderCheckpoint();
  }

  /** A marker that names another comment is a copy; one that names none yet is judged by the ledger. */
  #commentOf(data: {
    id: unknown;
    body?: string | null;
    created_at: string;
    updated_at: string;
  }): LedgerComment<C> {
    const { place, markers } = this.#options;
    const id = Number(data.id);
    const verified = markers.verify(data.body ?? "", place);
    const isCopy = verified !== null && verified.comment !== null && verified.comment !== id;
    return {
      id,
      createdAt: Date.parse(data.created_at),
      updatedAt: Date.parse(data.updated_at),
      record: isCopy ? null : (verified?.marker.record ?? null),
    };
  }
}

/** @throws what the client throws */
export async function readIssue(github: Octokit, place: Place): Promise<IssueRecord> {
  const { data } = await github.request(
    "GET /repos/{owner}/{repo}/issues/{issue_number}",
    issueOf(place),
  );
  return recordOf(data);
}

/** GitHub's own editor ends lines its own way. */
function withoutMarker(body: string): string {
  const marker = markerIn(body) ?? "";
  const text = body.replaceAll("\r\n", "\n").trimEnd();
  return text.slice(0, text.length - marker.length).trimEnd();
}

/** An issue of GitHub's answer. */
export function recordOf(data: {
  number: number;
  html_url: string;
  title: string;
  body?: string | null;
  state: string;
  pull_request?: unknown;
}): IssueRecord {
  return {
    number: data.number,
    url: data.html_url,
    title: data.title,
    body: data.body ?? "",
    isClosed: data.state === "closed",
    isPull: data.pull_request != null,
  };
}

/** What a failed request to GitHub may have done. */
export function failed(error: unknown, permission: string): Failed {
  const { why } = explainRefusal(error, permission);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof ExchangeError) {
    return { failed: cause.stage === "connect" ? "refused" : "lost", why };
  }
  const { status } = error as { status?: unknown };
  return { failed: typeof status === "number" && status < 500 ? "refused" : "lost", why };
}

function ownerOf({ repository }: Place): { owner: string; repo: string } {
  const [owner = "", repo = ""] = repository.split("/");
  return { owner, repo };
}

function issueOf(place: Place) {
  return { ...ownerOf(place), issue_number: place.issue };
}
