import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";

const payloadSchema = z.object({
  v: z.literal(1),
  job: z.string(),
  project: z.string(),
  api: z.string(),
  repository: z.string(),
  issue: z.number(),
  run: z.string(),
  attempt: z.number(),
  step: z.string(),
  at: z.number(),
});

/** What a comment remembers of the job it tells about. */
export interface Memory {
  /** The job's id. */
  job: string;
  /** Version of the agent interface, `v1` or `v2`. */
  api: string;
  /** The workflow run that wrote it, its attempt (from 1), and which of the run's steps it was. */
  run: string;
  attempt: number;
  step: string;
  /** When the comment was written, in milliseconds since 1970. */
  at: number;
}

/** Where a marker counts: one issue or pull request of one repository. */
export interface Place {
  /** `owner/name` */
  repository: string;
  issue: number;
}

/** How every marker begins. */
export const MARKER_START = "<!-- docs-agent:";

const MARKER = /<!-- docs-agent:([A-Za-z0-9_-]{1,8192})\.([A-Za-z0-9_-]{43}) -->\s*$/;

/**
 * Writes and reads the hidden marker that ends a comment. It is signed (HMAC-SHA-256) under a key that
 * is derived from the API key for this purpose alone, so only a holder of the key can have written it.
 */
export class Markers {
  readonly #key: Buffer;
  readonly #project: string;

  constructor(apiKey: string, projectId: string) {
    this.#key = Buffer.from(
      hkdfSync("sha256", apiKey, "", "docs-agent-action comment marker v1", 32),
    );
    this.#project = this.#hmac(`project\n${projectId}`).toString("base64url");
  }

  /** The marker, ready to stand at the end of a comment. */
  write(place: Place, memory: Memory): string {
    const payload = Buffer.from(
      JSON.stringify({ v: 1, project: this.#project, ...normal(place), ...memory }),
    ).toString("base64url");
    return `<!-- docs-agent:${payload}.${this.#sign(payload)} -->`;
  }

  /**
   * What a comment remembers, if it ends in a marker that this key signed for this place and project.
   * A marker of another place, project or key, an altered one and none at all are the same: null.
   */
  read(body: string, place: Place): Memory | null {
    const [, payload, signature] = MARKER.exec(body) ?? [];
    if (payload === undefined || signature === undefined) return null;
    // Compared as written: decoded, two spellings of the last character would mean the same bytes.
    const given = Buffer.from(signature);
    const expected = Buffer.from(this.#sign(payload));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const parsed = payloadSchema.safeParse(parseJson(payload));
    if (!parsed.success) return null;
    const { v, project, repository, issue, ...memory } = parsed.data;
    const here = normal(place);
    const isHere = repository === here.repository && issue === here.issue;
    return isHere && project === this.#project ? memory : null;
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
