// Effect log: counts the requests that reached a simulated service and their effects, independently
// of what a client observed.

type RequestCount = {
  received: number
  /** The requests that changed rows. */
  applied: number
  /**
   * Answers by code, including those that were lost on the way. An EPP command without an answer
   * counts as '0'.
   */
  codes: Record<string, number>
}

export type RequestCounters = {
  faults: Record<string, number>
  commands: Record<string, RequestCount>
}

export class EffectLog {
  readonly #counters: RequestCounters = { faults: {}, commands: {} }

  fault(name: string): void {
    this.#counters.faults[name] = (this.#counters.faults[name] ?? 0) + 1
  }

  received(command: string): void {
    this.#count(command).received += 1
  }

  applied(command: string): void {
    this.#count(command).applied += 1
  }

  answered(command: string, code: number): void {
    const { codes } = this.#count(command)
    codes[code] = (codes[code] ?? 0) + 1
  }

  #count(command: string): RequestCount {
    const { commands } = this.#counters
    commands[command] ??= { received: 0, applied: 0, codes: {} }
    return commands[command]
  }

  counters(): RequestCounters {
    return structuredClone(this.#counters)
  }
}
