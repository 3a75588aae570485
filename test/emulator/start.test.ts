import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";

const SCRIPT = path.join(import.meta.dirname, "../../scripts/start.ts");

interface Run {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** A time limit for two emulated jobs of four seconds and six steps, on a busy machine. */
const LONG = { timeout: 300_000 };

const running = new Set<ReturnType<typeof execFile>>();
const root = mkdtempSync(path.join(os.tmpdir(), "docs-agent-start-"));

afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

interface Started {
  ended: Promise<Run>;
  /** Resolves with the first match in the output. */
  waitForOutput(pattern: RegExp): Promise<string[]>;
  interrupt(): void;
  interruptAt(text: string): void;
  /** The names in its folder for temporary files. */
  temporaryFiles(): string[];
}

function start(...args: string[]): Started {
  const temp = mkdtempSync(path.join(root, "temp-"));
  const child = execFile(process.execPath, [SCRIPT, ...args], {
    env: { PATH: process.env.PATH, TMPDIR: temp },
  });
  running.add(child);
  let [stdout, stderr, trigger] = ["", "", ""];
  child.stdout?.on("data", (text: string) => {
    stdout += text;
    if (trigger === "" || !stdout.includes(trigger)) return;
    trigger = "";
    child.kill("SIGINT");
  });
  child.stderr?.on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([exitCode]) => {
    running.delete(child);
    return { exitCode, stdout, stderr };
  });
  return {
    ended,
    waitForOutput: (pattern) => vi.waitUntil(() => pattern.exec(stdout), { timeout: 60_000 }),
    interrupt: () => child.kill("SIGINT"),
    interruptAt: (text) => {
      trigger = text;
    },
    temporaryFiles: () => readdirSync(temp),
  };
}

// These tests mostly wait for jobs, so they run concurrently.
describe.concurrent("npm start", () => {
  test(
    "shows a run from the issue to the pull request, then upkeep, a queue, a preview and doctor, and exits",
    LONG,
    async () => {
      const { ended, temporaryFiles } = start();
      const { exitCode, stdout, stderr } = await ended;
      expect([exitCode, stderr]).toEqual([0, ""]);
      const places = [
        "without an account or a key",
        "An issue is opened: #1",
        "The action's log",
        "Outputs",
        "The comment on issue #1",
        "The step summary",
        "The pull request: #2",
        "branch  docs-agent/",
        "(added)",
        "Three pull requests are merged",
        "(label skip-docs)",
        "result        started",
        "changeCount   2",
        "result        idle",
        "The dashboard: issue #6 Docs upkeep",
        "0 of 2 changes documented, 2 in review",
        "## In review",
        "Retry webhooks three times",
        "## Passed over",
        "Sort the imports",
        "The ledger: refs/docs-agent/upkeep/",
        "completed: docs pull request #7",
        "Hand over 2 changes: #3 and #5",
        "A queue's tasks: docs/tasks.yml",
        "startedCount  2",
        "Docs queue: docs/tasks.yml",
        "3 of 4 tasks done, 1 needs a decision",
        "`mistake`",
        "`users`",
        "The ledger: refs/docs-agent/queue/",
        "Hand over 2 tasks: users and orders",
        "Deploy's run",
        "The build's status is success.",
        "### ✅ Docs preview: built",
        "View deployment",
        "→ success",
        "Doctor's run in a set-up with three mistakes",
        "### ❌ Docs doctor: 3 things to correct",
        "gh workflow enable docs.yml",
        "Doctor's run after they were corrected",
        "healthy",
      ];
      // Each text comes after the one before, because titles occur more than once.
      let at = 0;
      for (const place of places) {
        expect(stdout.slice(at)).toContain(place);
        at = stdout.indexOf(place, at);
      }
      // Hidden comments are not shown, as on GitHub.
      expect(stdout).not.toContain("<!--");
      // The log masks the key, as GitHub does.
      expect(stdout).not.toContain("mint_local");
      expect(stdout.trimEnd().split("\n").at(-1)).toContain("npm start -- --keep");
      expect(temporaryFiles()).toEqual([]);
    },
  );

  test("removes its temporary files if it is interrupted while the action runs", async () => {
    const { ended, interruptAt, temporaryFiles } = start();
    interruptAt("It is active");
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(130);
    expect(stdout).not.toContain("Outputs");
    expect(temporaryFiles()).toEqual([]);
  });

  test(
    "with --keep, serves the playground until Ctrl+C, even while a step runs",
    LONG,
    async () => {
      const { ended, waitForOutput, interrupt, temporaryFiles } = start("--keep");
      const [url = ""] = await waitForOutput(/http:\/\/127\.0\.0\.1:\d+/);
      const page = await fetch(url);
      const text = await page.text();
      expect(text).toContain("Try every action");
      expect(text).toMatch(/its inspector<\/dt><dd><a href="http:\/\/127\.0\.0\.1:\d+\/_emulate"/);
      const fields = { body: "/docs x\nemulate: duration=never", waits: "on" };
      const sent = {
        method: "POST",
        body: new URLSearchParams(fields),
        redirect: "manual",
      } as const;
      await fetch(`${page.url}/issues/1/comments`, sent);
      const isActive = async () => (await (await fetch(`${url}/jobs`)).text()).includes("active");
      await vi.waitUntil(isActive, { timeout: 60_000 });
      interrupt();
      const { exitCode, stdout, stderr } = await ended;
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(stdout.match(/http:/g)).toHaveLength(1);
      expect(stdout.trimEnd().split("\n").at(-1)).toBe("Stopped.");
      expect(temporaryFiles()).toEqual([]);
    },
  );
});
