/**
 * What each action needs of its token: the tables of permissions in docs/, and the links that register a GitHub App,
 * are made of this list. A test compares it with the descriptions in the action.yml files, and with the workflows of
 * the examples and pages.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { table } from "./markdown-table.ts";

export interface Need {
  /** As in scripts/actions.ts. */
  action: string;
  /** As in a workflow's `permissions:`; `members`, which only an app can have, is one of an organization. */
  permission: string;
  level: "read" | "write";
  /** The inputs that it is for, such as `comment: true`. Empty: it is needed always. */
  inputs: string[];
  /** In Markdown, for a page in docs/. */
  reason: string;
}

const LEDGER = "the ledger ([why](ledger.md#who-can-see-and-change-it))";

/** The needs of one action: `permission: level`, inputs, reason. */
function needsOf(
  action: string,
  rows: [right: string, inputs: string[], reason: string][],
): Need[] {
  return rows.map(([right, inputs, reason]) => {
    const [permission = "", level] = right.split(": ");
    return { action, permission, level: level === "write" ? "write" : "read", inputs, reason };
  });
}

export const NEEDS: Need[] = [
  ...needsOf("root", [
    ["issues: write", ["comment", "trigger-phrase"], "comments and reactions on issues"],
    [
      "pull-requests: write",
      ["comment", "trigger-phrase"],
      "comments and reactions on pull requests",
    ],
    ["contents: read", ["prompt-file"], "the file, by `actions/checkout`"],
    [
      "pull-requests: read",
      ["include-context"],
      "the names of a pull request's changed files, in private repositories",
    ],
    [
      "contents: read",
      ["include-context"],
      "the names of a push's changed files, in private repositories",
    ],
  ]),
  ...needsOf("upkeep", [
    ["contents: write", [], LEDGER],
    ["issues: write", [], "the dashboard"],
    ["pull-requests: read", [], "pull requests, their files and labels, in private repositories"],
    ["pull-requests: write", ["comment: true"], "the comment on each merged pull request"],
    ["contents: read", ["repositories"], "the commits of each of these repositories"],
    ["pull-requests: read", ["repositories"], "the pull requests of each of these repositories"],
  ]),
  ...needsOf("land", [
    ["contents: write", [], `${LEDGER}, and merging`],
    ["issues: write", [], "comments, `labels`, `assignees`; reading status comments"],
    ["pull-requests: write", [], "docs pull requests: reading, `reviewers`, merging, closing"],
    ["checks: read", ["checks", "merge"], "check runs and their annotations"],
    ["statuses: read", ["checks", "merge"], "commit statuses"],
    [
      "actions: read",
      ["checks", "merge"],
      "which workflow a check is of, and the logs of failed jobs",
    ],
    [
      "members: read",
      ["reviewers"],
      "teams (`team:slug`), which a workflow's own token cannot ask",
    ],
  ]),
  ...needsOf("gate", [
    ["statuses: write", [], "the status"],
    ["pull-requests: write", ["comment: true"], "the comment"],
    ["pull-requests: read", ["comment: false"], "the pull request, its files and its comments"],
    [
      "contents: read",
      [],
      "merge groups, and pull requests of bots: the ledger says which ones are the agent's own",
    ],
    ["contents: write", ["draft: approved"], "upkeep's ledger, in which drafts are recorded"],
    ["issues: read", ["draft: approved"], "upkeep's dashboard, which may be closed"],
  ]),
  ...needsOf("deploy", [
    ["deployments: write", ["environment"], "the deployment on GitHub; not with `none`"],
    ["pull-requests: write", ["comment: true"], "the comment"],
    [
      "pull-requests: read",
      ["environment"],
      "the head of the pull request, if a comment triggers the run",
    ],
  ]),
  ...needsOf("doctor", [
    [
      "contents: write",
      ["actions"],
      "a ref that is made and deleted at once, for actions with a ledger",
    ],
    ["issues: write", ["actions"], "trying it, for actions that comment or have a dashboard"],
    ["pull-requests: write", ["actions"], "trying it, for actions that comment on pull requests"],
    ["checks: read", ["actions"], "the checks of pull requests, for land"],
    ["statuses: write", ["actions"], "trying it, for the gate"],
    ["statuses: read", ["actions"], "the statuses of pull requests, for land"],
    ["deployments: write", ["actions"], "trying it, for deploy"],
    ["actions: read", [], "whether schedules are active, and their last runs"],
  ]),
  ...needsOf("collect", [
    ["issues: write", [], "comments and reactions on issues"],
    ["pull-requests: write", [], "comments and reactions on pull requests"],
  ]),
  ...needsOf("queue", [
    ["contents: write", [], `${LEDGER}, and \`tasks-file\`, by \`actions/checkout\``],
    ["issues: write", [], "the dashboard"],
    ["pull-requests: read", [], "the state of docs pull requests, in private repositories"],
  ]),
  ...needsOf("assistant", [
    ["issues: write", ["comment", "trigger-phrase"], "comments and reactions on issues"],
    [
      "pull-requests: write",
      ["comment", "trigger-phrase"],
      "comments and reactions on pull requests",
    ],
    ["contents: read", ["context-files"], "the files, by `actions/checkout`"],
  ]),
];

