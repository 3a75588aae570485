/**
 * The playground in a Chromium, as a newcomer uses it. These tests are for exhaustive runs, and skipped
 * without a Chromium: it takes as long to start as 50 other tests to run.
 */

import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type LocalWorld, startLocalWorld } from "../../emulator/local-world/index.ts";
import { type Playground, startPlayground } from "../../playground/index.ts";
import { findBrowser } from "../../scripts/picture/browser.ts";
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
/** What went wrong in the browser, and what it asked of other addresses. */
let complaints: string[];

beforeAll(async () => {
  if (executablePath === undefined) return;
  world = await startLocalWorld({ steering: { durationMs: 1200 } });
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

/** The playground in a tab of a browser. */
async function open(from: BrowserContext): Promise<Page> {
  const opened = await from.newPage();
  opened.setDefaultTimeout(60_000);
  opened.on("pageerror", (error) => complaints.push(String(error)));
  opened.on("console", (message) => {
    // The browser reports answers such as 422, which a form shows in words.
    const isAnswer = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isAnswer) complaints.push(message.text());
  });
  opened.on("request", (request) => {
    if (new URL(request.url()).origin !== playground.url) complaints.push(request.url());
  });
  await opened.goto(playground.url);
  return opened;
}

const comment = (on: Page) => on.getByLabel("Add a comment");
const send = (on: Page) => on.getByRole("button", { name: "Comment", exact: true });

inBrowser("a request is seen, answered and done, while two browsers look on", async () => {
  const other = await open(await browser.newContext());
  await page.getByRole("button", { name: "a request" }).click();
  expect(await comment(page).inputValue()).toMatch(/^\/docs /);
  await comment(page).fill("/docs explain <img src=x onerror=alert(1)> keys");
  await send(page).click();
  // What somebody writes meanwhile is not lost when the thread updates.
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
  expect(await comment(page).inputValue()).toBe("");
  expect(await comment(other).inputValue()).toBe("/docs half-writ");
  await other.context().close();

  await page.getByRole("link", { name: "Pull request #2", exact: true }).click();
  await page.getByRole("button", { name: "Merge pull request" }).click();
  await page.getByText("Merged", { exact: true }).waitFor();
});

inBrowser(
  "changes are merged, upkeep runs, and a box that is ticked hands them over again",
  async () => {
    const merge = async (title: string) => {
      await page.getByRole("link", { name: "Merge changes" }).click();
      await page.getByLabel("Title of the pull request").fill(title);
      await page.getByRole("button", { name: "Merge a change" }).click();
      await page.getByRole("link", { name: title }).waitFor();
    };
    await merge("Retry webhooks");
    await merge("Add `--out` <b>now</b>");
    await page.getByLabel("The service breaks off").check();
    await page.getByRole("button", { name: "Run upkeep" }).click();
    await page.getByRole("link", { name: "Docs upkeep", exact: true }).first().waitFor();

    await page.getByRole("link", { name: "Upkeep dashboard" }).click();
    await page.getByRole("heading", { name: "Needs a decision" }).waitFor();
    // Not `check`: upkeep may have taken the tick out of the text before a slow browser has looked.
    await page.getByRole("checkbox", { name: "Hand over again" }).click();
    await page.getByRole("heading", { name: "In progress" }).waitFor();
    await page.getByRole("complementary").getByText("completed").nth(1).waitFor();
    await page.getByRole("button", { name: "Run upkeep" }).click();
    await page.getByRole("heading", { name: "In review" }).waitFor();
    await page.getByRole("link", { name: /docs pull request/i }).waitFor();

    await merge("Rotate keys");
    await page.getByRole("button", { name: "Run upkeep" }).click();
    await page.getByRole("link", { name: "Upkeep dashboard" }).click();
    await page.getByRole("heading", { name: "In progress" }).waitFor();
    await page.locator("pre.mermaid svg").waitFor();
  },
);

inBrowser("a docs pull request is checked, reviewed, mended by a person and merged", async () => {
  const commits = [{ files: { "docs/rotation.md": "# Rotation\n" } }];
  const { number } = world.github.home.openPull({ author: "docs-agent[bot]", commits });
  await page.goto(`${playground.url}/acme/docs/pull/${number}`);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await press("Failed");
  await page.getByText("docs/rotation.md:1 The link to /keys leads nowhere").waitFor();
  const review = page.getByLabel("What the review says");
  await press("Request changes");
  await page.getByRole("alert").filter({ hasText: "Write something first" }).waitFor();
  await review.fill("Half-writ");
  await press("Push to the branch");
  await page.getByText("Edited by writer").waitFor();
  // What somebody writes meanwhile is not lost when the page updates.
  expect(await review.inputValue()).toBe("Half-writ");
  await press("Approve");
  await page.getByText("maintainer: approved").waitFor();
  expect(await review.inputValue()).toBe("");
  await press("Passed");
  await page.getByText("It can be merged.").waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await press("Merge pull request");
  await page.getByText("Merged", { exact: true }).waitFor();
  expect(await review.isVisible()).toBe(false);
});

inBrowser("a form says what is wrong with what was written, and takes the keyboard", async () => {
  await comment(page).fill("   ");
  await comment(page).press("Control+Enter");
  const alert = page.getByRole("alert").filter({ hasText: "Write something first" });
  await alert.waitFor();
  await comment(page).fill("Thanks!");
  await comment(page).press("Control+Enter");
  await page.getByText("Thanks!", { exact: true }).waitFor();
  expect(await alert.isVisible()).toBe(false);
});

inBrowser("its pages fit a narrow screen, and are light or dark as the system is", async () => {
  await page.setViewportSize({ width: 360, height: 800 });
  const colors: unknown[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    colors.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
  }
  expect(colors).toEqual(["rgb(255, 255, 255)", "rgb(13, 17, 23)"]);
  const issue = "/acme/docs/issues/1";
  for (const path of [issue, "/acme/docs", "/dashboard", "/jobs", "/acme/docs/pull/2"]) {
    await page.goto(`${playground.url}${path}`, { waitUntil: "domcontentloaded" });
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect([path, width]).toEqual([path, 360]);
  }
});

inBrowser("a playground that has ended says so", async () => {
  const short = await startPlayground(world);
  const visitor = await context.newPage();
  await visitor.goto(short.url);
  await visitor.getByRole("heading", { level: 1 }).waitFor();
  await short.close();
  await visitor.getByRole("status").filter({ hasText: "does not answer" }).waitFor();
  await visitor.close();
});
