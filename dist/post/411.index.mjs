export const id = 411;
export const ids = [411];
export const modules = {

/***/ 792:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AgentV1: () => (/* binding */ AgentV1)
/* harmony export */ });
/* harmony import */ var node_module__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(995);
/* harmony import */ var _chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(90);
/* harmony import */ var _chunk_HF6WBTJT_mjs__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(297);
/* harmony import */ var _chunk_Z5NG2X2G_mjs__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(407);
/* harmony import */ var _chunk_ND6BZSWI_mjs__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(497);
/* harmony import */ var _chunk_Z2WLCMPA_mjs__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(370);
 const require = (0,node_module__WEBPACK_IMPORTED_MODULE_0__.createRequire)(import.meta.url);






// src/service/session.ts
var MAX_MESSAGE = 32 * 1024;
var MAX_TODO = 1e3;
var MAX_TODOS = 200;
var text = (0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* ._catch */ .nb)((0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .me)((0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .string */ .Yj)()), null);
var schema = (0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ik)({
  sessionId: text,
  subdomain: text,
  branch: text,
  haulted: (0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* ._catch */ .nb)((0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .me)((0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zM)()), null),
  haultReason: text,
  pullRequestLink: text,
  messageToUser: text,
  todos: (0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* ._catch */ .nb)((0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .me)((0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YO)((0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5)())), null),
  userId: text,
  title: text,
  createdAt: text
});
function isId(id) {
  return id !== null && id !== void 0 && !["", ".", ".."].includes(id.trim());
}
function readSession(value, askedFor) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { todos, ...session } = schema.parse(value);
  const sessionId = isId(session.sessionId) ? session.sessionId : askedFor;
  const tells = [session.sessionId, session.haulted, session.haultReason].some((it) => it !== null);
  if (!tells || sessionId === void 0) return null;
  return {
    ...session,
    sessionId,
    messageToUser: session.messageToUser?.slice(0, MAX_MESSAGE).toWellFormed() ?? null,
    todos: todos?.slice(0, MAX_TODOS).flatMap(readTodo) ?? null,
    record: value
  };
}
function readTodo(value) {
  const item = typeof value === "string" ? { content: value } : value;
  if (typeof item !== "object" || item === null) return [];
  const { content, status, priority, id } = item;
  if (typeof content !== "string" || content.trim() === "") return [];
  const word = (it) => typeof it === "string" ? it.slice(0, 60) : "";
  return [
    {
      id: typeof id === "number" ? String(id) : word(id),
      content: content.slice(0, MAX_TODO).toWellFormed(),
      status: word(status),
      priority: word(priority)
    }
  ];
}
var FAILURES = /* @__PURE__ */ new Map([
  ["repohost_missconfigured", misconfigured("The service's connection to the repository's host")],
  ["github_missconfigured", misconfigured("The service's connection to GitHub")],
  [
    "interrupted",
    {
      what: "The session was interrupted before it completed.",
      advice: "If nobody stopped it on the service's dashboard, run again."
    }
  ],
  // It says no more than that the job failed.
  ["error", null]
]);
function misconfigured(what) {
  return {
    what: `${what} is misconfigured, so the agent could not work on the repository.`,
    advice: "Check on the service's dashboard that its app is installed for this repository's owner and has access to the repository, that the project names the right repository and branch, and that no branch protection keeps the app from pushing; then run again."
  };
}
function jobOfSession(session) {
  const { haulted, messageToUser, todos, record } = session;
  const reason = (session.haultReason ?? "").trim().toLowerCase();
  const isHalted = (haulted ?? reason !== "") && reason !== "processing";
  const status = !isHalted ? "active" : reason === "completed" ? "completed" : "failed";
  return {
    id: session.sessionId,
    status,
    prLink: session.pullRequestLink,
    ref: session.branch,
    createdAt: session.createdAt,
    ...{ model: null, repository: null, archivedAt: null },
    message: messageToUser?.trim() ? messageToUser : null,
    todos,
    failure: status === "failed" ? failureOf(reason) : null,
    record
  };
}
function failureOf(reason) {
  const known = FAILURES.get(reason.replace("_misconfigured", "_missconfigured"));
  if (known !== void 0) return known;
  const named = /^[a-z0-9_-]{1,60}$/.test(reason) ? ` (\`${reason}\`)` : "";
  return {
    what: reason === "" ? "The session was halted, and the service gave no reason." : `The session was halted for a reason that this version of the action does not know${named}.`,
    advice: "Look at the job on the service's dashboard."
  };
}

