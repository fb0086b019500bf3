// Fault injection of the simulated mail server: faults by name, each armed for a number of mails.

/** The effect of each; `refuse_...` replies with `code`, which is 4xx or 5xx. */
export const FAULTS = {
  refuse_recipient: 'RCPT TO is answered with `code` (550 if not given).',
  refuse_content: 'The end of DATA is answered with `code` (554 if not given); nothing is kept.',
  refuse_connection: 'The greeting is `code` (421 if not given).',
  refuse_login: 'AUTH is answered with `code` (535 if not given).',
  drop_after_data: 'The mail is kept, and the connection is cut before the 250.',
  slow: 'The answer to the end of DATA takes `delay_ms` (1000 if not given).',
} as const
export type FaultName = keyof typeof FAULTS

export type Fault = {
  name: FaultName
  code?: number
  delay_ms?: number
  /** Only mails to this address. */
  to?: string
  /** How many times; null: until cleared. Once if left out. */
  times?: number | null
}

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

export class Faults {
  #armed: (Fault & { times: number | null })[] = []

  set(fault: Fault): void {
    const { code } = fault
    if (code !== undefined && !(Number.isInteger(code) && code >= 400 && code <= 599))
      throw new RangeError('code is 400 to 599')
    this.#armed.push({ ...fault, times: fault.times === undefined ? 1 : fault.times })
  }

  clear(): void {
    this.#armed = []
  }

  list(): Fault[] {
    return this.#armed.map((fault) => ({ ...fault }))
  }

  /** The fault of this name that is due for mail to these addresses, counted down. */
  take(name: FaultName, to: readonly string[] = []): Fault | null {
    const found = this.#armed.find(
      (fault) => fault.name === name && (fault.to === undefined || to.includes(fault.to)),
    )
    if (found === undefined) return null
    if (found.times !== null) {
      found.times -= 1
      if (found.times <= 0) this.#armed = this.#armed.filter((one) => one !== found)
    }
    return found
  }
}
