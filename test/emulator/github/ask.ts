import { GitHub } from "../../../emulator/github/github.ts";
import { OWNER, tokenOf } from "../../../emulator/github/people.ts";

/** The options of a request. Its path is relative to `/repos/acme/docs`, or absolute. */
export interface Question {
  body?: unknown;
  /** Login of the account, or null for a request without a token. Default: the owner. */
  as?: string | null;
  accept?: string;
  /** Further headers. */
  headers?: Record<string, string>;
}

export interface Reply<Body> {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

/** A GitHub in memory with one repository, and a clock that only `pass` advances. */
export function gitHub(files?: Record<string, string>) {
  let now = Date.parse("2026-03-01T12:00:00.400Z");
  const github = new GitHub(() => now);
  const repository = github.create("acme/docs", files);
  const ask = <Body = Record<string, never>>(
    request: string,
    { body, as = OWNER, accept, headers }: Question = {},
  ): Reply<Body> => {
    const [method = "", path = ""] = request.split(" ");
    const isAbsolute = /^\/(repos|repositories|users?|graphql)\b/.test(path);
    const answer = github.handle({
      method,
      path: isAbsolute ? path : `/repos/acme/docs${path}`,
      headers: {
        accept,
        ...(as === null ? {} : { authorization: `Bearer ${tokenOf(as)}` }),
        ...headers,
      },
      body: body === undefined ? "" : JSON.stringify(body),
    });
    const text = String(answer.body);
    const isJson = answer.headers["content-type"]?.includes("application/json") === true;
    return { ...answer, body: (isJson ? JSON.parse(text) : text) as Body };
  };
  /** The body of a successful answer. */
  const get = <Body = Record<string, never>>(request: string, question?: Question): Body => {
    const { status, body } = ask<Body>(request, question);
    if (status >= 300) throw new Error(`${status} to ${request}: ${JSON.stringify(body)}`);
    return body;
  };
  /** The status and the message of a refusal. */
  const refusal = (request: string, question?: Question) => {
    const { status, body } = ask<{ message: string }>(request, question);
    return `${status} ${body.message}`;
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { github, repository, ask, get, refusal, pass };
}
