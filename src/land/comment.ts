/** The comment on a docs pull request: what a reviewer needs to know, and what happens next. */

import { changeText } from "../batches/model/names.ts";
import type { Check } from "../github/changes/docs-pull-checks.ts";
import { safeLink } from "../text/link.ts";
import { inlineCode, listed } from "../text/markdown.ts";
import { counted, minuteText } from "../text/sentence.ts";
import type { JudgedDocsPull } from "./acts.ts";
import { countingChecks } from "./checks.ts";
import type { LandInputs } from "./inputs.ts";
import { countsOf } from "./problems.ts";
import { problemsText } from "./reason-kinds.ts";
import { reasonText } from "./reasons.ts";
import { mayName, repositoryIn, UNSEEN } from "./visibility.ts";
import { waitText } from "./waits.ts";

const MOST_NAMED = 20;
const MOST_CHECKS = 5;

/** The text of the comment. It depends only on the pull request and the inputs, and not on the time. */
export function commentText(judged: JudgedDocsPull, rules: LandInputs): string {
  const [heading, next] = headOf(judged);
  const followUps = judged.entry.followUps.map(({ at, about, isUncertain }) => {
    const doubt = isUncertain ? " (the agent may not have received it)" : "";
    return `- **Follow-up:** ${problemsText(about)}, ${minuteText(Date.parse(at))}${doubt}`;
  });
  const checks = checksText(judged, rules);
  const lines = [
    ...sourceLine(judged),
    ...previewLine(judged),
    ...(checks === "" ? [] : [`- **Checks:** ${checks}`]),
    ...followUps,
  ];
  const note = `<sub>[Docs Land](${rules.pages}/land.md) keeps this comment up to date.</sub>`;
  const parts = [`### ${heading}`, next, lines.join("\n"), note];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The heading, and what happens next. */
function headOf({ decision, pull }: JudgedDocsPull): [string, string] {
  switch (decision.type) {
    case "ended":
      return [pull.state.type === "merged" ? MERGED : "Closed", "Nothing more happens here."];
    case "merge":
      return [MERGED, "The rules of the workflow allow it."];
    case "enqueue":
      return [READY, "**Next:** it is put into the merge queue."];
    case "update":
      return [READY, "**Next:** its branch is brought up to date with its base."];
    case "close":
      return ["Closed", `**Next:** ${reasonText(decision.reason)}`];
    case "follow-up": {
      const about = problemsText(countsOf(decision.problems));
      const next = `a follow-up about ${about} was sent to the agent. The next run checks the result.`;
      return [AT_WORK, `**Next:** ${next}`];
    }
    case "wait": {
      const { reason, waitsFor } = decision;
      const open = reason.code === "agent-at-work" ? AT_WORK : READY;
      return [waitsFor === "person" ? PERSON : open, `**Next:** ${waitText(decision)}`];
    }
  }
}

const PERSON = "🙋 This docs pull request needs a person";
const AT_WORK = "🤖 The agent is at work";
const READY = "👀 Ready for review";
const MERGED = "🎉 Merged";

/** What it documents; nothing if no ledger and no comment says so. */
function sourceLine({ entry, code, visibility }: JudgedDocsPull): string[] {
  const { changes, askedAt } = entry;
  const { onPull } = visibility;
  if (changes.length === 0) {
    if (askedAt === null) return [];
    const isSeen = mayName(onPull, repositoryIn(askedAt));
    return [`- **Asked for** in ${isSeen ? `[this comment](${askedAt})` : "a comment"}`];
  }
  // A draft documents a pull request that is still under review.
  const isMerged = code === "none" || code === "merged" || code === "outdated";
  const seen = changes.filter(({ repository }) => mayName(onPull, repository));
  const documented = seen.map((change) => {
    const author = change.author === "" ? "" : ` by ${inlineCode(change.author, 60)}`;
    return `- ${changeText(change)}${author}`;
  });
  const count = counted(changes.length, isMerged ? "merged change" : "change");
  if (seen.length === 0) return [`- **Documents** ${count} ${UNSEEN}`];
  const unseen = changes.length - seen.length;
  const more = unseen === 0 ? [] : [`- ${unseen} ${UNSEEN}`];
  return [[`- **Documents** ${count}:`, ...listed(documented, MOST_NAMED), ...more].join("\n  ")];
}

const PREVIEWS = {
  building: { sign: "⏳", word: "building" },
  built: { sign: "✅", word: "built" },
  failed: { sign: "❌", word: "failed" },
};

function previewLine({ entry: { preview }, pull }: JudgedDocsPull): string[] {
  if (preview === null) return [];
  if (preview.state === "refused") {
    return [`- **Preview:** none. ${inlineCode(preview.words, 300)}`];
  }
  if (preview.state === "forgotten") {
    return ["- **Preview:** none. The service has forgotten its build."];
  }
  const link = safeLink(preview.url);
  const { sign, word } = PREVIEWS[preview.state];
  const age = preview.head === pull.head ? "" : ", of an earlier commit";
  const shown = link === null ? `${word}, without an address` : `[${word}](${link})`;
  return [`- **Preview:** ${sign} ${shown}${age}`];
}

/** Empty if there are none. */
function checksText({ pull, redOnBase }: JudgedDocsPull, rules: LandInputs): string {
  const { checks, checksRead } = pull;
  if (checksRead === "none") return "the token cannot read them";
  const counting = countingChecks(pull, rules);
  const ignored = checks.filter((check) => !counting.includes(check));
  const groups = Object.groupBy(counting, ({ state }) => state);
  const { red = [], held = [], pending = [], green = [], dropped = [] } = groups;
  const namesOf = (named: readonly Check[]) => {
    const names = named.slice(0, MOST_CHECKS).map(({ name }) => inlineCode(name, 60));
    return names.join(", ") + (named.length > MOST_CHECKS ? ", …" : "");
  };
  const notSent = red.filter(({ name }) => redOnBase.includes(name));
  const alsoRed =
    notSent.length === 0
      ? ""
      : `, of which ${namesOf(notSent)} also red on ${inlineCode(pull.base, 60)} and not sent`;
  const parts = [
    red.length > 0 && `❌ ${red.length} failed (${namesOf(red)})${alsoRed}`,
    held.length > 0 && `✋ ${held.length} waiting for a person (${namesOf(held)})`,
    pending.length > 0 && `⏳ ${pending.length} not finished (${namesOf(pending)})`,
    green.length > 0 && `✅ ${green.length} green`,
    dropped.length > 0 && `➖ ${dropped.length} cancelled or out of date (${namesOf(dropped)})`,
    ignored.length > 0 && `➖ ${ignored.length} ignored (${namesOf(ignored)})`,
    checksRead === "some" && "and more than are shown",
  ];
  return parts.filter(Boolean).join(", ");
}
