import { expect, test } from "vitest";
import { buildsOf, endOfBuild } from "./builds.ts";
import type { JsonTransport } from "./transport.ts";

function answering(value: unknown) {
  const asked: unknown[][] = [];
  const transport: JsonTransport = {
    json: async (path, body, { method } = {}) => {
      asked.push([path, body, method]);
      return { value, retryAfter: 7 };
    },
  };
  return { asked, builds: buildsOf(transport, "docs") };
}

const STARTED = { statusId: "s1", previewUrl: "https://preview.example" };

test("a preview of a branch is started", async () => {
  const { asked, builds } = answering({ ...STARTED, more: 1 });
  expect(await builds.startPreview("docs/x")).toEqual(STARTED);
  const path = ["v1", "project", "preview", "docs"];
  expect(asked).toEqual([[path, { branch: "docs/x" }, undefined]]);
});

test("a deployment is started by a POST without a body", async () => {
  const { asked, builds } = answering({ statusId: "s1" });
  expect(await builds.startDeployment()).toEqual({ statusId: "s1" });
  expect(asked).toEqual([[["v1", "project", "update", "docs"], null, "POST"]]);
});

test("a build with missing fields is read", async () => {
  const record = { status: "failure", summary: null, logs: ["broken", 7], commit: { sha: "abc" } };
  const { asked, builds } = answering(record);
  expect(await builds.get("s1")).toEqual({
    build: { status: "failure", summary: "", logs: ["broken"], commit: "abc" },
    retryAfter: 7,
  });
  expect(asked).toEqual([[["v1", "project", "update-status", "s1"], null, undefined]]);
  expect(await answering({ status: "queued" }).builds.get("s1")).toEqual({
    build: { status: "queued", summary: "", logs: [], commit: null },
    retryAfter: 7,
  });
});

test.each([{}, { ...STARTED, statusId: ".." }, null, "text"])("%j is no preview", async (value) => {
  const failure = { failure: { type: "unreadable" } };
  await expect(answering(value).builds.startPreview("x")).rejects.toMatchObject(failure);
});

test.each([{ summary: "x" }, { status: "" }, [], null])("%j is no build", async (value) => {
  const message = expect.stringContaining("does not describe a build");
  await expect(answering(value).builds.get("s1")).rejects.toMatchObject({ message });
});

test.each([
  { statusId: "s1" },
  { statusId: "s1", previewUrl: null },
  { statusId: "s1", previewUrl: 1 },
])("%j is a preview without an address", async (value) => {
  const started = { statusId: "s1", previewUrl: null };
  expect(await answering(value).builds.startPreview("x")).toEqual(started);
});

test("the record of another build is no answer", async () => {
  const message = expect.stringContaining("a different build");
  const { builds } = answering({ _id: "s2", status: "success" });
  await expect(builds.get("s1")).rejects.toMatchObject({ message });
  expect(await answering({ _id: "s1", status: "success" }).builds.get("s1")).toBeDefined();
});

test("credentials in addresses are taken out of what a build says", async () => {
  const logs = ["clone https://x-access-token:ghs_1@github.com/a/b"];
  const record = { status: "failure", summary: "https://a:b@host", logs };
  const { build } = await answering(record).builds.get("s1");
  const shown = ["clone https://***@github.com/a/b"];
  expect(build).toMatchObject({ summary: "https://***@host", logs: shown });
});

test("of a long log, the last lines are shown", () => {
  const logs = Array.from({ length: 100 }, (_, nth) => `line ${nth}`);
  const failed = { status: "failure", summary: "It failed.", commit: null };
  const end = endOfBuild({ ...failed, logs }).split("\n");
  expect(end).toEqual(logs.slice(-40));
  expect(endOfBuild({ ...failed, logs: ["", "why"] })).toBe("It failed.\nwhy");
  expect(endOfBuild({ ...failed, summary: "", logs: ["x".repeat(9_000)] })).toHaveLength(4_000);
});
