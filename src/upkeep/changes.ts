/** What upkeep hands over: a merged pull request, or a commit that was pushed without one. */

import type { ChangedFile, Commit, Pull } from "../github/history-records.ts";

export interface SourceChange {
  /** `owner/name` */
  repository: string;
  /** Of the pull request; null: a commit that counts by itself. */
  number: number | null;
  /** The commit of the branch that brought it in; of several, the last. */
  sha: string;
  title: string;
  body: string;
  url: string;
  /** Login; of a commit without an account, the name in it. */
  author: string;
  labels: string[];
  /** When it landed, ISO 8601. */
  at: string;
  /** Missing: not read. */
  files?: ChangedFile[];
  /** There are more files than were read. */
  hasMoreFiles?: boolean;
}

/** How far a branch was looked through: all up to this commit is handed over or passed over. */
export interface SourceCursor {
  /** Null: nothing of the branch was looked through yet. */
  sha: string | null;
  /** Where to go on when GitHub no longer has the commit, ISO 8601. */
  date: string;
}

/** Names a change, once and for all: `owner/name#12`, or `owner/name@SHA`. */
export function keyOf({
  repository,
  number,
  sha,
}: Pick<SourceChange, "repository" | "number" | "sha">) {
  return number === null ? `${repository.toLowerCase()}@${sha}` : pullKey(repository, number);
}

/** The key of a pull request by its address; undefined: it is no pull request's. */
export function keyOfLink(link: string): string | undefined {
  const path = URL.canParse(link) ? new URL(link).pathname : "";
  const [, repository, number] = /\/([^/]+\/[^/]+)\/pull\/(\d+)\/?$/.exec(path) ?? [];
  return repository === undefined ? undefined : pullKey(repository, Number(number));
}

export function pullKey(repository: string, number: number): string {
  return `${repository.toLowerCase()}#${number}`;
}

export function changeOfPull(repository: string, pull: Pull, landing: Commit): SourceChange {
  return {
    repository,
    number: pull.number,
    sha: landing.sha,
    title: pull.title,
    body: pull.body,
    url: pull.url,
    author: pull.author.login,
    labels: pull.labels,
    at: pull.mergedAt ?? landing.committedAt,
  };
}

export function changeOfCommit(repository: string, commit: Commit): SourceChange {
  const [title = "", ...rest] = commit.message.split("\n");
  return {
    repository,
    number: null,
    sha: commit.sha,
    title: title.trim(),
    body: rest.join("\n").trim(),
    url: commit.url,
    author: commit.author.login || commit.author.name,
    labels: [],
    at: commit.committedAt,
  };
}
