/**
 * Preloaded into a step by `node --import`: makes time run FAST_CLOCK times faster, so that rules
 * of seconds and minutes show in milliseconds. The wall clock, `performance.now` and every delay
 * keep their proportions to each other; `process.hrtime` and what travels on a socket stay real.
 *
 * A delay shorter than FAST_CLOCK milliseconds still takes one real millisecond, and work that
 * takes real time seems to take FAST_CLOCK times as long: choose the smallest factor that does.
 */

import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { performance } from "node:perf_hooks";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { promisify } from "node:util";

const factor = Number(process.env.FAST_CLOCK ?? "1");
if (!(factor >= 1)) throw new Error(`FAST_CLOCK must be a number from 1 up, not ${factor}`);

/** Longer delays overflow in Node, which makes them 1 ms; that is left to show here as well. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

const scaled = (delay) =>
  typeof delay === "number" && delay <= LONGEST_DELAY_MS ? delay / factor : delay;

const RealDate = Date;
const realDateNow = Date.now;
const realNow = performance.now.bind(performance);
const wallStart = realDateNow();
const monotonicStart = realNow();
const fastNow = () => monotonicStart + (realNow() - monotonicStart) * factor;
const fastDateNow = () => Math.floor(wallStart + (realNow() - monotonicStart) * factor);

const FastDate = new Proxy(RealDate, {
  apply: () => new RealDate(fastDateNow()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [fastDateNow()] : args, newTarget),
});
RealDate.now = fastDateNow;
RealDate.prototype.constructor = FastDate;
globalThis.Date = FastDate;
Object.defineProperty(performance, "now", { value: fastNow, configurable: true, writable: true });

const realPromises = { ...timersPromises };
timersPromises.setTimeout = (delay, value, options) =>
  realPromises.setTimeout(scaled(delay), value, options);
timersPromises.setInterval = (delay, value, options) =>
  realPromises.setInterval(scaled(delay), value, options);
Object.defineProperty(timersPromises.scheduler, "wait", {
  value: (delay, options) => realPromises.setTimeout(scaled(delay), undefined, options),
  configurable: true,
});

// The real timer is handed out, so clearing, ref, unref and refresh need no care of their own.
for (const name of ["setTimeout", "setInterval"]) {
  const real = timers[name];
  const fast = (callback, delay, ...args) => real(callback, scaled(delay), ...args);
  Object.defineProperty(fast, promisify.custom, { value: timersPromises[name] });
  timers[name] = fast;
  globalThis[name] = fast;
}

const realSocketTimeout = net.Socket.prototype.setTimeout;
net.Socket.prototype.setTimeout = function setTimeout(delay, callback) {
  return realSocketTimeout.call(this, scaled(delay), callback);
};

AbortSignal.timeout = (delay) => {
  const controller = new AbortController();
  const expire = () =>
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  timers.setTimeout(expire, delay).unref();
  return controller.signal;
};

syncBuiltinESMExports();