const code = (text: string) => `\`${text}\``;
const rightOf = ({ permission, level }: Need) => code(`${permission}: ${level}`);

/** The table of one action, for its page. @throws if it needs nothing */
export function permissionTable(action: string): string {
  const needs = NEEDS.filter((need) => need.action === action);
  if (needs.length === 0) throw new Error(`${action} has no permissions in scripts/permissions.ts`);
  const rows = needs.map((need) => [
    rightOf(need),
    need.inputs.map(code).join(", ") || "always",
    need.reason,
  ]);
  return table(["permission", "input", "for"], rows);
}

/** The table of all actions. */
export function allPermissionsTable(): string {
  const rows = NEEDS.map((need) => [
    need.action === "root" ? "root action" : code(need.action),
    need.inputs.map(code).join(", ") || "always",
    rightOf(need),
    need.reason,
  ]);
  return table(["action", "input", "permission", "for"], rows);
}

/** What an app for some actions needs: each permission at the highest level that one of them needs. */
export function permissionsFor(actions: readonly string[]): Map<string, "read" | "write"> {
  const levels = new Map<string, "read" | "write">();
  for (const { action, permission, level } of NEEDS) {
    if (!actions.includes(action)) continue;
    if (level === "write" || !levels.has(permission)) levels.set(permission, level);
  }
  return levels;
}

/** The apps that docs/app.md offers. */
const APPS = [
  { title: "upkeep, over several repositories", actions: ["upkeep"] },
  { title: "upkeep and land", actions: ["upkeep", "land"] },
  { title: "every action", actions: [...new Set(NEEDS.map(({ action }) => action))] },
];

/** The address of GitHub's form for a new app, filled in. */
export function appAddress(actions: readonly string[]): string {
  const manifest = path.join(import.meta.dirname, "../package.json");
  const { repository } = JSON.parse(readFileSync(manifest, "utf8")) as { repository: string };
  // Not encoded, so that `npm run set-owner` finds the repository's name.
  const url = repository.replace(/^github:/, "https://github.com/");
  const rights = [...permissionsFor(actions)].map(
    ([permission, level]) => `${permission.replaceAll("-", "_")}=${level}`,
  );
  const parameters = [`url=${url}`, "public=false", "webhook_active=false", ...rights];
  return `https://github.com/settings/apps/new?${parameters.join("&")}`;
}

/** The table of apps to register. */
export function appTable(): string {
  const rows = APPS.map(({ title, actions }) => {
    const rights = [...permissionsFor(actions)].map(([name, level]) => code(`${name}: ${level}`));
    return [title, `[Register it](${appAddress(actions)})`, rights.join(", ")];
  });
  return table(["an app for", "in one click", "its permissions"], rows);
}
