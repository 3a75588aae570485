// For the workflow release.yml, before it publishes a version: checks that it can be released, and prints how, with
// its notes. `gh` does the rest. Needs no installed packages.
//
//   gh release list … --jq '.[].tagName' | node scripts/release.ts v1.2.3 NOTES
//
// Reads the tags of all published releases, one a line; writes the notes into the file NOTES, and prints outputs of a
// step: `latest`, and `major`, the tag that a person moves after it (empty: it stays where it is).
//
//   node scripts/release.ts --commit v1.2.3
//
// Before that, on a person's machine: makes the two commits of a release, and its tag. The first holds the version, the
// changelog and the bundles. The second writes the first one's hash into the team workflow, so that whoever calls that
// workflow at the tag or its commit gets exactly these bundles. A person pushes them: GitHub lets no workflow's token push
// what changes a workflow.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The version to release, and what exists already. */
export interface Candidate {
  /** Such as `v1.2.3`. */
  tag: string;
  /** The commit that is checked out. */
  commit: string;
  /** The commit before it. */
  parent: string;
  /** The files in which the two differ. */
  changed: readonly string[];
  /** The commit that the tag is at; undefined if there is no such tag. */
  taggedCommit: string | undefined;
  /** From package.json. Every bundle prints it. */
  version: string;
  changelog: string;
  /** Text of the team workflow. */
  team: string;
  /** `owner/name`, as package.json and with it every page and example has it. */
  repository: string;
  /** The repository that the workflow runs in; undefined if it is not known. */
  home: string | undefined;
  /** Tags of releases that are published. */
  published: readonly string[];
}

export interface ReleasePlan {
  /** Whether it becomes the latest release. */
  latest: boolean;
  /** The tag to move to it, such as `v1`; empty if a newer version has it. */
  major: string;
  /** Markdown. */
  notes: string;
}

/** The workflow that others call. */
export const TEAM = ".github/workflows/team.yml";

/** The team workflow with the project's actions at a commit, which has the tag's version in a comment. */
export function pinned(team: string, commit: string, tag: string): string {
  return team.replace(
    /(?<=\buses: [\w-]+\/docs-agent-action(\/[\w-]+)?@)\S+( # v\S+)?/g,
    `${commit} # ${tag}`,
  );
}

/** The same plan, even if an earlier run did a part of it. @throws if the version cannot be released */
export function planRelease(candidate: Candidate): ReleasePlan {
  const { tag, commit, taggedCommit = commit, version, changelog, repository, home } = candidate;
  if (!VERSION.test(tag)) throw notVersion(tag);
  checkVersion(version, tag);
  if (home !== undefined && home.toLowerCase() !== repository.toLowerCase()) {
    throw new Error(
      `The files name ${repository}, and this is ${home}: run npm run set-owner ${home.split("/")[0]}, and merge it first. The repository's name has to be ${repository.split("/")[1]}.`,
    );
  }
  if (taggedCommit !== commit) {
    throw new Error(
      `${tag} is at ${taggedCommit}, and this run at ${commit}. A tag is never moved: to finish that release, run this workflow on the tag; otherwise, choose a new version.`,
    );
  }
  const { team, parent, changed } = candidate;
  if (pinned(team, parent, tag) !== team || changed.join() !== TEAM) {
    throw new Error(
      `${TEAM} does not use the actions at the commit before this one, which has to differ in this file only: run node scripts/release.ts --commit ${tag}, and push its two commits as they are.`,
    );
  }
  const newer = candidate.published.filter((other) => isNewer(other, tag));
  const major = majorOf(tag);
  return {
    latest: newer.length === 0,
    // The tag that users run follows, unless a newer version of the same major has it.
    major: newer.some((other) => majorOf(other) === major) ? "" : major,
    // A page of releases is in no folder of the repository.
    notes: notesOf(changelog, tag).replaceAll(
      /\]\((?!https:)/g,
      `](https://github.com/${repository}/blob/${tag}/`,
    ),
  };
}

/** The text of a changelog under the heading of a version. @throws if there is none, or its heading has no date */
function notesOf(changelog: string, tag: string): string {
  const version = tag.slice(1);
  const sections = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  if (section === undefined) {
    throw new Error(
      `CHANGELOG.md has no section "## [${version}] - DATE": move what is under "## [Unreleased]" there.`,
    );
  }
  const [heading = "", ...lines] = section.split("\n");
  const [, day = ""] = / - (\d{4}-\d{2}-\d{2})$/.exec(heading) ?? [];
  // A day that no calendar has becomes another day.
  if (!new Date(day).toJSON()?.startsWith(day)) {
    throw new Error(
      `CHANGELOG.md has "## ${heading}": its date is missing, as in "## [${version}] - 2026-01-31".`,
    );
  }
  // Addresses of links that the headings refer to are at the end of the file.
  const notes = lines.filter((line) => !/^\[[^\]]+\]: /.test(line));
  const text = notes.join("\n").trim();
  if (text === "") throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return text;
}

