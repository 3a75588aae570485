/**
 * The playground in Chromium. These tests run in exhaustive runs only, because starting Chromium takes as long as 50
 * other tests, and are skipped if there is no Chromium.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { PLAYGROUND_WORLD, type Playground, startPlayground } from "../../playground/index.ts";
import { findBrowser } from "../../scripts/picture/browser.ts";
import { renderPie } from "../../src/batches/dashboard/progress.ts";
import { isExhaustive } from "../support/sample.ts";

const executablePath = isExhaustive ? findBrowser() : undefined;
const inBrowser = test.skipIf(executablePath === undefined);
if (isExhaustive && executablePath === undefined) {
  console.warn(
    "No Chromium was found, so the playground is not tested in a browser. Install one (Debian, Ubuntu: apt-get install chromium), or name one in the environment variable CHROMIUM.",
  );
}

let world: LocalWorld;
let playground: Playground;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Errors in the browser, and its requests to other origins. */
let complaints: string[];

beforeAll(async () => {
  if (executablePath === undefined) return;
  world = await startLocalWorld({
    ...PLAYGROUND_WORLD,
    steering: { ...PLAYGROUND_WORLD.steering, durationMs: 1200 },
  });
  playground = await startPlayground(world);
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-sync"];
  browser = await chromium.launch({ executablePath, args });
  context = await browser.newContext();
});
afterAll(async () => {
  await browser?.close();
  await playground?.close();
  await world?.close();
});

beforeEach(async () => {
  complaints = [];
  if (browser !== undefined) page = await open(context);
});
afterEach(async () => {
  await page?.close();
  expect(complaints).toEqual([]);
});

/** Opens the playground in a new tab. */
async function open(from: BrowserContext): Promise<Page> {
  const opened = await from.newPage();
  opened.setDefaultTimeout(60_000);
  opened.on("pageerror", (error) => complaints.push(String(error)));
  opened.on("console", (message) => {
    // The browser reports answers such as 422, which a form shows as text.
    const isAnswer = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isAnswer) complaints.push(message.text());
  });
  opened.on("request", (request) => {
    if (new URL(request.url()).origin !== playground.url) complaints.push(request.url());
  });
  await opened.goto(`${playground.url}${ISSUE}`);
  return opened;
}

const ISSUE = "/acme/docs/issues/1";
const comment = (on: Page) => on.getByLabel("Add a comment");
const send = (on: Page) => on.getByRole("button", { name: "Comment", exact: true });

