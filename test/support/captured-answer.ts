import type http from "node:http";
import type { Answer, Exchange } from "./faulty-server.ts";

/** A whole answer, as it would have been. */
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
  const response = {
    writeHead(status: number, headers: http.OutgoingHttpHeaders = {}) {
      captured.status = status;
      captured.headers = headers;
    },
    write: add,
    end: add,
  };
  await answer({ request, socket, response: response as unknown as http.ServerResponse });
  delete captured.headers["content-length"];
  return captured;
}
