/** Everything the emulated service knows. JSON, so that it can be inspected, kept and restored. */

import type { RecordedRequest } from "../http/recorded-requests.ts";
import type { Job } from "./agent/job.ts";
import type { Steering } from "./agent/steering.ts";
import type { AssistantSteering } from "./assistant/steering.ts";
import type { Fault } from "./faults.ts";
import type { Key } from "./keys.ts";
import type { Usage } from "./limits.ts";
import type { Build } from "./previews/build.ts";
import type { Project } from "./project.ts";
import type { Quirks } from "./quirks.ts";

/** A page of the documentation, for the assistant to answer from. */
export interface Page {
  title: string;
  url: string;
  text: string;
  version: string | null;
  language: string | null;
  groups: string[];
}

/** A conversation with the assistant. */
export interface Thread {
  id: string;
  domain: string;
  /** In order, with the assistant's answers. */
  messages: { role: string; text: string }[];
}

export interface ServiceState extends Usage {
  keys: Key[];
  projects: Project[];
  model: string;
  /** How a job goes, as far as its prompt does not say otherwise. */
  steering: Steering;
  quirks: Quirks;
  /** Whose documentation the assistant knows. */
  domains: string[];
  pages: Page[];
  threads: Thread[];
  /** How an answer goes, as far as its question does not say otherwise. */
  assistant: AssistantSteering;
  faults: Fault[];
  jobs: Job[];
  /** What the organization pays for. */
  plan: { previews: boolean };
  builds: Build[];
  requests: RecordedRequest[];
}
