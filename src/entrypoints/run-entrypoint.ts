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
import { actionsLog } from "../runtime/log.ts";
import { RunnerOutputs, readState } from "../runtime/step-outputs.ts";
import { quotation } from "../text/markdown.ts";
import { Secrets } from "../text/secrets.ts";

/** An action. @returns true if the step fails without an error */
export type Action = (
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
) => Promise<boolean> | Promise<void>;

/**
 * An action's post step after a main step that was killed. The main step's failure decides about the job.
 *
 * @param saved the main step's state
 */
type PostStep = (saved: unknown, ...args: Parameters<Action>) => Promise<void>;

/** Facts about a bundle from its build; see scripts/actions.ts. */
export interface BuildInfo {
  /** From package.json. */
  version: string;
  /** The action, as headings and annotations name it. */
  title: string;
}

declare const BUILD_INFO: BuildInfo;

/**
 * undici's parser is WebAssembly. After a few answers, V8 optimizes it in the background, and the process waits for
 * that at its end: a third of all CPU time of a run (docs/performance.md). Without it, the parser is fast enough. V8
 * ignores unknown flags, so test/project/v8-flags.test.ts fails if Node no longer has this one.
 */
export const NO_WASM_OPTIMIZATION = "--wasm-tiering-budget=100000000";

/** Reads an input exactly as the workflow gave it: a prompt's white space is part of it. */
const readInput: ReadInput = (name) => core.getInput(name, { trimWhitespace: false });

/**
 * Runs an action: masks the key, handles the runner's signals, and reports every error, and outputs that could not
 * be written, as one clear line. The process ends with exit code 1 when the step fails.
 *
 * @param postStep runs in place of the action if the main step saved a state
 * @public
 */
export async function runEntrypoint(action: Action, postStep?: PostStep): Promise<void> {
  // Before any WebAssembly is compiled.
  setFlagsFromString(NO_WASM_OPTIMIZATION);
  const { env } = process;
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
  const saved = readState();
  const isPost = saved !== undefined;
  /** @param thrown the error, whose causes the debug log shows, too */
  const report = ({ kind, message }: ActionError, thrown: unknown, isFirst: boolean) => {
    for (let error = thrown; error instanceof Error; error = error.cause) {
      log.debug(error.stack ?? error.message);
    }
    log.error(message, KIND_WORDS[kind]);
    // An earlier reason for the failure is kept.
    if (!isFirst) return;
    outputs.setOutput("errorKind", kind);
    outputs.setOutput("errorMessage", message);
  };
  let fails = true;
  try {
    const run = { title, outputs, log, http, secrets, cancellation };
    const dependencies = { ...run, clock: systemClock, random: Math.random };
    const { readRunContext } = await import("../github/trigger/read-run-context.ts");
    const context = readRunContext(env);
    if (isPost && saved !== null) await postStep?.(saved, readInput, context, dependencies);
    fails = !isPost && (await action(readInput, context, dependencies)) === true;
  } catch (thrown) {
    const error = asActionError(thrown);
    report(error, thrown, true);
    const heading = `### ❌ ${title}: ${KIND_WORDS[error.kind]}`;
    const paragraphs = [heading, quotation(error.problem), error.advice];
    outputs.writeSummary(paragraphs.filter((paragraph) => paragraph !== null).join("\n\n"));
  }
  // The outputs of a post step have no readers.
  const unwritten = isPost ? null : outputs.flush();
  // The outputs for the error may still be writable.
  if (unwritten !== null) report(unwritten, unwritten.cause, !fails);
  log.end();
  const isFailed = fails || unwritten !== null || cancellation.stop.aborted;
  // Connections would keep the process alive. The callback runs when the log is written.
  process.stdout.write("", () => process.exit(isFailed ? 1 : 0));
}

/** Runs before any other use of the key. GitHub masks its own token. */
function maskKey(key: string): void {
  for (const form of new Set([key, key.trim()])) if (form !== "") core.setSecret(form);
}
