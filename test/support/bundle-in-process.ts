import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { PassThrough } from "node:stream";
import { Script } from "node:vm";

/** A bundle as a function of the names that CommonJS gives a file, of `process`, and of the clock. */
type Bundle = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  dirname: string,
  process: object,
  ...clock: unknown[]
) => void;

const CLOCK = ["Date", "setTimeout", "setInterval"] as const;

/** Compiled once for all runs. */
const compiled = new Map<string, Bundle>();

/** A running bundle. */
export interface BundleRun {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  /** Resolves as soon as the bundle ends its process. */
  readonly exitCode: Promise<number>;
}

/**
 * Evaluates the file inside this process. Like a process of its own, it has its own environment, standard
 * streams, working directory, clock and exit code. Runs share only Node's built-in modules. It gets no signals.
 */
export function startBundle(
  file: string,
  options: { env: Record<string, string>; cwd: string; fastClock: number },
): BundleRun {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const { promise: exitCode, resolve } = Promise.withResolvers<number>();
  const clock = clockOf(options.fastClock);
  const own = Object.create(process, {
    env: { value: { ...options.env } },
    argv: { value: [process.execPath, file] },
    stdout: { value: stdout },
    stderr: { value: stderr },
    cwd: { value: () => options.cwd },
    exit: { value: resolve },
    hrtime: { value: { bigint: clock.hrtime } },
    ...methodsOf(new EventEmitter()),
  });
  const times = CLOCK.map((name) => clock[name]);
  const evaluate = (name: string): object => {
    const require = createRequire(name);
    // A post step's file requires that of the main step.
    const requireHere = Object.assign(
      (id: string) => (id.startsWith(".") ? evaluate(require.resolve(id)) : require(id)),
      require,
    );
    const module = { exports: {} };
    const { exports } = module;
    load(name).call(exports, exports, requireHere, module, name, path.dirname(name), own, ...times);
    return module.exports;
  };
  evaluate(file);
  return { stdout, stderr, exitCode };
}

function load(file: string): Bundle {
  let bundle = compiled.get(file);
  if (bundle === undefined) {
    const parameters = `exports, require, module, __filename, __dirname, process, ${CLOCK.join(", ")}`;
    const beginning = `(function (${parameters}) {`;
    const source = `${beginning}${readFileSync(file, "utf8")}\n})`;
    // In a stack, the bundle's first line has the columns that it has in the file.
    const script = new Script(source, { filename: file, columnOffset: -beginning.length });
    bundle = script.runInThisContext() as Bundle;
    compiled.set(file, bundle);
  }
  return bundle;
}

/** A clock that runs `factor` times as fast, like that of `emulator/runner/fast-clock.mjs` for a process. */
function clockOf(factor: number): Record<(typeof CLOCK)[number] | "hrtime", unknown> {
  const [wall, monotonic] = [Date.now(), performance.now()];
  const passed = () => (performance.now() - monotonic) * factor;
  const now = () => Math.floor(wall + passed());
  const scaled =
    (start: typeof setTimeout | typeof setInterval) =>
    (callback: () => void, delay?: number, ...args: []) =>
      start(callback, delay === undefined ? delay : delay / factor, ...args);
  return {
    Date: new Proxy(Date, {
      construct: (target, args) =>
        new target(...((args.length === 0 ? [now()] : args) as [number])),
      get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
    }),
    hrtime: () => BigInt(Math.round((monotonic + passed()) * 1e6)),
    setTimeout: scaled(setTimeout),
    setInterval: scaled(setInterval),
  };
}

/** The methods of an emitter of the run's own, so that its listeners end with it. */
function methodsOf(emitter: EventEmitter): PropertyDescriptorMap {
  const names = ["on", "once", "off", "addListener", "removeListener", "emit"] as const;
  return Object.fromEntries(
    names.map((name) => [name, { value: (emitter[name] as () => unknown).bind(emitter) }]),
  );
}
