import { parseAgent, parseDrafts } from "../batches/model/excerpts.ts";
import type { Draft } from "../batches/model/ledger.ts";
import { GitRef } from "../github/api/git-ref.ts";
import { listLedgerRefs } from "../ledger/store.ts";
import { LEDGER_MESSAGES, Unavailable } from "../ledger/unavailable.ts";
import { valueOrError } from "../runtime/errors.ts";
import { known } from "../runtime/fact.ts";
import { shortHash } from "../text/short-hash.ts";
import type { GateParts, GateRun } from "./gate-run.ts";

/** Where ledgers are, unless `ledger-ref` names another ref. */
const LEDGERS = "refs/docs-agent/";

/** Reads the ledgers. One that cannot be read is a warning. */
export async function readTraces(parts: GateParts): ReturnType<GateRun["ledgers"]> {
  const ledgers = await valueOrError(readAll(parts), Unavailable);
  if (!(ledgers instanceof Unavailable)) return known(ledgers);
  const { reason, kind } = ledgers;
  parts.dependencies.log.warning(
    `The ledger could not be read: ${reason}. Drafts are not seen, and docs pull requests of the ` +
      "agent are judged like any others.",
  );
  const isPassing = kind === "github-unavailable";
  const cause = isPassing ? "unanswered" : "refused";
  return { type: "unread", cause, reason, isPassing, status: null };
}

async function readAll(parts: GateParts) {
  const { inputs, context, connect, dependencies } = parts;
  const { ledgerRef } = inputs;
  const gitAt = (ref: string) =>
    new GitRef(context.repository, ref, connect, dependencies, LEDGER_MESSAGES);
  const git = gitAt(LEDGERS);
  const read: { ref: string; text: string | null }[] = [];
  for (const { ref, sha } of await listLedgerRefs(git)) {
    read.push({ ref, text: await git.readFile(sha, "ledger.json") });
  }
  if (ledgerRef !== null && !read.some(({ ref }) => ref === ledgerRef)) {
    const other = gitAt(ledgerRef);
    const { sha } = await other.readRef();
    const text = sha === null ? null : await other.readFile(sha, "ledger.json");
    read.push({ ref: ledgerRef, text });
  }
  const agents = read.map(({ text }) => parseAgent(text));
  return {
    agents: {
      links: agents.flatMap(({ links }) => links),
      branches: agents.flatMap(({ branches }) => branches),
    },
    drafts: read.filter(({ ref }) => isOwn(ref, parts)).flatMap((one) => draftsIn(one, parts)),
  };
}

/** Whether a ledger may be that of this gate's upkeep. */
function isOwn(ref: string, { inputs: { ledgerRef, name } }: GateParts): boolean {
  if (ledgerRef !== null) return ref === ledgerRef;
  return name === "" || ref === `${LEDGERS}upkeep/${name}`;
}

function draftsIn(
  { ref, text }: { ref: string; text: string | null },
  { inputs: { service }, dependencies }: GateParts,
): readonly Draft[] {
  const parsed = parseDrafts(text, service === null ? null : shortHash(service.projectId));
  if (!("problem" in parsed)) return parsed.drafts;
  dependencies.log.warning(`${ref} ${parsed.problem}. Drafts in it are not seen.`);
  return [];
}
