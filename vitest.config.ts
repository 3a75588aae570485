import { configDefaults, defineConfig } from "vitest/config";

/**
 * Files whose tests send signals. On Windows, Node ends a child at once instead of delivering them, and
 * a runner's own Ctrl+C cannot be had without a console.
 */
const WITH_SIGNALS = [
  "test/e2e/{assistant,cancellation,comment,github-refusals,jobs,post,rerun}.test.ts",
  "test/e2e/v1-{create,stream}.test.ts",
  "test/emulator/{emulate-start,start}.test.ts",
  "test/emulator/runner/runner.test.ts",
  "test/trust/cancellation*.test.ts",
];

export default defineConfig({
  test: {
    include: ["{src,test}/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(process.platform === "win32" ? WITH_SIGNALS : [])],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // End-to-end tests start child processes; more files at a time than cores only makes them wait.
    maxWorkers: 4,
  },
});
