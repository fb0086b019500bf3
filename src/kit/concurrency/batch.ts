// Group commit: collects the items of concurrent callers and runs them together, so that they share
// the fixed cost of a statement and its commit.
import { activeSpan, type Span, tracedShared, type Work } from '../telemetry.ts'

/** Runs one item in some batch, and returns its own output. */
export type Batched<I, O> = (item: I) => Promise<O>
type Waiting<I, O> = {
  item: I
  span: Span | undefined
  resolve: (output: O) => void
  reject: (error: unknown) => void
}

type BatchLimits = {
  name?: string
  in_flight: number
  /** Items of one batch. */
  most: number
  /**
   * Time in which the next batch fills after one of several items, as `commit_delay` of PostgreSQL:
   * most of a small batch's cost is that of its statements, whatever their number of rows.
   */
  delay_ms?: number
}

/**
 * Collects the items of concurrent callers and runs them together; while `in_flight` batches run,
 * and for `delay_ms` afterwards, the next one fills. When a batch fails its items run again one by
 * one, so that a poisoned item fails alone. `run` must be all or nothing and answers in the order
 * of its items.
 */
export function batched<I, O>(
  run: (items: I[]) => Promise<O[]>,
  limits: BatchLimits,
): Batched<I, O> {
  const { name = 'batch', in_flight, most, delay_ms = 0 } = limits
  let waiting: Waiting<I, O>[] = []
  let running = 0
  let delayed = false

  async function runTogether(batch: Waiting<I, O>[]): Promise<void> {
    const work = (): Work => {
      return { name, kind: 'internal', attributes: { 'agent_registrar.batch_size': batch.length } }
    }
    const callers = batch.map(({ span }) => span)
    const outputs = await tracedShared(work, callers, () => run(batch.map(({ item }) => item)))
    batch.forEach(({ resolve, reject }, index) => {
      const output = outputs[index]
      if (output === undefined) reject(new Error('A batch gave no answer for an item'))
      else resolve(output)
    })
  }

  async function runOne(batch: Waiting<I, O>[]): Promise<void> {
    try {
      await runTogether(batch)
    } catch (error) {
      const [only] = batch
      if (batch.length === 1 && only) return only.reject(error)
      for (const one of batch) await runOne([one])
    }
  }

  function start(): void {
    while (running < in_flight && waiting.length > 0 && (!delayed || waiting.length >= most)) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      running += 1
      void runOne(batch).finally(() => {
        running -= 1
        // After an item that came alone, none is likely to be worth the wait.
        if (batch.length > 1 && delay_ms > 0) delay()
        start()
      })
    }
  }

  function delay(): void {
    if (delayed) return
    delayed = true
    setTimeout(() => {
      delayed = false
      start()
    }, delay_ms)
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, span: activeSpan(), resolve, reject })
      // The rest of this turn of the event loop may bring more callers.
      if (waiting.length === 1 || waiting.length === most) setImmediate(start)
    })
}
