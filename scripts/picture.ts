/**
 * `npm run picture`: the README's pictures, from real runs in the local world, light and dark, into
 * docs/images/.
 *
 *     npm run picture -- comment      a request on an issue, the action's comment and its step summary:
 *                                     when `src/github/report.ts` has changed
 *     npm run picture -- dashboard    upkeep's dashboard, with GitHub's CSS and Mermaid:
 *                                     when `src/upkeep/dashboard.ts` has changed
 *
 * Without a name, both. Look at the result.
 *
 * It needs a Chromium and a font with emoji; on Debian and Ubuntu:
 *
 *     apt-get install chromium fonts-noto-color-emoji
 *
 * Another browser of its family is named by the environment variable CHROMIUM.
 */

import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { type LocalWorld, startLocalWorld } from "../emulator/local-world/index.ts";
import { runAction } from "../emulator/runner/runner.ts";
import { findBrowser, takeScreenshot } from "./picture/browser.ts";
import { renderDashboardPage } from "./picture/dashboard-page.ts";
import { runUpkeep } from "./picture/dashboard-run.ts";
import { type Conversation, renderPage, type Theme } from "./picture/page.ts";

const IMAGES = path.join(import.meta.dirname, "../docs/images");
const WIDTH = 800;
const REQUEST = "/docs explain how to rotate a key without downtime, with an example";

/** The step's clock runs this many times faster: the emulated job of seconds is one of minutes, as real ones. */
const FAST_CLOCK = 40;

const browser = findBrowser();
if (browser === undefined) {
  console.error(
    "No Chromium was found. Install one (Debian, Ubuntu: apt-get install chromium fonts-noto-color-emoji; macOS: brew install --cask chromium), or name another browser of its family in the environment variable CHROMIUM.",
  );
  process.exitCode = 1;
} else {
  const wanted = process.argv.slice(2);
  const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
  mkdirSync(IMAGES, { recursive: true });
  if (isWanted("comment")) {
    await using world = await startLocalWorld();
    const conversation = await runConversation(world);
    draw(browser, "comment", (theme) => renderPage(conversation, theme));
  }
  if (isWanted("dashboard")) {
    const issue = await runUpkeep();
    draw(browser, "dashboard", (theme) => renderDashboardPage(issue, theme));
  }
}

function draw(program: string, name: string, page: (theme: Theme) => string): void {
  for (const theme of ["light", "dark"] as const) {
    const file = path.join(IMAGES, `${name}-${theme}.png`);
    takeScreenshot(program, page(theme), WIDTH, file);
    console.log(`${path.relative(process.cwd(), file)}  ${statSync(file).size} bytes`);
  }
}

/** A request by phrase and the action's answer, as the emulated GitHub has them afterwards. */
async function runConversation({ github, service }: LocalWorld): Promise<Conversation> {
  const issue = await github.api<{ number: number; title: string; user: object }>("/issues/1");
  const request = await github.api<{ id: number; body: string; user: { login: string } }>(
    "/issues/1/comments",
    { method: "POST", token: github.tokenOf("writer"), body: { body: REQUEST } },
  );
  const step = await runAction({
    eventName: "issue_comment",
    event: {
      action: "created",
      issue,
      comment: request,
      repository: await github.api<object>(""),
      sender: request.user,
    },
    repository: github.repository,
    token: github.token,
    apiUrl: github.url,
    serverUrl: github.url,
    fastClock: FAST_CLOCK,
    inputs: {
      "api-key": service.adminKey,
      "project-id": service.projectId,
      "base-url": service.url,
      "trigger-phrase": "/docs",
    },
  });
  if (step.exitCode !== 0) throw new Error(`The step failed:\n${step.visible.join("\n")}`);

  const comments =
    await github.api<{ id: number; body: string; html_url: string }[]>("/issues/1/comments");
  const answer = comments.find(({ html_url }) => html_url === step.outputs.commentUrl);
  if (answer === undefined) throw new Error("The action wrote no comment.");
  const reactions = await github.reactions();
  return {
    title: `${issue.title} #${issue.number}`,
    request: request.body,
    asker: request.user.login,
    reactions: reactions.map(({ content }) => content),
    answer: answer.body,
    summary: step.summary,
  };
}
