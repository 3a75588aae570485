import { expect, test } from "vitest";
import { ask } from "../../src/github/ask.ts";
import { admit, LEVELS, levelOf, reaches } from "../../src/github/permission.ts";
import type { Gate } from "../../src/inputs/gate.ts";
import { refusal } from "../support/fake-github.ts";
import { json, redirect, resetAfterRequest, text } from "../support/faulty-server.ts";
import { connectFake } from "./client.ts";
import { givenOf } from "./given.ts";

/** What GitHub says of each level: `permission` is coarse, `role_name` exact. */
const TOLD = {
  none: { permission: "none", role_name: "none" },
  read: { permission: "read", role_name: "read" },
  triage: { permission: "read", role_name: "triage" },
  write: { permission: "write", role_name: "write" },
  maintain: { permission: "write", role_name: "maintain" },
  admin: { permission: "admin", role_name: "admin" },
};
const ORDER = ["none", "read", "triage", "write", "maintain", "admin"] as const;

test.each(
  ORDER.flatMap((level) =>
    LEVELS.map((required) => ({
      level,
      required,
      isAllowed: ORDER.indexOf(level) >= ORDER.indexOf(required),
    })),
  ),
)("$level where $required is required: $isAllowed", async ({ level, required, isAllowed }) => {
  await using github = await connectFake();
  github.fake.refuse("permission", json(200, TOLD[level]));
  const admission = await admit(github.connect, "octo/docs", "writer", required);
  expect(admission.isAllowed).toBe(isAllowed);
  expect(github.asked()).toEqual(["GET /repos/octo/docs/collaborators/writer/permission"]);
  if (admission.isAllowed) return;
  for (const word of ["writer", "octo/docs", required]) expect(admission.why).toContain(word);
});

test.each([
  ["docs-team", "read", "read"],
  ["docs-team", "write", "write"],
  ["docs-team", "admin", "admin"],
  ["Maintain", "read", "read"],
  ["docs-team", "none", null],
  ["docs-team", "owner", null],
  [undefined, "write", "write"],
  [undefined, undefined, null],
  [null, null, null],
  [["admin"], { admin: true }, null],
  ["", "", null],
])("a role named %j over the permission %j counts as %j", (role_name, permission, level) => {
  expect(levelOf({ role_name, permission })).toBe(level);
});

test("no level reaches nothing", () => {
  for (const required of LEVELS) expect(reaches(null, required)).toBe(false);
});

test.each([
  ["401", refusal(401, "Bad credentials"), "github-token"],
  ["403", refusal(403, "Resource not accessible by integration"), "metadata: read"],
  ["404", refusal(404, "Not Found"), "metadata: read"],
  ["429", refusal(429, "Slow down", { "retry-after": "60" }), "rate limit"],
  ["500", refusal(500, "Server Error"), "500"],
  ["a reset", resetAfterRequest, ""],
  ["a redirect", redirect(301, "/repositories/1/collaborators/writer/permission"), "redirect"],
  ["HTML", text(200, "<p>write</p>"), ""],
  ["nothing", text(204, ""), ""],
  ["null", json(200, null), ""],
  ["an array", json(200, [{ permission: "admin" }]), ""],
  ["no permission at all", json(200, {}), ""],
])("a GitHub that answers with %s admits nobody, and says why", async (_, answer, word) => {
  await using github = await connectFake();
  github.fake.refuse("permission", answer);
  const admission = await admit(github.connect, "octo/docs", "writer", "read");
  if (admission.isAllowed) throw new Error("admitted");
  expect(admission.why).toContain("writer");
  expect(admission.why).toContain(word);
});

test("a login is one segment of the path, whatever it is", async () => {
  await using github = await connectFake();
  await admit(github.connect, "octo/docs", "a/../../x?y#z", "write");
  expect(github.asked()).toEqual([
    "GET /repos/octo/docs/collaborators/a%2F..%2F..%2Fx%3Fy%23z/permission",
  ]);
});

const GATE: Gate = {
  triggerPhrase: "/docs",
  requiredPermission: "write",
  comment: true,
  issueNumber: null,
  githubToken: "ghs_x",
  githubApiUrl: new URL("https://api.github.com"),
};

function commentBy(type: string, body: string) {
  return givenOf("issue_comment", {
    action: "created",
    comment: { body, user: { login: "writer", type } },
  });
}

test.each([
  ["without the phrase", commentBy("User", "Thanks!")],
  ["by a bot", commentBy("Bot", "/docs explain")],
  ["that carries no text", givenOf("schedule")],
])("GitHub is not asked about an event %s", async (_, given) => {
  await using github = await connectFake();
  await ask(GATE, given, github.connect);
  expect(github.asked()).toEqual([]);
});

test("whoever is admitted has asked; one who wrote nothing but the phrase is told how", async () => {
  await using github = await connectFake();
  expect(await ask(GATE, commentBy("User", "/docs --new explain"), github.connect)).toEqual({
    type: "run",
    request: { login: "writer", text: "explain", isNew: true },
  });
  for (const body of ["/docs", "/docs \n ", "/docs --new"]) {
    expect(await ask(GATE, commentBy("User", body), github.connect)).toEqual({ type: "usage" });
  }
});

test("whoever is not admitted is not told how to ask either", async () => {
  await using github = await connectFake();
  github.fake.refuse("permission", json(200, TOLD.read));
  for (const body of ["/docs", "/docs explain"]) {
    expect(await ask(GATE, commentBy("User", body), github.connect)).toMatchObject({
      type: "skip",
    });
  }
});
