/** What all repositories share: accounts and their tokens, a clock, URLs, IDs. */

import { GITHUB_COM } from "./identities.ts";
import { LOGINS, tokenOf, WORKFLOW } from "./people.ts";
import { Switches } from "./switches.ts";

export interface Account {
  id: number;
  login: string;
  type: "User" | "Bot" | "Organization";
}

/** A scope in which a token may be restricted, as by `permissions:` in a workflow. */
export type Scope =
  | "contents"
  | "issues"
  | "pull_requests"
  | "checks"
  | "statuses"
  | "deployments"
  /** Of workflows' runs. */
  | "actions"
  /** Of an organization. People have it, an app only if it is granted, a workflow's token never. */
  | "members"
  /** To change workflow files. People have it, an app only if it is granted, a workflow's token never. */
  | "workflows";
export type Access = "none" | "read" | "write";

/** A scope that is not named is not restricted. */
export type Permissions = Partial<Record<Scope, Access>>;

/** The account in whose name GitHub itself commits. */
export const WEB_FLOW = "web-flow";

export class Site {
  /** Base URLs of links in answers: of the API, and of the pages. */
  apiUrl = "https://api.github.com";
  webUrl = "https://github.com";
  readonly tokens = new Map(LOGINS.map((login) => [tokenOf(login), login]));
  readonly permissions = new Map<string, Permissions>();
  /** Slugs of the teams, by their organization. */
  readonly teams = new Map<string, string[]>();
  /** How long lists of pull requests lack those that were just merged, in milliseconds. */
  pullListBehind = 0;
  /** Whether only a later request for a pull request learns whether it can be merged. */
  isMergeabilityLate = false;
  /** How many requests for a pull request do not learn it then. */
  mergeabilityTries = 1;
  /** Of commits that GitHub makes. */
  identity = GITHUB_COM;
  /** When tokens end, in milliseconds since 1970; those that are not named never do. */
  readonly tokenEnds = new Map<string, number>();
  readonly switches = new Switches();
  readonly #accounts = new Map<string, Account>();
  readonly #ids = new Map<string, number>();
  readonly #clock: () => number;
  #ahead = 0;
  #lastId = 1000;
  /** The first repository is the runner's, whose GITHUB_REPOSITORY_ID is the next one. */
  #lastRepositoryId = 4710;

  constructor(clock: () => number) {
    this.#clock = clock;
    for (const login of [...LOGINS, WEB_FLOW]) this.account(login);
  }

  /** GitHub's time, in milliseconds since 1970. */
  get now(): number {
    return this.#clock() + this.#ahead;
  }

  /** The time that is recorded: GitHub has whole seconds. */
  get second(): number {
    return Math.floor(this.now / 1000) * 1000;
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  /** Whether an account's token may change workflow files. */
  mayChangeWorkflows(login: string): boolean {
    if (!isBot(login)) return true;
    return login !== WORKFLOW && this.permissions.get(login)?.workflows === "write";
  }

  /** Whether an account's token sees who is in an organization. People's do, an app's if it is granted. */
  mayReadMembers(login: string): boolean {
    const members = this.permissions.get(login)?.members;
    return members === undefined ? !isBot(login) : members !== "none";
  }

  addTeam(organization: string, slug: string): void {
    this.teams.set(organization, [...(this.teams.get(organization) ?? []), slug]);
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  nextRepositoryId(): number {
    this.#lastRepositoryId += 1;
    return this.#lastRepositoryId;
  }

  /** The ID of something that has only a name, such as a label. */
  idOf(name: string): number {
    const id = this.#ids.get(name) ?? this.nextId();
    this.#ids.set(name, id);
    return id;
  }

  /** The account with this login; created if there is none. */
  account(login: string, type: Account["type"] = isBot(login) ? "Bot" : "User"): Account {
    const account = this.findAccount(login) ?? { id: this.nextId(), login, type };
    this.#accounts.set(login.toLowerCase(), account);
    return account;
  }

  /** Whoever has the account gives its login up. Anybody may take it. */
  giveUp(login: string): void {
    this.#accounts.delete(login.toLowerCase());
  }

  findAccount(login: string): Account | undefined {
    return this.#accounts.get(login.toLowerCase());
  }
}

/** Not every bot's login says so. */
export function isBot(login: string): boolean {
  return login.endsWith("[bot]") || login === "Copilot";
}

export function iso(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
