import { expect, test } from "vitest";
import { json, redirect, refusal, resetAfterRequest, text } from "../../../test/support/answers.ts";
import type { Answer } from "../../../test/support/faulty-server.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { contextOf } from "../../../test/support/run-context.ts";
import { checkApp, checkPermission, PERMISSIONS, permissionOf, reaches } from "./permission.ts";

/** What GitHub says of each permission: `permission` is coarse, `role_name` exact. */
const ANSWERS = {
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
    PERMISSIONS.map((required) => ({
      level,
      required,
      isAllowed: ORDER.indexOf(level) >= ORDER.indexOf(required),
    })),
  ),
)("$level where $required is required: $isAllowed", ({ level, required, isAllowed }) => {
  expect(reaches(permissionOf(ANSWERS[level]), required)).toBe(isAllowed);
});

const ROUTE = "GET /repos/octo/docs/collaborators/:user/permission";

test("a person with the permission is allowed", async () => {
  const github = connectClient();
  github.server.on(ROUTE, json(200, ANSWERS.write));
  expect(await checkPermission(github.connect, "octo/docs", "writer", "write")).toBeNull();
  expect(github.asked()).toEqual(["GET /repos/octo/docs/collaborators/writer/permission"]);
});

test("a person without it is not, and the reason says who, where and what is required", async () => {
  const github = connectClient();
  github.server.on(ROUTE, json(200, ANSWERS.triage));
  const denial = await checkPermission(github.connect, "octo/docs", "writer", "write");
  for (const word of ["writer", "octo/docs", "write"]) expect(denial?.reason).toContain(word);
});

test.each([
  ["docs-team", "read", "read"],
  ["docs-team", "write", "write"],
  ["docs-team", "admin", "admin"],
  ["Maintain", "read", "read"],
  ["docs-team", "none", null],
  ["docs-team", "owner", null],
  [undefined, "write", "write"],
  [null, "write", "write"],
  ["", "", null],
])("a role named %j over the permission %j counts as %j", (role_name, permission, level) => {
  expect(permissionOf({ role_name, permission })).toBe(level);
});

test.each([
  ["401", refusal(401, "Bad credentials"), "github-token"],
  ["403", refusal(403, "Resource not accessible by integration"), "metadata: read"],
  ["404", refusal(404, "Not Found"), "metadata: read"],
  ["429", refusal(429, "Slow down", { "retry-after": "60" }), "rate limit"],
  ["500", refusal(500, "Server Error"), "500"],
  ["a reset", resetAfterRequest, ""],
  ["a redirect", redirect(301, "https://elsewhere.example/x"), "redirect"],
  ["HTML", text(200, "<p>write</p>"), ""],
  ["nothing", text(204, ""), ""],
  ["null", json(200, null), ""],
  ["an array", json(200, [{ permission: "admin" }]), ""],
  ["no permission at all", json(200, {}), "at `permission`"],
  ["a permission that is no text", json(200, { permission: { admin: true } }), "at `permission`"],
  ["a list of roles", json(200, { permission: "admin", role_name: ["admin"] }), "at `role_name`"],
])("a GitHub that answers with %s allows nobody, and says why", async (_, answer, word) => {
  const github = connectClient();
  github.server.on(ROUTE, answer);
  const denial = await checkPermission(github.connect, "octo/docs", "writer", "read");
  expect(denial?.reason).toContain("writer");
  expect(denial?.reason).toContain(word);
});

test("any login is one segment of the path", async () => {
  const github = connectClient();
  await checkPermission(github.connect, "octo/docs", "a/../../x?y#z", "write");
  expect(github.asked()).toEqual([
    "GET /repos/octo/docs/collaborators/a%2F..%2F..%2Fx%3Fy%23z/permission",
  ]);
});

const POST = { id: 5, user: { login: "writer", type: "User" } };
const POST_ROUTE = "GET /repos/octo/docs/issues/comments/5";

async function checkAppOf(answer: Answer) {
  const { server, connect } = connectClient();
  server.on(POST_ROUTE, answer);
  const context = contextOf("issue_comment", { issue: { number: 7 }, comment: POST });
  return await checkApp(connect, context, POST, { allowedUsers: [], allowedBots: [] });
}

test("an app without a name has to be listed too", async () => {
  const denial = await checkAppOf(json(200, { performed_via_github_app: { slug: null } }));
  expect(denial?.reason).toBe(
    "`writer` posted through an app, and `allowed-bots` does not list it",
  );
});

test("for reading a comment, one permission is enough on issues, and another on pull requests", async () => {
  const denial = await checkAppOf(refusal(403, "Resource not accessible by integration"));
  const needed = "the permission `issues: read`, or on pull requests `pull-requests: read`";
  expect(denial?.reason).toContain(needed);
});
