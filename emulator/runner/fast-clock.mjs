/**
 * Preloaded into a step by `node --import`: makes time run FAST_CLOCK times faster, so that rules
 * of seconds and minutes show in milliseconds. The wall clock, `process.hrtime` and the delays of
 * timers keep their proportions to each other; what travels on a socket stays real.
 *
 * A delay shorter than FAST_CLOCK milliseconds still takes one real millisecond, and work that
 * takes real time seems to take FAST_CLOCK times as long: choose the smallest factor that does.
 */

const factor = Number(process.env.FAST_CLOCK ?? "1");
const RealDate = Date;
const realNow = process.hrtime.bigint;
const [wallStart, monotonicStart] = [Date.now(), realNow()];
/** In milliseconds. */
const passed = () => (Number(realNow() - monotonicStart) / 1e6) * factor;
const now = () => Math.floor(wallStart + passed());

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => new target(...(args.length === 0 ? [now()] : args)),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
process.hrtime.bigint = () => monotonicStart + BigInt(Math.round(passed() * 1e6));

// The real timer is handed out, so clearing, ref, unref and refresh need no care of their own.
for (const name of ["setTimeout", "setInterval"]) {
  const real = globalThis[name];
  globalThis[name] = (callback, delay, ...args) =>
    real(callback, delay === undefined ? delay : delay / factor, ...args);
}