inBrowser("two browsers show a request, its answer and its end without reloading", async () => {
  const other = await open(await browser.newContext());
  await page.getByRole("link", { name: "a request" }).click();
  expect(await comment(page).inputValue()).toMatch(/^\/docs /);
  await comment(page).fill("/docs explain <img src=x onerror=alert(1)> keys");
  await send(page).click();
  // A half-written comment is kept when the thread updates.
  await comment(other).fill("/docs half-writ");
  const answered = async (each: Page) => {
    await each.getByRole("img", { name: "1 eyes" }).waitFor();
    const answer = each.getByRole("article", { name: "Comment by github-actions[bot]" });
    await answer.getByText("the agent is working").waitFor();
    await answer.getByRole("link", { name: "Pull request #2" }).waitFor();
    await each.getByRole("img", { name: "1 rocket" }).waitFor();
  };
  await Promise.all([answered(page), answered(other)]);
  await expect
    .poll(() => page.locator("#news").textContent(), { timeout: 60_000 })
    .toMatch(/success|completed/);
  expect(await page.locator("#news").textContent()).not.toMatch(/[*`]|<!--|\]\(|: #/);
  expect(await comment(page).inputValue()).toBe("");
  expect(await comment(other).inputValue()).toBe("/docs half-writ");
  await other.context().close();

  await page.getByRole("link", { name: "Pull request #2", exact: true }).click();
  await page.getByRole("button", { name: "Merge pull request" }).click();
  await page.getByText("Merged", { exact: true }).waitFor();
});

inBrowser(
  "the first page leads from a merged change to its documentation, and to the gate",
  async () => {
    await using own = await startLocalWorld(PLAYGROUND_WORLD);
    await using first = await startPlayground(own);
    await page.close();
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(first.url);
    const story = page.locator("#part-story");
    const hour = () => page.getByRole("button", { name: "Let an hour pass" }).click();
    const overview = () => page.getByRole("link", { name: "Overview" }).click();
    const runs = page.getByRole("complementary");
    const done = async (count: number) => {
      const team = runs.locator(".card", { hasText: "On schedule" }).filter({ hasText: "success" });
      await expect.poll(() => team.count(), { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
    };
    await page.getByRole("heading", { name: "Try the team workflow" }).waitFor();
    await story.getByRole("button", { name: "Merge a change" }).click();
    await story.getByRole("link", { name: "Retry webhooks three times" }).first().waitFor();
    await hour();
    await done(2);
    await hour();
    await story.getByRole("link", { name: "Document “Retry webhooks three times”" }).click();
    await page.getByText("Ready for review").first().waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("maintainer: approved").first().waitFor();
    await page.getByRole("button", { name: "Merge pull request" }).click();
    await page.getByText("Merged", { exact: true }).waitFor();
    await overview();
    await story.getByText("Merged", { exact: true }).waitFor();
    await story.getByRole("button", { name: "Open a pull request" }).click();
    await page.getByText("This change needs documentation").first().waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("maintainer: approved").first().waitFor();
    await overview();
    await story.getByText("docs gate: success").waitFor();
  },
);

inBrowser("a ticked box of the dashboard hands merged changes over again", async () => {
  const merge = async (title: string) => {
    await page.getByRole("link", { name: "Pull requests", exact: true }).click();
    await page.getByLabel("Title of the pull request").fill(title);
    await page.getByRole("button", { name: "Merge a change" }).click();
    await page.getByRole("link", { name: title.replaceAll("`", "") }).waitFor();
  };
  const overview = () => page.getByRole("link", { name: "Overview" }).click();
  const card = page.getByRole("region", { name: "Upkeep" });
  await merge("Retry webhooks");
  await merge("Add `--out` <b>now</b>");
  await overview();
  await card.getByLabel("The service breaks off").check();
  await card.getByRole("button", { name: "Run upkeep" }).click();
  await card.getByRole("link", { name: "Last run: failure" }).waitFor();

  await card.getByRole("link", { name: "Docs upkeep", exact: true }).click();
  await page.getByRole("heading", { name: "Needs a decision" }).waitFor();
  const decision = page.getByRole("checkbox", { name: "Hand over again" });
  await decision.focus();
  await page.keyboard.press("Space");
  await page.getByRole("heading", { name: "In progress" }).waitFor();
  // The box is gone, and its part of the page still has the focus.
  expect(await decision.count()).toBe(0);
  expect(await page.evaluate("document.activeElement.id")).toBe("part-post-issue");
  await page.getByRole("complementary").getByText("completed").nth(1).waitFor();
  await page.getByRole("button", { name: "Run upkeep" }).click();
  await page.getByRole("heading", { name: "In review" }).waitFor();
  await page.getByRole("link", { name: /docs pull request/i }).waitFor();

  await merge("Rotate keys");
  await overview();
  await card.getByRole("button", { name: "Run upkeep" }).click();
  await card.getByRole("link", { name: "Last run: success" }).waitFor();
  await card.getByRole("link", { name: "Docs upkeep", exact: true }).click();
  await page.getByRole("heading", { name: "In progress" }).waitFor();
  await page.locator("pre.mermaid svg").waitFor();
});

inBrowser("a form shows what is wrong with its text, and Ctrl+Enter sends it", async () => {
  await comment(page).fill("   ");
  await comment(page).press("Control+Enter");
  const alert = page.getByRole("alert").filter({ hasText: "Write something first" });
  await alert.waitFor();
  await comment(page).fill("Thanks!");
  await comment(page).press("Control+Enter");
  await page.getByText("Thanks!", { exact: true }).waitFor();
  expect(await alert.isVisible()).toBe(false);
});

inBrowser(
  "a link that begins a comment keeps its text, and workflows are copied by keyboard",
  async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("link", { name: "Write /ask on an issue" }).click();
    const body = { body: "An update" };
    await world.github.api("/issues/1/comments", { method: "POST", body });
    await page.getByText("An update", { exact: true }).waitFor();
    expect(await comment(page).inputValue()).toBe("/ask how do I rotate a key?");
    await page.locator("summary", { hasText: "answer-questions.yml" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    const source = readFileSync(
      path.join(REPOSITORY_ROOT, "examples/answer-questions.yml"),
      "utf8",
    );
    expect(copied).toBe(source);
  },
);

inBrowser(
  "by keyboard, the first link skips to the content, and doctor finds a mistake",
  async () => {
    await page.goto(`${playground.url}/acme/docs`);
    const focused = (selector: string) =>
      page.evaluate(`document.activeElement.matches("${selector}")`);
    await page.keyboard.press("Tab");
    expect(await focused(".skip")).toBe(true);
    expect((await page.locator(".skip").boundingBox())?.height).toBeGreaterThan(10);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await focused("#content *")).toBe(true);
    const card = page.getByRole("region", { name: "Doctor" });
    await card.getByRole("checkbox", { name: "Issues are disabled" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    const last = card.getByRole("link", { name: "Last run: failure" });
    await last.waitFor();
    await last.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Docs doctor: 1 thing to correct" }).waitFor();
  },
);

inBrowser("without JavaScript, all pages and forms work", async () => {
  const { number } = await world.github.api<{ number: number }>("/issues", {
    method: "POST",
    body: { title: "List", body: "- [ ] one\n- [x] two\n" },
  });
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const tab = await open(plain);
  await tab.getByRole("link", { name: "no request" }).click();
  expect(await comment(tab).inputValue()).toBe("Thanks, that reads well.");
  await comment(tab).fill("Sent without scripts");
  await send(tab).click();
  expect(tab.url()).toMatch(/\/issues\/1/);
  await tab.getByText("Sent without scripts").waitFor();
  await tab.goto(`${playground.url}/acme/docs/issues/${number}`);
  await tab.getByRole("checkbox", { name: "one" }).check();
  await tab.getByRole("button", { name: "Save the boxes" }).click();
  await tab.getByText("edited by maintainer").waitFor();
  expect(await tab.getByRole("checkbox", { checked: true }).count()).toBe(2);
  await tab.getByRole("link", { name: "Issues" }).click();
  await tab.getByLabel("Title").fill("Opened without scripts");
  await tab.getByRole("button", { name: "Open the issue" }).click();
  await tab.getByRole("heading", { name: "Opened without scripts" }).waitFor();
  await tab.getByRole("link", { name: "Overview" }).click();
  await tab.getByRole("button", { name: "Run jobs" }).click();
  expect(new URL(tab.url()).pathname).toBe("/acme/docs");
  await tab.getByRole("link", { name: "Docs jobs" }).first().waitFor();
  await tab.goto(`${playground.url}/acme/docs/pulls`);
  await tab.getByRole("button", { name: "Open a pull request" }).click();
  // The form suggests a title.
  await tab.getByRole("button", { name: "Run gate" }).waitFor();
  await tab.getByRole("button", { name: "Request changes" }).click();
  await tab.getByText("Write something first").waitFor();
  await tab.getByRole("link", { name: "Back" }).click();
  await tab.getByRole("button", { name: "Approve" }).waitFor();
  await plain.close();
});

inBrowser(
  "every page fits a phone, has enough contrast in light and dark, and does not break names",
  async () => {
    await createEveryState();
    const paths = await everyPage();
    expect(paths.length).toBeGreaterThan(20);
    await page.goto(`${playground.url}/acme/docs`);
    await page.addStyleTag({ content: ".lead { color: #888 !important } h1 { width: 3000px }" });
    const injected = await page.evaluate<string[]>(FAULTS);
    expect(injected).toContainEqual(expect.stringMatching(/^3\.54 This is/));
    expect(injected).toContainEqual(expect.stringMatching(/^too wide: 3/));
    const bad: unknown[] = [];
    const views = { light: 320, dark: 1280 } as const;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: views[colorScheme], height: 800 });
      for (const path of paths) {
        await page.goto(`${playground.url}${path}`, { waitUntil: "domcontentloaded" });
        await page.locator("body.scripted").waitFor({ state: "attached" });
        const undrawn = () => page.locator("pre.mermaid:not(:has(svg))").count();
        await expect.poll(undrawn, { timeout: 60_000 }).toBe(0);
        const faults = await page.evaluate<unknown[]>(FAULTS);
        bad.push(...faults.map((fault) => [path, colorScheme, fault]));
      }
    }
    expect(bad).toEqual([]);
  },
);

