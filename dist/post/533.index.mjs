export const id = 533;
export const ids = [533];
export const modules = {

/***/ 533:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readGiven: () => (/* binding */ readGiven)
/* harmony export */ });
/* harmony import */ var node_module__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(995);
/* harmony import */ var _chunk_Z2WLCMPA_mjs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(370);
/* harmony import */ var fs__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(896);
/* harmony import */ var os__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(857);
 const require = (0,node_module__WEBPACK_IMPORTED_MODULE_0__.createRequire)(import.meta.url);


// node_modules/@actions/github/lib/context.js


var Context = class {
  /**
   * Hydrate the context from the environment
   */
  constructor() {
    var _a, _b, _c;
    this.payload = {};
    if (process.env.GITHUB_EVENT_PATH) {
      if ((0,fs__WEBPACK_IMPORTED_MODULE_2__.existsSync)(process.env.GITHUB_EVENT_PATH)) {
        this.payload = JSON.parse((0,fs__WEBPACK_IMPORTED_MODULE_2__.readFileSync)(process.env.GITHUB_EVENT_PATH, { encoding: "utf8" }));
      } else {
        const path = process.env.GITHUB_EVENT_PATH;
        process.stdout.write(`GITHUB_EVENT_PATH ${path} does not exist${os__WEBPACK_IMPORTED_MODULE_3__.EOL}`);
      }
    }
    this.eventName = process.env.GITHUB_EVENT_NAME;
    this.sha = process.env.GITHUB_SHA;
    this.ref = process.env.GITHUB_REF;
    this.workflow = process.env.GITHUB_WORKFLOW;
    this.action = process.env.GITHUB_ACTION;
    this.actor = process.env.GITHUB_ACTOR;
    this.job = process.env.GITHUB_JOB;
    this.runAttempt = parseInt(process.env.GITHUB_RUN_ATTEMPT, 10);
    this.runNumber = parseInt(process.env.GITHUB_RUN_NUMBER, 10);
    this.runId = parseInt(process.env.GITHUB_RUN_ID, 10);
    this.apiUrl = (_a = process.env.GITHUB_API_URL) !== null && _a !== void 0 ? _a : `https://api.github.com`;
    this.serverUrl = (_b = process.env.GITHUB_SERVER_URL) !== null && _b !== void 0 ? _b : `https://github.com`;
    this.graphqlUrl = (_c = process.env.GITHUB_GRAPHQL_URL) !== null && _c !== void 0 ? _c : `https://api.github.com/graphql`;
  }
  get issue() {
    const payload = this.payload;
    return Object.assign(Object.assign({}, this.repo), { number: (payload.issue || payload.pull_request || payload).number });
  }
  get repo() {
    if (process.env.GITHUB_REPOSITORY) {
      const [owner, repo] = process.env.GITHUB_REPOSITORY.split("/");
      return { owner, repo };
    }
    if (this.payload.repository) {
      return {
        owner: this.payload.repository.owner.login,
        repo: this.payload.repository.name
      };
    }
    throw new Error("context.repo requires a GITHUB_REPOSITORY environment variable like 'owner/repo'");
  }
};

// node_modules/@actions/github/lib/github.js
var context = new Context();

// src/github/read-given.ts
function readGiven(env) {
  const repository = env.GITHUB_REPOSITORY ?? "";
  const runId = env.GITHUB_RUN_ID ?? "";
  const attempt = Number(env.GITHUB_RUN_ATTEMPT ?? 1) || 1;
  const server = env.GITHUB_SERVER_URL ?? "https://github.com";
  const isKnown = repository !== "" && runId !== "";
  return {
    eventName: context.eventName ?? "",
    payload: context.payload,
    repository,
    runId,
    attempt,
    step: `${env.GITHUB_JOB ?? ""}/${env.GITHUB_ACTION ?? ""}`,
    runUrl: isKnown ? `${server}/${repository}/actions/runs/${runId}/attempts/${attempt}` : "",
    workspace: env.GITHUB_WORKSPACE || process.cwd(),
    apiUrl: context.apiUrl
  };
}



/***/ })

};
