import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files whose tests send signals. On Windows, Node ends a child at once instead of delivering them, and
 * a runner's own Ctrl+C cannot be had without a console.
 */
const WITH_SIGNALS = [
  "test/e2e/{assistant,collect-beside-runs,deploy-github,github-refusals,jobs,post,rerun,queue-cancelled}.test.ts",
  "test/e2e/{upkeep-{cancelled,decisions},v1-create}.test.ts",
  "test/emulator/**/{emulate-start,start,runner}.test.ts",
  "test/trust/{cancellation/*,ledger/kills}.test.ts",
];

/** Files outside of test/e2e and test/trust that start processes. */
const WITH_PROCESSES = [
  "test/emulator/**/{emulate-start,start,runner,fast-clock}.test.ts",
  "test/project/{layering,loaded-modules,release-commits,release-steps,set-owner,unused,v8-flags,with-node,workflow-linters}.test.ts",
  "test/support/run-action.test.ts",
  "test/project/stop-page.test.ts",
];

/** Files that take long when everything runs, the slowest first: one that begins last runs alone. */
const SLOWEST = [
  "fault-matrix/fault-matrix",
  "ledger/waits",
  "hostile/outsiders",
  "fault-matrix/land",
  "fault-matrix/upkeep-afterwards",
  "fault-matrix/upkeep",
  "ledger/histories-gate",
  "adversary/adversary",
  "ledger/model",
  "ledger/histories-upkeep",
  "cancellation/cancellation",
  "ledger/histories-land",
  "ledger/kills",
  "collect/histories",
  "ledger/land-kills",
];

/** Files that take long even in a sample, because they mostly wait, the slowest first. */
const SLOW_WAITS = [
  "e2e/playground-browser",
  "e2e/playground",
  "emulator/start",
  "project/with-node",
  "e2e/live",
  "support/run-action",
  "e2e/land-merge",
  "e2e/land-sources",
  "e2e/land-follow-up",
  "e2e/land-setting-up",
  "e2e/upkeep-cancelled",
  "e2e/upkeep-sources",
  "e2e/land-checks",
];

const FIRST = [...SLOWEST.map((name) => `trust/${name}`), ...SLOW_WAITS];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return at < 0 ? FIRST.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** In whatever mode the tests run, they share the cache of modules, so that only the first run of all fills it. */
const PROJECT = { extends: true, mode: "test" } as const;

const exclude = [...configDefaults.exclude, ...(process.platform === "win32" ? WITH_SIGNALS : [])];

export default defineConfig(({ mode }) => {
  const isExhaustive = mode === "exhaustive" || process.env.EXHAUSTIVE === "true";
  // Read by test/support/sample.ts, here and in the workers. The first reading of this file has the mode of the command.
  process.env.TRUST_SEED ??= String(Date.now() % 1_000_000);
  process.env.TRUST_SAMPLE ??= isExhaustive ? "all" : "some";
  process.env.E2E_SAMPLE ??= mode === "sample" && !isExhaustive ? "some" : "all";

  return {
    test: {
      // A worker runs one file after another: starting one for each file takes as long as many a file.
      isolate: false,
      // What is wrong with a run is a list of sentences: all of them are shown.
      chaiConfig: { truncateThreshold: 0 },
      // What hangs is to be noticed; a machine that is busy with all of this is no reason to fail.
      sequence: { sequencer: SlowestFirst },
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // The seed is printed before the first test, and with each that fails.
      globalSetup: "test/support/print-seed.ts",
      setupFiles: [
        "test/support/property-setup.ts",
        "test/support/sample-setup.ts",
        "test/support/github-answers-setup.ts",
      ],
      projects: [
        {
          ...PROJECT,
          test: {
            name: "unit",
            include: ["{src,playground,scripts}/**/*.test.ts"],
            exclude,
            pool: "threads",
            maxWorkers: 2,
            sequence: { groupOrder: 1 },
          },
        },
        {
          ...PROJECT,
          test: {
            name: "local",
            include: ["test/{actions,emulator,net,project,support}/**/*.test.ts"],
            exclude: [...exclude, ...WITH_PROCESSES],
            pool: "threads",
            // Much of it waits for a connection to fail or a job to end.
            maxWorkers: 3,
            sequence: { groupOrder: 2 },
          },
        },
        {
          ...PROJECT,
          test: {
            name: "bundle",
            include: ["test/e2e/**/*.test.ts", ...WITH_PROCESSES],
            exclude,
            // Read by test/support/run-action.ts.
            env: { STEPS: "in-process" },
            // What a test waits for is mostly something else: more files at a time than cores. Each worker
            // compiles the bundles and the descriptions of GitHub's answers for itself, which takes seconds.
            maxWorkers: 5,
            sequence: { groupOrder: 3 },
          },
        },
        {
          ...PROJECT,
          test: {
            name: "trust",
            include: ["test/trust/**/*.test.ts"],
            exclude,
            env: { STEPS: "in-process" },
            // Within a file too, cells run side by side.
            maxWorkers: 3,
            maxConcurrency: 5,
            sequence: { groupOrder: 4 },
          },
        },
      ],
    },
  };
});
