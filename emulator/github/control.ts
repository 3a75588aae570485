/**
 * What a test or a person steers GitHub with, apart from its API: a POST to `/_emulator/NAME` with a JSON object,
 * for each of `CONTROLS`.
 */

import type { App } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import type { Fault, GitHub } from "./github.ts";
import { type GrowOptions, grow } from "./grow.ts";
import type { IssueFate, Repository } from "./repository.ts";
import type { Permissions } from "./site.ts";

/** What each takes beside `repository`, where it is about one: `owner/name`. */
interface Controls {
  /** Puts GitHub's clock forward, in milliseconds. */
  clock: { advance: number };
  /** Restricts what an account's token may do. */
  permissions: Permissions & { login: string };
  faults: Fault;
  "clear-faults": object;
  /** Reads are answered from a copy that is so old; lists lack pull requests that were merged since. */
  behind: { milliseconds: number };
  "pull-list-behind": { milliseconds: number };
  grow: GrowOptions;
  teams: { organization: string; slug: string };
  /** Gives a repository another name, or another owner. */
  rename: { repository: string; to: string };
  "rename-branch": { repository: string; from: string; to: string };
  /** Lets GitHub no longer know a commit. */
  gone: { repository: string; sha: string };
  /** Refs that nobody can create or update: a regular expression; null: none. */
  "protect-refs": { repository: string; pattern: string | null };
  "merge-rule": { repository: string } & Repository["mergeRule"];
  issue: { repository: string; number: number; does: IssueFate; to?: string };
  "resolve-thread": { repository: string; comment: number };
}

type Control<T> = (github: GitHub, given: T) => unknown;

const CONTROLS: { [Name in keyof Controls]: Control<Controls[Name]> } = {
  clock: ({ site }, { advance }) => {
    site.advance(advance);
    return { now: site.now };
  },
  permissions: (github, { login, ...held }) => github.restrict(login, held),
  faults: (github, fault) => github.addFault(fault),
  "clear-faults": (github) => github.clearFaults(),
  behind: (github, { milliseconds }) => {
    github.behind = milliseconds;
  },
  "pull-list-behind": ({ site }, { milliseconds }) => {
    site.pullListBehind = milliseconds;
  },
  grow: (github, options) => ({ start: grow(github, options) }),
  teams: ({ site }, { organization, slug }) => {
    site.teams.set(organization, [...(site.teams.get(organization) ?? []), slug]);
  },
  rename: (github, { repository, to }) => named(github, repository).rename(to),
  "rename-branch": (github, { repository, from, to }) =>
    named(github, repository).renameBranch(from, to),
  gone: (github, { repository, sha }) => {
    named(github, repository).gone.add(sha);
  },
  "protect-refs": (github, { repository, pattern }) => {
    named(github, repository).protectedRefs = pattern === null ? null : new RegExp(pattern);
  },
  "merge-rule": (github, { repository, ...rule }) => {
    named(github, repository).mergeRule = rule;
  },
  issue: (github, { repository, number, does, to = "" }) => {
    const destination = does === "transfer" ? named(github, to) : undefined;
    named(github, repository).setFate(number, does, destination);
  },
  "resolve-thread": (github, { repository, comment }) => {
    named(github, repository).resolveThread(comment);
  },
};

export function control(app: App, github: GitHub): void {
  app.get("/_emulator/reactions", (call) => call.json(github.reactions()));
  for (const [name, perform] of Object.entries(CONTROLS)) {
    app.post(`/_emulator/${name}`, async (call) => {
      const given = (await call.req.json()) as never;
      return call.json((perform as Control<never>)(github, given) ?? {});
    });
  }
}

/** @throws HttpError 404 */
function named(github: GitHub, name: string): Repository {
  const repository = github.find(name);
  if (repository === undefined) throw new HttpError(404, `There is no repository ${name}`);
  return repository;
}
