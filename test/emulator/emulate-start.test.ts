import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
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

/** What a person types to merge a pull request, without a client for GitHub. */
const MERGE = String.raw`
api() { curl --silent --header "authorization: Bearer ghs_local_octocat" "$GITHUB/repos/acme/docs$@"; }
tip=$(api /git/ref/heads/main | jq --raw-output .object.sha)
file='{"path":"src/retry.ts","mode":"100644","type":"blob","content":"// Three times"}'
tree=$(api /git/trees --json "{\"base_tree\":\"$tip\",\"tree\":[$file]}" | jq --raw-output .sha)
commit=$(api /git/commits --json "{\"message\":\"Retry\",\"tree\":\"$tree\",\"parents\":[\"$tip\"]}" | jq --raw-output .sha)
api /git/refs --json "{\"ref\":\"refs/heads/retry\",\"sha\":\"$commit\"}" > /dev/null
number=$(api /pulls --json '{"title":"Retry webhooks three times","head":"retry","base":"main"}' | jq .number)
api "/pulls/$number/merge" --request PUT --json '{"merge_method":"squash"}'
`;

const HAS_TOOLS = ["curl", "jq"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

test.skipIf(!HAS_TOOLS)("a pull request is opened and merged with curl alone", async () => {
  await withServices(async (port) => {
    const env = { ...process.env, GITHUB: `http://localhost:${port + 1}` };
    const { stdout } = await promisify(execFile)("sh", ["-euc", MERGE], { env });
    expect(JSON.parse(stdout)).toMatchObject({ merged: true });
  });
});
