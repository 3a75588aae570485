import { setFlagsFromString } from "node:v8";
import * as core from "@actions/core";
import type { RunContext } from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { readSecrets } from "../inputs/shared.ts";
import { Http } from "../net/http.ts";
import { Cancellation, cancelOnSignal } from "../runtime/cancellation.ts";
import { systemClock } from "../runtime/clock.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { type ActionError, asActionError, KIND_WORDS } from "../runtime/errors.ts";
import { actionsLog, type Log } from "../runtime/log.ts";
import { RunnerOutputs, readState } from "../runtime/step-outputs.ts";
import { quotation } from "../text/markdown.ts";
import { Secrets } from "../text/secrets.ts";

/** An action. @returns true if the step fails without an error */
export type Action = (
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
) => Promise<boolean> | Promise<void>;

/** Facts about a bundle from its build; see scripts/actions.ts. */
declare const BUILD_INFO: {
  /** From package.json. */
  version: string;
  /** The action, as headings and annotations name it. */
  title: string;
};

/**
 * undici's parser is WebAssembly. After a few answers, V8 optimizes it in the background, and the process waits for
 * that at its end: a third of all CPU time of a run (docs/performance.md). Without it, the parser is fast enough. The
 * second budget is that of the parser's callbacks: answers with as many headers as GitHub's use up the default within
 * five requests. V8 ignores unknown flags, so test/project/v8-flags.test.ts fails if Node no longer has these.
 */
export const NO_WASM_OPTIMIZATION = [
  "--wasm-tiering-budget=100000000",
  "--wasm-wrapper-tiering-budget=100000000",
];

/** Reads an input exactly as the workflow gave it: a prompt's white space is part of it. */
const readInput: ReadInput = (name) => core.getInput(name, { trimWhitespace: false });

/**
 * Runs an action: masks the key, handles the runner's signals, and reports every error, and outputs that could not
 * be written, as one clear line. The process ends with exit code 1 when the step fails.
 *
 * @param postStep runs in place of the action if the main step was killed and saved a state. The main step's failure
 * decides about the job
 * @public
 */
export async function runEntrypoint(
  action: Action,
  postStep?: (saved: unknown, ...args: Parameters<Action>) => Promise<void>,
): Promise<void> {
  // Before any WebAssembly is compiled.
  for (const flag of NO_WASM_OPTIMIZATION) setFlagsFromString(flag);
  const { env } = process;
  const run = setUpRun(env);
  const { outputs, log, cancellation } = run;
  const saved = readState();
  const isPost = saved !== undefined;
  let fails = true;
  try {
    const dependencies = { ...run, clock: systemClock, random: Math.random };
    const { readRunContext } = await import("../github/trigger/read-run-context.ts");
    const context = readRunContext(env);
    if (isPost && saved !== null) await postStep?.(saved, readInput, context, dependencies);
    fails = !isPost && (await action(readInput, context, dependencies)) === true;
  } catch (thrown) {
    reportEnd(asActionError(thrown), thrown, run);
  }
  // The outputs of a post step have no readers.
  const unwritten = isPost ? null : outputs.flush();
  if (unwritten !== null) {
    logError(unwritten, unwritten.cause, log);
    // The outputs for the error may still be writable. An earlier reason for the failure is kept.
    if (!fails) setErrorOutputs(unwritten, outputs);
  }
  log.end();
  const isFailed = fails || unwritten !== null || cancellation.stop.aborted;
  // Connections would keep the process alive. The callback runs when the log is written.
  process.stdout.write("", () => process.exit(isFailed ? 1 : 0));
}

/** What a run works with, but for the clock and chance. The keys are masked before anything else. */
function setUpRun(env: NodeJS.ProcessEnv) {
  const { keys, githubToken } = readSecrets(readInput);
  for (const key of keys) maskKey(key);
  const secrets = new Secrets([...keys, githubToken].map((secret) => secret.trim()));
  const { title, version } = BUILD_INFO;
  const log = actionsLog(title, secrets);
  const outputs = new RunnerOutputs(env, secrets, log);
  const cancellation = new Cancellation();
  cancelOnSignal(cancellation, (name) =>
    log.warning(
      `The runner cancelled this step (${name}). The step reports what it knows, and ends.`,
    ),
  );
  const debug = core.isDebug() ? log.debug : () => {};
  debug(`Docs Agent Action ${version}, ${title}, Node ${process.version}`);
  const http = new Http(env, debug);
  return { title, outputs, log, http, secrets, cancellation };
}

/** Reports the error that ended a run. */
function reportEnd(
  error: ActionError,
  thrown: unknown,
  { title, outputs, log }: ReturnType<typeof setUpRun>,
): void {
  logError(error, thrown, log);
  setErrorOutputs(error, outputs);
  const heading = `### ❌ ${title}: ${KIND_WORDS[error.kind]}`;
  const paragraphs = [heading, quotation(error.problem), error.advice];
  outputs.writeSummary(paragraphs.filter((paragraph) => paragraph !== null).join("\n\n"));
}

/** @param thrown the error, whose causes the debug log shows, too */
function logError({ kind, message }: ActionError, thrown: unknown, log: Log): void {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    log.debug(error.stack ?? error.message);
  }
  log.error(message, KIND_WORDS[kind]);
}

function setErrorOutputs({ kind, message }: ActionError, outputs: RunnerOutputs): void {
  outputs.setOutput("errorKind", kind);
  outputs.setOutput("errorMessage", message);
}

/** Runs before any other use of the key. GitHub masks its own token. */
function maskKey(key: string): void {
  for (const form of new Set([key, key.trim()])) if (form !== "") core.setSecret(form);
}
