import type { Env } from "../net/proxy.ts";
import { oneLine } from "../text/one-line.ts";
import type { Secrets } from "../text/secrets.ts";

/** What is known of a bundle when it is built; see scripts/build.ts. */
export interface BuildInfo {
  /** From package.json. */
  version: string;
  /** The bundle's folder in dist/. */
  entry: string;
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
  const shown = (name: string) => oneLine(env[name] ?? "", MAX_VALUE, secrets) || "unknown";
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