// src/service/session-list.ts
var TAKE = 100;
var MAX_PAGES = 100;
var MAX_BYTES = 8 * 1024 * 1024;
async function readAllPages(readPage) {
  const found = /* @__PURE__ */ new Map();
  let skip = 0;
  let isPartial = true;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await readPage(skip, TAKE);
    const before = found.size;
    for (const session of page.sessions) {
      if (!found.has(session.sessionId)) found.set(session.sessionId, session);
    }
    if (found.size === before) {
      isPartial = page.length === TAKE;
      break;
    }
    skip += page.length;
  }
  return { sessions: newestFirst([...found.values()]), isPartial };
}
async function readPageOf(transport, projectId, { skip, take }, options = {}) {
  const { value, retryAfter } = await transport.json(
    "GET",
    ["v1", "agent", projectId, "jobs"],
    void 0,
    { ...options, query: { skip: String(skip), take: String(take) }, maxBytes: MAX_BYTES }
  );
  const { allSessions } = value ?? {};
  if (!Array.isArray(allSessions)) {
    throw new _chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .ServiceError */ ._7(
      { type: "unreadable" },
      "The service's answer is not a list of jobs: it lacks allSessions",
      retryAfter
    );
  }
  const sessions = allSessions.map((it) => readSession(it)).filter((it) => it !== null);
  return { sessions, length: allSessions.length };
}
function newestFirst(sessions) {
  return sessions.sort((one, other) => createdAt(other) - createdAt(one));
}
function createdAt({ createdAt: text2 }) {
  return Date.parse(text2 ?? "") || 0;
}

