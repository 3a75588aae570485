import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { issueOpened } from "../support/events.ts";
import { runAction } from "../support/run-action.ts";

let world: LocalWorld;

beforeAll(async () => {
  world = await startLocalWorld();
});

afterAll(() => world.close());

/** Asks on issue #1 of the emulated repository, or nowhere. */
function ask(question: string, options: RunOptions = {}) {
  return runAction({
    action: "assistant",
    repository: world.github.repository,
    apiUrl: world.github.url,
    serverUrl: world.github.url,
    token: world.github.token,
    ...options,
    inputs: {
      "api-key": world.service.assistantKey,
      domain: world.service.domain,
      question,
      "base-url": world.service.url,
      ...options.inputs,
    },
  });
}

test.each(["v1", "v2"])("%s answers with sources and a thread", async (version) => {
  const inputs = { "api-version": version };
  const result = await ask("How do I rotate a key?", { inputs });
  expect(result.errors).toEqual([]);
  expect(result.outputs.answer).toMatch(/^\*\*Rotate a key\.\*\* To rotate a key, /);
  expect(result.outputs.threadId).toMatch(/^[\w-]{36}$/);
  expect(JSON.parse(result.outputs.sources ?? "")[0]).toEqual({
    title: "Rotate a key",
    url: "https://docs.acme.example/keys/rotate",
  });
});

test("a second question on an issue goes on where the first left off", async () => {
  const first = await ask("How do I rotate a key?", issueOpened(1));
  const second = await ask("And the limits?", { ...issueOpened(1), runId: "1002" });
  expect(second.outputs.threadId).toBe(first.outputs.threadId);
  expect(second.outputs.answer).toContain("You asked before: “How do I rotate a key?”");
  const comments =
    await world.github.api<{ body: string; html_url: string }[]>("/issues/1/comments");
  const own = comments.find(({ html_url }) => html_url === second.outputs.commentUrl);
  expect(own?.body).toContain('<a href="https://docs.acme.example/limits">Rate limits</a>');
});
