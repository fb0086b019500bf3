// The options that the commands for DNS records share, and the records and differences that they
// print.
import { usage } from '../failure.ts'
import { printable, table } from '../table.ts'
import { type Context, minute, type Shown } from './command.ts'

type Content = { ttl: number; values: string[] } | null
type Changed = {
  domain: string
  dry_run: boolean
  diff: { host: string; type: string; before: Content; after: Content }[]
  warnings: { message: string }[]
  change_id: string | null
  change: { id: string; state: string; reverts_at: string } | null
}

/** The differing values in the form of a diff, the warnings, and the id for `dns undo`. */
export function changed(body: Changed): Shown {
  const { diff, warnings, change_id, change, dry_run } = body
  const lines = differenceLines(diff)
  const end = dry_run ? 'Nothing was changed (--dry-run)' : `Change ${change_id ?? ''}`.trim()
  const shown = [
    ...(diff.length === 0 ? ['Nothing differs'] : [...lines, end]),
    ...(change?.state === 'unconfirmed' ? [untilOf(body.domain, change)] : []),
    ...warnings.map(({ message }) => `Warning: ${message}`),
  ]
  return { body, lines: shown.map(printable) }
}

/** "- ..." for each value that a change removed, and "+ ..." for each that it added. */
export function differenceLines(diff: Changed['diff']): string[] {
  return diff.flatMap(({ host, type, before, after }) => [
    ...lost(before, after).map((value) => `- ${host} ${before?.ttl ?? ''} ${type} ${value}`),
    ...lost(after, before).map((value) => `+ ${host} ${after?.ttl ?? ''} ${type} ${value}`),
  ])
}

/** The sentence about when a change is reverted automatically, and the command that keeps it. */
export function untilOf(
  domain: string,
  { id, reverts_at }: { id: string; reverts_at: string },
): string {
  return `It goes back at ${minute(reverts_at)}, unless you confirm it: dns confirm ${domain} ${id}`
}

/** The values of one set that the other set lacks, with the same TTL. */
function lost(one: Content, other: Content): string[] {
  const kept = other && one && other.ttl === one.ttl ? other.values : []
  return (one?.values ?? []).filter((value) => !kept.includes(value))
}

export function ttlOf({ flags: { ttl } }: Pick<Context, 'flags'>): { ttl?: number } {
  if (ttl === undefined) return {}
  if (/^[1-9]\d{0,5}$/.test(ttl)) return { ttl: Number(ttl) }
  throw usage(`--ttl is a number of seconds from 60 to 86400, not ${ttl}`)
}

export function dryRunOf({ flags }: Pick<Context, 'flags'>): { dry_run?: true } {
  return flags['dry-run'] === true ? { dry_run: true } : {}
}

export function headersOf({ 'if-match': tag }: Context['flags']) {
  return tag === undefined ? {} : { headers: { 'If-Match': tag } }
}

/** The options of a change: whether it is only shown, and when it is reverted automatically. */
export function modeOf(context: Pick<Context, 'flags'>): { dry_run?: true; revert_after?: string } {
  const { 'revert-after': revert_after } = context.flags
  return { ...dryRunOf(context), ...(revert_after !== undefined && { revert_after }) }
}

type Listed = { host: string; type: string; ttl: number; values: string[] }

/** One line for each value. */
export function recordTable(sets: readonly Listed[]): string[] {
  const rows = sets.flatMap(({ host, type, ttl, values }) =>
    values.map((value, at) => (at === 0 ? [host, type, `${ttl}`, value] : ['', '', '', value])),
  )
  return table(['HOST', 'TYPE', '>TTL', 'VALUE'], rows)
}
