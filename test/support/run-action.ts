import { once } from "node:events";
import path from "node:path";
import { expect } from "vitest";
import { prepareStep } from "../../emulator/runner/prepare-step.ts";
import {
  DEFAULT_LIMIT_MS,
  type RunOptions,
  type RunResult,
  runAction as runProcess,
} from "../../emulator/runner/runner.ts";
import { readFiles, removeFolders } from "../../emulator/runner/step-folders.ts";
import { readLines, readLog } from "../../emulator/runner/workflow-commands.ts";
import { startBundle } from "./bundle-in-process.ts";
import { chanceOf, isExhaustive } from "./sample.ts";
import { misfits } from "./sentences.ts";

/** How many of the end-to-end tests run their steps as processes though none needs one. */
const AS_PROCESSES = isExhaustive ? 0.2 : 0.03;

/**
 * Runs a step to its end: as a process, or, in most end-to-end tests whose step needs nothing that only a
 * process has, inside of this one, which takes a fifth of the time. Every message is a sentence.
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
 * A process has a working directory of its own, reads some variables as it starts, and ends when nothing is
 * left to do, as a post step does that finds nothing.
 */
function needsProcess({ entry, env = {} }: RunOptions): boolean {
  const isSpecial = Object.entries(env).some(
    ([name, value = "/"]) =>
      name.startsWith("NODE_") || (name.endsWith("_PATH") && !path.isAbsolute(value)),
  );
  return entry === "post" || isSpecial;
}

/** Runs a step inside of this process. It leaves behind what a process would have left. */
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
    const run = startBundle(bundle, { env, cwd: folders.workspace, fastClock });
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
    return {
      exitCode,
      signal: null,
      ...texts,
      ...readLog(lines),
      ...readFiles(folders),
      durationMs: performance.now() - startedAt,
    };
  } finally {
    clearTimeout(timer);
    removeFolders(folders);
  }
}
