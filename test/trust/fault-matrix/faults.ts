import {
  hangBeforeHeaders,
  json,
  redirect,
  resetAfterRequest,
  text,
} from "../../support/answers.ts";
import type { CapturedAnswer } from "../../support/captured-answer.ts";
import type { ConnectionFault } from "../../support/connections.ts";
import type { Exchange } from "../../support/faulty-server.ts";

/** What a fault means to the client that made the request. */
export type FaultKind =
  /** The right content after all. */
  | "good"
  /** No connection was made: nothing was received. */
  | "unreached"
  /** Reset as soon as the connection was made: nothing was received, which only the other side knows. */
  | "reset early"
  /** Received, and no whole answer came. */
  | "lost"
  /** A success that is not what was asked for. */
  | "unreadable"
  | "redirect"
  /** A status, and what its `Retry-After` asks for: a time that passes in the test, one past every limit, or nothing. */
  | `${number}${"" | " soon" | " beyond"}`
  /** Something between answers with a page: a firewall. */
  | "403 page";

/** What a faulty answer is made of. */
interface Material {
  /** Does what was asked for, and gives the answer that should be sent. */
  work: () => Promise<CapturedAnswer>;
  /** Address of a host that nobody may be led to. */
  other: string;
  /** Largest answer of this kind that is read, in bytes. */
  limit: number;
}

type Sender = (exchange: Exchange, material: Material) => void | Promise<void>;

export interface Fault {
  name: string;
  kind: FaultKind;
  /** How often a step's clock must run faster for the fault's time limits to show in a test. */
  fastClock: number;
  way:
    | { type: "none" }
    /** Nobody listens. */
    | { type: "refuse" }
    | { type: "connection"; fault: ConnectionFault; isTls: boolean }
    /** Another answer than the genuine one. */
    | { type: "answer"; send: Sender };
}

/** What a clear refusal by the service is called. */
export const REFUSALS: Readonly<Record<string, string>> = {
  "403 page": "bad-request",
  400: "bad-request",
  401: "unauthorized",
  402: "out-of-credits",
  403: "forbidden",
  404: "not-found",
  409: "bad-request",
  410: "not-found",
  422: "bad-request",
  redirect: "invalid-response",
};

/** The status of a fault; empty: it has none. */
export function statusOf({ kind }: Fault): string {
  return /^\d*/.exec(kind)?.[0] ?? "";
}

/** Whether it is certain that the request was not received. */
export function isNotReceived({ kind }: Fault): boolean {
  return /^(unreached|429|503 soon)/.test(kind);
}

/** Whether the same request may succeed a little later. */
export function isPassing({ kind }: Fault): boolean {
  return kind !== "good" && kind !== "429 beyond" && REFUSALS[kind] === undefined;
}

/** Time limits of 15 and 30 seconds show in 1.5 and 3; a second of a busy machine is no more than ten. */
const FAST = 10;
/** A request at the very end of its time is given two seconds, which must be enough on a busy machine. */
const FASTER = 4;

function connection(name: string, kind: FaultKind, fault: ConnectionFault, isTls = false): Fault {
  return { name, kind, fastClock: 1, way: { type: "connection", fault, isTls } };
}

function answer(name: string, kind: FaultKind, send: Sender, fastClock = 1): Fault {
  return { name, kind, fastClock, way: { type: "answer", send } };
}

/** An answer that comes after the work was done, and goes wrong on its way. */
function done(
  name: string,
  kind: FaultKind,
  send: (genuine: CapturedAnswer, exchange: Exchange, material: Material) => void | Promise<void>,
  fastClock = 1,
): Fault {
  return answer(
    name,
    kind,
    async (exchange, material) => await send(await material.work(), exchange, material),
    fastClock,
  );
}

/** A success whose body is another. */
function instead(name: string, body: string): Fault {
  const headers = { "content-type": "application/json" };
  return done(name, "unreadable", ({ status }, exchange) => text(status, body, headers)(exchange));
}

/** Sends a status outside of success. Its text repeats the secret it was asked with: no log may. */
function refuse(code: number, exchange: Exchange, headers = {}): void | Promise<void> {
  const error = `Refused: ${exchange.request.headers.authorization ?? "nobody"}`;
  return json(code, { error, message: error }, headers)(exchange);
}

