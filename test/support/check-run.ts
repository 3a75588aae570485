import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import { REPOSITORY_ROOT, type RunOptions, type RunResult } from "../../emulator/runner/runner.ts";
import { checkPage, type PageRules } from "./check-page.ts";
import { CANARY } from "./hostile-texts.ts";
import { API_KEY, SECRETS } from "./scenario.ts";

export interface RunRules {
  /** Folder of the action. Default: the root. */
  action?: string;
  /** What the step masks, all of it. */
  secrets?: readonly string[];
  /** The key; found anywhere but at the service, it has leaked. */
  key?: string;
  /** `host:port` of whom the step may talk to. */
  hosts?: readonly string[];
  /** Which of them heard from it: the recorder has to have seen those. */
  heard?: readonly string[];
  /** What GitHub was given to show. */
  bodies?: readonly string[];
  /** Where text from outside may stand in the summary and in the comments. */
  outside?: PageRules["outside"];
  /** References of the action's own in them. */
  references?: readonly string[];
  /** How many of the bodies, from the first, carry no marker. */
  unmarked?: number;
}

const RECORDER = new URL("./record-connections.mjs", import.meta.url).href;
const FAST_CLOCK = new URL("../../emulator/runner/fast-clock.mjs", import.meta.url).href;
const CONNECTIONS_FILE = /_temp[\\/]connections\.json$/;

/** The options with a recorder of every host that the step connects to. */
export function recordingConnections(options: RunOptions): RunOptions {
  const clock = options.fastClock === undefined ? "" : `--import ${FAST_CLOCK} `;
  return { ...options, env: { ...options.env, NODE_OPTIONS: `${clock}--import ${RECORDER}` } };
}

/** What is wrong with all that a run left behind; nothing, if text from outside did nothing. */
export function checkRun(result: RunResult, rules: RunRules = {}): string[] {
  const { bodies = [], outside = "code", references = [], unmarked = 0 } = rules;
  return [
    ...checkLog(result, rules.secrets ?? SECRETS),
    ...checkFiles(result, rules.action ?? "."),
    ...checkSecrets(result, rules.key ?? API_KEY, bodies),
    ...checkHosts(result, rules),
    ...checkPage(result.summary, { outside, references, markers: 0 }).map((it) => `summary: ${it}`),
    ...bodies.flatMap((body, index) =>
      checkPage(body, { outside, references, markers: index < unmarked ? 0 : 1 }).map(
        (it) => `comment ${index}: ${it}`,
      ),
    ),
  ];
}

/** Characters that no line of a log needs, and that repaint or reorder it. */
const REPAINTING =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** Whether an annotation has nothing but a title, of the action's own words. */
function isOwn({ title = "", ...others }: Record<string, string>): boolean {
  const isNamed = /^Docs \w+(: [\w' ]+)?$/.test(title) && !title.includes(CANARY);
  return isNamed && Object.keys(others).length === 0;
}

/** Everything in the log is a line of text, a mask of the step's own secrets, or a titled annotation. */
export function checkLog({ log, stdout, stderr }: RunResult, secrets: readonly string[]): string[] {
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

/** The runner's command files hold what `action.yml` declares, and nothing else was written. */
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
  return checkPage(`[x](${link})`, { outside: "code", markers: 0 }).map((it) => `prLink: ${it}`);
}

function checkSecrets(result: RunResult, key: string, bodies: readonly string[]): string[] {
  const printed = `${result.stdout}\n${result.stderr}`.replace(`::add-mask::${key}`, "");
  const { outputs, state, summary, files, environment } = result;
  const left = { printed, outputs, state, summary, files, environment, bodies };
  return Object.entries(left)
    .filter(([, value]) => JSON.stringify(value).includes(key))
    .map(([name]) => `the key is in ${name}`);
}

function checkHosts({ files }: RunResult, { hosts, heard = [] }: RunRules): string[] {
  if (hosts === undefined) return [];
  const [, seen] = Object.entries(files).find(([name]) => CONNECTIONS_FILE.test(name)) ?? [];
  if (seen === undefined) return ["hosts: no connections were recorded"];
  const talkedTo = JSON.parse(seen) as string[];
  const unseen = heard.filter((host) => !talkedTo.includes(host));
  const others = talkedTo.filter((host) => !hosts.includes(host));
  return [
    ...others.map((host) => `hosts: talked to ${host}`),
    ...unseen.map((host) => `hosts: no connection was recorded to ${host}`),
  ];
}
