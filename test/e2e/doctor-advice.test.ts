/** What doctor advises, carried out: then the finding is fine. */
import { expect, test } from "vitest";
import { holdRun } from "../../emulator/github/checks.ts";
import { WORKFLOW } from "../../emulator/github/people.ts";
import { ASSISTANT_KEY, DOMAIN } from "../../emulator/service/state.ts";
import { read } from "../project/files.ts";
import { openDocsPull } from "../support/world/listed-pull.ts";
import { findingsOf, found } from "../support/world/outputs.ts";
import { WITH_WORKFLOW, WORKFLOW_FILE, WORKFLOW_TEXT } from "../support/world/workflows.ts";
import { DAY, MINUTE, startWorld, type World } from "../support/world/world.ts";

type Inputs = Record<string, string>;

interface Row {
  /** The name of the finding's check. */
  readonly check: string;
  readonly advice: RegExp;
  /** Makes the mistake. @returns inputs that belong to it */
  readonly make: (world: World) => Inputs | Promise<Inputs>;
  /** Does what the advice says. @returns the inputs after it */
  readonly follow: (world: World, advice: string) => Inputs | Promise<Inputs>;
}

/** What only changes the inputs. */
function input(check: string, advice: RegExp, before: Inputs, after: Inputs): Row {
  return { check, advice, make: () => before, follow: () => after };
}

/** A setting of the repository. */
function setting(
  check: string,
  advice: RegExp,
  set: (home: World["github"]["home"], isWrong: boolean) => void,
): Row {
  return {
    check,
    advice,
    make: ({ github }) => {
      set(github.home, true);
      return {};
    },
    follow: ({ github }) => {
      set(github.home, false);
      return {};
    },
  };
}

/** A permission. */
function permission(check: string, advice: RegExp, rights: object, inputs: Inputs): Row {
  return {
    check,
    advice,
    make: async ({ github }) => {
      await github.restrict(rights);
      return inputs;
    },
    follow: async ({ github }) => {
      await github.restrict({});
      return inputs;
    },
  };
}

const ended = ({ github: { home } }: World, conclusion: string) => {
  const id = home.scheduledRuns.length + 1;
  home.scheduledRuns.push({ id, path: WORKFLOW_FILE, conclusion, at: home.site.now });
  return {};
};
const disable = ({ github }: World, state: string) => {
  github.home.workflowStates.set(WORKFLOW_FILE, state);
  return {};
};
const enable = (world: World, advice: string) => {
  expect(advice).toContain("gh workflow enable docs.yml");
  world.github.home.workflowStates.delete(WORKFLOW_FILE);
  return ended(world, "success");
};

const report = ({ github: { home } }: World, head_sha: string) => {
  home.report({ name: "build", head_sha, conclusion: "success" });
  return {};
};

const ASSISTANT = { "assistant-api-key": ASSISTANT_KEY, domain: DOMAIN };

/** Another repository with the documentation. */
const MANUAL = { repository: "acme/manual" };
const create = ({ github }: World) => github.emulated.create("acme/manual");
const manualOf = ({ emulated, home }: World["github"]) =>
  emulated.repositories.find(({ name }) => name === "manual") ?? home;

