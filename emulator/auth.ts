import { ServiceError } from "./errors.ts";
import type { Key, ServiceState } from "./state.ts";

export type KeyKind = "admin" | "assistant" | "index" | "unknown";

/** The kind that a key's prefix tells. */
export function keyKind(secret: string): KeyKind {
  if (secret.startsWith("mint_dsc_")) return "assistant";
  if (secret.startsWith("mint_us_")) return "index";
  return secret.startsWith("mint_") ? "admin" : "unknown";
}

/** The key in an `Authorization` header, if it holds one. */
export function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

/**
 * Lets a call through, or says why not.
 *
 * @throws ServiceError 401 for a key that is missing, wrong, of another kind or expired; 403 for
 * one that lacks the scope of the method or is used from an address that is not on its list.
 */
export function authorize(
  state: ServiceState,
  wanted: "admin" | "assistant",
  call: { authorization: string | undefined; method: string; ip: string; now: number },
): Key {
  const secret = bearer(call.authorization);
  if (secret === undefined) throw new ServiceError(401, "Missing API key");
  const key = state.keys.find((candidate) => candidate.secret === secret);
  if (key === undefined || keyKind(secret) !== wanted) {
    throw new ServiceError(401, `Invalid API key: this endpoint takes an ${wanted} key`);
  }
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= call.now) {
    throw new ServiceError(401, "API key has expired");
  }
  const scope = call.method === "GET" || call.method === "HEAD" ? "read" : "write";
  if (!key.scopes.includes(scope)) {
    throw new ServiceError(403, `API key lacks the ${scope} scope`);
  }
  if (key.allowedIps !== null && !key.allowedIps.includes(call.ip)) {
    throw new ServiceError(403, `Address ${call.ip} is not on the API key's allow-list`);
  }
  return key;
}