/** Creates runs, checks, reviews, dashboards and titles of every kind. */
async function createEveryState(): Promise<void> {
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    await fetch(`${playground.url}/acme/docs/${path}`, {
      method: "POST",
      body,
      redirect: "manual",
    });
  };
  const title = `Endless${"unbroken".repeat(20)}`;
  const files = { [`docs/${title.slice(0, 90)}.md`]: title };
  const author = "docs-agent[bot]";
  const { number } = world.github.home.openPull({ title, author, commits: [{ files }] });
  const path = Object.keys(files)[0] ?? "";
  const body = renderPie({ Done: 4, Running: 3, Waiting: 2, "Needs a decision": 1 });
  await world.github.api("/issues", { method: "POST", body: { title: "Chart", body } });
  await post("issues", { title, body: `/docs ${title}`, question: "on" });
  await post("issues/1/comments", { body: "/docs --new x\nemulate: outcome=failed" });
  await post("issues/1/comments", { login: "reader", body: "/docs x" });
  await post("changes", { title: "Name `keys`", how: "open" });
  await post("changes", { title: "Add `keys`", how: "merge" });
  const check = { conclusion: "failure", body: title, path };
  for (const name of ["Links", "Words"]) await post(`pull/${number}/checks`, { ...check, name });
  await post(`pull/${number}/reviews`, {
    login: "maintainer",
    event: "REQUEST_CHANGES",
    body: title,
    path,
  });
  const actions = {
    queue: {},
    upkeep: {},
    land: {},
    collect: {},
    jobs: {},
    doctor: { mistake: "key" },
  };
  for (const [action, fields] of Object.entries(actions)) {
    await post(action, { broken: "on", ...fields });
    const runs = async () => (await fetch(`${playground.url}/acme/docs/actions`)).text();
    await expect.poll(runs, { timeout: 60_000 }).not.toMatch(/busy">/);
  }
}

