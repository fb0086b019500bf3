// The cases: each step at which a node can die x each fault of a registry x each thing that is
// bought, all of them or a covering few.
import { EXPIRY_LIES, type FaultName, NAME_LIES } from '../../../sandbox/registry/index.ts'
import type { Chance } from '../support/seeded-random.ts'

export const commands = ['register', 'renew', 'transfer', 'restore'] as const
export type Command = (typeof commands)[number]

/** faults.md 2.1, in the product's words. `none`: the node lives. */
export const points = [
  'none',
  'before_hold',
  'after_hold',
  'connected',
  'half_frame_written',
  'frame_written',
  'reply_read',
  'after_answer',
  'before_settle',
  'after_settle',
] as const
export type Point = (typeof points)[number]
/** Where a node dies that takes up an order which another left open. */
export const recoveryPoints = ['recovering', ...points.slice(3)] as const
export type RecoveryPoint = (typeof recoveryPoints)[number]

/** F0 to F10, and answers with false dates and names. */
export const faults = [
  'none',
  'drop_before',
  'drop_after',
  'apply_later',
  'slow',
  'garbage',
  'half_frame',
  'fail_2400',
  'session_limit',
  'credit_gone',
  'refuse_2306',
  'false_dates',
  'false_names',
] as const satisfies readonly (FaultName | 'none' | 'false_dates' | 'false_names')[]
type FaultKind = (typeof faults)[number]
export type FaultOrNone = FaultName | 'none'

const falseDates: readonly FaultOrNone[] = EXPIRY_LIES
const falseNames: readonly FaultOrNone[] = NAME_LIES
export const isFalseDate = (fault: FaultOrNone) => falseDates.includes(fault)

/**
 * How the name came to where the command finds it. `grace`: the registry has renewed it by itself
 * and waits for the next year. `term_over`: its term ended while it was deleted.
 */
export const histories = {
  register: ['free'],
  renew: ['active', 'grace'],
  transfer: ['theirs', 'their_grace'],
  restore: ['deleted', 'term_over'],
} as const satisfies Record<Command, readonly string[]>
/** `added`: one year that the registry has added by itself is paid, and nothing is sent. */
export type History = (typeof histories)[Command][number] | 'added'

/** What the other registrar does about a transfer, once our node is dead and others took over. */
export const decisions = ['approve', 'reject', 'wait'] as const
export type Decision = (typeof decisions)[number]

export type Case = {
  number: number
  command: Command
  point: Point
  fault: FaultOrNone
  /** How many commands the fault hits. */
  times: number
  domain: string
  history: History
  decision: Decision
  /** Where nodes die that take the order up, one after the other. */
  deaths: RecoveryPoint[]
  /** Where others die after that, if the order is still open and they come there. */
  more_deaths: RecoveryPoint[]
}

const tlds = ['com', 'net', 'test', 'example']

/** More of them are another case: sessions run out, or two answers in a row are false. */
const once: readonly FaultKind[] = ['session_limit', 'false_dates', 'false_names']

type Which = Pick<Case, 'command' | 'point'> & { fault: FaultKind; deaths?: RecoveryPoint[] }

function faultOf(kind: FaultKind, chance: Chance): FaultOrNone {
  if (kind === 'false_dates') return chance.pick(EXPIRY_LIES)
  return kind === 'false_names' ? chance.pick(NAME_LIES) : kind
}

function caseOf(number: number, chance: Chance, which: Which): Case {
  const { command, point, fault } = which
  const place = `${points.indexOf(point)}-${faults.indexOf(fault)}`
  const again = [0.08, 0.02].filter((share) => chance.next() < share)
  return {
    deaths: [],
    more_deaths: again.map(() => chance.pick(recoveryPoints)),
    ...which,
    fault: faultOf(fault, chance),
    number,
    domain: `${command}-${place}-${number}.${chance.pick(tlds)}`,
    times: chance.next() < 0.2 && !once.includes(fault) ? 2 : 1,
    history: chance.pick<History>(histories[command]),
    decision: chance.pick(decisions),
  }
}

/** One that is left open by a lost command, and whose next node dies at the point. */
function recoveryCase(command: Command, point: RecoveryPoint): Which {
  return { command, point: 'none', fault: 'drop_before', deaths: [point] }
}

/**
 * Every command x every point x every fault, and a death of the recovery at each of its points; in
 * an order that the seed decides.
 */
export function allCases(chance: Chance): Case[] {
  const which = commands.flatMap((command) =>
    points.flatMap((point) => faults.map((fault): Which => ({ command, point, fault }))),
  )
  const again = commands.flatMap((command) =>
    recoveryPoints.map((point) => recoveryCase(command, point)),
  )
  return chance.shuffled([...which, ...again]).map((one, i) => caseOf(i, chance, one))
}

/**
 * For each command every point and every fault at least once: the two lists beside each other,
 * shuffled, the shorter one filled up. And each point of the recovery, with one of the commands.
 */
export function coveringCases(chance: Chance): Case[] {
  const length = Math.max(points.length, faults.length)
  const filled = <T>(items: readonly T[]) => {
    const spare = Array.from({ length: length - items.length }, () => chance.pick(items.slice(1)))
    return chance.shuffled([...items, ...spare])
  }
  const which = commands.flatMap((command) => {
    const shuffled = filled(faults)
    return filled(points).map((point, i): Which => {
      return { command, point, fault: shuffled[i] ?? 'none' }
    })
  })
  const again = chance
    .shuffled(recoveryPoints)
    .map((point, i) => recoveryCase(commands[i % commands.length] ?? 'register', point))
  return chance.shuffled([...which, ...again]).map((one, i) => caseOf(i, chance, one))
}

const answersFirst: readonly FaultOrNone[] = [
  'none',
  'fail_2400',
  'session_limit',
  'credit_gone',
  'refuse_2306',
  ...EXPIRY_LIES,
  ...NAME_LIES,
]

/**
 * Whether a first attempt comes to the point. Where the fault keeps it from there, the node that
 * takes the order up is the one that dies.
 */
export function isReachedAtOnce({ command, point, fault }: Case): boolean {
  if (point === 'reply_read') return answersFirst.includes(fault)
  if (point !== 'before_settle' && point !== 'after_settle') return true
  // A transfer that the registry took on is settled days later.
  // An answer to an update names nothing that could be false.
  if (falseNames.includes(fault)) return fault === 'name_other' && command === 'restore'
  const answered = fault === 'none' || isFalseDate(fault)
  return fault === 'refuse_2306' || (answered && command !== 'transfer')
}

/** A case of one's own choice: a node that lives, no fault, one of each kind of history. */
export function plainCase(
  given: Pick<Case, 'number' | 'command' | 'domain'> & Partial<Case>,
): Case {
  return {
    point: 'none',
    fault: 'none',
    times: 1,
    history: histories[given.command][0],
    decision: 'approve',
    deaths: [],
    more_deaths: [],
    ...given,
  }
}
