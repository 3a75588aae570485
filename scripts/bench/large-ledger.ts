import { WORKFLOW } from "../../emulator/github/people.ts";
import { type MemoryServers, REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { ledgerMarkers } from "../../src/ledger/issue/ledger-markers.ts";
import { CHECKPOINT_LIMITS, makeCheckpoint } from "../../src/ledger/model/checkpoint.ts";
import { readLedger } from "../../src/ledger/model/read-ledger.ts";
import type { Claim, LedgerComment } from "../../src/ledger/model/record.ts";
import type { UpkeepChange } from "../../src/upkeep/ledger-change.ts";

/** Between two batches, in milliseconds: `max-jobs-per-day` leaves room for another. */
const APART = 2 * 60 * 60_000;

/** Adds batches that are done to the ledger of a world's dashboard, one every two hours, up to now. */
export function addBatches(servers: MemoryServers, count: number, apiKey: string): void {
  const { repository, now } = servers;
  const [dashboard] = repository.issues.values();
  if (dashboard === undefined) throw new Error("there is no dashboard");
  const place = { repository: REPOSITORY, issue: dashboard.number };
  const markers = ledgerMarkers<UpkeepChange>("upkeep", [apiKey], "docs");
  const begun = markers.verify(dashboard.body ?? "", place)?.marker;
  if (begun?.record.kind !== "checkpoint") throw new Error("the dashboard holds no checkpoint");
  const comments: LedgerComment<UpkeepChange>[] = [];
  for (let number = 1; number <= count; number++) {
    const at = now - (count - number + 1) * APART;
    const comment = repository.comment(dashboard, "…", WORKFLOW);
    const { id } = comment;
    const claim = doneClaim(number, id, at, `${repository.tip()} ${new Date(now).toISOString()}`);
    const body = `A batch.\n\n${markers.write(place, { record: claim }, id)}`;
    Object.assign(comment, { body, createdAt: at, updatedAt: at });
    comments.push({ id, createdAt: at, updatedAt: at, record: claim });
  }
  const state = readLedger({
    ...{ checkpoints: [begun.record], comments, own: [], moved: {} },
    ...{ now, without: null },
  });
  const record = makeCheckpoint(state, CHECKPOINT_LIMITS);
  const { shown } = begun;
  repository.change(dashboard, {
    body: `The ledger.\n\n${markers.write(place, { record, shown }, 0)}`,
  });
}

function doneClaim(
  number: number,
  comment: number,
  landedAt: number,
  cursor: string,
): Claim<UpkeepChange> {
  const repository = "acme/former";
  const url = `https://github.com/${repository}/pull/${number}`;
  const change: UpkeepChange = {
    ...{ key: `${repository}#${number}`, landedAt, repository, number, url },
    ...{ sha: number.toString(16).padStart(40, "0"), title: `Improve ${number}`, author: "writer" },
  };
  return {
    ...{ kind: "claim", id: `claim-${number}`, number, comment, takenAsUncertain: [] },
    batches: [
      {
        ...{ state: "done", jobId: `job-${number}`, reason: "", retry: true },
        prLink: `https://github.com/acme/docs/pull/${number}`,
        handed: [{ change, attempt: 1, after: null }],
        cursors: { [`${REPOSITORY}@`]: cursor },
      },
    ],
  };
}
