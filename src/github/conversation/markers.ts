import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { parseJson } from "../../service/json.ts";
import { MARKER_START } from "../trigger/phrase.ts";

/** The issue or pull request in which a marker is valid. */
export interface Place {
  /** `owner/name` */
  repository: string;
  /** GitHub's ID of the repository, which it keeps when it is renamed or transferred. Missing if it is not known. */
  repositoryId?: number | null;
  issue: number;
}

const frameSchema = z.object({
  v: z.literal(2),
  repository: z.string(),
  /** Not in markers of earlier versions of the action. */
  repositoryId: z.optional(z.number()),
  issue: z.number(),
  /** The comment that the marker is in; not set in a draft. */
  comment: z.optional(z.number()),
  /** The name of a comment whose ID is not known yet. */
  draft: z.optional(z.string()),
});

/** A kind of marker. Each kind and owner has its own key, so that no marker is accepted as one of another. */
export interface Purpose<M extends object> {
  name: string;
  /** Reads the fields that a marker stores. */
  schema: z.ZodMiniType<M>;
}

/** What a comment holds until its own ID is known. */
export interface CommentDraft<M> {
  /** Drawn at random, and used for one comment. */
  name: string;
  marker: M;
}

/** API keys: the first one signs markers, and all of them verify markers. */
export type ApiKeys = readonly [current: string, ...previous: string[]];

const MARKER = /<!-- docs-agent:([A-Za-z0-9_-]{1,60000})\.([A-Za-z0-9_-]{43}) -->\s*$/;

/**
 * Writes and reads the hidden marker that ends a comment. It is signed (HMAC-SHA-256) under a key that
 * is derived from the API key for this purpose and owner alone, so only a holder of the key can have written it.
 * It names the comment that it is in: a copy in any other comment is ignored.
 */
export class Markers<M extends object> {
  readonly #purpose: Purpose<M>;
  readonly #signers: readonly [
    current: ReturnType<typeof createSigner>,
    ...previous: ReturnType<typeof createSigner>[],
  ];

  /** @param owner the project or the domain that the markers belong to */
  constructor(purpose: Purpose<M>, [current, ...previous]: ApiKeys, owner: string) {
    const signerOf = (key: string) => createSigner(key, purpose.name, owner);
    this.#purpose = purpose;
    this.#signers = [signerOf(current), ...previous.map(signerOf)];
  }

  /**
   * The marker, ready to end a comment.
   *
   * @param name the comment's ID; or, before it has one, a name by which it is found if GitHub's answer is lost
   */
  write(place: Place, marker: M, name: number | string): string {
    const [{ sign }] = this.#signers;
    const binding = typeof name === "number" ? { comment: name } : { draft: name };
    const { repositoryId, issue } = place;
    const repository = place.repository.toLowerCase();
    const id = repositoryId == null ? {} : { repositoryId };
    const fields = { v: 2, repository, ...id, issue, ...binding, ...marker };
    const payload = Buffer.from(JSON.stringify(fields)).toString("base64url");
    return `${MARKER_START}${payload}.${sign(payload)} -->`;
  }

  /** Null without a marker that names this comment, signed for this purpose, place and owner. */
  read(body: string, place: Place, comment: number): M | null {
    const signed = this.#verify(body);
    return signed !== null && isBoundTo(signed.frame, place, comment) ? signed.marker : null;
  }

  /**
   * A marker that is valid but for the name of the repository, which it knows by that name alone. An earlier version of
   * the action may have written it before the repository was renamed. Null for any other.
   */
  readFormer(
    body: string,
    place: Place,
    comment: number,
  ): { repository: string; marker: M } | null {
    const signed = this.#verify(body);
    if (signed === null || signed.frame.repositoryId !== undefined) return null;
    const { repository } = signed.frame;
    const isFormer = isBoundTo(signed.frame, { repository, issue: place.issue }, comment);
    return isFormer ? { repository, marker: signed.marker } : null;
  }

  /**
   * The marker of a comment whose ID was not known yet, and the name that it was given. Anyone can copy it: it counts
   * only in a comment of the token's own account.
   */
  readDraft(body: string, place: Place): CommentDraft<M> | null {
    const signed = this.#verify(body);
    if (signed?.frame.draft === undefined || !isAt(signed.frame, place)) return null;
    return { name: signed.frame.draft, marker: signed.marker };
  }

  /** Hashes of a text for a marker, under each key, the current one first. They do not reveal the text. */
  fingerprints(text: string): [current: string, ...previous: string[]] {
    const [current, ...previous] = this.#signers;
    return [current.fingerprint(text), ...previous.map((signer) => signer.fingerprint(text))];
  }

  /** A marker with a genuine signature, of whichever place. */
  #verify(body: string) {
    const [, payload = "", signature = ""] = MARKER.exec(body) ?? [];
    const isSigned = this.#signers.some(({ sign }) => isSignature(signature, sign(payload)));
    return isSigned ? parseMarker(payload, this.#purpose) : null;
  }
}

