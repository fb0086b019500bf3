// Lines of the ledger as people read a statement: one for each purchase, with changes that add up.
// The functions are pure.
import { sumOf } from './amounts.ts'

type Line = {
  type: string
  operation_id: string | null
  balance_after: string
  held_after: string
}
/**
 * `hold` is the line that set the money of an ended purchase aside, before it was paid or released.
 */
export type PurchaseLine<T extends Line> = { line: T; hold: T | null }

const ends = ['capture', 'release']

/**
 * The lines, newest first, with each ended hold joined to the line that ended it. An open hold
 * stays a line of its own.
 */
export function foldHolds<T extends Line>(lines: readonly T[]): PurchaseLine<T>[] {
  const holds = new Map<string, T>()
  for (const line of lines)
    if (line.type === 'hold' && line.operation_id !== null) holds.set(line.operation_id, line)
  const ended = new Set(
    lines.flatMap(({ type, operation_id }) =>
      ends.includes(type) && operation_id !== null ? [operation_id] : [],
    ),
  )
  return lines
    .filter(({ type, operation_id }) => type !== 'hold' || !ended.has(operation_id ?? ''))
    .map((line) => {
      const isEnd = ends.includes(line.type) && line.operation_id !== null
      return { line, hold: isEnd ? (holds.get(line.operation_id ?? '') ?? null) : null }
    })
}

type Changes = { available: string; held: string; balance: string }

/**
 * The changes by each line of the whole statement, newest first. The columns add up to the
 * available amount, the held amount, and both together, as the newest line has them.
 */
export function balanceChangesOf(lines: readonly Line[]): Changes[] {
  return lines.map((line, at) => {
    const before = lines[at + 1] ?? { balance_after: '0.00', held_after: '0.00' }
    const available = differenceOf(line.balance_after, before.balance_after)
    const held = differenceOf(line.held_after, before.held_after)
    return { available, held, balance: sumOf([available, held]) }
  })
}

function differenceOf(amount: string, less: string): string {
  return sumOf([amount, less.startsWith('-') ? less.slice(1) : `-${less}`])
}
