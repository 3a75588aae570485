// The same four requests that a run of the action makes, with node:http alone: the yardstick.
import { request } from "node:http";

const { SERVICE, GITHUB } = process.env;

function send(base, method, path, body, headers) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const outgoing = request(
      new URL(path, base),
      {
        method,
        headers: {
          ...headers,
          ...(text === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        },
      },
      (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
        response.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

const key = { authorization: "Bearer mint_bench" };
const token = { authorization: "token ghs_bench", "user-agent": "bench" };
const prompt = "Bring the documentation up to date.";
const job = await send(SERVICE, "POST", "/v2/agent/docs/job", { prompt }, key);
const comments = "/repos/acme/docs/issues/1/comments";
const comment = await send(GITHUB, "POST", comments, { body: `Job ${job.id}` }, token);
const done = await send(SERVICE, "GET", `/v2/agent/docs/job/${job.id}`, undefined, key);
const edit = `/repos/acme/docs/issues/comments/${comment.id}`;
await send(GITHUB, "PATCH", edit, { body: `${done.status}: ${done.prLink}` }, token);
console.log(done.prLink);
