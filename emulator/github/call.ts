/** One request to GitHub's API, as a route sees it, and what a route answers. */

import { HttpError } from "../http/http-error.ts";
import { pageOf } from "./limits.ts";
import { ROLES, type Role } from "./people.ts";
import type { Repository } from "./repository.ts";
import type { Site } from "./site.ts";
import { type Issue, isPull, type Pull } from "./state.ts";

/** A request, with the names of its headers in small letters. */
export interface Asked {
  method: string;
  /** With the query. */
  path: string;
  headers?: Readonly<Record<string, string | undefined>>;
  body?: string | undefined;
}

/** An answer other than 200 with a record. */
export class Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  /** @param body what becomes JSON; bytes are sent as they are, and undefined is no body */
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

export class Call {
  readonly site: Site;
  /** Every repository. */
  readonly repositories: readonly Repository[];
  /** Undefined: nobody is logged in. */
  readonly login: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly url: URL;
  readonly accept: string;
  readonly #repository: Repository | undefined;
  readonly #body: string;

  constructor(
    call: Pick<Call, "site" | "repositories" | "login" | "params" | "url"> & {
      repository: Repository | undefined;
    },
    asked: Asked,
  ) {
    this.site = call.site;
    this.repositories = call.repositories;
    this.#repository = call.repository;
    this.login = call.login;
    this.params = call.params;
    this.url = call.url;
    this.accept = asked.headers?.accept ?? "";
    this.#body = asked.body ?? "";
  }

  /** The one that the path is about. */
  get repository(): Repository {
    return found(this.#repository);
  }

  param(name: string): string {
    return this.params[name] ?? "";
  }

  number(name: string): number {
    return Number(this.params[name]);
  }

  query(name: string): string | undefined {
    return this.url.searchParams.get(name) ?? undefined;
  }

  /** The fields of the body. @throws HttpError 400 */
  given<T = Record<string, unknown>>(): Partial<T> {
    try {
      return JSON.parse(this.#body || "{}") as Partial<T>;
    } catch {
      throw new HttpError(400, "Problems parsing JSON");
    }
  }

  /** Who is logged in. @throws HttpError 401 */
  get actor(): string {
    if (this.login === undefined) throw new HttpError(401, "Requires authentication");
    return this.login;
  }

  /** Refuses whoever has a lower role, and is not the author. @throws HttpError 401, 403 */
  need(role: Role, author?: string): void {
    if (this.actor !== author && !this.repository.may(this.login, role)) throw forbidden();
  }

  /** One page of a list, with the `Link` header that leads to the others. */
  page<T>(list: readonly T[], record: (item: T) => unknown): Answer {
    const { items, link } = pageOf(list, this.url);
    return this.linked(items.map(record), link);
  }

  linked(body: unknown, link: string): Answer {
    return new Answer(200, body, link === "" ? {} : { link });
  }

  /** @throws HttpError 404, and 301 or 410 where GitHub still knows of it */
  get issue(): Issue {
    const issue = this.repository.issues.get(this.number("issue_number"));
    if (issue === undefined) throw new HttpError(404, "Not Found");
    if (!isPull(issue) && !this.repository.hasIssues) throw issuesDisabled();
    if (issue.movedTo === undefined) return issue;
    if (issue.movedTo === "") throw new HttpError(410, "This issue was deleted");
    throw moved(`${this.site.apiUrl}${issue.movedTo}`, 301);
  }

  /** @throws HttpError 404 */
  get pull(): Pull {
    const pull = this.repository.issues.get(this.number("pull_number"));
    if (!isPull(pull)) throw new HttpError(404, "Not Found");
    return pull;
  }
}

export function forbidden(): HttpError {
  return new HttpError(403, "Resource not accessible by integration");
}

export function issuesDisabled(): HttpError {
  return new HttpError(410, "Issues are disabled for this repo");
}

/** What is elsewhere now. */
export function moved(url: string, status: 301 | 307): HttpError {
  const message = status === 301 ? "Moved Permanently" : "Temporary Redirect";
  return new HttpError(status, message, { location: url }, { url });
}

/** @throws HttpError 404 where there is nothing */
export function found<T>(item: T | undefined): T {
  if (item === undefined) throw new HttpError(404, "Not Found");
  return item;
}

/** What GitHub says of a field that it does not take. */
export function invalid(resource: string, field: string, code = "invalid", message?: string) {
  const error = { resource, field, code, ...(message === undefined ? {} : { message }) };
  return new HttpError(422, "Validation Failed", {}, { errors: [error] });
}

/** Whether a role is one that GitHub knows. */
export function isRole(name: unknown): name is Role {
  return ROLES.includes(name as Role);
}
