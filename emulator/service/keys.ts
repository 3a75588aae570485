/** API keys: their kinds, and what each of them may do. */

import { bearer } from "../http/app.ts";
import { HttpError } from "../http/http-error.ts";

/** An API key of the organization. Its prefix tells its kind, as at the real service. */
export interface Key {
  /** The key itself; the inspector shows no field of this name. */
  secret: string;
  scopes: Scope[];
  /** ISO date and time; null: never. */
  expiresAt: string | null;
  /** Addresses that may call with it; null: all. */
  allowedIps: string[] | null;
}

/** `GET` needs `read`, everything else `write`. */
export type Scope = "read" | "write";

export type KeyKind = "admin" | "assistant" | "index" | "unknown";

/** What a key has to allow, and who uses it. */
export interface KeyUse {
  kind: "admin" | "assistant";
  authorization: string | undefined;
  method: string;
  ip: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** The kind that a key's prefix tells. */
export function keyKind(secret: string): KeyKind {
  if (secret.startsWith("mint_dsc_")) return "assistant";
  if (secret.startsWith("mint_us_")) return "index";
  return secret.startsWith("mint_") ? "admin" : "unknown";
}

/**
 * Lets a request through, or refuses it.
 *
 * @throws HttpError 401 for a key that is missing, wrong, of another kind or expired; 403 for one
 * that lacks the scope of the method or is used from an address that is not on its list.
 */
export function authorize(keys: Key[], { kind, authorization, method, ip, now }: KeyUse): void {
  const secret = bearer(authorization);
  if (secret === undefined) throw new HttpError(401, "Missing API key");
  const key = keys.find((candidate) => candidate.secret === secret);
  if (key === undefined || keyKind(secret) !== kind) {
    throw new HttpError(401, `Invalid API key: this endpoint takes an ${kind} key`);
  }
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now) {
    throw new HttpError(401, "API key has expired");
  }
  const scope = method === "GET" || method === "HEAD" ? "read" : "write";
  if (!key.scopes.includes(scope)) {
    throw new HttpError(403, `API key lacks the ${scope} scope`);
  }
  if (key.allowedIps !== null && !key.allowedIps.includes(ip)) {
    throw new HttpError(403, `Address ${ip} is not on the API key's allow-list`);
  }
}
