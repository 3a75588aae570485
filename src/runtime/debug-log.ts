import { ExchangeError, type OpenAnswer, type Outgoing, type Stage } from "../net/exchange.ts";
import type { Env } from "../net/proxy.ts";
import type { Secrets } from "../text/secrets.ts";

/** How far a failed request got, in words. */
const STAGE_WORDS: Record<Stage, string> = {
  connect: "not sent",
  sent: "sent, no response",
  answer: "response interrupted",
};

/** Longest address, longest reason, and longest value from the environment, in characters. */
const MAX_TEXT = 500;
const MAX_VALUE = 100;

/**
 * A request, or how it ended, as one line for the debug log: method, address, status, duration, request ID.
 * The query is left out. Secrets are removed before anything is cut.
 *
 * @param milliseconds since the request was made
 */
export function requestLine(
  { method, url }: Pick<Outgoing, "method" | "url">,
  outcome: Pick<OpenAnswer, "status" | "headers"> | ExchangeError,
  milliseconds: number,
  secrets: Secrets,
): string {
  // The host distinguishes GitHub from the service. It does not contain user and password.
  const address = `${method} ${url.protocol}//${url.host}${url.pathname}`;
  const at = secrets.oneLine(address, MAX_TEXT);
  const after = `after ${Math.max(0, Math.round(milliseconds))} ms`;
  if (outcome instanceof ExchangeError) {
    const { stage, reason, message } = outcome;
    const why = secrets.oneLine(message, MAX_TEXT);
    return `${at}: ${STAGE_WORDS[stage]} ${after} (${reason}: ${why})`;
  }
  const id = outcome.headers["x-github-request-id"] ?? outcome.headers["x-request-id"];
  const named = id === undefined ? "no request ID" : `request ID ${secrets.oneLine(id, MAX_VALUE)}`;
  return `${at}: ${outcome.status} ${after}, ${named}`;
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
