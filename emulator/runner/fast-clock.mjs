/**
 * Preloaded into a step by `node --import`: makes time run FAST_CLOCK times faster, so that rules
 * of seconds and minutes show in milliseconds. The wall clock, `performance.now` and the delays of
 * timers keep their proportions to each other; what travels on a socket stays real.
 *
 * A delay shorter than FAST_CLOCK milliseconds still takes one real millisecond, and work that
 * takes real time seems to take FAST_CLOCK times as long: choose the smallest factor that does.
 */

const factor = Number(process.env.FAST_CLOCK ?? "1");
const RealDate = Date;
const realNow = performance.now.bind(performance);
const [wallStart, monotonicStart] = [Date.now(), realNow()];
const passed = () => (realNow() - monotonicStart) * factor;
const now = () => Math.floor(wallStart + passed());

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => new target(...(args.length === 0 ? [now()] : args)),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
const fastNow = { value: () => monotonicStart + passed(), configurable: true, writable: true };
Object.defineProperty(performance, "now", fastNow);

// The real timer is handed out, so clearing, ref, unref and refresh need no care of their own.
for (const name of ["setTimeout", "setInterval"]) {
  const real = globalThis[name];
  globalThis[name] = (callback, delay, ...args) =>
    real(callback, delay === undefined ? delay : delay / factor, ...args);
}
