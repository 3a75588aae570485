/** A request to GitHub's API as routes see it, the permissions that it needs, and the answers of routes. */

import { HttpError } from "../http/http-error.ts";
import { pageOf } from "./limits.ts";
import type { Role } from "./people.ts";
import type { Repository } from "./repository.ts";
import type { Permissions, Scope, Site } from "./site.ts";
import { type Issue, isPull, type Pull } from "./state.ts";

/** A request, with the names of its headers in small letters. */
export interface Asked {
  method: string;
  /** With the query. */
  path: string;
  headers?: Readonly<Record<string, string | undefined>>;
  body?: string | undefined;
}

/** An answer, if it is not just 200 with a record. */
export class Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  /** @param body sent as JSON, except for a Buffer; undefined for no body */
  constructor(status: number, body?: unknown, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Answers with an {@link Answer}, or the record of a plain 200. @throws HttpError to refuse */
export type Route = (call: Call) => unknown;

/** Routes by `METHOD /path`, with parameters as GitHub's reference names them. */
export type Routes = Readonly<Record<string, Route>>;

export const created = (body: unknown) => new Answer(201, body);
export const noContent = () => new Answer(204);

/** What a request is about. */
interface Context {
  site: Site;
  repositories: readonly Repository[];
  /** The one that the path is about. */
  repository: Repository | undefined;
  /** Undefined if nobody is logged in. */
  login: string | undefined;
  params: Readonly<Record<string, string>>;
  url: URL;
}

export class Call {
  readonly context: Context;
  readonly site: Site;
  readonly accept: string;
  readonly #body: string;
  #fields: Record<string, unknown> | undefined;

  constructor(context: Context, { headers, body }: Asked) {
    this.context = context;
    this.site = context.site;
    this.accept = headers?.accept ?? "";
    this.#body = body || "{}";
  }

  get repository(): Repository {
    return found(this.context.repository);
  }

  param(name: string): string {
    return this.context.params[name] ?? "";
  }

  query(name: string): string | undefined {
    return this.context.url.searchParams.get(name) ?? undefined;
  }

  /** The item of a list whose ID is in the path. @throws HttpError 404 */
  byId<T extends { id: number }>(list: readonly T[], param: string): T {
    return found(list.find(({ id }) => id === Number(this.param(param))));
  }

  /** The fields of the body. @throws HttpError 400 */
  get fields(): Record<string, unknown> {
    try {
      this.#fields ??= JSON.parse(this.#body) as Record<string, unknown>;
      return this.#fields;
    } catch {
      throw new HttpError(400, "Problems parsing JSON");
    }
  }

  text(name: string): string | undefined {
    const value = this.fields[name];
    return typeof value === "string" ? value : undefined;
  }

  list<T = string>(name: string): T[] {
    const value = this.fields[name];
    return Array.isArray(value) ? value : [];
  }

  /** Who is logged in. @throws HttpError 401 */
  get actor(): string {
    const { login } = this.context;
    if (login === undefined) throw new HttpError(401, "Requires authentication");
    return login;
  }

  may(role: Role): boolean {
    return this.repository.may(this.context.login, role);
  }

  /** Refuses everybody who has a lower role, except for the author. @throws HttpError 401, 403 */
  need(role: Role, author?: string): void {
    if (this.actor !== author && !this.may(role)) throw forbidden();
  }

  /** One page of a list, with the `Link` header. */
  page<T>(list: readonly T[], record: (item: T) => unknown): Answer {
    const { items, link } = pageOf(list, this.context.url);
    return linked(items.map(record), link);
  }

  /** Whether something of this time is in the list, by the query's `since`. */
  isSince(at: number): boolean {
    return !(at < Date.parse(this.query("since") ?? ""));
  }

  /** @throws HttpError 404, and 301 or 410 if it was moved or deleted */
  get issue(): Issue {
    const issue = found(this.repository.issues.get(Number(this.param("issue_number"))));
    if (!isPull(issue) && !this.repository.hasIssues) throw issuesDisabled();
    if (issue.movedTo === undefined) return issue;
    if (issue.movedTo === "") throw new HttpError(410, "This issue was deleted");
    throw moved(`${this.site.apiUrl}${issue.movedTo}`, 301);
  }

  /** @throws HttpError 404 */
  get pull(): Pull {
    const pull = this.repository.issues.get(Number(this.param("pull_number")));
    const isShown = isPull(pull) && !this.site.switches.hidden.has(pull.author);
    return found(isShown ? pull : undefined);
  }
}

export function linked(body: unknown, link: string): Answer {
  return new Answer(200, body, link === "" ? {} : { link });
}

/** @param accepted the permissions one of which is enough, as GitHub names them; null for none */
export function forbidden(accepted: string | null = null): HttpError {
  const headers = accepted === null ? {} : { "x-accepted-github-permissions": accepted };
  return new HttpError(403, "Resource not accessible by integration", headers);
}

export function issuesDisabled(): HttpError {
  return new HttpError(410, "Issues are disabled for this repo");
}

export function moved(url: string, status: 301 | 307): HttpError {
  const message = status === 301 ? "Moved Permanently" : "Temporary Redirect";
  return new HttpError(status, message, { location: url }, { url });
}

/** @throws HttpError 404 if it is undefined */
export function found<T>(item: T | undefined): T {
  if (item === undefined) throw new HttpError(404, "Not Found");
  return item;
}

/** The refusal of a field's value. */
export function invalid(resource: string, field: string, code = "invalid", message?: string) {
  const error = { resource, field, code, ...(message === undefined ? {} : { message }) };
  return new HttpError(422, "Validation Failed", {}, { errors: [error] });
}

export function missing(resource: string, field: string): HttpError {
  return invalid(resource, field, "missing_field");
}

/**
 * By the path below the repository; the first match counts. One of the permissions is enough. The role is
 * needed for a write; if it depends on the author of what is changed, the route checks it.
 */
const NEEDED: [path: RegExp, scopes: readonly Scope[], role: Role][] = [
  [/^\/pulls\/\d+\/merge$/, ["contents"], "write"],
  [/^\/pulls\/\d+\/update-branch$/, ["pull_requests"], "write"],
  [/^\/pulls\/\d+\/requested_reviewers$/, ["pull_requests"], "triage"],
  [/^\/(pulls|commits\/[^/]+\/pulls)(\/|$)/, ["pull_requests"], "read"],
  // Comments and reactions are governed by what they belong to, an issue or a pull request.
  [/^\/issues\/(\d+\/(comments|reactions)|comments.*)$/, ["issues", "pull_requests"], "read"],
  [/^\/issues\/\d+\/(labels|assignees)(\/|$)/, ["issues", "pull_requests"], "triage"],
  [/^\/issues(\/|$)/, ["issues"], "read"],
  [/^\/actions(\/|$)/, ["actions"], "write"],
  [/^\/(check-runs|commits\/.+\/check-runs)(\/|$)/, ["checks"], "write"],
  [/^\/(statuses|commits\/.+\/status(es)?)(\/|$)/, ["statuses"], "write"],
  [/^\/deployments(\/|$)/, ["deployments"], "write"],
  [/^\/(branches|commits|compare|contents|git|releases|tags)(\/|$)/, ["contents"], "write"],
  [/^(\/collaborators\/[^/]+)?$/, [], "admin"],
];

/** Refuses what a request has no permission for. @param path below the repository @throws HttpError 401, 403 */
export function checkAccess(call: Call, isRead: boolean, path: string, held: Permissions = {}) {
  const [, scopes, role] = NEEDED.find(([pattern]) => pattern.test(path)) ?? [null, [], "read"];
  if (!isRead) call.need(role);
  const isEnough = (scope: Scope) =>
    held[scope] === undefined || held[scope] === "write" || (isRead && held[scope] === "read");
  if (scopes.length === 0 || scopes.some(isEnough)) return;
  const level = isRead ? "read" : "write";
  throw forbidden(scopes.map((scope) => `${scope}=${level}`).join("; "));
}
