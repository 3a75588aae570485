import { once } from "node:events";
import path from "node:path";
import { expect } from "vitest";
import { keptOf } from "../../emulator/runner/kept.ts";
import { prepareStep } from "../../emulator/runner/prepare-step.ts";
import {
  DEFAULT_LIMIT_MS,
  type RunOptions,
  type RunResult,
  runAction as runProcess,
} from "../../emulator/runner/runner.ts";
import { readFiles, removeFolders } from "../../emulator/runner/step-folders.ts";
import { readLines, readLog } from "../../emulator/runner/workflow-commands.ts";
import type { StartStep } from "../../playground/actions/step.ts";
import { startBundle } from "./bundle-in-process.ts";
import { hostsBesideOrigins, recordingHosts } from "./origins.ts";
import { chanceOf, isExhaustive } from "./sample.ts";
import { misfits } from "./sentences.ts";

/** The share of end-to-end tests that run their steps as processes although they do not need one. */
const AS_PROCESSES = isExhaustive ? 0.05 : 0.02;

/**
 * Runs a step to its end, and checks that every message is a sentence. Most steps of end-to-end tests run inside this
 * process, which takes a fifth of the time. Those that need a process of their own, and a share of the others, run as
 * one.
 */
export async function runAction(options: RunOptions): Promise<RunResult> {
  const name = expect.getState().currentTestName ?? "";
  const isProcess =
    process.env.STEPS !== "in-process" ||
    needsProcess(options) ||
    chanceOf(`process ${name}`) < AS_PROCESSES;
  const result = await (isProcess ? runProcess(options) : runInProcess(options));
  expect(misfits(result)).toEqual([]);
  return result;
}

/**
 * Only a process has a working directory of its own, reads some variables at its start, and exits when the event loop
 * is empty, as a post step with nothing to do does.
 */
function needsProcess({ entry, script, env = {}, state = {} }: RunOptions): boolean {
  const isSpecial = Object.entries(env).some(
    ([name, value = "/"]) =>
      name.startsWith("NODE_") || (name.endsWith("_PATH") && !path.isAbsolute(value)),
  );
  const hasNothingToDo = entry === "post" && (state.run ?? "") === "";
  return script !== undefined || hasNothingToDo || isSpecial;
}

/** Starts a step for the playground, in the same way. What runs inside this process cannot be ended. */
export function startStep(options: RunOptions): ReturnType<StartStep> {
  return { result: runAction(options), signal: () => {} };
}

/**
 * Runs a step inside this process. The result is the same as that of a process. It may connect only to what the table
 * of origins names.
 */
export async function runInProcess(options: RunOptions): Promise<RunResult> {
  const { bundle, env, folders } = prepareStep(options);
  const startedAt = performance.now();
  const lines: string[] = [];
  const limit = Promise.withResolvers<never>();
  const limitMs = options.limitMs ?? DEFAULT_LIMIT_MS;
  const timer = setTimeout(() => {
    const log = lines.join("\n");
    limit.reject(new Error(`The step did not end within ${limitMs} ms. Its log:\n${log}`));
  }, limitMs);
  try {
    const { fastClock = 1 } = options;
    const hosts = new Set<string>();
    const run = recordingHosts(hosts, () =>
      startBundle(bundle, { env, cwd: folders.workspace, fastClock }),
    );
    const texts = { stdout: "", stderr: "" };
    const ended = (["stdout", "stderr"] as const).map((name) => {
      readLines(run[name], {
        onText: (text) => {
          texts[name] += text;
        },
        onLine: (line) => {
          lines.push(line);
          options.onLine?.(line, name);
        },
      });
      return once(run[name], "end");
    });
    const exitCode = await Promise.race([run.exitCode, limit.promise]);
    run.stdout.end();
    run.stderr.end();
    await Promise.all(ended);
    expect(hostsBesideOrigins(hosts, { action: options.action ?? ".", env })).toEqual([]);
    const log = readLog(lines);
    const files = readFiles(folders);
    return {
      exitCode,
      signal: null,
      ...texts,
      ...log,
      ...files,
      ...keptOf(log, files),
      durationMs: performance.now() - startedAt,
    };
  } finally {
    clearTimeout(timer);
    removeFolders(folders);
  }
}
