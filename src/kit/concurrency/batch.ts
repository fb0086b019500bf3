// Batching of callers: many small durable steps become one statement and one commit.

export type Batched<I, O> = (item: I) => Promise<O>
type Waiting<I, O> = { item: I; resolve: (output: O) => void; reject: (error: unknown) => void }

/**
 * Collects the items of concurrent callers and runs them together; while `in_flight` batches run,
 * the next one fills. When a batch fails its items run again one by one, so that a poisoned item
 * fails alone. `run` must be all or nothing and answers in the order of its items.
 */
export function batched<I, O>(
  run: (items: I[]) => Promise<O[]>,
  limits: { in_flight: number; most: number },
): Batched<I, O> {
  let waiting: Waiting<I, O>[] = []
  let running = 0

  async function runTogether(batch: Waiting<I, O>[]): Promise<void> {
    const outputs = await run(batch.map(({ item }) => item))
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
    while (running < limits.in_flight && waiting.length > 0) {
      const batch = waiting.slice(0, limits.most)
      waiting = waiting.slice(limits.most)
      running += 1
      void runOne(batch).finally(() => {
        running -= 1
        start()
      })
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      // The rest of this turn of the event loop may bring more callers.
      if (waiting.length === 1) setImmediate(start)
    })
}
