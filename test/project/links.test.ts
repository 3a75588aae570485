import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import GithubSlugger from "github-slugger";
import { expect, test } from "vitest";
import { rendered, unescaped } from "../../emulator/github/rendered-markdown.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { ACTIONS } from "../../scripts/actions.ts";
import { PROJECT } from "../../scripts/copied/workflows.ts";
import { files, PAGES, read } from "./files.ts";

const HOME = `https://github.com/${PROJECT}`;

/** The URLs of a page's links and pictures. */
function links(html: string): string[] {
  const attributes = html.matchAll(/<[^>]+?\s(?:href|src|srcset)="([^"]*)"/g);
  return [...attributes].map(([, address = ""]) => unescaped(address));
}

/** Each page as GitHub shows it. Many links lead to the same few pages. */
const shown = new Map<string, string>();

function shownPage(page: string): string {
  const before = shown.get(page);
  if (before !== undefined) return before;
  const html = rendered(read(page));
  shown.set(page, html);
  return html;
}

/** The anchors of a page's headings on GitHub. */
function anchors(page: string): string[] {
  const slugger = new GithubSlugger();
  const headings = shownPage(page).matchAll(/<h[1-6]>([\s\S]*?)<\/h[1-6]>/g);
  return [...headings].map(([, html = ""]) =>
    slugger.slug(unescaped(html.replace(/<[^>]*>/g, ""))),
  );
}

/** What is wrong with a link on a page, as far as can be checked offline; empty if nothing. */
function fault(page: string, link: string): string {
  const address = link.replace(`${HOME}#`, "/README.md#").replace(`${HOME}/blob/main/`, "/");
  if (/^[a-z]+:/i.test(address)) {
    return URL.canParse(address) && address.startsWith("https://") ? "" : "is no https: URL";
  }
  const [target = "", anchor] = address.split("#");
  const folder = target.startsWith("/") ? "" : path.posix.dirname(page);
  const file = target === "" ? page : path.posix.join(folder, target).replace(/^\//, "");
  if (!existsSync(path.join(REPOSITORY_ROOT, file))) return "leads to no file";
  if (anchor === undefined) return "";
  return PAGES.includes(file) && anchors(file).includes(anchor) ? "" : "leads to no heading";
}

function faults(page: string, addresses: string[]): string[] {
  return addresses
    .map((link) => [link, fault(page, link)])
    .filter(([, problem]) => problem !== "")
    .map((parts) => parts.join(" "));
}

test.each(PAGES)("every link in %s has a target", (page) => {
  expect(faults(page, links(shownPage(page)))).toEqual([]);
});

test.each(files(".github/ISSUE_TEMPLATE/*.yml"))("every link in %s has a target", (form) => {
  const addresses = [...read(form).matchAll(/https:\/\/[^\s)>"]+/g)].map(([address]) => address);
  expect(faults(form, addresses)).toEqual([]);
});

test("every page that a message of the source links to exists, and no message names the repository", () => {
  const sources = files("src/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  const named = sources.flatMap((file) =>
    [...read(file).matchAll(/\.pages\}(\/[\w-]+\.md)/g)].map(([, page]) => `/docs${page}`),
  );
  expect(named.length).toBeGreaterThan(2);
  expect(faults("README.md", named)).toEqual([]);
  const naming = sources.filter((file) => read(file).includes(PROJECT));
  expect(naming).toEqual(["src/github/trigger/run-context.ts"]);
});

/** Whether a path exists, in the repository or in `src/`. */
function exists(name: string): boolean {
  return ["", "src"].some((folder) => existsSync(path.join(REPOSITORY_ROOT, folder, name)));
}

test("every path that the architecture page names exists", () => {
  const spans = [...read("ARCHITECTURE.md").matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
  const paths = spans.filter((text) => /^(?!.*NAME)[\w.-]+\/[\w./-]*$/.test(text));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((name) => !exists(name))).toEqual([]);
});

test("the architecture page's diagram and table name every folder of src/, and no other", () => {
  const page = read("ARCHITECTURE.md");
  const [, diagram = ""] = /```mermaid\n([\s\S]*?)```/.exec(page) ?? [];
  const drawn = [...diagram.matchAll(/(?:\["|· )([\w-]+)\//g)].map(([, name]) => name);
  const listed = [...page.matchAll(/^\| \[`src\/([\w-]+)\/`\]/gm)].map(([, name]) => name);
  const folders = readdirSync(path.join(REPOSITORY_ROOT, "src")).sort();
  // All actions are one box.
  expect([...drawn, ...listed].sort()).toEqual(folders);
  expect(listed).toEqual(ACTIONS.map(({ name }) => name));
});
