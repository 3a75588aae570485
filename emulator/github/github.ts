/**
 * GitHub in memory: accounts, repositories and their history, and the REST API over them, with GitHub's own
 * answers, limits and failures. It is called directly, or served over HTTP (`index.ts`).
 */

import type { RecordedRequest } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";
import { Answer, type Asked, Call, checkAccess, found, moved } from "./call.ts";
import { type Fault, Faults } from "./faults.ts";
import { HourlyLimit } from "./hourly-limit.ts";
import { type Lag, lagOfAll, readKindOf } from "./lag.ts";
import { settlePushes } from "./pushed-merges.ts";
import { Repository } from "./repository.ts";
import { findRoute } from "./router.ts";
import { type Permissions, Site } from "./site.ts";
import type { Reaction } from "./state.ts";
import { inVersion, OLD_VERSION, versionOf } from "./versions.ts";

/** An answer as it is sent. */
export interface SentAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON, or the bytes of a file; empty if there is no body. */
  body: string | Buffer;
}

export interface SeenAnswer {
  /** As in the tables of routes; empty if no route was found. */
  route: string;
  request: string;
  status: number;
  body: unknown;
}

/** Called with every answer of every emulated GitHub in the process, for tests. */
export const observer: { onAnswer?: (seen: SeenAnswer) => void } = {};

export class GitHub {
  readonly site: Site;
  readonly repositories: Repository[] = [];
  /** Called before each request, for example to finish what is due at its time. */
  beforeRequest: () => void = () => {};
  /** The requests received over HTTP, and how many that may change something were answered, over HTTP or not. */
  readonly received: { requests: RecordedRequest[]; writes: number } = { requests: [], writes: 0 };
  /** Age of the copies of the database that answer reads. */
  lag: Lag = {};
  readonly #faults = new Faults();
  #later: { at: number; act: () => void }[] = [];
  /** What remains of the newest request's hour, as headers. */
  #rates: Record<string, string> = {};
  readonly #limit = new HourlyLimit();

  /** @param clock milliseconds since 1970 */
  constructor(clock: () => number = Date.now) {
    this.site = new Site(clock);
  }

  /** The same age for every kind of read in the REST API, in milliseconds. */
  set behind(milliseconds: number) {
    this.lag = lagOfAll(milliseconds);
  }

  /** Makes a repository with a README. @param files texts by their paths */
  create(fullName: string, files?: Record<string, string>): Repository {
    const repository = new Repository(this.site, fullName, files);
    this.site.account(repository.owner, "Organization");
    this.repositories.push(repository);
    return repository;
  }

  /** Makes a fork of a repository, with its branches and tags. */
  fork(parent: Repository, fullName: string): Repository {
    const fork = new Repository(this.site, fullName, {}, parent);
    this.repositories.push(fork);
    return fork;
  }

  /** The repository of this name, present or former; undefined for none. */
  lookUp(fullName: string): Repository | undefined {
    const isSame = (name: string) => name.toLowerCase() === fullName.toLowerCase();
    const present = this.repositories.find((repository) => isSame(repository.fullName));
    return present ?? this.repositories.find(({ formerNames }) => formerNames.some(isSame));
  }

  /** The same. @throws HttpError 404 */
  find(fullName: string): Repository {
    return found(this.lookUp(fullName));
  }

  /** Every reaction, in order; its subject is a path, or the node id of a review. */
  reactions(): Reaction[] {
    const all = this.repositories.flatMap(({ fullName, reactions }) =>
      reactions.map(({ subject, ...reaction }) => {
        const path = `/repos/${fullName}/${subject}`;
        return { ...reaction, subject: subject.includes("/") ? path : subject };
      }),
    );
    return all.sort((first, second) => first.id - second.id);
  }

