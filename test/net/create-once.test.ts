import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  closeAfterRequest,
  halfBody,
  hangBeforeHeaders,
  hangInBody,
  json,
  notHttp,
  resetAfterRequest,
} from "../support/answers.ts";
import { JOB, openCreating } from "../support/creating.ts";
import type { Answer } from "../support/faulty-server.ts";
import { WAYS } from "../support/route.ts";
import { CREATE } from "../support/scenario.ts";

/** What every request is given at the least, in milliseconds. */
const REQUEST_LIMIT = 2_000;
/** Half of an answer's headers. */
const halfHeaders: Answer = ({ socket }) => void socket.end("HTTP/1.1 201 Created\r\ncontent-le");

describe("it may have been received, so no job is asked for again", () => {
  const AFTER_SENDING: [string, Answer, string][] = [
    ["reset", resetAfterRequest, "create-uncertain"],
    ["closed", closeAfterRequest, "create-uncertain"],
    ["lost in the middle of the headers", halfHeaders, "create-uncertain"],
    ["lost in the middle of the answer", halfBody(201, JOB), "create-uncertain"],
    ["answered with something that is not HTTP", notHttp, "create-uncertain"],
    ["answered with something that is not a job", json(201, "fine"), "invalid-response"],
    ["left without an answer in time", hangBeforeHeaders, "create-uncertain"],
    ["left with an answer that stops half-way", hangInBody, "create-uncertain"],
  ];
  const ROWS = WAYS.flatMap((way) =>
    AFTER_SENDING.map(([what, ...row]) => [what, way, ...row] as const),
  );

  test.each(ROWS)("the connection is %s after the request (%s)", async (_, way, answer, kind) => {
    await using service = await openCreating(way, { limit: REQUEST_LIMIT });
    service.service.on(CREATE, answer);
    expect(await service.create()).toMatchObject({
      outcome: { type: "error", request: "uncertain", error: { kind } },
    });
    expect(service.retries()).toBe(0);
    expect(service.service.requestsTo(CREATE)).toHaveLength(1);
  });

  test.each(WAYS)("a connection kept from before is lost (%s)", async (way) => {
    await using service = await openCreating(way);
    service.service.on(CREATE, json(201, JOB), resetAfterRequest);
    expect(await service.create()).toMatchObject({ type: "running" });
    await setImmediate();
    expect(await service.create()).toMatchObject({
      outcome: { type: "error", request: "uncertain", error: { kind: "create-uncertain" } },
    });
    expect(service.service.connections).toBe(1);
    expect(service.retries()).toBe(0);
    expect(service.service.requestsTo(CREATE)).toHaveLength(2);
  });

  test("the proxy drops the tunnel after the request", async () => {
    await using service = await openCreating("through a proxy");
    service.service.on(CREATE, hangBeforeHeaders);
    const started = service.create();
    await service.service.waitForRequest(CREATE);
    await service.proxy?.close();
    expect(await started).toMatchObject({ outcome: { type: "error", request: "uncertain" } });
    expect(service.retries()).toBe(0);
  });

  test.each(WAYS)("cancelled before an answer came (%s)", async (way) => {
    await using service = await openCreating(way);
    service.service.on(CREATE, hangBeforeHeaders);
    const started = service.create();
    await service.service.waitForRequest(CREATE);
    service.abandon();
    expect(await started).toMatchObject({ outcome: { type: "cancelled", request: "uncertain" } });
    expect(service.service.requestsTo(CREATE)).toHaveLength(1);
  });
});
