/** The comment on a docs pull request: what a reviewer needs to know, and what happens next. */

import { hash } from "node:crypto";
import * as z from "zod/mini";
import { type ApiKeys, Markers } from "../github/markers.ts";
import { changeText } from "../ledger/model/names.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode, listed } from "../text/markdown.ts";
import { counted } from "../text/sentence.ts";
import { newsText } from "./decide.ts";
import type { Decision, Facts, LandRules } from "./facts.ts";
import type { Entry } from "./ledger.ts";
import { brokenRail, minuteText } from "./merging.ts";

const DOCS_URL = "https://github.com/OWNER/docs-agent-action/blob/main/docs/land.md";
const MOST_NAMED = 20;

/** The comment of a project's land, or one of its reminders and last words. */
export interface LandMarker {
  about: string;
}

export function landMarkers(keys: ApiKeys, projectId: string): Markers<LandMarker> {
  const schema = z.object({ about: z.string() });
  return new Markers<LandMarker>(
    { name: "land marker", owner: "project", schema },
    keys,
    projectId,
  );
}

/** Tells whether a comment is still what it was. */
export function digestOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}

/** What is shown of a docs pull request. */
export interface Shown {
  entry: Entry;
  facts: Facts;
  /** What a run has decided, and whether it did it. */
  decision: Decision;
  rules: LandRules;
}

/** The text of the comment, without its marker. Only what changes with the pull request is in it. */
export function commentText(shown: Shown): string {
  const { entry, facts } = shown;
  const { changes, askedAt, followUps } = entry;
  const about = changes.map((it) => {
    const author = it.author === "" ? "" : ` by ${inlineCode(it.author, 60)}`;
    return `- ${changeText(it)}${author}`;
  });
  // A draft documents what is still under review.
  const isMerged = facts.codePull === null || facts.codePull === "merged";
  const source =
    askedAt === ""
      ? "**Documents** nothing that a ledger knows"
      : `**Asked for** in [this comment](${askedAt})`;
  const lines = [
    about.length > 0
      ? `- **Documents** ${counted(changes.length, isMerged ? "merged change" : "change")}:\n${listed(
          about,
          MOST_NAMED,
        )
          .map((line) => `  ${line}`)
          .join("\n")}`
      : `- ${source}`,
    ...previewLine(entry, facts),
    `- **Checks:** ${checksText(facts)}`,
    ...railLine(shown),
    ...followUps.map(
      ({ at, about: what, isUncertain }) =>
        `- **Follow-up:** ${what}, ${minuteText(Date.parse(at))}${isUncertain ? " (the agent may not have received it)" : ""}`,
    ),
  ];
  const note = `<sub>[Docs Land](${DOCS_URL}) keeps this comment up to date.</sub>`;
  return [`### ${headingOf(shown)}`, nextText(shown), lines.join("\n"), note].join("\n\n");
}

function headingOf({ decision: { step }, facts: { pull, job } }: Shown): string {
  if (step.type === "ended") return pull.state === "merged" ? "🎉 Merged" : "Closed";
  if (step.type === "merge") return "🎉 Merged";
  if (step.type === "close") return "Closed";
  if (step.type === "person") return "🙋 This docs pull request needs a person";
  if (step.type === "follow-up" || job.state === "active") return "🤖 The agent is at work";
  return "👀 Ready for review";
}

function nextText({ decision: { step } }: Shown): string {
  switch (step.type) {
    case "ended":
      return "Nothing more happens here.";
    case "merge":
      return "It was merged, as the rules of the workflow say.";
    case "follow-up":
      return `**Next:** the agent was told of ${newsText(step.news)}. The next run looks at what comes of it.`;
    default:
      return `**Next:** ${step.why}`;
  }
}

const PREVIEWS = { building: ["⏳", "building"], built: ["✅", "built"], failed: ["❌", "failed"] };

function previewLine({ preview }: Entry, { pull }: Facts): string[] {
  if (preview === null) return [];
  if (preview.state === "refused") return [`- **Preview:** none. ${inlineCode(preview.log, 300)}`];
  const link = safeLink(preview.url);
  const of = preview.head === pull.head ? "" : ", of an earlier commit";
  const [sign, word] = PREVIEWS[preview.state];
  return [`- **Preview:** ${sign} ${link === null ? word : `[${word}](${link})`}${of}`];
}

function checksText({ pull: { checks, hasAllChecks } }: Facts): string {
  const named = (state: string) => {
    const found = checks.filter((it) => it.state === state).map(({ name }) => inlineCode(name, 60));
    return found.length > 5 ? `${found.slice(0, 5).join(", ")}, …` : found.join(", ");
  };
  const count = (state: string) => checks.filter((it) => it.state === state).length;
  const parts = [
    count("red") > 0 ? `❌ ${count("red")} failed (${named("red")})` : "",
    count("pending") > 0 ? `⏳ ${count("pending")} not over (${named("pending")})` : "",
    count("green") > 0 ? `✅ ${count("green")} green` : "",
    hasAllChecks ? "" : "and more than are shown",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "none" : parts.join(", ");
}

function railLine({ facts, rules }: Shown): string[] {
  const { allowedPaths, maxFiles, maxDeletedLines } = rules;
  if (allowedPaths.isEmpty && maxFiles === null && maxDeletedLines === null) return [];
  const broken = brokenRail(facts, rules);
  const { changedFiles, deletedLines } = facts.pull;
  const within = `✅ ${counted(changedFiles, "file")}, ${counted(deletedLines, "deleted line")}`;
  return [`- **Guard rails:** ${broken === null ? within : `❌ ${broken}`}`];
}
