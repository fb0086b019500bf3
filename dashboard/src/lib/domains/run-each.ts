// Bulk requests: one for each item, a few at a time, with a result for each. A rate limit delays
// the item that met it, and fails none.
import { ApiError } from '../api.ts'

export type ItemResult<T> =
  | { state: 'waiting' | 'running' }
  | { state: 'done'; value: T }
  | { state: 'failed'; error: unknown }

type Run<Item, T> = {
  items: readonly Item[]
  request: (item: Item) => Promise<T>
  onResult: (item: Item, result: ItemResult<T>) => void
  signal: AbortSignal
}

const at_once = 4
const most_waits = 5

export async function runEach<Item, T>({ items, request, onResult, signal }: Run<Item, T>) {
  const left = items[Symbol.iterator]()
  const work = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      if (signal.aborted) return
      const item = next.value
      onResult(item, { state: 'running' })
      onResult(item, await resultOf(() => request(item), signal))
    }
  }
  await Promise.all(Array.from({ length: at_once }, work))
}

async function resultOf<T>(request: () => Promise<T>, signal: AbortSignal): Promise<ItemResult<T>> {
  for (let waits = 0; ; waits += 1) {
    try {
      return { state: 'done', value: await request() }
    } catch (error) {
      const wait_s = waitOf(error)
      if (wait_s === null || waits >= most_waits || signal.aborted)
        return { state: 'failed', error }
      await new Promise((resolve) => setTimeout(resolve, wait_s * 1_000))
    }
  }
}

/** Seconds to wait where the request met a rate limit; null for other errors. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.failure.status !== 429) return null
  return Math.min(error.failure.retry_after_s ?? 5, 60)
}
