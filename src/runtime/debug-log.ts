import { ExchangeError, Http, type OpenAnswer, type Outgoing, type Stage } from "../net/http.ts";
import type { Env } from "../net/proxy.ts";
import type { Secrets } from "../text/secrets.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

interface RequestLogging {
  log: Pick<Log, "debug">;
  clock: Pick<Clock, "now">;
  secrets: Secrets;
}

/** How far a failed request got, in words. */
const STAGE_WORDS: Record<Stage, string> = {
  connect: "not sent",
  sent: "sent, no response",
  answer: "response interrupted",
};

/**
 * HTTP with a debug log: one line per request when its headers have arrived or it has failed, and one more if the rest
 * of the response does not arrive. Only used when debug logging is on.
 */
export class DebugHttp extends Http {
  readonly #logging: RequestLogging;

  /** @param env where proxies are configured, as `process.env` has it */
  constructor(env: Env, logging: RequestLogging) {
    super(env);
    this.#logging = logging;
  }

  override async open(outgoing: Outgoing): Promise<OpenAnswer> {
    const { log, clock, secrets } = this.#logging;
    const begun = clock.now();
    const write = (outcome: OpenAnswer | ExchangeError) =>
      log.debug(requestLine(outgoing, outcome, clock.now() - begun, secrets));
    // Any other error is thrown before anything is sent.
    const logged = (error: unknown) => {
      if (error instanceof ExchangeError) write(error);
      return error;
    };
    try {
      const answer = await super.open(outgoing);
      write(answer);
      return { ...answer, body: loggedBody(answer.body, logged) };
    } catch (error) {
      throw logged(error);
    }
  }
}

async function* loggedBody(
  body: AsyncIterable<Uint8Array>,
  logged: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw logged(error);
  }
}

/** Longest address, and longest reason, in characters. */
const MAX_TEXT = 500;

/**
 * A request, or how it ended, as one line for the debug log: method, address, status, duration, request ID.
 * Values of the query are left out, except page numbers. Secrets are removed before anything is cut.
 *
 * @param milliseconds since the request was made
 */
export function requestLine(
  { method, url }: Pick<Outgoing, "method" | "url">,
  outcome: Pick<OpenAnswer, "status" | "headers"> | ExchangeError,
  milliseconds: number,
  secrets: Secrets,
): string {
  const shown = (text: string) => secrets.oneLine(text, MAX_TEXT);
  // The host distinguishes GitHub from the service. It does not contain user and password.
  const at = shown(`${method} ${url.protocol}//${url.host}${url.pathname}${queryOf(url)}`);
  const after = `after ${Math.max(0, Math.round(milliseconds))} ms`;
  if (outcome instanceof ExchangeError) {
    const { stage, reason, message } = outcome;
    return `${at}: ${STAGE_WORDS[stage]} ${after} (${reason}: ${shown(message)})`;
  }
  return `${at}: ${outcome.status} ${after}, ${requestId(outcome.headers, secrets)}`;
}

/** The ID that GitHub or the service gave a request. */
function requestId(headers: OpenAnswer["headers"], secrets: Secrets): string {
  const id = headers["x-github-request-id"] ?? headers["x-request-id"];
  if (id === undefined) return "no request ID";
  const shown = secrets.redact(id);
  const isReadable = /^(?!.*::)[\w.:*/+=-]{1,100}$/.test(shown);
  return isReadable ? `request ID ${shown}` : "request ID unreadable";
}

/** Query parameters whose values are shown if they are numbers: the numbers of pages. */
const PAGING = ["page", "per_page", "skip", "take"];

function queryOf({ searchParams }: URL): string {
  const shown = [...searchParams].map(([name, value]) => {
    const isPage = PAGING.includes(name) && /^\d{1,9}$/.test(value);
    return isPage ? `${name}=${value}` : `${/^[a-z_]{1,20}$/.test(name) ? name : "…"}=…`;
  });
  return shown.length === 0 ? "" : `?${shown.join("&")}`;
}

/** Facts about a bundle from its build; see scripts/build.ts. */
export interface BuildInfo {
  /** From package.json. */
  version: string;
  /** The bundle's folder in dist/. */
  entry: string;
  /** The action, as headings and annotations name it. */
  title: string;
  /** The inputs that each `action.yml` with this bundle declares, with their defaults; empty for none. */
  inputs: Readonly<Record<string, string>>;
}

/** Longest value from the environment that is shown, in characters. */
const MAX_VALUE = 100;

/**
 * The environment of a run as one line for the debug log: version, Node, runner, event, and the names of the inputs
 * that are set. The runner passes defaults like values, so an input that has its default counts as not set. A default
 * that the runner computes (`${{ … }}`) is not known here: such an input counts as set unless it is empty.
 *
 * @param env as `process.env` has it
 * @param node Node's version
 */
export function runLine(
  { version, entry, inputs }: BuildInfo,
  env: Env,
  node: string,
  secrets: Secrets,
): string {
  const shown = (name: string) => secrets.oneLine(env[name] ?? "", MAX_VALUE) || "unknown";
  const ref = env.GITHUB_ACTION_REF ? ` (ref ${shown("GITHUB_ACTION_REF")})` : "";
  const runner = ["RUNNER_OS", "RUNNER_ARCH", "RUNNER_ENVIRONMENT", "RUNNER_NAME"].map(shown);
  const set = Object.keys(inputs).filter((name) => {
    const value = env[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] ?? "";
    return value !== "" && value !== inputs[name];
  });
  return [
    `Docs Agent Action ${version}${ref}, ${entry}`,
    `Node ${node}`,
    `runner ${runner.join(" ")}`,
    `event ${shown("GITHUB_EVENT_NAME")}`,
    `inputs set: ${set.sort().join(", ") || "none"}`,
  ].join("; ");
}
