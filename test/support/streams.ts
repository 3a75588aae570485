import type http from "node:http";
import type { Answer } from "./faulty-server.ts";

/** How a streamed answer ends. */
export type StreamEnd = "end" | "reset" | "never";

/** The pieces of a stream, available at once or over time. */
export type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** An answer that arrives in pieces, each in its own chunk. */
export function streamed(
  pieces: Pieces,
  headers: http.OutgoingHttpHeaders,
  end: StreamEnd = "end",
): Answer {
  return async ({ response, socket }) => {
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8", ...headers });
    response.flushHeaders();
    for await (const piece of pieces) {
      if (response.destroyed) return;
      await new Promise<void>((resolve) => {
        // If the client disconnects, the piece is never written.
        const done = () => {
          response.off("close", done);
          resolve();
        };
        response.once("close", done);
        response.write(piece, done);
      });
    }
    if (end === "end") response.end();
    if (end === "reset") socket.resetAndDestroy();
  };
}

/** The same piece again and again, until the client disconnects. */
export function* endless(piece: string): Generator<string> {
  for (;;) yield piece;
}
