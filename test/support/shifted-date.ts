// Loaded before a program (`--import`): shifts the wall clock of its process by TEST_SHIFT_MS, as a
// machine's wrong clock would. Monotonic time and timers stay as they are.
const shift_ms = Number(process.env.TEST_SHIFT_MS ?? 0)
const RealDate = Date

function shifted(): DateConstructor {
  return new Proxy(RealDate, {
    construct: (target, given, type) =>
      Reflect.construct(target, given.length === 0 ? [target.now() + shift_ms] : given, type),
    get: (target, name) =>
      name === 'now' ? () => target.now() + shift_ms : Reflect.get(target, name),
  })
}

if (shift_ms !== 0) globalThis.Date = shifted()
