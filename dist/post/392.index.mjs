export const id = 392;
export const ids = [392];
export const modules = {

/***/ 392:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   "default": () => (__WEBPACK_DEFAULT_EXPORT__)
/* harmony export */ });
/* harmony import */ var node_module__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(995);
/* harmony import */ var _chunk_ND6BZSWI_mjs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(497);
/* harmony import */ var _chunk_Z2WLCMPA_mjs__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(370);
 const require = (0,node_module__WEBPACK_IMPORTED_MODULE_0__.createRequire)(import.meta.url);



// node_modules/undici/lib/api/abort-signal.js
var require_abort_signal = (0,_chunk_Z2WLCMPA_mjs__WEBPACK_IMPORTED_MODULE_2__/* .__commonJS */ .P$)({
  "node_modules/undici/lib/api/abort-signal.js"(exports, module) {
    var { addAbortListener } = (0,_chunk_ND6BZSWI_mjs__WEBPACK_IMPORTED_MODULE_1__/* .require_util */ .Hr)();
    var { RequestAbortedError } = (0,_chunk_ND6BZSWI_mjs__WEBPACK_IMPORTED_MODULE_1__/* .require_errors */ .WP)();
    var kListener = /* @__PURE__ */ Symbol("kListener");
    var kSignal = /* @__PURE__ */ Symbol("kSignal");
    function abort(self) {
      if (self.abort) {
        self.abort(self[kSignal]?.reason);
      } else {
        self.reason = self[kSignal]?.reason ?? new RequestAbortedError();
      }
      removeSignal(self);
    }
    function addSignal(self, signal) {
      self.reason = null;
      self[kSignal] = null;
      self[kListener] = null;
      if (!signal) {
        return;
      }
      if (signal.aborted) {
        abort(self);
        return;
      }
      self[kSignal] = signal;
      self[kListener] = () => {
        abort(self);
      };
      addAbortListener(self[kSignal], self[kListener]);
    }
    function removeSignal(self) {
      if (!self[kSignal]) {
        return;
      }
      if ("removeEventListener" in self[kSignal]) {
        self[kSignal].removeEventListener("abort", self[kListener]);
      } else {
        self[kSignal].removeListener("abort", self[kListener]);
      }
      self[kSignal] = null;
      self[kListener] = null;
    }
    module.exports = {
      addSignal,
      removeSignal
    };
  }
});

// node_modules/undici/lib/api/api-connect.js
var require_api_connect = (0,_chunk_Z2WLCMPA_mjs__WEBPACK_IMPORTED_MODULE_2__/* .__commonJS */ .P$)({
  "node_modules/undici/lib/api/api-connect.js"(exports, module) {
    var assert = (0,_chunk_Z2WLCMPA_mjs__WEBPACK_IMPORTED_MODULE_2__/* .__require */ .ki)("node:assert");
    var { AsyncResource } = (0,_chunk_Z2WLCMPA_mjs__WEBPACK_IMPORTED_MODULE_2__/* .__require */ .ki)("node:async_hooks");
    var { InvalidArgumentError, SocketError } = (0,_chunk_ND6BZSWI_mjs__WEBPACK_IMPORTED_MODULE_1__/* .require_errors */ .WP)();
    var util = (0,_chunk_ND6BZSWI_mjs__WEBPACK_IMPORTED_MODULE_1__/* .require_util */ .Hr)();
    var { addSignal, removeSignal } = require_abort_signal();
    var ConnectHandler = class extends AsyncResource {
      constructor(opts, callback) {
        if (!opts || typeof opts !== "object") {
          throw new InvalidArgumentError("invalid opts");
        }
        if (typeof callback !== "function") {
          throw new InvalidArgumentError("invalid callback");
        }
        const { signal, opaque, responseHeaders } = opts;
        if (signal && typeof signal.on !== "function" && typeof signal.addEventListener !== "function") {
          throw new InvalidArgumentError("signal must be an EventEmitter or EventTarget");
        }
        super("UNDICI_CONNECT");
        this.opaque = opaque || null;
        this.responseHeaders = responseHeaders || null;
        this.callback = callback;
        this.abort = null;
        addSignal(this, signal);
      }
      onConnect(abort, context) {
        if (this.reason) {
          abort(this.reason);
          return;
        }
        assert(this.callback);
        this.abort = abort;
        this.context = context;
      }
      onHeaders() {
        throw new SocketError("bad connect", null);
      }
      onUpgrade(statusCode, rawHeaders, socket) {
        const { callback, opaque, context } = this;
        removeSignal(this);
        this.callback = null;
        let headers = rawHeaders;
        if (headers != null) {
          headers = this.responseHeaders === "raw" ? util.parseRawHeaders(rawHeaders) : util.parseHeaders(rawHeaders);
        }
        this.runInAsyncScope(callback, null, null, {
          statusCode,
          headers,
          socket,
          opaque,
          context
        });
      }
      onError(err) {
        const { callback, opaque } = this;
        removeSignal(this);
        if (callback) {
          this.callback = null;
          queueMicrotask(() => {
            this.runInAsyncScope(callback, null, err, { opaque });
          });
        }
      }
    };
    function connect(opts, callback) {
      if (callback === void 0) {
        return new Promise((resolve, reject) => {
          connect.call(this, opts, (err, data) => {
            return err ? reject(err) : resolve(data);
          });
        });
      }
      try {
        const connectHandler = new ConnectHandler(opts, callback);
        this.dispatch({ ...opts, method: "CONNECT" }, connectHandler);
      } catch (err) {
        if (typeof callback !== "function") {
          throw err;
        }
        const opaque = opts?.opaque;
        queueMicrotask(() => callback(err, { opaque }));
      }
    }
    module.exports = connect;
  }
});
/* harmony default export */ const __WEBPACK_DEFAULT_EXPORT__ = (require_api_connect());


/***/ })

};