// src/text/lines.ts
var LONGEST = 16 * 1024;
var LineCutter = class {
  #decoder = new TextDecoder();
  #secret;
  #rest = "";
  constructor(secret) {
    this.#secret = secret;
  }
  /** The lines that are complete with this chunk, without line ends. */
  push(chunk) {
    return this.#take(this.#decoder.decode(chunk, { stream: true }));
  }
  /** What was left when the stream ended. */
  end() {
    const lines = this.#take(this.#decoder.decode());
    if (this.#rest !== "") lines.push(this.#redact(this.#rest.replace(/\r$/, "")));
    this.#rest = "";
    return lines;
  }
  #take(text2) {
    const lines = (this.#rest + text2).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    const whole = lines.map((line) => this.#redact(line));
    if (this.#rest.length > LONGEST) whole.push(this.#cutRest());
    return whole;
  }
  /** All of the rest but its end, in which the secret may have begun. */
  #cutRest() {
    const rest = this.#redact(this.#rest);
    const kept = Math.max(1, this.#secret.length - 1);
    this.#rest = rest.slice(-kept);
    return rest.slice(0, -kept);
  }
  #redact(line) {
    return this.#secret === "" ? line : line.replaceAll(this.#secret, "***");
  }
};

// src/service/session-stream.ts
var MAX_STREAM = 8 * 1024 * 1024;
async function followStream(following) {
  const { body, isEventStream, secret, over, show } = following;
  const cutter = new LineCutter(secret);
  const showLines = (lines) => {
    const shown = (isEventStream ? lines.map(dataOf) : lines).filter((line) => line.trim() !== "");
    if (shown.length > 0 && !over.aborted) show(shown.map((line) => `> ${line}`).join("\n"));
  };
  let left = MAX_STREAM;
  try {
    for await (const chunk of body) {
      if (over.aborted) return;
      showLines(cutter.push(chunk.subarray(0, left)));
      left -= chunk.byteLength;
      if (left >= 0) continue;
      showLines(cutter.end());
      show(
        "The agent's stream is longer than 8 MiB: the rest of it is not shown. The job goes on."
      );
      return;
    }
    showLines(cutter.end());
  } catch (error) {
    if (!(error instanceof _chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .ExchangeError */ .Sb)) throw error;
    showLines(cutter.end());
    if (!over.aborted) {
      show(`The agent's stream broke off: ${error.message}. The job goes on without it.`);
    }
  }
}
function dataOf(line) {
  const [, data = ""] = /^data: ?(.*)$/s.exec(line) ?? [];
  return data === "[DONE]" ? "" : data;
}

// src/service/agent-v1.ts
var STREAM_LIMIT = 6e4;
var LIST_LIMIT = 3e4;
var LIST_DELAY = 1e3;
var LIST_DELAY_MAX = 8e3;
var CLOCK_SKEW = 3e4;
var AgentV1 = class {
  version = "v1";
  #options;
  #job;
  /** Branches of the sessions that were created here: a record may not tell its own. */
  #branches = /* @__PURE__ */ new Map();
  constructor(options) {
    this.#options = options;
    this.#job = ["v1", "agent", options.projectId, "job"];
  }
  /** Returns as soon as the session's id is known; its stream goes on being shown until the run is over. */
  async create(prompt, options = {}) {
    const { transport, choices, clock, over } = this.#options;
    const { branch, asDraft, model, messages } = choices;
    const request = {
      branch,
      messages: [...messages, { role: "user", content: prompt }],
      ...asDraft === null ? {} : { asDraft },
      ...model === null ? {} : { model }
    };
    const since = clock.timeOfDay();
    const signal = AbortSignal.any([over, ...options.signal ? [options.signal] : []]);
    const opened = await transport.stream(this.#job, request, { ...options, signal });
    const answeredAt = clock.timeOfDay();
    refuseWebPage(opened);
    const reading = this.#follow(opened);
    const named = opened.headers["x-branch-name"]?.trim() || branch;
    const { "x-session-id": id, date } = opened.headers;
    if (isId(id)) return { job: this.#begun(id, named), retryAfter: void 0 };
    const began = (Date.parse(date ?? "") || answeredAt) - (answeredAt - since) - CLOCK_SKEW;
    const half = (options.limit ?? Number.POSITIVE_INFINITY) / 2;
    await this.#atMost(Math.min(STREAM_LIMIT, half), reading, signal);
    const found = await this.#find(named, began, Math.min(LIST_LIMIT, half), signal);
    return { job: this.#begun(found.sessionId, found.branch ?? named), retryAfter: void 0 };
  }
  async message() {
    throw new _chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .ActionError */ .lZ(
      "invalid-input",
      "Version 1 of the agent interface cannot send a message to a job that exists.",
      "Set `api-version` to `v2`."
    );
  }
  async get(id, options) {
    const { transport } = this.#options;
    const path = [...this.#job, id];
    const { value, retryAfter } = await transport.json("GET", path, void 0, options);
    const session = readSession(value, id);
    if (session === null) {
      throw new _chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .ServiceError */ ._7(
        { type: "unreadable" },
        "The service's answer does not describe the job: it lacks haulted and haultReason",
        retryAfter
      );
    }
    const job = jobOfSession(session);
    return { job: { ...job, ref: job.ref ?? this.#branches.get(id) ?? null }, retryAfter };
  }
  #begun(id, ref) {
    this.#branches.set(id, ref);
    return {
      ...{ id, status: "active", ref },
      ...{ prLink: null, model: null, repository: null, createdAt: null, archivedAt: null },
      ...{ message: null, todos: null, failure: null, record: {} }
    };
  }
  #follow({ headers, body }) {
    const { apiKey: secret, over, show } = this.#options;
    const isEventStream = typeOf(headers) === "text/event-stream";
    return followStream({ body, isEventStream, secret, over, show });
  }
  /** Waits for a promise, and no longer than so many milliseconds. */
  async #atMost(limit, awaited, signal) {
    const done = new AbortController();
    await Promise.race([
      awaited,
      this.#options.clock.sleep(limit, AbortSignal.any([signal, done.signal]))
    ]);
    done.abort();
  }
  /**
   * The session that works on a branch and is not older than the request. One that is not sure to be the
   * right one is not taken: nobody should be told of somebody else's job.
   *
   * @param began milliseconds since 1970
   * @param limit milliseconds to go on asking for it
   */
  async #find(branch, began, limit, signal) {
    const { clock } = this.#options;
    const end = clock.now() + limit;
    for (let delay = LIST_DELAY; ; delay = Math.min(2 * delay, LIST_DELAY_MAX)) {
      const isIt = (it) => it.branch === branch && (createdAt(it) === 0 || createdAt(it) >= began);
      const seen = await this.#lookFor(isIt, { limit: Math.max(1, end - clock.now()), signal });
      if ("session" in seen) return seen.session;
      if (seen.isFinal || clock.now() + delay >= end) {
        throw new _chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .ServiceError */ ._7(
          { type: "unreadable" },
          `The service's answer does not tell the job's id (X-Session-Id), and ${seen.why}`
        );
      }
      await clock.sleep(delay, signal);
    }
  }
  async #lookFor(isIt, options) {
    const { transport, projectId } = this.#options;
    try {
      const { sessions } = await readAllPages(
        (skip, take) => readPageOf(transport, projectId, { skip, take }, options)
      );
      const [session, another] = sessions.filter(isIt);
      if (session === void 0) {
        return { why: "the project's list of jobs has no new one on its branch", isFinal: false };
      }
      if (another === void 0) return { session };
      return { why: "the project's list of jobs has several on its branch", isFinal: true };
    } catch (error) {
      if (!(error instanceof _chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .ServiceError */ ._7)) throw error;
      if (options.signal?.aborted) {
        throw new _chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .ServiceError */ ._7({ type: "stopped", sent: true }, error.message);
      }
      return { why: error.message, isFinal: !(0,_chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .isPassing */ .WG)(error) };
    }
  }
};
function refuseWebPage({ headers }) {
  if (isId(headers["x-session-id"]) || typeOf(headers) !== "text/html") return;
  throw new _chunk_WMK6IH3U_mjs__WEBPACK_IMPORTED_MODULE_1__/* .ServiceError */ ._7(
    { type: "unreadable" },
    "The service's answer is a web page instead of the stream of a job"
  );
}
function typeOf(headers) {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}



/***/ })

};
