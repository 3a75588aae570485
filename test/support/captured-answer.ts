import type http from "node:http";
import type { Answer, AnswerResponse, Exchange } from "./faulty-server.ts";

/** A complete answer that was not sent. */
export interface CapturedAnswer {
  status: number;
  headers: http.OutgoingHttpHeaders;
  body: Buffer;
}

/** Runs an answer without sending it. */
export async function capture(
  answer: Answer,
  { request, socket }: Pick<Exchange, "request" | "socket">,
): Promise<CapturedAnswer> {
  const captured: CapturedAnswer = { status: 200, headers: {}, body: Buffer.alloc(0) };
  const add = (chunk?: string | Uint8Array) => {
    if (chunk !== undefined) captured.body = Buffer.concat([captured.body, Buffer.from(chunk)]);
    return true;
  };
  const response: AnswerResponse = {
    destroyed: false,
    writeHead(status, headers = {}) {
      captured.status = status;
      captured.headers = headers;
      return response;
    },
    write: add,
    end: add,
    flushHeaders() {},
    // Nothing happens to it that a listener would wait for.
    on: () => response,
    once: () => response,
    off: () => response,
  };
  await answer({ request, socket, response });
  delete captured.headers["content-length"];
  return captured;
}
