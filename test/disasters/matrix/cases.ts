// The cases: each step at which a node can die x each fault of a registry x each kind of order, all
// of them or a covering selection.
import { FALSE_EXPIRIES, FALSE_NAMES, type FaultName } from '../../../sandbox/registry/index.ts'
import type { Chance } from '../support/seeded-random.ts'

export const commands = ['register', 'renew', 'transfer', 'restore'] as const
export type Command = (typeof commands)[number]

/** The crash points of a purchase. With `none`, the node stays alive. */
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
type Point = (typeof points)[number]
/** The crash points of a node that takes over an open order. */
const recoveryPoints = ['recovering', ...points.slice(3)] as const
export type RecoveryPoint = (typeof recoveryPoints)[number]

/**
 * The faults of a registry, answers with false dates and names, and an account that an operator
 * suspends while the registry holds its answer.
 */
const faults = [
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
  'suspended',
] as const satisfies readonly (FaultName | 'none' | 'false_dates' | 'false_names' | 'suspended')[]
type FaultKind = (typeof faults)[number]
export type FaultOrNone = FaultName | 'none'

const falseDates: readonly FaultOrNone[] = FALSE_EXPIRIES
const falseNames: readonly FaultOrNone[] = FALSE_NAMES
export const isFalseDate = (fault: FaultOrNone) => falseDates.includes(fault)

/**
 * The history of the name. `grace`: the registry has auto-renewed it, and its grace period runs.
 * `term_over`: its term ended while it was deleted.
 */
const histories = {
  register: ['free'],
  renew: ['active', 'grace'],
  transfer: ['theirs', 'their_grace'],
  restore: ['deleted', 'term_over'],
} as const satisfies Record<Command, readonly string[]>
/** `added`: the auto-renewed year is paid, and nothing is sent. */
type History = (typeof histories)[Command][number] | 'added'

/** The other registrar's decision about a transfer, once our node is dead and others took over. */
const decisions = ['approve', 'reject', 'wait'] as const
type Decision = (typeof decisions)[number]

export type Case = {
  number: number
  command: Command
  point: Point
  fault: FaultOrNone
  /** Its account is suspended once the money is held, until all orders have ended. */
  suspended: boolean
  /** How many commands the fault hits. */
  times: number
  domain: string
  history: History
  decision: Decision
  /** The crash points of the nodes that take over the order, one after the other. */
  deaths: RecoveryPoint[]
  /** Further crash points, if the order is still open and a node reaches them. */
  more_deaths: RecoveryPoint[]
}

const tlds = ['com', 'net', 'test', 'example']

/** More hits are another case: sessions run out, or two answers in a row are false. */
const once: readonly FaultKind[] = ['session_limit', 'false_dates', 'false_names', 'suspended']

type Which = Pick<Case, 'command' | 'point'> & { fault: FaultKind; deaths?: RecoveryPoint[] }

function faultOf(kind: FaultKind, chance: Chance): FaultOrNone {
  if (kind === 'false_dates') return chance.pick(FALSE_EXPIRIES)
  if (kind === 'suspended') return 'slow'
  return kind === 'false_names' ? chance.pick(FALSE_NAMES) : kind
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
    suspended: fault === 'suspended',
    number,
    domain: `${command}-${place}-${number}.${chance.pick(tlds)}`,
    times: chance.next() < 0.2 && !once.includes(fault) ? 2 : 1,
    history: chance.pick<History>(histories[command]),
    decision: chance.pick(decisions),
  }
}

/** A case that is left open by a lost command, and whose next node dies at the point. */
function recoveryCase(command: Command, point: RecoveryPoint): Which {
  return { command, point: 'none', fault: 'drop_before', deaths: [point] }
}

/**
 * Every command x every point x every fault, and a death of the recovery at each of its points, in
 * the order of the seed.
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
 * Each command at each point once. The faults alternate: each meets three commands or more, at
 * other points, and no command meets one twice. Each point of the recovery is added with one of the
 * commands.
 */
export function coveringCases(chance: Chance): Case[] {
  const inTurn = chance.shuffled(faults)
  const pairs = commands.flatMap((command) =>
    chance.shuffled(points).map((point) => ({ command, point })),
  )
  const which = pairs.map((pair, i): Which => {
    return { ...pair, fault: inTurn[i % inTurn.length] ?? 'none' }
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
  ...FALSE_EXPIRIES,
  ...FALSE_NAMES,
]

/**
 * Whether a first attempt reaches the point. If the fault prevents that, the node that takes over
 * the order dies instead.
 */
export function isReachedAtOnce({ command, point, fault }: Case): boolean {
  if (point === 'reply_read') return answersFirst.includes(fault)
  if (point !== 'before_settle' && point !== 'after_settle') return true
  // An accepted transfer is settled days later.
  // An answer to an update has no name or date that could be false.
  if (falseNames.includes(fault)) return fault === 'name_other' && command === 'restore'
  const answered = fault === 'none' || isFalseDate(fault)
  return fault === 'refuse_2306' || (answered && command !== 'transfer')
}

/** The default case, to be overridden: a node that stays alive, no fault, and the usual history. */
export function plainCase(
  given: Pick<Case, 'number' | 'command' | 'domain'> & Partial<Case>,
): Case {
  return {
    point: 'none',
    fault: 'none',
    suspended: false,
    times: 1,
    history: histories[given.command][0],
    decision: 'approve',
    deaths: [],
    more_deaths: [],
    ...given,
  }
}
