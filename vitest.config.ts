import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // End-to-end tests start child processes; more files at a time than cores only makes them wait.
    maxWorkers: 4,
  },
});
