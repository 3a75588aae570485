import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";

const EMULATE = path.join(REPOSITORY_ROOT, "node_modules/emulate/dist/index.js");

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once("error", () => resolve(false));
  server.listen(port, () => server.close(() => resolve(true)));
  return promise;
}

/** The first of two consecutive free ports. */
async function twoPorts(): Promise<number> {
  for (;;) {
    const first = 15_000 + Math.floor(Math.random() * 15_000);
    const free = await Promise.all([first, first + 1].map(isFree));
    if (!free.includes(false)) return first;
  }
}

/** Starts the emulated services, and ends them after their use. @param use gets the port and what was printed */
async function withServices(use: (port: number, output: string) => Promise<void>): Promise<void> {
  const port = await twoPorts();
  const child = spawn(process.execPath, [EMULATE, "start"], {
    cwd: REPOSITORY_ROOT,
    env: { PATH: process.env.PATH, EMULATE_PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  try {
    for await (const chunk of child.stdout) {
      output += chunk;
      if (output.includes("Ready.")) break;
    }
    await use(port, output);
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}

test("npm run emulate start prints values for the action's inputs that work", async () => {
  await withServices(async (port, output) => {
    const printed = (name: string) =>
      new RegExp(`^ *${name} +([^\\s,]+)`, "m").exec(output)?.[1] ?? "";
    const service = printed("base-url");
    expect(service).toBe(`http://localhost:${port}`);
    const created = await fetch(`${service}/v2/agent/${printed("project-id")}/job`, {
      method: "POST",
      headers: { authorization: `Bearer ${printed("api-key")}` },
      body: JSON.stringify({ prompt: "emulate: duration=never" }),
    });
    expect(created.status).toBe(201);
    const issue = await fetch(`${printed("github-api-url")}/repos/acme/docs/issues/1`, {
      headers: { authorization: `Bearer ${printed("github-token")}` },
    });
    expect(issue.status).toBe(200);
  });
});

/** The commands on upkeep's page that merge a pull request, on another port. */
function mergeCommands(port: number): string {
  const blocks = readFileSync(path.join(REPOSITORY_ROOT, "docs/upkeep.md"), "utf8").matchAll(
    /^( *)```sh\n([\s\S]*?)^\1```/gm,
  );
  const texts = [...blocks].map(([, , text = ""]) => text);
  return (texts.find((text) => text.includes("/merge")) ?? "").replaceAll(":4001", `:${port}`);
}

const HAS_TOOLS = ["curl", "jq"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

test.skipIf(!HAS_TOOLS)("the commands on upkeep's page merge a pull request", async () => {
  await withServices(async (port) => {
    const { stdout } = await promisify(execFile)("sh", ["-euc", mergeCommands(port + 1)]);
    expect(JSON.parse(stdout)).toMatchObject({ merged: true });
  });
});
