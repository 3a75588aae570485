import { connector } from "../github/connect.ts";
import { GitRef } from "../github/git-ref.ts";
import { histories } from "../github/history.ts";
import type { RunContext } from "../github/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { parseLandInputs } from "../inputs/land.ts";
import type { LedgerPort } from "../ledger/protocol/port.ts";
import { type FileSettings, recordOnNewest } from "../ledger/protocol/write-ledger.ts";
import { gitPort } from "../ledger/run/ledger-port.ts";
import { shortHash } from "../ledger/run/ledger-run.ts";
import { recordLate } from "../ledger/run/post-step.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { drawName } from "../runtime/dependencies.ts";
import { AgentV2 } from "../service/agent-v2.ts";
import { Previews } from "../service/previews.ts";
import { Transport } from "../service/transport.ts";
import type { Result } from "./act.ts";
import { landMarkers } from "./comment.ts";
import { LandEdit, type LandLedger, landFormat } from "./ledger.ts";
import { takeResults } from "./record.ts";
import { reportLand } from "./report.ts";
import { runLand } from "./run.ts";

/** What the main step leaves for its post step: plain data without a secret. */
interface SavedRun {
  ref: string;
  runName: string;
  project: string;
  repository: string;
  githubApiUrl: string;
  results: readonly Result[];
}

/**
 * Takes each docs pull request to merged or closed: what is wrong with it goes back to the agent, and what
 * remains to a person.
 *
 * @returns whether the step fails
 */
export async function land(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const inputs = parseLandInputs(read, context);
  const { projectId, githubApiUrl, keys } = inputs;
  const { repository, serverUrl } = context;
  const project = shortHash(projectId);
  const own = inputs.ledgerRef ?? `refs/docs-agent/land/${inputs.name || project}`;
  const runName = `${context.runId || "0"}-${context.attempt}-${drawName(dependencies)}`;
  dependencies.http.checkProxy(githubApiUrl);
  const connect = connector(inputs, dependencies);
  const ref = new GitRef(repository, own, connect);
  const transport = new Transport(inputs, dependencies);
  const agent = new AgentV2(transport, projectId);
  const previews = new Previews(transport, projectId);
  const saved = { ref: own, runName, project, repository, githubApiUrl: githubApiUrl.href };
  const outcome = await runLand({
    ...{ agent, dependencies, rules: inputs, settings: settingsOf(saved) },
    port: gitPort(ref, dependencies) as LedgerPort,
    sources: { repository, ref, own, project, keys, projectId, connect },
    reading: {
      ...{
        connect,
        historyOf: histories(connect),
        reader: agent,
        previews,
        serverUrl,
        dependencies,
      },
      readsPaths: !inputs.allowedPaths.isEmpty,
    },
    acting: {
      ...{ inputs, connect, previews, serverUrl, dependencies },
      markers: landMarkers(keys, projectId),
    },
    remember: (results) =>
      dependencies.outputs.saveState(
        results === null ? null : ({ ...saved, results } satisfies SavedRun),
      ),
  });
  return reportLand(outcome, inputs.dryRun, dependencies);
}

/**
 * The post step of a run that was killed, or that could not write down what it did: writes down what is still known.
 *
 * @param state what the main step has left
 */
export async function recordKilledLand(
  state: unknown,
  githubToken: string,
  dependencies: Dependencies,
): Promise<void> {
  const saved = state as SavedRun;
  const change = (edit: unknown) => takeResults(edit as LandEdit, saved.runName, saved.results);
  await recordLate(saved, recordOnNewest(settingsOf(saved), change), githubToken, dependencies);
}

function settingsOf({
  ref,
  runName,
  project,
}: Omit<SavedRun, "results">): FileSettings<LandLedger> {
  const editOf: FileSettings<LandLedger>["editOf"] = ({ ledger, now }) => new LandEdit(ledger, now);
  return { ref, runName, format: landFormat({ action: "land", project }), editOf };
}
