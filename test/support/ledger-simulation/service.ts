import { type Batch, batchId, type Change, type Claim } from "../../../src/ledger/model/record.ts";

export interface Job {
  id: string;
  batch: string;
  keys: string[];
  status: "active" | "completed" | "failed" | "unknown";
  acceptedAt: number;
}

/** The service: takes requests, and knows nothing of why they are made. */
export class SimulatedService {
  readonly jobs: Job[] = [];

  accept(claim: Claim<Change>, batch: Batch<Change>, time: number): Job {
    const job: Job = {
      id: `job-${this.jobs.length + 1}`,
      batch: batchId(claim.id, claim.batches.indexOf(batch)),
      keys: batch.handed.map(({ change }) => change.key),
      status: "active",
      acceptedAt: time,
    };
    this.jobs.push(job);
    return job;
  }

  find(id: string | null): Job | undefined {
    return this.jobs.find((job) => job.id === id);
  }

  get active(): Job[] {
    return this.jobs.filter(({ status }) => status === "active");
  }
}
