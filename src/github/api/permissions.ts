/** Which requests each action makes, for which of its inputs, and what its token needs for them. */

import type { TokenPermission, TokenPermissions } from "./explain.ts";
import { ROUTES } from "./routes.ts";

/** A route of the table, such as `issues.comment`. */
type RouteName = {
  [Noun in keyof typeof ROUTES]: `${Noun & string}.${keyof (typeof ROUTES)[Noun] & string}`;
}[keyof typeof ROUTES];

/** Something that an action does. */
export interface Use {
  readonly routes: readonly RouteName[];
  /** What it needs beside requests of its own: for `actions/checkout`, or as a right of an organization. */
  readonly besides?: readonly string[];
  /** The inputs that it is for, such as `comment: true`. Empty: it is done always. */
  readonly inputs: readonly string[];
  /** Whether it is done unless the inputs say otherwise. */
  readonly isDefault: boolean;
  /** What each permission is for, in Markdown for a page in docs/. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** One permission, and what it is for. */
export interface Need {
  /** As in a workflow's `permissions:`; `members`, which only an app can have, is one of an organization. */
  readonly permission: string;
  readonly level: "read" | "write";
  readonly use: Use;
  readonly reason: string;
}

const LEDGER = "the ledger ([why](ledger.md#who-can-see-and-change-it))";
const LEDGER_ROUTES = [
  "refs.get",
  "refs.list",
  "refs.create",
  "refs.move",
  "commits.relation",
  "git.commit",
  "git.file",
  "git.makeTree",
  "git.makeCommit",
] as const;
const COMMENTS = ["issues.comments", "issues.comment", "comments.edit"] as const;
const REQUESTS = [
  ...COMMENTS,
  "issues.get",
  "comments.get",
  "comments.changed",
  "comments.react",
  "comments.reactToReview",
] as const;
const DASHBOARD = [
  "issues.get",
  "issues.labelled",
  "issues.open",
  "issues.edit",
  "issues.reopen",
] as const;
const CHANGES = ["pulls.get", "pulls.closed", "pulls.files", "pulls.ownCommits"] as const;
const OF_REQUESTS = {
  issues: "comments and reactions on issues",
  "pull-requests": "comments and reactions on pull requests",
};

/** By the actions' names, in the order of the tables in docs/. */
export const USES: Readonly<Record<string, readonly Use[]>> = {
  root: [
    use(REQUESTS, OF_REQUESTS, ["comment", "trigger-phrase"]),
    checkout("the file, by `actions/checkout`", "prompt-file"),
    onRequest(
      ["pulls.files", "commits.comparedFiles"],
      {
        "pull-requests": "the names of a pull request's changed files, in private repositories",
        contents: "the names of a push's changed files, in private repositories",
      },
      ["include-context"],
    ),
  ],
  upkeep: [
    use([...LEDGER_ROUTES, "commits.compare"], { contents: LEDGER }),
    use(DASHBOARD, { issues: "the dashboard" }),
    use(CHANGES, {
      "pull-requests": "pull requests, their files and labels, in private repositories",
    }),
    onRequest(COMMENTS, { "pull-requests": "the comment on each merged pull request" }, [
      "comment: true",
    ]),
    onRequest(
      ["commits.list", ...CHANGES],
      {
        contents: "the commits of each of these repositories",
        "pull-requests": "the pull requests of each of these repositories",
      },
      ["repositories"],
    ),
  ],
  land: [
    use([...LEDGER_ROUTES, "pulls.merge", "issues.label", "issues.assign", ...COMMENTS], {
      contents: `${LEDGER}, and merging`,
      issues: "comments, `labels`, `assignees`; reading status comments",
      "pull-requests": "docs pull requests: reading, `reviewers`, merging, closing",
    }),
    use(
      ["docsPulls.get", "actions.log"],
      {
        checks: "check runs and their annotations",
        statuses: "commit statuses",
        actions: "which workflow a check is of, and the logs of failed jobs",
      },
      ["checks", "merge"],
    ),
    {
      ...onRequest(
        [],
        { members: "teams (`team:slug`), which a workflow's own token cannot ask" },
        ["reviewers"],
      ),
      besides: ["members: read"],
    },
  ],
  gate: [
    use(["commits.setStatus", "commits.statuses", "commits.status"], { statuses: "the status" }),
    use(COMMENTS, { "pull-requests": "the comment" }, ["comment: true"]),
    onRequest(
      ["pulls.toJudge", "pulls.open", "pulls.files"],
      { "pull-requests": "the pull request, its files and its comments" },
      ["comment: false"],
    ),
    use(["commits.comparedFiles", "commits.list", "refs.list", "git.file"], {
      contents: "files, merge groups, and the ledger: drafts, and the agent's own pull requests",
    }),
    onRequest(
      ["commits.suites"],
      { checks: "since when the head of a fork is there, in private repositories" },
      [],
    ),
    onRequest(LEDGER_ROUTES, { contents: "upkeep's ledger, in which drafts are recorded" }, [
      "draft: approved",
    ]),
    onRequest(["issues.get"], { issues: "upkeep's dashboard, which may be closed" }, [
      "draft: approved",
    ]),
  ],
  deploy: [
    use(
      ["deployments.list", "deployments.create", "deployments.setStatus"],
      { deployments: "the deployment on GitHub; not with `none`" },
      ["environment"],
    ),
    onRequest(COMMENTS, { "pull-requests": "the comment" }, ["comment: true"]),
    onRequest(
      ["pulls.head", "branches.get"],
      {
        "pull-requests": "the head of the pull request, in private repositories",
        contents: "the head of the branch, in private repositories",
      },
      ["environment"],
    ),
  ],
  doctor: [
    trial("refs.create", {
      contents: "a ref that is made and deleted at once, for actions with a ledger",
    }),
    trial("issues.open", {
      issues: "trying it, for actions that comment or have a dashboard",
    }),
    trial("pulls.tryOpening", {
      "pull-requests": "trying it, for actions that comment on pull requests",
    }),
    trial("commits.checkRuns", { checks: "the checks of pull requests, for land" }),
    trial("commits.setStatus", { statuses: "trying it, for the gate" }),
    trial("commits.status", { statuses: "the statuses of pull requests, for land" }),
    trial("deployments.create", { deployments: "trying it, for deploy" }),
    use(["actions.workflows", "actions.scheduledRuns"], {
      actions: "whether schedules are active, and their last runs",
    }),
  ],
  collect: [use(REQUESTS, OF_REQUESTS)],
  queue: [
    use(LEDGER_ROUTES, { contents: `${LEDGER}, and \`tasks-file\`, by \`actions/checkout\`` }),
    use(DASHBOARD, { issues: "the dashboard" }),
    use(["pulls.get"], {
      "pull-requests": "the state of docs pull requests, in private repositories",
    }),
  ],
  assistant: [
    use(REQUESTS, OF_REQUESTS, ["comment", "trigger-phrase"]),
    checkout("the files, by `actions/checkout`", "context-files"),
  ],
};

/** What is done unless the inputs say otherwise. */
function use(
  routes: readonly RouteName[],
  reasons: Use["reasons"],
  inputs: readonly string[] = [],
): Use {
  return { routes, reasons, inputs, isDefault: true };
}

/** What is done only for some inputs. */
function onRequest(
  routes: readonly RouteName[],
  reasons: Use["reasons"],
  inputs: readonly string[],
): Use {
  return { routes, reasons, inputs, isDefault: false };
}

function trial(route: RouteName, reasons: Use["reasons"]): Use {
  return onRequest([route], reasons, ["actions"]);
}

function checkout(reason: string, input: string): Use {
  return { ...onRequest([], { contents: reason }, [input]), besides: ["contents: read"] };
}

/** The permissions that some routes need, each at its highest level. Every token may read metadata. */
function levelsOf(permissions: readonly string[]): Map<string, "read" | "write"> {
  const levels = new Map<string, "read" | "write">();
  for (const permission of permissions) {
    const [name = "", level] = permission.split(": ");
    if (name === "metadata") continue;
    if (level === "write" || !levels.has(name))
      levels.set(name, level === "write" ? "write" : "read");
  }
  return levels;
}

/** The permissions of each route by its name. */
export const ROUTE_NEEDS: ReadonlyMap<string, TokenPermissions> = new Map(
  Object.entries(ROUTES).flatMap(([noun, routes]) =>
    Object.entries<{ readonly needs: TokenPermissions }>(routes).map(
      ([name, { needs }]) => [`${noun}.${name}`, needs] as const,
    ),
  ),
);

function permissionsOf(name: RouteName): readonly TokenPermission[] {
  const needs = ROUTE_NEEDS.get(name) ?? [];
  return "onIssues" in needs ? [needs.onIssues, needs.onPulls] : needs;
}

/** What an action needs, one permission after the other. What it does always covers the same at other times. */
export function actionNeeds(action: string): Need[] {
  return (USES[action] ?? []).flatMap((own) => {
    const levels = levelsOf([...own.routes.flatMap(permissionsOf), ...(own.besides ?? [])]);
    return Object.entries(own.reasons).flatMap(([permission, reason]): Need[] => {
      const level = levels.get(permission);
      return level === undefined ? [] : [{ permission, level, use: own, reason }];
    });
  });
}

/** What an action needs with its inputs' defaults. */
export function neededByDefault(action: string): TokenPermission[] {
  return actionNeeds(action)
    .filter(({ use }) => use.isDefault)
    .map(({ permission, level }): TokenPermission => `${permission}: ${level}`);
}

/** What land needs where the docs pull requests are. */
export function neededForDocsPulls(): TokenPermission[] {
  const levels = levelsOf([...permissionsOf("pulls.merge"), ...permissionsOf("docsPulls.get")]);
  return [...levels].map(([name, level]): TokenPermission => `${name}: ${level}`);
}