/** A comment's body with another marker in the place of its own. */
export function withMarker(body: string, marker: string): string {
  return body.replace(MARKER, () => marker);
}

/** Without a check of the signature, for runs without a key: anyone who can write the comment can forge it. */
export function unverifiedMarker<M extends object>(
  body: string,
  place: Place,
  comment: number,
  purpose: Purpose<M>,
): M | null {
  const [, payload] = MARKER.exec(body) ?? [];
  const parsed = payload === undefined ? null : parseMarker(payload, purpose);
  return parsed !== null && isBoundTo(parsed.frame, place, comment) ? parsed.marker : null;
}

function isBoundTo(frame: z.infer<typeof frameSchema>, place: Place, comment: number): boolean {
  return frame.comment === comment && isAt(frame, place);
}

/** The ID decides, where both sides know it. GitHub ignores case in names of repositories. */
function isAt(
  frame: z.infer<typeof frameSchema>,
  { repository, repositoryId, issue }: Place,
): boolean {
  if (frame.issue !== issue) return false;
  if (frame.repositoryId !== undefined && repositoryId != null) {
    return frame.repositoryId === repositoryId;
  }
  return frame.repository === repository.toLowerCase();
}

/** A marker, and what it says of the comment that it is in. Null if it is not a marker. */
function parseMarker<M extends object>(payload: string, { schema }: Purpose<M>) {
  const value = parseJson(Buffer.from(payload, "base64url").toString("utf8"));
  const frame = frameSchema.safeParse(value);
  const marker = schema.safeParse(value);
  if (!frame.success || !marker.success) return null;
  return { frame: frame.data, marker: marker.data };
}

/**
 * Signs markers of one purpose and owner with one API key. `fingerprint`: a hash of a text that does not reveal it.
 */
function createSigner(apiKey: string, purpose: string, owner: string) {
  const info = `docs-agent-action ${purpose} v1`;
  // Node prepares bytes for each signature anew, which takes longer than the signature.
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", apiKey, owner, info, 32)));
  const hmac = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  return {
    sign: (payload: string) => hmac(`marker\n${payload}`),
    fingerprint: (text: string) => hmac(`fingerprint\n${text}`).slice(0, 22),
  };
}

/** Compares the encoded text: two spellings of its last character decode to the same bytes. */
function isSignature(text: string, expected: string): boolean {
  const [actual, genuine] = [Buffer.from(text), Buffer.from(expected)];
  return actual.length === genuine.length && timingSafeEqual(actual, genuine);
}

/** The step that wrote a comment, as its marker names it. */
export const stepShape = {
  /** The ID of the workflow run; null if it was not known. */
  run: z.nullable(z.string()),
  attempt: z.number(),
  step: z.string(),
  /** Keyed hash of the matrix leg and of what the step asks for. */
  asks: z.string(),
};

export type StepMarker = z.infer<z.ZodMiniObject<typeof stepShape>>;

/**
 * Recognises the comments of one step, in every attempt of its run. Run, job and step are the same for the
 * legs of a matrix and for a reusable workflow that is called twice. `asks` distinguishes them.
 */
export class StepIdentity {
  readonly #asks: readonly string[];
  readonly #legs: readonly string[];
  readonly marker: StepMarker;
  /** Keyed hash of the matrix leg. */
  readonly leg: string;

  /** @param asked what the step asks for, as the workflow gave it; null for what it does not give */
  constructor(
    markers: Pick<Markers<StepMarker>, "fingerprints">,
    { runId: run, attempt, step }: { runId: string | null; attempt: number; step: string },
    matrix: string,
    asked: readonly (string | null)[],
  ) {
    const asks = markers.fingerprints(JSON.stringify([matrix, ...asked]));
    const legs = markers.fingerprints(matrix);
    this.#asks = asks;
    this.#legs = legs;
    this.leg = legs[0];
    this.marker = { run, attempt, step, asks: asks[0] };
  }

  /** Whether a marker is of the same leg of a matrix, in any step and run. */
  isSameLeg({ leg }: { leg: string }): boolean {
    return this.#legs.includes(leg);
  }

  /** Whether a marker is of this step, in any attempt. */
  isOwn({ run, step, asks }: StepMarker): boolean {
    const isSameStep = run === this.marker.run && step === this.marker.step;
    return isSameStep && this.#asks.includes(asks);
  }

  /** Whether a marker is of an earlier attempt of this step. */
  isEarlier(marker: StepMarker): boolean {
    return this.isOwn(marker) && marker.attempt < this.marker.attempt;
  }
}
