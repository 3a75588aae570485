import type { GitHub } from "../github/github.ts";
import { OWNER, tokenOf, WORKFLOW } from "../github/people.ts";
import type { Repository } from "../github/repository.ts";
import type { Reaction } from "../github/state.ts";
import type { RecordedRequest } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";

export interface GitHubCall {
  method?: string;
  /** Default: the owner's. */
  token?: string;
  body?: unknown;
  /** Error statuses that are an answer, not a failure: the result is then undefined. */
  allow?: number[];
}

interface Refusal {
  message: string;
  errors?: (string | { message?: string; field?: string })[];
}

/** The emulated GitHub. What a test does with it goes the short way; what an action does, over HTTP. */
export class LocalGitHub {
  /** GitHub itself, to be steered. */
  readonly emulated: GitHub;
  /** The world's repository itself. */
  readonly home: Repository;
  /** The workflow's own token. */
  readonly token = tokenOf(WORKFLOW);
  /** The token of an account: `octocat`, `maintainer`, `writer`, `triager`, `reader`, `outsider`. */
  readonly tokenOf = tokenOf;

  constructor(emulated: GitHub, home: Repository) {
    this.emulated = emulated;
    this.home = home;
  }

  /** Address of both the API and the pages. */
  get url(): string {
    return this.emulated.site.webUrl;
  }

  get inspectorUrl(): string {
    return `${this.url}/_emulate`;
  }

  /** `owner/name` */
  get repository(): string {
    return this.home.fullName;
  }

  /**
   * Calls a path of the repository, by default with the owner's token.
   *
   * @throws HttpError when GitHub refuses, with what it said.
   */
  api = async <Answer>(path: string, call: GitHubCall = {}): Promise<Answer> => {
    const { method = "GET", token = tokenOf(OWNER), body, allow = [] } = call;
    const { status, body: text } = this.emulated.handle({
      ...{ method, path: `/repos/${this.repository}${path}` },
      headers: { authorization: `Bearer ${token}` },
      body: body === undefined ? "" : JSON.stringify(body),
    });
    if (status < 300) return (text === "" ? undefined : JSON.parse(String(text))) as Answer;
    if (allow.includes(status)) return undefined as Answer;
    const { message, errors = [] } = JSON.parse(String(text)) as Refusal;
    const details = errors.map((one) =>
      typeof one === "string" ? one : (one.message ?? one.field),
    );
    const said = [message, ...details].join(": ");
    throw new HttpError(status, `GitHub answered ${status} to ${method} ${path}: ${said}`);
  };

  /** What was received over HTTP. */
  async requests(): Promise<RecordedRequest[]> {
    return [...this.emulated.received.requests];
  }

  async reactions(): Promise<Reaction[]> {
    return this.emulated.reactions();
  }

  /** How many requests over HTTP have been answered that may have changed something. */
  async writes(): Promise<number> {
    return this.emulated.received.writes;
  }
}
