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

/** A time limit for some twenty steps, on a busy machine. */
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
  /** The names in its folder for temporary files. */
  temporaryFiles(): string[];
}

function start(...args: string[]): Started {
  const temp = mkdtempSync(path.join(root, "temp-"));
  const child = execFile(process.execPath, [SCRIPT, ...args], {
    env: { PATH: process.env.PATH, TMPDIR: temp },
  });
  running.add(child);
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (text: string) => {
    stdout += text;
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
    temporaryFiles: () => readdirSync(temp),
  };
}

// These tests mostly wait for jobs, so they run concurrently.
describe.concurrent("npm start", () => {
  test(
    "tells in at most 80 lines of a job, upkeep, land and the gate, and exits",
    LONG,
    async () => {
      const { ended, temporaryFiles } = start();
      const { exitCode, stdout, stderr } = await ended;
      expect([exitCode, stderr]).toEqual([0, ""]);
      const lines = stdout.trimEnd().split("\n");
      expect(lines.length).toBeLessThanOrEqual(80);
      const places = [
        /without an account or a key/,
        /1\. A job/,
        /\/docs explain how to rotate a key/,
        /Docs agent: completed with a pull request/,
        /2\. Upkeep/,
        /doctor {3}The set-up is healthy\./,
        /upkeep {3}Docs upkeep: 1 change handed over\./,
        /docs pull request #\d for 1 change/,
        /1 change: 1 in review/,
        /3\. Land/,
        /Ready for review/,
        /asks for changes/,
        /land {5}Docs land: 1 follow-up sent\./,
        /land {5}Docs land: docs pull request #\d merged/,
        /1 of 1 change documented\./,
        /4\. Gate/,
        /docs gate – failure, needed/,
        /approves it/,
        /docs gate – success, covered/,
      ];
      // Each text comes after the one before, because some occur more than once.
      let at = 0;
      for (const place of places) {
        const rest = stdout.slice(at);
        expect(rest).toMatch(place);
        at += rest.search(place);
      }
      expect(lines.filter((line) => line.includes("doctor"))).toHaveLength(1);
      // What is hidden on GitHub is not shown, nor the address of anything that is closed by now.
      expect(stdout).not.toMatch(/<!--|<\/|127\.0\.0\.1/);
      expect(stdout).not.toContain("mint_local");
      expect(lines.at(-1)).toContain("npm start -- --keep");
      expect(temporaryFiles()).toEqual([]);
    },
  );

  test("removes its temporary files if it is interrupted while the action runs", async () => {
    const { ended, interrupt, temporaryFiles } = start();
    await vi.waitUntil(() => temporaryFiles().length > 0, { timeout: 60_000 });
    interrupt();
    const { exitCode, stdout } = await ended;
    expect(exitCode).toBe(130);
    expect(stdout).not.toContain("The answer");
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
      expect(text).toContain("Try the team workflow");
      expect(text).toMatch(/its inspector<\/dt><dd><a href="http:\/\/127\.0\.0\.1:\d+\/_emulate"/);
      const fields = { body: "/docs x\nemulate: duration=never" };
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
