// The steps that undo a start, in the order of a stop.
import type { Logger } from 'pino'

/** Undo steps, which run in the opposite order, and each even when another fails. */
export class Undo {
  readonly #steps: (() => Promise<void>)[] = []

  add(step: () => Promise<void>): void {
    this.#steps.push(step)
  }

  async run(log: Logger): Promise<void> {
    for (const step of this.#steps.reverse().splice(0))
      await step().catch((error) =>
        log.error({ err: error }, 'a part of the service did not stop cleanly'),
      )
  }
}