const ROWS: readonly Row[] = [
  input("service-address", /remove it/, { "base-url": "http://docs.example" }, {}),
  {
    check: "service-address",
    advice: /Run again later/,
    make: async ({ service }) => {
      await service.addFault({ route: "jobs", status: 503, times: 1 });
      return {};
    },
    follow: () => ({}),
  },
  input("api-key", /gh secret set DOCS_API_KEY/, { "api-key": "" }, {}),
  input("api-key", /Look for it on the API keys page/, { "api-key": "mint_other" }, {}),
  input("project-id", /gh variable set DOCS_PROJECT_ID/, { "project-id": "nobodys" }, {}),
  input("github-token", /Remove `github-token`/, { "github-token": "ghs_nobodys" }, {}),
  {
    check: "github-token",
    advice: /Run doctor again later/,
    make: ({ github }) => {
      github.emulated.addFault({ path: "^/repos/acme/docs$", status: 500, times: 2 });
      return {};
    },
    follow: () => ({}),
  },
  permission("permissions-root", /Add `issues: write`/, { issues: "read" }, { actions: "root" }),
  permission("permissions-gate", /If this workflow uses it: Add/, { statuses: "read" }, {}),
  permission(
    "permissions",
    /permissions:/,
    {
      contents: "read",
      issues: "read",
      pull_requests: "read",
      deployments: "none",
      statuses: "read",
    },
    {},
  ),
  {
    check: "ledger-ref",
    advice: /Set `ledger-ref`/,
    make: ({ github }) => {
      github.home.protectedRefs = "^refs/docs-agent/";
      return {};
    },
    follow: () => ({ "ledger-ref": "refs/heads/docs-ledger" }),
  },
  {
    check: "ledger-ref",
    advice: /git push origin :refs/,
    make: ({ github }) => {
      github.emulated.addFault({ method: "DELETE", status: 403, message: "Not now" });
      return {};
    },
    follow: ({ github }, advice) => {
      const [, ref = ""] = /origin :(\S+)`/.exec(advice) ?? [];
      expect(github.home.refs.has(ref)).toBe(true);
      github.home.setRef(ref, null);
      return {};
    },
  },
  setting("issues", /Enable them/, (home, isWrong) => {
    home.hasIssues = !isWrong;
  }),
  setting("archived", /Unarchive it/, (home, isWrong) => {
    home.isArchived = isWrong;
  }),
  {
    check: "docs-repository",
    advice: /may write to acme\/manual/,
    make: (world) => {
      create(world).roles.delete("github-actions[bot]");
      return MANUAL;
    },
    follow: ({ github }) => {
      manualOf(github).roles.set("github-actions[bot]", "write");
      return MANUAL;
    },
  },
  {
    check: "docs-repository",
    advice: /Unarchive it/,
    make: (world) => {
      create(world).isArchived = true;
      return MANUAL;
    },
    follow: ({ github }) => {
      manualOf(github).isArchived = false;
      return MANUAL;
    },
  },
  input("visibility", /Name its repository/, {}, { repository: "acme/docs" }),
  {
    check: "visibility",
    advice: /in a private repository/,
    make: (world) => {
      create(world).visibility = "private";
      return MANUAL;
    },
    follow: ({ github }) => {
      github.home.visibility = "private";
      return MANUAL;
    },
  },
  {
    check: "workflow-file",
    advice: /Merge it/,
    make: ({ github }) => {
      github.home.push({
        files: { [WORKFLOW_FILE]: null, ".github/workflows/a.yml": "on: push\n" },
      });
      return {};
    },
    follow: ({ github }) => {
      github.home.push({ files: { [WORKFLOW_FILE]: WORKFLOW_TEXT } });
      return {};
    },
  },
  ...["disabled_inactivity", "disabled_manually"].map((state) => ({
    check: "schedule",
    advice: /Enable it/,
    make: (world: World) => disable(world, state),
    follow: enable,
  })),
  {
    check: "schedule",
    advice: /Read its log/,
    make: (world) => ended(world, "failure"),
    follow: (world) => ended(world, "success"),
  },
  {
    check: "schedule",
    advice: /Edit the line/,
    make: async ({ github }) => {
      await github.advance(40 * DAY);
      return {};
    },
    follow: (world) => ended(world, "success"),
  },
  {
    check: "schedule",
    advice: /`actions: read`/,
    make: async (world) => {
      await world.github.restrict({ actions: "none" });
      return ended(world, "success");
    },
    follow: async ({ github }) => {
      await github.restrict({});
      return {};
    },
  },
  {
    check: "ledger",
    advice: /start one/,
    make: async (world) => {
      const { github } = world;
      const since = github.home.tip();
      github.home.land({ title: "Add retries" }, "squash");
      await world.run("upkeep", { inputs: { since } });
      await github.advance(20 * DAY);
      github.home.land({ title: "Add timeouts" }, "squash");
      await github.advance(11 * DAY);
      return {};
    },
    follow: async (world) => {
      await world.service.untilJobsEnd();
      await world.run("upkeep");
      return {};
    },
  },
  {
    check: "agent-checks",
    advice: /approve them/,
    make: async (world) => {
      const { head } = await openDocsPull(world);
      holdRun(world.github.home, { sha: head, app: WORKFLOW, event: "pull_request" });
      return {};
    },
    follow: (world) => {
      const [suite] = world.github.home.checkSuites;
      if (suite !== undefined) suite.isHeld = false;
      return report(world, suite?.sha ?? "");
    },
  },
  {
    check: "agent-checks",
    advice: /Look for `paths:`/,
    make: async (world) => {
      await openDocsPull(world);
      report(world, world.github.home.openPull().head);
      await world.github.advance(10 * MINUTE);
      return {};
    },
    follow: (world) => report(world, world.github.home.pulls[0]?.head ?? ""),
  },
  {
    check: "required-checks",
    advice: /Let a workflow make each of them/,
    make: async ({ github }) => {
      github.home.mergeRule = { checks: ["build"] };
      github.home.openPull();
      await github.advance(10 * MINUTE);
      return {};
    },
    follow: (world) => report(world, world.github.home.pulls[0]?.head ?? ""),
  },
  {
    check: "merge-queue",
    advice: /Add `merge_group:`/,
    make: ({ github }) => {
      github.home.mergeRule = { queue: true, checks: ["build"] };
      return {};
    },
    follow: ({ github }) => {
      const text = WORKFLOW_TEXT.replace("on:", "on:\n  merge_group:");
      github.home.push({ files: { [WORKFLOW_FILE]: text } });
      return {};
    },
  },
  input("assistant-api-key", /assistant keys/, { domain: ASSISTANT.domain }, ASSISTANT),
];

/** The states of the findings of a check, and the advice of those that are not fine. */
async function foundBy(world: World, check: string, inputs: Inputs) {
  const result = await world.run("doctor", { inputs });
  const own = findingsOf(result).filter((finding) => finding.check === check);
  return {
    open: own.filter(({ state }) => state !== "fine"),
    advice: own.map(({ advice }) => advice ?? "").join(" "),
  };
}

test.each(ROWS)("$check: after $advice, it is fine", async ({ check, advice, make, follow }) => {
  await using world = await startWorld(WITH_WORKFLOW);
  const before = await foundBy(world, check, await make(world));
  expect(before.advice).toMatch(advice);
  const after = await foundBy(world, check, await follow(world, before.advice));
  expect(after.open).toEqual([]);
});

test("fork: run in the parent, the set-up is no fork", async () => {
  await using world = await startWorld(WITH_WORKFLOW);
  world.github.emulated.fork(world.github.home, "writer/docs");
  const result = await world.run("doctor", { repository: "writer/docs" });
  expect(found(result, "fork")[0]?.advice).toMatch(/^Run the workflow in the parent/);
  expect(found(await world.run("doctor"), "fork")).toMatchObject([{ state: "fine" }]);
});

test("each check that can be wrong has a row here", () => {
  const [, table = ""] = read("docs/doctor.md").split("| Check |");
  const [rows = ""] = table.split("\n\n");
  const named = [...rows.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([a-z]+[a-z-]*)`/g)].map(([, name = ""]) => name),
  );
  // Only a question shows that a domain is right, and only a job that the key may write.
  const others = ["api-key-write-scope", "domain"];
  const checks = new Set(["fork", ...ROWS.map(({ check }) => check)]);
  expect(named.filter((name) => !checks.has(name) && !others.includes(name))).toEqual([]);
});