  addFault(fault: Fault): void {
    this.#faults.add(fault);
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  /** Lets something happen at a later time, before the first request then; at once if the time is 0. */
  later(milliseconds: number, act: () => void): void {
    this.#later.push({ at: this.site.now + milliseconds, act });
    this.catchUp();
  }

  /** Lets happen what is due. */
  catchUp(): void {
    const isDue = ({ at }: { at: number }) => at <= this.site.now;
    const due = this.#later.filter(isDue).toSorted((first, second) => first.at - second.at);
    this.#later = this.#later.filter((planned) => !isDue(planned));
    for (const { act } of due) act();
  }

  /** Restricts what an account's token may do; `{}` lifts that. */
  restrict(login: string, permissions: Permissions): void {
    this.site.permissions.set(login, permissions);
  }

  /** Answers a request. @param lag like the property, for this request only */
  handle(asked: Asked, lag = this.lag): SentAnswer {
    this.beforeRequest();
    this.catchUp();
    const { route, answer } = this.#answer(asked, lag);
    if (asked.method !== "GET") this.received.writes += 1;
    const { status, body } = answer;
    const isOwn = route !== "" || status >= 400;
    const request = `${asked.method} ${asked.path}`;
    if (isOwn) observer.onAnswer?.({ route, request, status, body });
    const { now, switches } = this.site;
    const date = new Date(now - switches.dateBehind).toUTCString();
    const isJson = body !== undefined && !Buffer.isBuffer(body);
    const version = asked.headers?.[VERSION] ?? switches.usualVersion;
    const sent: Record<string, string> = {
      date,
      "x-github-api-version-selected": version,
      ...this.#rates,
      ...(version === OLD_VERSION && DEPRECATION),
      ...(isJson && JSON_TYPE),
      ...answer.headers,
    };
    if (switches.hasNoLastPage || route === LIST_OF_ISSUES) withoutLastPage(sent);
    const bytes = Buffer.isBuffer(body) ? body : "";
    return { status, headers: sent, body: isJson ? inVersion(body, version) : bytes };
  }

  #answer(asked: Asked, lag: Lag): { route: string; answer: Answer } {
    let route = "";
    let restore: (() => void)[] = [];
    try {
      const account = this.site.tokens.get(tokenIn(asked) ?? "") ?? "";
      const fault = this.#faults.answerTo({ ...asked, login: account });
      if (fault !== undefined) return { route, answer: fault };
      const { site, repositories } = this;
      versionOf(asked.headers?.[VERSION], site.switches.usualVersion);
      for (const each of repositories) settlePushes(each);
      const url = new URL(asked.path, site.apiUrl);
      const isRead = asked.method === "GET" || asked.method === "HEAD";
      const login = this.#loginOf(asked);
      const hourlyLimit = site.switches.hourlyLimit ?? Number.POSITIVE_INFINITY;
      this.#rates = this.#limit.count(login ?? "", site.now, hourlyLimit);
      const { repository, below } = this.#locate(isRead, url, login);
      const path = repository === undefined ? below : `/repos/x/x${below}`;
      const fitting = findRoute(isRead ? "GET" : asked.method, path);
      route = fitting.name;
      const params = fitting.paramsOf(path);
      const call = new Call({ site, repositories, repository, login, params, url }, asked);
      const permissions = site.permissions.get(login ?? "");
      if (repository !== undefined) checkAccess(call, isRead, below, permissions);
      const late = isRead ? (lag[readKindOf(below)] ?? 0) : lagOfQuery(asked, lag);
      if (late > 0) restore = repositories.map((each) => each.rewind(site.now - late));
      const answer = fitting.route(call);
      return { route, answer: answer instanceof Answer ? answer : new Answer(200, answer) };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const { status, message, headers, details } = error;
      const documentation_url = "https://docs.github.com/rest";
      const body = { message, documentation_url, status: String(status), ...details };
      return { route, answer: new Answer(status, body, headers) };
    } finally {
      for (const undo of restore) undo();
    }
  }

  /** @throws HttpError 401 */
  #loginOf(asked: Asked): string | undefined {
    const token = tokenIn(asked);
    if (token === undefined) return undefined;
    const login = this.site.tokens.get(token);
    const hasEnded = (this.site.tokenEnds.get(token) ?? Number.POSITIVE_INFINITY) <= this.site.now;
    if (login === undefined || hasEnded) throw new HttpError(401, "Bad credentials");
    return login;
  }

  /** The repository that a path is about, and the rest of the path. @throws HttpError 301, 307, 403, 404 */
  #locate(isRead: boolean, { pathname, search }: URL, login: string | undefined) {
    const [, encodedName = "", id, below = ""] =
      /^\/(?:repos\/([^/]+\/[^/]+)|repositories\/(\d+))(\/.*)?$/.exec(pathname) ?? [];
    if (encodedName === "" && id === undefined) return { repository: undefined, below: pathname };
    const name = decodeURIComponent(encodedName);
    const repository =
      id === undefined
        ? this.find(name)
        : found(this.repositories.find((candidate) => candidate.id === Number(id)));
    if (!repository.may(login, "read")) throw new HttpError(404, "Not Found");
    if (id === undefined && repository.fullName.toLowerCase() !== name.toLowerCase()) {
      const url = `${this.site.apiUrl}/repositories/${repository.id}${below}${search}`;
      throw moved(url, isRead ? 301 : 307);
    }
    if (repository.isArchived && !isRead && below !== "") {
      throw new HttpError(403, "Repository was archived so is read-only.");
    }
    return { repository, below };
  }
}

function tokenIn({ headers }: Asked): string | undefined {
  return /^(?:Bearer|token) +(\S+)$/i.exec(headers?.authorization ?? "")?.[1];
}

/** The lag of a query in GraphQL; 0 for what changes something. */
function lagOfQuery({ path, body = "" }: Asked, { graphql = 0 }: Lag): number {
  return path === "/graphql" && !/"query": *"\s*mutation/.test(body) ? graphql : 0;
}

const VERSION = "x-github-api-version";
const LIST_OF_ISSUES = "GET /repos/{owner}/{repo}/issues";

/** Where it cannot be worked out, and for lists of issues, GitHub does not say which page is the last. */
function withoutLastPage(headers: Record<string, string>): void {
  const { link } = headers;
  if (link === undefined) return;
  headers.link = link
    .split(", ")
    .filter((part) => !part.endsWith('rel="last"'))
    .join(", ");
}

/** Since June 2026, of every answer in the old version. */
const DEPRECATION = {
  deprecation: "Tue, 10 Mar 2026 00:00:00 GMT",
  sunset: "Fri, 10 Mar 2028 00:00:00 GMT",
};

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
