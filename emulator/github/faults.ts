/** Answers in place of GitHub's own. */

import * as z from "zod";
import { HttpError } from "../http/http-error.ts";
import { Answer, type Asked } from "./call.ts";

/** An answer in place of GitHub's own, to the next requests that match. */
export const FAULT = z.strictObject({
  /** Of the account that asks. Default: any. */
  login: z.string().exactOptional(),
  /** Default: any. */
  method: z
    .string()
    .regex(/^[A-Z]+$/, "Expected a method such as GET")
    .exactOptional(),
  /** A regular expression for the path with its query. Default: any. */
  path: z.string().refine(isPattern, "Expected a regular expression").exactOptional(),
  /** A regular expression for the body, such as the name of a mutation. Default: any. */
  sends: z.string().refine(isPattern, "Expected a regular expression").exactOptional(),
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.string()).exactOptional(),
  message: z.string().exactOptional(),
  /** The whole body, if it is not an error in GitHub's form: JSON, or a page of HTML. */
  body: z.custom<object | string>(isBody, "Expected an object or a text").exactOptional(),
  /** Default: once. `Infinity` for good. */
  times: z
    .custom<number>((value) => Number(value) >= 1, "Expected a number from 1")
    .exactOptional(),
});

export type Fault = z.infer<typeof FAULT>;

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== null;
  } catch {
    return false;
  }
}

function isBody(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}

/** GraphQL's hourly limit, whose name and headers are not those of the documentation. */
export const GRAPHQL_LIMIT: Fault = {
  method: "POST",
  path: "^/graphql$",
  status: 200,
  headers: { "x-ratelimit-remaining": "37", "x-ratelimit-resource": "graphql" },
  body: {
    errors: [
      {
        type: "RATE_LIMIT",
        code: "graphql_rate_limit",
        message: "API rate limit already exceeded for installation ID 4711.",
      },
    ],
  },
};

/** A secondary limit of GraphQL, which only its words name. */
export const GRAPHQL_SECONDARY_LIMIT: Fault = {
  ...GRAPHQL_LIMIT,
  headers: {},
  body: {
    errors: [{ message: "You have exceeded a secondary rate limit. Please wait a few minutes." }],
  },
};

/** GraphQL failed, and does not say at what. */
export const GRAPHQL_FAILURE: Fault = {
  ...GRAPHQL_LIMIT,
  headers: {},
  body: { errors: [{ message: "Something went wrong while executing your query." }] },
};

/** An organization wants single sign-on. */
export const SINGLE_SIGN_ON: Fault = {
  status: 403,
  headers: { "x-github-sso": "required; url=https://github.com/orgs/acme/sso" },
  message: "Resource protected by organization SAML enforcement.",
};

/** An organization has a list of addresses. */
export const IP_ALLOW_LIST: Fault = {
  status: 403,
  message:
    "Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.",
};

/** A secondary limit that names neither itself nor a delay. */
export const ABUSE: Fault = {
  status: 403,
  message:
    "You have triggered an abuse detection mechanism. Please wait a few minutes before you try again.",
};

/** A limit of what is written, in the form of a refused field. */
export const TOO_QUICKLY: Fault = {
  status: 422,
  body: {
    message: "Validation Failed",
    errors: [
      { resource: "Issue", code: "abuse", field: "data", message: "was submitted too quickly" },
    ],
  },
};

/** GitHub's servers are down: the page of the proxy before them. */
export const BAD_GATEWAY: Fault = {
  status: 502,
  headers: { "content-type": "text/html" },
  body: "<html><head><title>502 Bad Gateway</title></head></html>",
};

/** What GitHub says to a token that lacks a permission. */
const FORBIDDEN = "Resource not accessible by integration";

export class Faults {
  #faults: (Fault & { times: number })[] = [];

  add(fault: Fault): void {
    this.#faults.push({ ...fault, times: fault.times ?? 1 });
  }

  clear(): void {
    this.#faults = [];
  }

  /** The answer to a request that a fault is for, if it is no error. @throws HttpError for an error */
  answerTo(request: Asked & { login: string }): Answer | undefined {
    const fault = this.#faults.find(
      ({ times, login = request.login, method = request.method, path = "", sends = "" }) =>
        times > 0 &&
        login === request.login &&
        method === request.method &&
        new RegExp(path).test(request.path) &&
        new RegExp(sends).test(request.body ?? ""),
    );
    if (fault === undefined) return undefined;
    fault.times -= 1;
    const { status, body, headers = {} } = fault;
    const { message = status === 403 ? FORBIDDEN : "Emulated fault" } = fault;
    if (body === undefined) throw new HttpError(status, message, headers);
    return new Answer(status, typeof body === "string" ? Buffer.from(body) : body, headers);
  }
}
