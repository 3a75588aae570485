import { expect, test } from "vitest";
import { redirect, text } from "../../../test/support/answers.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { knownValue } from "../../../test/support/known.ts";
import { jobLog } from "./job-log.ts";

async function read(log: string): Promise<string> {
  const { server, connect } = connectClient();
  server.on("GET /repos/acme/docs/actions/jobs/9/logs", redirect(302, "http://logs.test/9"));
  server.on("GET /9", text(200, log, { "content-type": "text/plain; charset=utf-8" }));
  return knownValue(await jobLog(await connect(), "acme/docs", "9"));
}

test("a log is read without the times and colours of its lines", async () => {
  const lines = [
    "\uFEFF2026-11-22T12:00:00.1234567Z ##[group]Run npm test",
    "2026-11-22T12:00:01.1234567Z \u001b[31mDead link\u001b[0m in docs/a.md",
  ];
  expect(await read(`${lines.join("\r\n")}\r\n`)).toBe(
    "##[group]Run npm test\nDead link in docs/a.md",
  );
});

test("of a long log, the last 100 lines are read", async () => {
  const lines = Array.from({ length: 150 }, (_, nth) => `line ${nth}`);
  const read100 = await read(lines.join("\n"));
  expect(read100.split("\n")).toEqual(lines.slice(50));
});

test("of long lines, the last 4,000 characters are read", async () => {
  const log = await read(`${"a".repeat(9_000)}end`);
  expect(log).toHaveLength(4_000);
  expect(log).toMatch(/aend$/);
});
