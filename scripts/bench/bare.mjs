// The same requests that a run of an action makes, with node:http alone: the yardstick.
//
//   bare.mjs job | jobs | assistant | upkeep | gate | collect | land
import { readFileSync } from "node:fs";
import { request } from "node:http";

const { SERVICE, GITHUB } = process.env;
const key = { authorization: "Bearer mint_bench" };
const token = { authorization: "token ghs_bench", "user-agent": "bench" };

function send(base, method, path, body, headers) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const length = text === undefined ? {} : { "content-length": Buffer.byteLength(text) };
    const type = text === undefined ? {} : { "content-type": "application/json" };
    const url = new URL(path, base);
    const outgoing = request(url, { method, headers: { ...headers, ...type, ...length } });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
      response.on("error", reject);
    });
    outgoing.end(text);
  });
}

const scripts = {
  async job() {
    const prompt = "Bring the documentation up to date.";
    const job = JSON.parse(await send(SERVICE, "POST", "/v2/agent/docs/job", { prompt }, key));
    const comments = "/repos/acme/code/issues/1/comments";
    const body = `Job ${job.id}`;
    const comment = JSON.parse(await send(GITHUB, "POST", comments, { body }, token));
    const jobPath = `/v2/agent/docs/job/${job.id}`;
    const done = JSON.parse(await send(SERVICE, "GET", jobPath, undefined, key));
    const edit = `/repos/acme/code/issues/comments/${comment.id}`;
    await send(GITHUB, "PATCH", edit, { body: `${done.status}: ${done.prLink}` }, token);
    console.log(done.prLink);
  },
  async jobs() {
    const path = "/v1/agent/docs/jobs?skip=0&take=100";
    const list = JSON.parse(await send(SERVICE, "GET", path, undefined, key));
    console.log(list.allSessions.length);
  },
  async upkeep() {
    const repository = "/repos/acme/code";
    const get = async (path, headers = {}) =>
      await send(GITHUB, "GET", `${repository}${path}`, undefined, { ...token, ...headers });
    const json = async (path) => JSON.parse(await get(path));
    const ref = await json("/git/ref/docs-agent/upkeep/46b42b4229cd");
    const file = `/contents/ledger.json?ref=${ref.object.sha}`;
    const ledger = JSON.parse(await get(file, { accept: "application/vnd.github.raw+json" }));
    const { body } = await json(`/issues/${ledger.dashboard.number}`);
    const jobPath = `/v2/agent/docs/job/${ledger.batches[0].jobId}`;
    const job = JSON.parse(await send(SERVICE, "GET", jobPath, undefined, key));
    for (const { prLink } of ledger.reviews) await json(`/pulls/${prLink.split("/").at(-1)}`);
    const { default_branch } = await json("");
    const branch = await json(`/branches/${default_branch}`);
    console.log(body.length, job.status, branch.commit.sha);
  },
  async collect() {
    const since = new Date(Date.now() - 7 * 24 * 60 * 60_000).toISOString();
    const path = `/repos/acme/code/issues/comments?since=${since}&sort=updated&per_page=100`;
    const comments = JSON.parse(await send(GITHUB, "GET", path, undefined, token));
    console.log(comments.filter(({ body }) => body.includes("<!-- docs-agent:")).length);
  },
  async land() {
    const repository = "/repos/acme/code";
    const get = async (path, headers = {}) =>
      await send(GITHUB, "GET", `${repository}${path}`, undefined, { ...token, ...headers });
    const ref = JSON.parse(await get("/git/ref/docs-agent/land/46b42b4229cd"));
    const file = `/contents/ledger.json?ref=${ref.object.sha}`;
    const ledger = JSON.parse(await get(file, { accept: "application/vnd.github.raw+json" }));
    const refs = JSON.parse(await get("/git/matching-refs/docs-agent"));
    const comments = `/issues/comments?since=${ledger.commentsFrom}&sort=updated&per_page=100`;
    console.log(refs.length, JSON.parse(await get(comments)).length);
    const queryFile = new URL("../../src/github/docs-pull-query.ts", import.meta.url);
    const [, query] = /`([^`]+)`/.exec(readFileSync(queryFile, "utf8"));
    const read = async ({ url, jobId }) => {
      const number = Number(url.split("/").at(-1));
      const job = JSON.parse(
        await send(SERVICE, "GET", `/v2/agent/docs/job/${jobId}`, undefined, key),
      );
      const variables = { owner: "acme", name: "code", number };
      const pull = JSON.parse(await send(GITHUB, "POST", "/graphql", { query, variables }, token));
      const files = JSON.parse(await get(`/pulls/${number}/files?per_page=100&page=1`));
      console.log(job.status, pull.data.repository.pullRequest.state, files.length);
    };
    await Promise.all(ledger.open.map(read));
  },
  async gate() {
    const pull = "/repos/acme/code/pulls/1";
    const { number } = JSON.parse(await send(GITHUB, "GET", pull, undefined, token));
    const files = JSON.parse(await send(GITHUB, "GET", `${pull}/files`, undefined, token));
    const comments = `/repos/acme/code/issues/${number}/comments`;
    console.log(
      files.length,
      JSON.parse(await send(GITHUB, "GET", comments, undefined, token)).length,
    );
  },
  async assistant() {
    const messages = [{ id: "1", role: "user", content: "How do I rotate a key?" }];
    const path = "/discovery/v1/assistant/docs/message";
    const answer = await send(SERVICE, "POST", path, { fp: "anonymous", messages }, key);
    for (const line of answer.split("\n")) {
      if (line.startsWith("0:")) process.stdout.write(JSON.parse(line.slice(2)));
    }
  },
};

await scripts[process.argv[2]]();
