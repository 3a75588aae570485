import { readAgents } from "../batches/batch-run.ts";
import { parseAgent } from "../batches/model/excerpts.ts";
import { GitRef } from "../github/api/git-ref.ts";
import type { AgentTraces } from "../github/changes/change-details.ts";
import { LEDGER_MESSAGES, Unavailable } from "../ledger/unavailable.ts";
import { valueOrError } from "../runtime/errors.ts";
import { type Fact, known } from "../runtime/fact.ts";
import type { GateParts } from "./gate-run.ts";

/** Where ledgers are, unless `ledger-ref` names another ref. */
const LEDGERS = "refs/docs-agent/";

/** How to recognize the agent's pull requests. A ledger that cannot be read is a warning. */
export async function readTraces(parts: GateParts): Promise<Fact<AgentTraces>> {
  const agents = await valueOrError(readLedgers(parts), Unavailable);
  if (!(agents instanceof Unavailable)) return known(agents);
  const { reason, kind } = agents;
  parts.dependencies.log.warning(
    `The ledger could not be read: ${reason}. Docs pull requests of the agent are judged like any others.`,
  );
  const isPassing = kind === "github-unavailable";
  const cause = isPassing ? "unanswered" : "refused";
  return { type: "unread", cause, reason, isPassing, status: null };
}

async function readLedgers({
  inputs,
  context,
  connect,
  dependencies,
}: GateParts): Promise<AgentTraces> {
  const { repository } = context;
  const { ledgerRef } = inputs;
  const gitAt = (ref: string) =>
    new GitRef(repository, ref, connect, dependencies, LEDGER_MESSAGES);
  const agents = await readAgents(gitAt(LEDGERS));
  if (ledgerRef === null) return agents;
  const git = gitAt(ledgerRef);
  const { sha } = await git.readRef();
  if (sha === null) return agents;
  const other = parseAgent(await git.readFile(sha, "ledger.json"));
  return {
    links: [...agents.links, ...other.links],
    branches: [...agents.branches, ...other.branches],
  };
}
