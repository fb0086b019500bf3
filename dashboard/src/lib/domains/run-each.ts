// Bulk requests: one for each item, a few at a time, with a result for each. A rate limit delays
// the item that met it but fails none.
export type ItemResult<T> =
  | { state: 'waiting' | 'running' }
  | { state: 'done'; value: T }
  | { state: 'failed'; error: unknown }

type Run<Item, T> = {
  items: readonly Item[]
  request: (item: Item) => Promise<T>
  onResult: (item: Item, result: ItemResult<T>) => void
  signal: AbortSignal
  /**
   * The seconds to wait before another attempt after an error, or null if the error is the item's
   * result.
   */
  waitOf: (error: unknown) => number | null
}

const at_once = 4
const most_waits = 5

export async function runEach<Item, T>({ items, request, onResult, ...end }: Run<Item, T>) {
  const left = items[Symbol.iterator]()
  const work = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      if (end.signal.aborted) return
      const item = next.value
      onResult(item, { state: 'running' })
      onResult(item, await resultOf(() => request(item), end))
    }
  }
  await Promise.all(Array.from({ length: at_once }, work))
}

type End = Pick<Run<unknown, unknown>, 'signal' | 'waitOf'>

async function resultOf<T>(
  request: () => Promise<T>,
  { signal, waitOf }: End,
): Promise<ItemResult<T>> {
  for (let waits = 0; ; waits += 1) {
    try {
      return { state: 'done', value: await request() }
    } catch (error) {
      const wait_s = waitOf(error)
      if (wait_s === null || waits >= most_waits || signal.aborted)
        return { state: 'failed', error }
      await passed(wait_s * 1_000, signal)
      // Nothing is sent after the dialog was closed.
      if (signal.aborted) return { state: 'failed', error }
    }
  }
}

/** Resolves after this time, or when the work is given up. */
function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