function status(code: number, fastClock = 1): Fault {
  return answer(String(code), `${code}`, (exchange) => refuse(code, exchange), fastClock);
}

/** A form of `Retry-After`, whose value is made when the answer is. */
function retryAfter(name: string, kind: FaultKind, value: () => string, fastClock = 1): Fault {
  const code = Number.parseInt(kind, 10);
  const send: Sender = (exchange) => refuse(code, exchange, { "retry-after": value() });
  return answer(`${code} Retry-After: ${name}`, kind, send, fastClock);
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

/** A run in which nothing goes wrong. */
export const NOTHING: Fault = {
  name: "nothing",
  kind: "good",
  fastClock: 1,
  way: { type: "none" },
};

/** Everything that can happen to a request. */
export const FAULTS: readonly Fault[] = [
  { name: "refused", kind: "unreached", fastClock: 1, way: { type: "refuse" } },
  connection("reset before it is read", "reset early", "reset"),
  connection("TLS that breaks", "unreached", "garble", true),
  connection("TLS by an impostor", "unreached", "impostor", true),
  done("reset after it is read", "lost", (_, exchange) => resetAfterRequest(exchange)),
  done("closed after it is read", "lost", (_, { socket }) => void socket.end()),
  done("slow headers", "lost", (_, exchange) => hangBeforeHeaders(exchange), FAST),
  done(
    "slow body",
    "lost",
    ({ status, headers, body }, { response }) => {
      response.writeHead(status, { ...headers, "content-length": body.length });
      response.write(body.subarray(0, 5));
    },
    FAST,
  ),
  done("half a body", "lost", ({ status, headers, body }, { response, socket }) => {
    response.writeHead(status, { ...headers, "content-length": body.length });
    response.write(body.subarray(0, body.length / 2), () => socket.end());
  }),
  done("wrong length", "unreadable", ({ status, headers, body }, { response }) => {
    response.writeHead(status, { ...headers, "content-length": Math.floor(body.length / 2) });
    response.end(body);
  }),
  done("wrong content type", "good", ({ status, headers, body }, exchange) =>
    text(status, body, { ...headers, "content-type": "text/plain" })(exchange),
  ),
  answer("HTML", "unreadable", text(200, "<!doctype html><title>Sign in</title>")),
  instead("empty", ""),
  instead("null", "null"),
  instead("array", "[]"),
  done("oversized", "unreadable", ({ status, headers, body }, { response }, { limit }) => {
    response.writeHead(status, headers);
    response.write(body);
    response.end(Buffer.alloc(limit + 1, " "));
  }),
  ...[301, 302, 307].map((code) =>
    answer(String(code), "redirect", (exchange, { other }) =>
      redirect(code, `${other}${exchange.request.path}`)(exchange),
    ),
  ),
  // A job that is busy is asked again after seconds.
  ...[400, 401, 402, 403, 404, 408, 409, 410, 422, 425].map((code) =>
    status(code, code === 409 ? FAST : 1),
  ),
  answer("403 with a page", "403 page", text(403, "<!doctype html><title>Forbidden</title>")),
  { ...status(429, FASTER), name: "429 without Retry-After" },
  retryAfter("2", "429 soon", () => "2", FASTER),
  retryAfter("a date", "429 soon", () => inSeconds(2)),
  retryAfter("0", "429 soon", () => "0", FASTER),
  retryAfter("-5", "429", () => "-5", FASTER),
  retryAfter("1e9 seconds", "429 beyond", () => "1000000000"),
  retryAfter("text", "429", () => "soon", FASTER),
  retryAfter("a past date", "429 soon", () => inSeconds(-1e6)),
  retryAfter("a far date", "429 beyond", () => inSeconds(1e9)),
  status(500),
  status(502),
  done("502 for work that was done", "502", (_, exchange) => refuse(502, exchange)),
  status(503),
  retryAfter("1", "503 soon", () => "1"),
  status(504),
  done("504 for work that was done", "504", (_, exchange) => refuse(504, exchange)),
];
