// State of bulk requests: the results of the items, published ten times a second, since ten
// thousand single results would render ten thousand times.
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api.ts'
import { type ItemResult, runEach } from './run-each.ts'

const publish_ms = 100

type Results<T> = ReadonlyMap<string, ItemResult<T>>

export function useBulk<T>() {
  const [results, setResults] = useState<Results<T>>(new Map())
  const [isRunning, setRunning] = useState(false)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const run = async <Item>(
    items: readonly Item[],
    { keyOf, request }: { keyOf: (item: Item) => string; request: (item: Item) => Promise<T> },
  ) => {
    const started = new AbortController()
    controller.current = started
    const found = new Map(results)
    for (const item of items) found.set(keyOf(item), { state: 'waiting' })
    const publish = () => setResults(new Map(found))
    const timer = setInterval(publish, publish_ms)
    setRunning(true)
    publish()
    try {
      await runEach({
        items,
        request,
        signal: started.signal,
        waitOf,
        onResult: (item, result) => found.set(keyOf(item), result),
      })
    } finally {
      clearInterval(timer)
      publish()
      setRunning(false)
    }
  }
  return {
    results,
    isRunning,
    run,
    stop: () => controller.current?.abort(),
    clear: () => setResults(new Map()),
  }
}

export function countResults(results: Results<unknown>): { done: number; failed: number } {
  let [done, failed] = [0, 0]
  for (const { state } of results.values()) {
    if (state === 'done') done += 1
    if (state === 'failed') failed += 1
  }
  return { done, failed }
}

/** The seconds to wait if the request met a rate limit, else null. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.failure.status !== 429) return null
  return Math.min(error.failure.retry_after_s ?? 5, 60)
}
