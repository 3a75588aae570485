import { ExchangeError, Http, type OpenAnswer, type Outgoing } from "../net/http.ts";
import type { Env } from "../net/proxy.ts";
import type { Secrets } from "../text/secrets.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

/** Where requests are told. */
interface RequestLogging {
  log: Pick<Log, "debug">;
  clock: Pick<Clock, "now">;
  secrets: Secrets;
}

/**
 * HTTP that tells each request in the debug log: one line when the answer's headers are there or the request
 * has failed, and one more if the rest of the answer does not arrive. Only made when debug logging is on.
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
    const tell = (outcome: RequestOutcome) =>
      log.debug(requestLine(outgoing, outcome, clock.now() - begun, secrets));
    // Whatever else is thrown happens before anything is sent.
    const told = (error: unknown) => {
      if (error instanceof ExchangeError) tell({ error });
      return error;
    };
    try {
      const answer = await super.open(outgoing);
      tell({ status: answer.status, requestId: requestIdOf(answer.headers) });
      return { ...answer, body: toldBody(answer.body, told) };
    } catch (error) {
      throw told(error);
    }
  }
}

async function* toldBody(
  body: AsyncIterable<Uint8Array>,
  told: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw told(error);
  }
}

/** How a request came out, as far as the debug log tells. */
type RequestOutcome =
  /** The answer's status and headers are there. */
  | { status: number; requestId: string | undefined }
  /** It ended without a whole answer. */
  | { error: ExchangeError };

/** Longest address, and longest reason, in characters. */
const MAX_TEXT = 500;

/** Which headers hold an answer's ID, of GitHub and of services; the first one that is there counts. */
const REQUEST_ID = ["x-github-request-id", "x-request-id"];

/** What a request ID may look like; any other value of such a header is not shown. */
const READABLE_ID = /^(?!.*::)[\w.:*/+=-]{1,100}$/;

/** Query parameters whose values are shown if they are numbers: they say which page was asked for. */
const PAGING = ["page", "per_page", "skip", "take"];

/** The ID under which the other side keeps a request; undefined if its answer names none. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return REQUEST_ID.map((name) => headers[name]).find((value) => value !== undefined);
}

/**
 * A request, or how it ended, as one line for the debug log: method, address, status, duration, request ID.
 * Of the query, values are left out unless they tell a page. Secrets are taken out before anything is cut.
 *
 * @param milliseconds since the request was made
 */
export function requestLine(
  { method, url }: Pick<Outgoing, "method" | "url">,
  outcome: RequestOutcome,
  milliseconds: number,
  secrets: Secrets,
): string {
  const shown = (text: string) => secrets.oneLine(text, MAX_TEXT);
  // The host tells GitHub, the service and a proxy's failures apart. User and password are no part of it.
  const at = shown(`${method} ${url.protocol}//${url.host}${url.pathname}${queryOf(url)}`);
  const after = `after ${Math.max(0, Math.round(milliseconds))} ms`;
  if ("error" in outcome) {
    const { stage, reason, message } = outcome.error;
    return `${at}: ${STAGE_WORDS[stage]} ${after} (${reason}: ${shown(message)})`;
  }
  const { status, requestId } = outcome;
  return `${at}: ${status} ${after}, ${idText(requestId, secrets)}`;
}

/** How far a request came that got no whole answer, in words. */
const STAGE_WORDS: Record<ExchangeError["stage"], string> = {
  connect: "not sent",
  sent: "sent, no response",
  answer: "response interrupted",
};

function idText(requestId: string | undefined, secrets: Secrets): string {
  if (requestId === undefined) return "no request ID";
  const shown = secrets.redact(requestId);
  return READABLE_ID.test(shown) ? `request ID ${shown}` : "request ID unreadable";
}

function queryOf({ searchParams }: URL): string {
  const shown = [...searchParams].map(([name, value]) => {
    const isPage = PAGING.includes(name) && /^\d{1,9}$/.test(value);
    return isPage ? `${name}=${value}` : `${/^[a-z_]{1,20}$/.test(name) ? name : "…"}=…`;
  });
  return shown.length === 0 ? "" : `?${shown.join("&")}`;
}

/** What is known of a bundle when it is built; see scripts/build.ts. */
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
 * What a run runs on, as one line for the debug log: version, Node, runner, event, and the names of the
 * inputs that the workflow set.
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
  const set = inputsSet(inputs, env);
  return [
    `Docs Agent Action ${version}${ref}, ${entry}`,
    `Node ${node}`,
    `runner ${runner.join(" ")}`,
    `event ${shown("GITHUB_EVENT_NAME")}`,
    `inputs set: ${set.join(", ") || "none"}`,
  ].join("; ");
}

/**
 * The inputs that have a value of their own, sorted by name. The runner hands over defaults like values: an
 * input that has its default counts as not set. A default that the runner computes (`${{ … }}`) is not
 * known here: such an input counts as set unless it is empty.
 */
function inputsSet(inputs: BuildInfo["inputs"], env: Env): string[] {
  return Object.entries(inputs)
    .filter(([name, fallback]) => {
      const value = env[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] ?? "";
      return value !== "" && value !== fallback;
    })
    .map(([name]) => name)
    .sort();
}
