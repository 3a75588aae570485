import { GitHub } from "../../../emulator/github/github.ts";
import { OWNER, tokenOf } from "../../../emulator/github/people.ts";

/** A request to `/repos/acme/docs` and a path, or to a whole path. */
export interface Question {
  body?: unknown;
  /** Login; null: nobody. Default: the owner. */
  as?: string | null;
  accept?: string;
}

export interface Reply<Body> {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

/** A GitHub in memory with one repository, and a clock that stands still. */
export function gitHub(files?: Record<string, string>) {
  let now = Date.parse("2026-03-01T12:00:00.400Z");
  const github = new GitHub(() => now);
  const repository = github.create("acme/docs", files);
  const ask = <Body = Record<string, never>>(
    request: string,
    { body, as = OWNER, accept }: Question = {},
  ): Reply<Body> => {
    const [method = "", given = ""] = request.split(" ");
    const isWhole = /^\/(repos|repositories|users?|graphql)\b/.test(given);
    const told = github.handle({
      method,
      path: isWhole ? given : `/repos/acme/docs${given}`,
      headers: { accept, ...(as === null ? {} : { authorization: `Bearer ${tokenOf(as)}` }) },
      body: body === undefined ? "" : JSON.stringify(body),
    });
    const text = String(told.body);
    const isJson = told.headers["content-type"]?.includes("application/json") === true;
    return { ...told, body: (isJson ? JSON.parse(text) : text) as Body };
  };
  /** The body of an answer that is no refusal. */
  const get = <Body = Record<string, never>>(request: string, question?: Question): Body => {
    const { status, body } = ask<Body>(request, question);
    if (status >= 300) throw new Error(`${status} to ${request}: ${JSON.stringify(body)}`);
    return body;
  };
  /** Status and message of a refusal. */
  const refusal = (request: string, question?: Question) => {
    const { status, body } = ask<{ message: string }>(request, question);
    return `${status} ${body.message}`;
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { github, repository, ask, get, refusal, pass };
}
