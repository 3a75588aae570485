import { expect, test } from "vitest";
import { parse } from "yaml";
import { ACTIONS } from "../../scripts/actions.ts";
import { type Job, PROJECT } from "../../scripts/copied/workflows.ts";
import { appAddress, NEEDS, type Need, permissionsFor } from "../../scripts/permissions.ts";
import { ROUTE_NEEDS, USES } from "../../src/github/api/permissions.ts";
import { COPIED, files, read } from "./files.ts";

const needsOf = (name: string) => NEEDS.filter(({ action }) => action === name);
const right = ({ permission, level }: Need) => `${permission}: ${level}`;

test.each(ACTIONS)("the permissions of $name are for inputs that it has", ({ name, metadata }) => {
  const inputs = Object.keys(parse(read(metadata)).inputs);
  const named = needsOf(name).flatMap((need) => need.inputs.map((input) => input.split(":")[0]));
  expect(named.filter((input = "") => !inputs.includes(input))).toEqual([]);
});

test.each(ACTIONS)(
  "the description of $name's token names no other permissions",
  ({ name, metadata }) => {
    const description: string = parse(read(metadata)).inputs["github-token"]?.description ?? "";
    const named = [...description.matchAll(/`([a-z-]+: (?:read|write))`/g)].map(([, it]) => it);
    // An input can have the same form as a permission.
    const known = needsOf(name).flatMap((need) => [right(need), ...need.inputs]);
    expect(named.filter((it = "") => !known.includes(it))).toEqual([]);
  },
);

test("only `jobs`, which reads nothing on GitHub, needs no permissions", () => {
  const without = ACTIONS.filter(({ name }) => needsOf(name).length === 0);
  expect(without.map(({ name }) => name)).toEqual(["jobs"]);
});

test.each(ACTIONS)("the page of $name has the table of its permissions", ({ name, page }) => {
  expect(read(page).includes(`<!-- permissions: ${name} -->`)).toBe(needsOf(name).length > 0);
});

/** The actions of the project in a job, with the job's own token; those that write something, or all. */
function actionsIn({ steps = [] }: Job, onlyWriting: boolean): string[] {
  return steps.flatMap(({ uses = "", with: inputs = {} }) => {
    const [, name] = /^\/?([a-z]*)@/.exec(uses.replace(PROJECT, "")) ?? [];
    const isOwn = uses.startsWith(PROJECT) && inputs["github-token"] === undefined;
    if (onlyWriting && inputs["dry-run"] === true) return [];
    return isOwn && name !== undefined ? [name || "root"] : [];
  });
}

const JOBS = COPIED.flatMap(({ where, workflow }) =>
  Object.entries(workflow.jobs)
    .map(([name, job]) => ({ where: `${where}: ${name}`, job, actions: actionsIn(job, false) }))
    .filter(({ actions, job }) => actions.length > 0 && job.permissions !== undefined),
);

// Every token can read a public repository, and some of these workflows are for those only.
test.each(JOBS)("$where may write all that its actions always need to write", ({ job }) => {
  const actions = actionsIn(job, true);
  const always = NEEDS.filter(({ action, inputs }) => actions.includes(action) && !inputs.length);
  const written = always
    .filter(({ level }) => level === "write")
    .map(({ permission }) => permission);
  expect(written.filter((permission) => job.permissions?.[permission] !== "write")).toEqual([]);
});

test.each(JOBS)("$where has no permission that none of its actions needs", ({ job, actions }) => {
  const most = permissionsFor(actions);
  const isCheckedOut = job.steps?.some(({ uses = "" }) => uses.startsWith("actions/checkout@"));
  const tooMuch = Object.entries(job.permissions ?? {}).filter(([permission, level]) => {
    if (permission === "contents" && level === "read" && isCheckedOut) return false;
    const needed = most.get(permission);
    return needed === undefined || (level === "write" && needed === "read");
  });
  expect(tooMuch).toEqual([]);
});

test("there are enough workflows to compare with", () => {
  expect(JOBS.length).toBeGreaterThan(30);
});

/** The links of docs/several-repositories.md to GitHub's form, and the permissions that are named beside each. */
const FORMS = [
  ...read("docs/several-repositories.md").matchAll(
    /\]\((https:\/\/github\.com\/settings\/apps\/new\?[^)]+)\) \| (.+) \|$/gm,
  ),
].map(([, address = "", rights = ""]) => ({ address: new URL(address), rights }));

test("each form for an app asks for the permissions beside it, and for nothing else", () => {
  expect(FORMS).toHaveLength(3);
  for (const { address, rights } of FORMS) {
    const {
      url,
      public: isPublic,
      webhook_active,
      ...asked
    } = Object.fromEntries(address.searchParams);
    expect([url, isPublic, webhook_active]).toEqual([
      `https://github.com/${PROJECT}`,
      "false",
      "false",
    ]);
    const named = [...rights.matchAll(/`([a-z-]+): (read|write)`/g)];
    expect(asked).toEqual(
      Object.fromEntries(named.map(([, name = "", level]) => [name.replace("-", "_"), level])),
    );
  }
});

test("the form for all actions asks for every permission of the actions' pages, at its highest level", () => {
  const tables = ACTIONS.map(({ name, page }) => {
    const [, rest = ""] = read(page).split(`<!-- permissions: ${name} -->\n`);
    return rest.split("<!-- end -->")[0] ?? "";
  });
  const rows = [...tables.join("\n").matchAll(/^\| `([a-z-]+): (read|write)` \|/gm)];
  expect(rows).toHaveLength(NEEDS.length);
  const asked = FORMS.at(-1)?.address.searchParams;
  for (const [, permission = ""] of rows) {
    const isWritten = rows.some(([, name, level]) => name === permission && level === "write");
    expect(asked?.get(permission.replace("-", "_"))).toBe(isWritten ? "write" : "read");
  }
});

test("an app for one action has each permission once, at the highest level", () => {
  expect([...permissionsFor(["upkeep"])]).toEqual([
    ["contents", "write"],
    ["issues", "write"],
    ["pull-requests", "write"],
  ]);
  expect(appAddress(["upkeep"])).toMatch(/&contents=write&issues=write&pull_requests=write$/);
});

/** The routes that the source of an action names itself, such as `issues.comment(`. */
function routesIn(action: string): string[] {
  const sources = files(`src/${action}/*.ts`).filter((file) => !file.endsWith(".test.ts"));
  const source = sources.map(read).join("\n");
  return [...ROUTE_NEEDS.keys()].filter((name) => {
    return new RegExp(`\\b${name.replace(".", "\\.")}\\(`).test(source);
  });
}

test.each(Object.keys(USES))("what %s asks for covers each request in its source", (action) => {
  const levels = permissionsFor([action]);
  const lacking = routesIn(action).flatMap((name) => {
    const needs = ROUTE_NEEDS.get(name) ?? [];
    const rights: readonly string[] = "onPulls" in needs ? [needs.onPulls] : needs;
    return rights.filter((right) => {
      const [permission = "", level] = right.split(": ");
      const held = levels.get(permission);
      return permission !== "metadata" && held !== level && held !== "write";
    });
  });
  expect(lacking).toEqual([]);
});

test.each(Object.entries(USES))(
  "each permission of %s that has a reason is for a request",
  (action, uses) => {
    const reasons = uses.flatMap((use) => Object.keys(use.reasons));
    expect(needsOf(action).map(({ permission }) => permission)).toEqual(reasons);
  },
);
