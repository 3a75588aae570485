import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
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

test("npm run emulate start prints values for the action's inputs that work", async () => {
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
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
});
