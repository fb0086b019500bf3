// The gate: compares the reads of each statement on the large database with those on the small one.
import { growing } from './exemptions.ts'
import type { Measured } from './measure.ts'

/** A tree may be a level deeper and a page of a list may be full, but nothing else may grow. */
const factor = 2
const few_rows = 25
const few_buffers = 60

type Comparison = Measured & {
  small: Measured
  kind: 'bounded' | 'grows' | 'grows for a reason' | 'not run'
}

export function compareReads(small: readonly Measured[], large: readonly Measured[]): Comparison[] {
  return large.map((one, i) => {
    const before = small[i]
    if (before?.statement !== one.statement) throw new Error('two different lists of statements')
    return { ...one, small: before, kind: kindOf(before, one) }
  })
}

// Such an insert reads only its keys, even if it fails on the sample's values.
const insertsValues = /^\s*(with \w+ as \(\s*)?insert into \w+[^;]*\bvalues\b/i
const insertsMany = /^\s*insert into tld_prices\b/i
// Refuses each partition of a new database, because none ended a year ago. It counts the rows of
// one partition, once.
const archives = /^\s*select audit_archive_partition\b/i

function kindOf(small: Measured, large: Measured): Comparison['kind'] {
  if (!small.cost || !large.cost) {
    const inserts = insertsValues.test(large.text) || insertsMany.test(large.text)
    return inserts || archives.test(large.text) ? 'bounded' : 'not run'
  }
  const bounded =
    large.cost.rows <= factor * small.cost.rows + few_rows &&
    large.cost.buffers <= factor * small.cost.buffers + few_buffers
  if (bounded) return 'bounded'
  return large.statement in growing ? 'grows for a reason' : 'grows'
}

export function lineOf({ statement, args, small, cost, kind, problem }: Comparison): string {
  const shown = args.length > 90 ? `${args.slice(0, 90)}...` : args
  if (!small.cost || !cost) return `${kind}: ${statement}${shown}: ${problem}`
  return (
    `${kind}: ${statement}${shown}: ` +
    `${Math.round(small.cost.rows)} -> ${Math.round(cost.rows)} rows, ` +
    `${small.cost.buffers} -> ${cost.buffers} buffers, ` +
    `${small.cost.ms.toFixed(1)} -> ${cost.ms.toFixed(1)} ms`
  )
}
