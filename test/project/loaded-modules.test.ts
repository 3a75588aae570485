import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { ACTIONS } from "../../scripts/actions.ts";
import { someOf } from "../support/sample.ts";

/** Modules of Node that cost milliseconds or megabytes, and that no action needs before its first request. */
const HEAVY = ["http", "https", "http2", "tls", "zlib", "assert", "internal/deps/undici/undici"];

const env = { "INPUT_BASE-URL": "http://127.0.0.1:1", GITHUB_REPOSITORY: "octo/docs" };

const REPORT = `process.on("exit", () => {
  console.error("Loaded: " + process.moduleLoadList.map((name) => name.replace("NativeModule ", "")).join(" "));
});`;

test.each(someOf(ACTIONS.map(({ name }) => name)))(
  "%s loads little before its first request",
  async (name) => {
    const preload = `data:text/javascript,${encodeURIComponent(REPORT)}`;
    const file = join(REPOSITORY_ROOT, "dist", name, "index.js");
    // Without inputs, it ends with an error before it has an answer.
    const ended = promisify(execFile)(process.execPath, ["--import", preload, file], { env });
    const { code, stdout, stderr } = await ended.catch((error) => error);
    expect(stdout).toContain("an empty value is not allowed");
    expect(code).toBe(1);
    const loaded = /^Loaded: (.*)$/m.exec(stderr)?.[1]?.split(" ") ?? [];
    expect(loaded).toContain("net");
    expect(HEAVY.filter((module) => loaded.includes(module))).toEqual([]);
  },
);