/** @throws if package.json has another version than the tag */
function checkVersion(version: string, tag: string): void {
  if (tag === `v${version}`) return;
  throw new Error(
    `package.json has version ${version}, not ${tag.slice(1)}: set it, and run npm run build.`,
  );
}

const majorOf = (tag: string) => tag.split(".")[0] ?? tag;

const notVersion = (tag: string) =>
  new Error(`"${tag}" is not a version's tag: use vMAJOR.MINOR.PATCH.`);

/** The tag of a version, not of one before its release. */
const VERSION = /^v(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;

/** Whether a tag is of a newer version than another one. A tag that is not of a version is never newer or older. */
export function isNewer(tag: string, than: string): boolean {
  const areVersions = VERSION.test(tag) && VERSION.test(than);
  return areVersions && tag.localeCompare(than, "en", { numeric: true }) > 0;
}

/** What the first commit of a release may change. */
const RELEASED = ["CHANGELOG.md", "package.json", "package-lock.json", "dist"];

/** Makes the commits of a release, and its tag. @throws if the working copy is not ready for it */
function commitRelease(root: string, tag: string): void {
  const git = gitIn(root);
  const read = (file: string) => readFileSync(path.join(root, file), "utf8");
  if (!VERSION.test(tag)) throw notVersion(tag);
  checkVersion(JSON.parse(read("package.json")).version, tag);
  notesOf(read("CHANGELOG.md"), tag);
  if (git("tag", "--list", tag) !== "") {
    throw new Error(`The tag ${tag} exists. A tag is never moved: choose a new version.`);
  }
  const others = ["--", ".", ...RELEASED.map((file) => `:(exclude)${file}`)];
  const unrelated = git("status", "--porcelain", ...others);
  if (unrelated !== "") {
    throw new Error(`Commit or stash what does not belong to the release first:\n${unrelated}`);
  }
  git("add", "--all", "--", ...RELEASED.filter((file) => existsSync(path.join(root, file))));
  // Everything may have been merged before.
  git("commit", "--quiet", "--allow-empty", "--message", `Release ${tag}`);
  const team = pinned(read(TEAM), git("rev-parse", "HEAD"), tag);
  writeFileSync(path.join(root, TEAM), team);
  git("commit", "--quiet", "--message", `Pin the team workflow to ${tag}`, "--", TEAM);
  git("tag", tag);
  console.log(
    `Made two commits and the tag ${tag}. Push them as they are, since the second names the first:\n\n` +
      `  git push --atomic origin HEAD:main ${tag}`,
  );
}

/** Runs git in a folder, and gives back what it prints. */
function gitIn(root: string): (...args: string[]) => string {
  return (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

/** Plans the release of a tag, writes its notes, and prints the outputs. */
function printPlan(root: string, tag: string, notesFile: string): void {
  const git = gitIn(root);
  const read = (file: string) => readFileSync(path.join(root, file), "utf8");
  const { version, repository } = JSON.parse(read("package.json"));
  const plan = planRelease({
    tag,
    commit: git("rev-parse", "HEAD"),
    parent: git("rev-parse", "HEAD^"),
    changed: git("diff", "--name-only", "HEAD^", "HEAD").split("\n"),
    // An annotated tag is an object of its own, which names the commit.
    taggedCommit: git("for-each-ref", "--format=%(objectname) %(*objectname)", `refs/tags/${tag}`)
      .split(" ")
      .findLast(Boolean),
    version,
    repository: repository.replace(/^github:/, ""),
    home: process.env.GITHUB_REPOSITORY,
    changelog: read("CHANGELOG.md"),
    team: read(TEAM),
    published: readFileSync(0, "utf8").split("\n").filter(Boolean),
  });
  writeFileSync(notesFile, `${plan.notes}\n`);
  console.log(`latest=${plan.latest}\nmajor=${plan.major}`);
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, "..");
  const [first = "", second = ""] = process.argv.slice(2);
  try {
    if (first === "--commit") commitRelease(root, second);
    else printPlan(root, first, second);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
