/**
 * What each action needs of its token: the tables of permissions in docs/, and the links that register a GitHub App,
 * from the table of routes (src/github/api/permissions.ts). A test compares it with the descriptions in the action.yml
 * files, and with the workflows of the examples and pages.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { actionNeeds, USES } from "../src/github/api/permissions.ts";
import { table } from "./markdown-table.ts";

export interface Need {
  /** As in scripts/actions.ts. */
  action: string;
  permission: string;
  level: "read" | "write";
  inputs: readonly string[];
  reason: string;
}

export const NEEDS: Need[] = Object.keys(USES).flatMap((action) =>
  actionNeeds(action).map(({ permission, level, use: { inputs }, reason }) => {
    return { action, permission, level, inputs, reason };
  }),
);

const code = (text: string) => `\`${text}\``;
const rightOf = ({ permission, level }: Need) => code(`${permission}: ${level}`);

/** The table of one action, for its page. @throws if it needs nothing */
export function permissionTable(action: string): string {
  const needs = NEEDS.filter((need) => need.action === action);
  if (needs.length === 0) throw new Error(`${action} has no permissions`);
  const rows = needs.map((need) => [
    rightOf(need),
    need.inputs.map(code).join(", ") || "always",
    need.reason,
  ]);
  return table(["permission", "input", "for"], rows);
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

/** The apps that docs/several-repositories.md offers. */
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
