import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";

/** What every marker says, whatever else it remembers. */
const frameSchema = z.object({
  v: z.literal(1),
  repository: z.string(),
  issue: z.number(),
});

/** How a {@link RunMarker} is checked. */
export const runShape = { run: z.string(), attempt: z.number(), step: z.string(), at: z.number() };

/** The run that wrote a comment. */
export interface RunMarker {
  /** The workflow run, its attempt (from 1), and which of the run's steps it was. */
  run: string;
  attempt: number;
  step: string;
  /** When the comment was written, in milliseconds since 1970. */
  at: number;
}

/** What a comment remembers of the job that it is about. */
export interface JobMarker extends RunMarker {
  /** The job's id. */
  job: string;
  /** Version of the agent interface, `v1` or `v2`. */
  api: string;
  /** Whether the comment tells how the job ended. */
  ended: boolean;
}

/** A kind of marker. Each has a key of its own, so that one kind is never taken for another. */
export interface Purpose<M extends RunMarker> {
  /** Goes into the key. */
  name: string;
  /** What the marker belongs to at the service: a keyed hash of it stands in the payload by this name. */
  owner: "project" | "domain";
  schema: z.ZodMiniType<M>;
}

const JOB: Purpose<JobMarker> = {
  name: "comment marker",
  owner: "project",
  schema: z.object({ job: z.string(), api: z.string(), ended: z.boolean(), ...runShape }),
};

/** The markers of jobs, for one project. */
export function jobMarkers(apiKey: string, projectId: string): Markers<JobMarker> {
  return new Markers(JOB, apiKey, projectId);
}

/** Where a marker counts: one issue or pull request of one repository. */
export interface Place {
  /** `owner/name` */
  repository: string;
  issue: number;
}

/** How every marker begins. */
export const MARKER_START = "<!-- docs-agent:";

const MARKER = /<!-- docs-agent:([A-Za-z0-9_-]{1,32768})\.([A-Za-z0-9_-]{43}) -->\s*$/;

/**
 * Writes and reads the hidden marker that ends a comment. It is signed (HMAC-SHA-256) under a key that
 * is derived from the API key for this purpose alone, so only a holder of the key can have written it.
 */
export class Markers<M extends RunMarker = JobMarker> {
  readonly #purpose: Purpose<M>;
  readonly #key: Buffer;
  readonly #owner: string;

  constructor(purpose: Purpose<M>, apiKey: string, owner: string) {
    this.#purpose = purpose;
    this.#key = Buffer.from(
      hkdfSync("sha256", apiKey, "", `docs-agent-action ${purpose.name} v1`, 32),
    );
    this.#owner = this.#hmac(`${purpose.owner}\n${owner}`).toString("base64url");
  }

  /** The marker, ready to stand at the end of a comment. */
  write(place: Place, marker: M): string {
    const owner = { [this.#purpose.owner]: this.#owner };
    const payload = Buffer.from(
      JSON.stringify({ v: 1, ...owner, ...normal(place), ...marker }),
    ).toString("base64url");
    return `${MARKER_START}${payload}.${this.#sign(payload)} -->`;
  }

  /**
   * What a comment remembers, if it ends in a marker that this key signed for this purpose, place and
   * owner. Any other marker, an altered one and none at all are the same: null.
   */
  read(body: string, place: Place): M | null {
    const [, payload, signature] = MARKER.exec(body) ?? [];
    if (payload === undefined || signature === undefined) return null;
    // Compared as written: decoded, two spellings of the last character would mean the same bytes.
    const given = Buffer.from(signature);
    const expected = Buffer.from(this.#sign(payload));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const value = parseJson(payload);
    const frame = frameSchema.safeParse(value);
    const marker = this.#purpose.schema.safeParse(value);
    if (!frame.success || !marker.success) return null;
    const owner = (value as Record<string, unknown>)[this.#purpose.owner];
    const here = normal(place);
    const isHere = frame.data.repository === here.repository && frame.data.issue === here.issue;
    return isHere && owner === this.#owner ? marker.data : null;
  }

  #sign(payload: string): string {
    return this.#hmac(`marker\n${payload}`).toString("base64url");
  }

  #hmac(text: string): Buffer {
    return createHmac("sha256", this.#key).update(text).digest();
  }
}

/** GitHub takes names of repositories in any case. */
function normal({ repository, issue }: Place): Place {
  return { repository: repository.toLowerCase(), issue };
}

function parseJson(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