/** The paths of all pages that are linked. */
async function everyPage(): Promise<string[]> {
  const paths = new Set(["/", "/nothing"]);
  for (const path of paths) {
    const text = await (await fetch(`${playground.url}${path}`)).text();
    for (const [, link = ""] of text.matchAll(/href="(\/(?:acme|jobs)[^"?#]*)/g)) paths.add(link);
  }
  return [...paths];
}

/** A script that returns the faults of the page: low contrast, and what is too wide or broken. */
const FAULTS = `(() => {
  for (const hidden of document.querySelectorAll("[hidden]")) { hidden.hidden = false; hidden.textContent ||= "Some text"; }
  for (const details of document.querySelectorAll("details")) details.open = true;
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((value, at) => value * a + below[at] * (1 - a));
  const behind = (element) => element === null ? [255, 255, 255]
    : over(parts(getComputedStyle(element).backgroundColor), behind(element.parentElement));
  const light = (color) => {
    const [r, g, b] = color.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const faults = [];
  const check = (element, text, color, below = behind(element)) => {
    const [r, g, b, a = 1] = parts(color);
    let opacity = a;
    for (let node = element; node; node = node.parentElement) opacity *= Number(getComputedStyle(node).opacity);
    const [front, back] = [light(over([r, g, b, opacity], below)), light(below)];
    const ratio = Math.max(front, back) / Math.min(front, back);
    if (ratio < 4.5) faults.push(ratio.toFixed(2) + " " + text.trim().slice(0, 40));
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: element } = texts.currentNode;
    if (data.trim() === "" || !element.checkVisibility() || element.closest("style")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const isWord = /^\\w+$/.test(data) && element.closest("table:not(.outputs) td");
    if (isWord && range.getClientRects().length !== 1) faults.push("broken word: " + data);
    const { color, fill } = getComputedStyle(element);
    const chart = element.closest("svg");
    const nth = chart === null ? -1 : [...chart.querySelectorAll(".slice")].indexOf(element);
    const slice = nth === -1 ? undefined : chart.querySelectorAll(".pieCircle")[nth];
    check(element, data, chart === null ? color : fill, slice && parts(getComputedStyle(slice).fill));
  }
  for (const field of document.querySelectorAll("input, select, textarea")) {
    check(field, field.name, getComputedStyle(field).color);
    if (field.placeholder) check(field, field.placeholder, getComputedStyle(field, "::placeholder").color);
  }
  for (const error of document.querySelectorAll(".card .error")) {
    if (error.clientHeight > 60) faults.push("long error: " + error.textContent.slice(0, 40));
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push("too wide: " + document.documentElement.scrollWidth);
  for (const link of document.querySelectorAll("nav a")) {
    const { left, right } = link.getBoundingClientRect();
    if (left < 0 || right > innerWidth) faults.push("out of sight: " + link.textContent);
  }
  for (const name of document.querySelectorAll("th code")) {
    if (name.getClientRects().length !== 1) faults.push("broken name: " + name.textContent);
  }
  return faults;
})()`;
