/** What people do on GitHub with the forms of the pages: each calls its API, and sends its workflows an event. */

import { WORKFLOW } from "../../emulator/github/people.ts";
import { HttpError } from "../../emulator/http/http-error.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { EventPayload } from "../actions/workflow.ts";
import type { WorkflowRuns } from "../actions/workflow-runs.ts";
import { PEOPLE } from "./people.ts";

/** The team workflow, and the gate's beside it that runs on a schedule. */
export const TEAM = "examples/team.yml";
export const GATE_SCHEDULE = "examples/gate-schedule.yml";
/** The workflows that answer a comment with `/docs`. A comment starts one of them. */
export const BY_COMMENT = "examples/ask-by-comment.yml";
export const WITHOUT_WAITING = "examples/ask-by-comment-without-waiting.yml";
export const ANSWERING = [TEAM, BY_COMMENT, WITHOUT_WAITING];

/** The values of a form. */
export interface Form {
  /** Of the issue or pull request; 0 for none. */
  number: number;
  /** Login of the person who sends it. */
  login: string;
  /** The value of a field; empty if there is none. */
  field(name: string): string;
  all(name: string): string[];
}

/** Result of a form. */
export interface Done {
  /** For screen readers. */
  message: string;
  /** Path of the next page, below the repository's; undefined for the form's own page. */
  to?: string;
}

/** @throws HttpError if a value is wrong, or GitHub refuses */
export type Act = (acts: Acts, form: Form) => Promise<Done>;

export class Acts {
  /** Number of changes made here. They are not sent over HTTP, so that GitHub does not count them. */
  count = 0;
  readonly world: LocalWorld;
  readonly runs: WorkflowRuns;
  #last: Promise<unknown> = Promise.resolve();

  constructor(world: LocalWorld, runs: WorkflowRuns) {
    this.world = world;
    this.runs = runs;
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.world.github.api<Answer>(path);
  }

  /** Sends a request as somebody. @throws HttpError */
  send<Answer>(login: string, method: string, path: string, body: object): Promise<Answer> {
    if (login !== WORKFLOW && !Object.hasOwn(PEOPLE, login))
      throw new HttpError(422, `There is no account '${login}'.`);
    const { github } = this.world;
    return github.api<Answer>(path, { method, body, token: github.tokenOf(login) });
  }

  /** Sends the workflows an event. @param answering file of the one that answers requests */
  async sendEvent(
    name: string,
    actor: string,
    payload: EventPayload,
    answering = BY_COMMENT,
  ): Promise<void> {
    const repository = await this.get("");
    const disabled = ANSWERING.filter((file) => file !== answering);
    void this.dispatch(name, actor, { ...payload, repository }, disabled);
  }

  dispatch(name: string, actor: string, payload: EventPayload, disabled: readonly string[] = []) {
    const sender = { login: actor, type: "User" };
    return this.runs.dispatch({ name, actor, payload: { ...payload, sender } }, disabled);
  }

  /** Commits a file's next text to a branch. @param next makes it from the current text @throws HttpError */
  async commit(login: string, path: string, branch: string, next: (old: string) => string) {
    const { home } = this.world.github;
    if (!home.may(login, "write")) throw new HttpError(403, `${login} may not push.`);
    const text = next(String(home.read(home.tip(branch), path) ?? ""));
    home.push({ message: `Edit ${path}`, author: login, files: { [path]: text } }, branch);
  }

  /** Runs one after the other, so that changes from two browsers do not mix. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** @throws HttpError 422 if the text is blank */
export function written(text: string, hint: string): string {
  if (text.trim() === "") throw new HttpError(422, hint);
  return text;
}
