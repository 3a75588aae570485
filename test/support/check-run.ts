import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import { REPOSITORY_ROOT, type RunOptions, type RunResult } from "../../emulator/runner/runner.ts";
import { ADMIN_KEY } from "../../emulator/service/state.ts";
import { checkPage, type PageRules } from "./check-page.ts";
import type { FaultyServer } from "./faulty-server.ts";
import { CANARY } from "./hostile-texts.ts";
import { SECRETS } from "./world/conversation.ts";
import type { World } from "./world/world.ts";

export interface RunRules {
  /** Folder of the action. Default: the root. */
  action?: string;
  /** Everything that the step may mask. */
  secrets?: readonly string[];
  /** The key. If it appears anywhere but in requests to the service, it has leaked. */
  key?: string;
  /** The bodies of all comments that were sent to GitHub. Default: those of the world. */
  bodies?: readonly string[];
  /** Where text from outside may appear in the summary and in the comments. */
  outside?: PageRules["outside"];
  /** References that the action itself writes there. Default: the issue that runs are triggered on. */
  references?: readonly string[];
  /** How many of the bodies, from the first, carry no marker. */
  unmarked?: number;
}

const RECORDER = new URL("./record-connections.mjs", import.meta.url).href;
const FAST_CLOCK = new URL("../../emulator/runner/fast-clock.mjs", import.meta.url).href;
const CONNECTIONS_FILE = /_temp[\\/]connections\.json$/;

/** Adds a recorder of every host that the step connects to. */
export function recordingConnections(options: RunOptions): RunOptions {
  const clock = options.fastClock === undefined ? "" : `--import ${FAST_CLOCK} `;
  return { ...options, env: { ...options.env, NODE_OPTIONS: `${clock}--import ${RECORDER}` } };
}

/**
 * The problems of everything that a run wrote, and of the comments in its world, whose servers are all that it may
 * connect to. There are none if text from outside had no effect.
 */
export function checkRun(result: RunResult, world: World, rules: RunRules = {}): string[] {
  const { bodies = world.bodies, outside = "code", references = ["#7"], unmarked = 0 } = rules;
  return [
    ...checkLog(result, rules.secrets ?? SECRETS),
    ...checkFiles(result, rules.action ?? "."),
    ...checkSecrets(result, rules.key ?? ADMIN_KEY, bodies),
    ...checkHosts(result, Object.values(world.servers)),
    ...checkPage(result.summary, { outside, references, markers: 0 }).map(
      (problem) => `summary: ${problem}`,
    ),
    ...bodies.flatMap((body, index) =>
      checkPage(body, { outside, references, markers: index < unmarked ? 0 : 1 }).map(
        (problem) => `comment ${index}: ${problem}`,
      ),
    ),
  ];
}

/** Control characters, which can repaint or reorder the log. */
const REPAINTING =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** Whether an annotation has only a title, in the action's own words. */
function isOwn({ title = "", ...others }: Record<string, string>): boolean {
  const isNamed = /^Docs \w+(: [\w' ]+)?$/.test(title) && !title.includes(CANARY);
  return isNamed && Object.keys(others).length === 0;
}

/** The log may contain only lines of text, masks of the step's own secrets, and annotations with a title. */
function checkLog({ log, stdout, stderr }: RunResult, secrets: readonly string[]): string[] {
  const problems: string[] = [];
  for (const entry of log) {
    const shown = JSON.stringify(entry).slice(0, 300);
    if (entry.kind === "mask" && secrets.includes(entry.text)) continue;
    if (!["line", "debug", "error", "warning", "notice"].includes(entry.kind))
      problems.push(`log: obeyed ${shown}`);
    const isAnnotation = ["error", "warning", "notice"].includes(entry.kind);
    if (isAnnotation && !isOwn(entry.properties ?? {}))
      problems.push(`log: not the action's own annotation: ${shown}`);
    if (REPAINTING.test(entry.text)) problems.push(`log: a character that repaints it: ${shown}`);
  }
  if (stderr.includes(CANARY)) problems.push(`log: standard error: ${stderr.slice(0, 300)}`);
  if (!stdout.startsWith("::add-mask::")) problems.push("log: begins with no mask");
  return problems;
}

/** The runner's command files may contain only what `action.yml` declares, and no other file may be written. */
function checkFiles({ outputs, state, environment, files }: RunResult, action: string): string[] {
  const declared = readActionMetadata(`${REPOSITORY_ROOT}/${action}`).outputs;
  return [
    ...Object.keys(outputs)
      .filter((name) => !declared.includes(name))
      .map((name) => `outputs: ${name}`),
    ...Object.keys(state)
      .filter((name) => name !== "run")
      .map((name) => `state: ${name}`),
    ...Object.keys(environment).map((name) => `environment: ${name}`),
    ...Object.keys(files)
      .filter((name) => !CONNECTIONS_FILE.test(name))
      .map((name) => `file: ${name}`),
    ...(outputs.prLink ? checkLink(outputs.prLink) : []),
  ];
}

function checkLink(link: string): string[] {
  return checkPage(`[x](${link})`, { outside: "code", markers: 0 }).map(
    (problem) => `prLink: ${problem}`,
  );
}

function checkSecrets(result: RunResult, key: string, bodies: readonly string[]): string[] {
  const printed = `${result.stdout}\n${result.stderr}`.replace(`::add-mask::${key}`, "");
  const { outputs, state, summary, files, environment } = result;
  const written = { printed, outputs, state, summary, files, environment, bodies };
  return Object.entries(written)
    .filter(([, value]) => JSON.stringify(value).includes(key))
    .map(([name]) => `the key is in ${name}`);
}

/** The hosts that a step connected to, by the recorder. Null without one. */
export function recordedHosts({ files }: RunResult): string[] | null {
  const [, recorded] = Object.entries(files).find(([name]) => CONNECTIONS_FILE.test(name)) ?? [];
  return recorded === undefined ? null : JSON.parse(recorded);
}

/** The recorder must have seen the connections to all that got a request. */
function checkHosts(result: RunResult, servers: readonly FaultyServer[]): string[] {
  const connectedTo = recordedHosts(result);
  if (connectedTo === null) return ["hosts: no connections were recorded"];
  const hostOf = ({ port }: FaultyServer) => `127.0.0.1:${port}`;
  const hosts = servers.map(hostOf);
  const contacted = servers.filter(({ requests }) => requests.length > 0).map(hostOf);
  const unseen = contacted.filter((host) => !connectedTo.includes(host));
  const others = connectedTo.filter((host) => !hosts.includes(host));
  return [
    ...others.map((host) => `hosts: connected to ${host}`),
    ...unseen.map((host) => `hosts: no connection was recorded to ${host}`),
  ];
}
