// Effect log: counts the frames and commands that reached a registry and their effects,
// independently of what a client observed.

type CommandCount = {
  received: number
  /** Commands that changed rows. */
  applied: number
  /** Answers by result code; '0' is a command without an answer. */
  codes: Record<string, number>
}

export type Counters = {
  sessions: { opened: number; open: number; logged_in: number }
  frames: number
  cut_frames: number
  refused_frames: number
  faults: Record<string, number>
  commands: Record<string, CommandCount>
}

export class EffectLog {
  readonly #counters: Counters = {
    sessions: { opened: 0, open: 0, logged_in: 0 },
    frames: 0,
    cut_frames: 0,
    refused_frames: 0,
    faults: {},
    commands: {},
  }

  opened(): void {
    this.#counters.sessions.opened += 1
    this.#counters.sessions.open += 1
  }

  closed(cut: boolean): void {
    this.#counters.sessions.open -= 1
    if (cut) this.#counters.cut_frames += 1
  }

  loggedIn(by: 1 | -1): void {
    this.#counters.sessions.logged_in += by
  }

  frame(): void {
    this.#counters.frames += 1
  }

  /** A frame with an invalid length header. */
  refusedFrame(): void {
    this.#counters.refused_frames += 1
  }

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

  #count(command: string): CommandCount {
    const { commands } = this.#counters
    commands[command] ??= { received: 0, applied: 0, codes: {} }
    return commands[command]
  }

  counters(): Counters {
    return structuredClone(this.#counters)
  }
}
