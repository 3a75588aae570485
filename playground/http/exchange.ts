/** One request and its answer. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { Refused } from "../site/refused.ts";

/** Bytes of a form; a comment of GitHub's greatest length fits, however it is encoded. */
const MAX_FORM = 1024 * 1024;

/** Nothing is loaded from elsewhere, and no page of elsewhere shows this one. Mermaid writes styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Answers with a text. */
export function answer(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    ...HEADERS,
    "content-type": `${type}; charset=utf-8`,
    ...headers,
  });
  response.end(body);
}

export function redirect(response: ServerResponse, path: string): void {
  response.writeHead(303, { ...HEADERS, location: path });
  response.end();
}

/**
 * The fields of a form.
 *
 * @throws Refused when it is too large, or was sent by a page of elsewhere.
 */
export async function readForm(request: IncomingMessage, origin: string): Promise<URLSearchParams> {
  const from = request.headers.origin;
  if (from !== undefined && from !== origin) {
    throw new Refused(403, "This form was sent by a page of another address.");
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The rest is read and dropped: a browser takes an answer only after it has sent all.
    if (length <= MAX_FORM) chunks.push(chunk);
  }
  if (length > MAX_FORM) throw new Refused(413, "This is too long.");
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
