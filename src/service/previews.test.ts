import { expect, test } from "vitest";
import { previewsOf } from "./previews.ts";
import type { JsonTransport } from "./transport.ts";

function answering(value: unknown) {
  const asked: unknown[][] = [];
  const transport: JsonTransport = {
    json: async (path, body) => {
      asked.push([path, body]);
      return { value, retryAfter: undefined };
    },
  };
  return { asked, previews: previewsOf(transport, "docs", new AbortController().signal) };
}

const STARTED = { statusId: "s1", previewUrl: "https://preview.example" };

test("a preview of a branch is asked for, and its build is read", async () => {
  const start = answering({ ...STARTED, more: 1 });
  expect(await start.previews.start("docs/x")).toEqual(STARTED);
  const path = ["v1", "project", "preview", "docs"];
  expect(start.asked).toEqual([[path, { branch: "docs/x" }]]);
  const build = answering({ status: "failure", summary: null, logs: ["broken"] });
  expect(await build.previews.build("s1")).toEqual({
    status: "failure",
    summary: "",
    logs: ["broken"],
  });
  expect(build.asked).toEqual([[["v1", "project", "update-status", "s1"], null]]);
});

test.each([{}, { ...STARTED, statusId: ".." }, { ...STARTED, previewUrl: 1 }, null, "text"])(
  "%j is no preview",
  async (value) => {
    const failure = { failure: { type: "unreadable" } };
    await expect(answering(value).previews.start("x")).rejects.toMatchObject(failure);
  },
);

test.each([{ summary: "x" }, [], null])("%j is no build", async (value) => {
  const message = expect.stringContaining("does not describe a build");
  await expect(answering(value).previews.build("s1")).rejects.toMatchObject({ message });
});
