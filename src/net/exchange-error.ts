import type { TimeLimit } from "./time-limit.ts";

/** How far an exchange came before it broke off; what may be tried again follows from it. */
export type Stage =
  /** It is proven that no connection was made: the other side has received nothing. */
  | "connect"
  /** Everything else before an answer began: the other side may have received the request. */
  | "sent"
  /** An answer began and did not arrive whole. */
  | "answer";

export type Cause = "network" | "time-limit" | "idle-limit" | "size-limit" | "stopped";

/** An exchange that did not end in a whole answer. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
  /** How far it came. */
  readonly stage: Stage;
  /** What ended it; `stopped` is the caller's own signal. */
  readonly reason: Cause;

  constructor(stage: Stage, reason: Cause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.stage = stage;
    this.reason = reason;
  }
}

/** What is told of an exchange that broke off. */
export interface Break {
  stage: Stage;
  /** The limit that the exchange was under: it may be what ended it. */
  limit: TimeLimit;
  /** Host and port that were asked. */
  host: string;
  /** The variable that names the proxy in between, if there is one. */
  proxyVariable?: string | undefined;
}

/** What was thrown during an exchange, as an {@link ExchangeError}. */
export function asExchangeError(thrown: unknown, at: Break): ExchangeError {
  if (thrown instanceof ExchangeError) return thrown;
  const { stage, limit } = at;
  const cause: ErrorOptions = { cause: thrown };
  if (limit.stopped) return new ExchangeError(stage, "stopped", "stopped by the run", cause);
  if (limit.expired !== undefined) {
    return new ExchangeError(stage, limit.expired, outOfTime(limit, at), cause);
  }
  return new ExchangeError(stage, "network", `${lost(at)} (${reasonOf(thrown)})`, cause);
}

function outOfTime(limit: TimeLimit, { stage, host, proxyVariable }: Break): string {
  const seconds = Math.round(limit.milliseconds / 100) / 10;
  if (limit.expired === "idle-limit") {
    return `${host} fell silent in the middle of the answer, for ${seconds} s`;
  }
  if (stage === "connect") {
    return `no connection to ${host} could be made${through(proxyVariable)} within ${seconds} s`;
  }
  const awaited = stage === "answer" ? "the whole answer" : "an answer";
  return `${host} did not give ${awaited} within ${seconds} s`;
}

function lost({ stage, host, proxyVariable }: Break): string {
  switch (stage) {
    case "connect":
      return `no connection to ${host} could be made${through(proxyVariable)}`;
    case "sent":
      return `the connection to ${host} was lost before an answer came`;
    case "answer":
      return `the connection to ${host} was lost in the middle of the answer`;
  }
}

function through(proxyVariable: string | undefined): string {
  return proxyVariable === undefined ? "" : ` through the proxy in ${proxyVariable}`;
}

/** An error code or message, without anything of the request in it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && code !== "UND_ERR_INFO") return code;
  const nested: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return nested instanceof Error ? reasonOf(nested) : error.message;
}
