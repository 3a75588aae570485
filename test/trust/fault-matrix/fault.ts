import { json, redirect, text } from "../../support/answers.ts";
import type { CapturedAnswer } from "../../support/captured-answer.ts";
import type { ConnectionFault } from "../../support/connections.ts";
import type { Answer, Exchange } from "../../support/faulty-server.ts";

/** What `Retry-After` asks for: a time that passes in the test, one past every limit, or nothing. */
type RetryAfter = "" | " soon" | " beyond";

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
  /** A status, and what its `Retry-After` asks for. */
  | `${number}${RetryAfter}`;

/** What a faulty answer is made of. */
export interface Material {
  /** Does what was asked for, and gives the answer that should be sent. */
  work: (exchange: Exchange) => Promise<CapturedAnswer>;
  /** Address of a host that nobody may be led to. */
  other: string;
  /** Largest answer of this kind that is read, in bytes. */
  limit: number;
}

export interface Fault {
  name: string;
  kind: FaultKind;
  /** How often a step's clock must run faster for the fault's time limits to show in a test. */
  fastClock: number;
  /** Done to the connection, or by an answer. */
  way:
    | { type: "refuse" }
    | { type: "connection"; fault: ConnectionFault; tls: boolean }
    | { type: "answer"; answer: (material: Material) => Answer };
}

type Sender = (
  answer: CapturedAnswer,
  exchange: Exchange,
  material: Material,
) => void | Promise<void>;

/** An answer that comes after the work was done, and goes wrong on its way. */
export function done(name: string, kind: FaultKind, send: Sender, { fastClock = 1 } = {}): Fault {
  const answer = (material: Material): Answer => {
    return async (exchange) => await send(await material.work(exchange), exchange, material);
  };
  return { name, kind, fastClock, way: { type: "answer", answer } };
}

/** A success whose body is another. */
export function instead(name: string, body: string): Fault {
  return done(name, "unreadable", ({ status }, exchange) =>
    text(status, body, { "content-type": "application/json" })(exchange),
  );
}

/** Somebody else's page: nothing was done. */
export function page(name: string, body: string): Fault {
  const way = { type: "answer", answer: () => text(200, body) } as const;
  return { name, kind: "unreadable", fastClock: 1, way };
}

/** A redirect to a host that nobody may be led to. */
export function redirected(status: number): Fault {
  const answer = ({ other }: Material): Answer => {
    return (exchange) => redirect(status, `${other}${exchange.request.path}`)(exchange);
  };
  return { name: String(status), kind: "redirect", fastClock: 1, way: { type: "answer", answer } };
}

export function connection(
  name: string,
  kind: "unreached" | "reset early",
  fault: ConnectionFault,
  { tls = false } = {},
): Fault {
  const way = { type: "connection", fault, tls } as const;
  return { name, kind, fastClock: 1, way };
}

export interface Refusal {
  name?: string;
  retryAfter?: RetryAfter;
  /** The header `Retry-After`, made when the answer is. */
  header?: () => string;
  fastClock?: number;
  /** Whether the work was done before it was refused. */
  isDone?: boolean;
}

/** A status outside of success. Its text repeats the secret it was asked with: no log may. */
export function status(code: number, refusal: Refusal = {}): Fault {
  const { name = String(code), retryAfter = "", header, fastClock = 1 } = refusal;
  const { isDone = false } = refusal;
  const answer = ({ work }: Material): Answer => {
    return async (exchange) => {
      if (isDone) await work(exchange);
      const error = `Refused: ${exchange.request.headers.authorization ?? "nobody"}`;
      const headers = header === undefined ? {} : { "retry-after": header() };
      await json(code, { error, message: error }, headers)(exchange);
    };
  };
  const way = { type: "answer", answer } as const;
  return { name, kind: `${code}${retryAfter}`, fastClock, way };
}
