import * as z from "zod/mini";
import { withoutCredentials } from "../text/credentials.ts";
import { atMost, type CallOptions, checked, isId, MAX_TEXT, orNull, text } from "./agent.ts";
import { unreadable } from "./errors.ts";
import type { JsonTransport } from "./transport.ts";

const statusId = z.string().check(z.refine(isId));
const deployment = z.object({ statusId });
/** Its address is not checked; null if the service names none. */
const preview = z.object({ statusId, previewUrl: orNull(z.string()) });

const MAX_STATUS = 200;

/** Only `status` is required. Other fields that are missing or have another type are empty. */
const build = z.object({
  _id: orNull(z.string()),
  status: atMost(MAX_STATUS).check(z.minLength(1)),
  summary: z.catch(atMost(MAX_TEXT), ""),
  logs: z.catch(z.array(z.unknown()), []),
  commit: orNull(z.object({ sha: text })),
});

/** A build, as the service shows it. What looks like a credential in its texts is taken out. */
export interface Build {
  /** `queued`, `in_progress`, `success`, `failure`, or any other text from the service. */
  status: string;
  summary: string;
  /** Its log, line by line. */
  logs: readonly string[];
  /** SHA of the commit that is built; null if it is not known. */
  commit: string | null;
}

/** The answer to a poll. */
export interface BuildReply {
  build: Build;
  /** `Retry-After` of the response in milliseconds; null if it had none. */
  retryAfter: number | null;
}

/**
 * Builds of the documentation. A second build of the same branch replaces the first, so that a request may be sent
 * again. Every method throws `ServiceError`.
 */
export interface Builds {
  /** Builds or rebuilds the preview of a branch. The service allows 5 per minute for an organization. */
  startPreview(branch: string, options?: CallOptions): Promise<z.infer<typeof preview>>;
  /** Builds the project's deployment. The service allows 10 in 10 seconds for an organization. */
  startDeployment(options?: CallOptions): Promise<z.infer<typeof deployment>>;
  /** A response with the record of another build is an error. */
  get(statusId: string, options?: CallOptions): Promise<BuildReply>;
}

export function buildsOf(transport: JsonTransport, projectId: string): Builds {
  return {
    async startPreview(branch, options) {
      const path = ["v1", "project", "preview", projectId];
      const { value, retryAfter } = await transport.json(path, { branch }, options);
      return checked(preview, value, "a preview", retryAfter);
    },

    async startDeployment(options) {
      const path = ["v1", "project", "update", projectId];
      const { value, retryAfter } = await transport.json(path, null, {
        ...options,
        method: "POST",
      });
      return checked(deployment, value, "a deployment", retryAfter);
    },

    async get(id, options) {
      const path = ["v1", "project", "update-status", id];
      const { value, retryAfter } = await transport.json(path, null, options);
      const record = checked(build, value, "a build", retryAfter);
      const { _id, status, commit } = record;
      if (_id !== null && _id !== id) {
        throw unreadable("describes a different build from the one requested", retryAfter);
      }
      const lines = record.logs.filter((line) => typeof line === "string");
      const logs = lines.map(withoutCredentials);
      const summary = withoutCredentials(record.summary);
      return { build: { status, summary, logs, commit: commit?.sha || null }, retryAfter };
    },
  };
}

/** How much of a log is shown, in lines and characters: its end says why a build failed. */
const SHOWN_LINES = 40;
const SHOWN_LENGTH = 4_000;

/** The end of what a build says: the last lines of its log, and its summary before them if there is room. */
export function endOfBuild({ summary, logs }: Build): string {
  const lines = [summary, ...logs].filter((line) => line !== "").slice(-SHOWN_LINES);
  return lines.join("\n").slice(-SHOWN_LENGTH).toWellFormed();
}
