// The commands for DNS records on the name servers of the service: read, changed as whole sets or
// by value, and taken back.
import { usage } from '../failure.ts'
import { table } from '../table.ts'
import { type Command, type Context, minute, oneOf, type Shown, wordsOf } from './command.ts'
import { createTsigKey, deleteTsigKey, listTsigKeys } from './tsig-keys.ts'

export const dns: Command = {
  usage: [
    'dns NAME [--host HOST] [--type TYPE]',
    'dns set NAME HOST TYPE VALUE... [--ttl SECONDS]',
    'dns set NAME ADDRESS [--host HOST]',
    'dns add NAME HOST TYPE VALUE',
    'dns remove NAME HOST TYPE [VALUE]',
    'dns history NAME',
    'dns undo NAME CHANGE [--prune]',
    'dns tsig-key NAME [--host HOSTS] [--type TYPES]',
    'dns tsig-keys NAME',
    'dns tsig-key-delete NAME KEY',
  ],
  summary: 'the DNS records of a domain: read, change, undo',
  flags: ['host', 'type', 'ttl', 'prune', 'dry-run', 'if-match', 'algorithm'],
  run: async (context) => {
    const [verb = '', ...words] = context.words
    const run = verbs.get(verb)
    return run ? run(context, words) : read(context, context.words)
  },
}

type Run = (context: Context, words: string[]) => Promise<Shown>

const verbs = new Map<string, Run>([
  ['list', read],
  ['set', set],
  ['add', add],
  ['remove', remove],
  ['history', history],
  ['undo', undo],
  ['tsig-key', createTsigKey],
  ['tsig-keys', listTsigKeys],
  ['tsig-key-delete', deleteTsigKey],
])

type Listed = { host: string; type: string; ttl: number; values: string[] }

async function read({ registrar, flags }: Context, words: string[]): Promise<Shown> {
  const domain = oneOf(words, 'one name, or: set, add, remove, history, undo')
  const { host, type } = flags
  const query = { ...(host !== undefined && { host }), ...(type !== undefined && { type }) }
  const body = await registrar.listRecordSets({ path: { domain }, query })
  const lines = body.sets.length === 0 ? ['No records'] : tableOf(body.sets)
  const elsewhere = `${domain} uses other name servers, which do not have these records`
  return { body, lines: body.hosted ? lines : [...lines, elsewhere] }
}

function tableOf(sets: readonly Listed[]): string[] {
  const rows = sets.flatMap(({ host, type, ttl, values }) =>
    values.map((value, at) => (at === 0 ? [host, type, `${ttl}`, value] : ['', '', '', value])),
  )
  return table(['HOST', 'TYPE', '>TTL', 'VALUE'], rows)
}

async function set(context: Context, words: string[]): Promise<Shown> {
  const { registrar, flags } = context
  if (words.length <= 2) return setAddress(context, words)
  const [domain = '', host = '', type = '', ...values] = words
  if (values.length === 0) throw usage('Give a name, a host, a type and at least one value')
  return changed(
    await registrar.putRecordSet({
      path: { domain, host, type },
      body: { values, ...ttlOf(context), ...dryRunOf(context) },
      ...headersOf(flags),
    }),
  )
}

async function setAddress({ registrar, flags }: Context, words: string[]): Promise<Shown> {
  const [domain = '', record_value = ''] = wordsOf(words, 'a name', 'an IPv4 address')
  const { host } = flags
  const body = await registrar.configureDnsRecord({
    path: { domain },
    body: { record_value, ...(host !== undefined && { host }) },
  })
  const full = host === undefined || host === '@' ? domain : `${host}.${domain}`
  return { body, lines: [`${full} has the address ${record_value}`] }
}

async function add(context: Context, words: string[]): Promise<Shown> {
  const [domain = '', host = '', type = '', value = ''] = wordsOf(
    words,
    ...['a name', 'a host', 'a type', 'a value'],
  )
  const one = { host, type, value, ...ttlOf(context) }
  const body = { add: [one], ...dryRunOf(context) }
  return changed(await context.registrar.changeDnsRecords({ path: { domain }, body }))
}

/** One value; or the whole set. */
async function remove(context: Context, words: string[]): Promise<Shown> {
  const { registrar, flags } = context
  const [domain = '', host = '', type = '', value, ...more] = words
  if (type === '' || more.length > 0) throw usage('Give a name, a host and a type, and a value')
  if (value !== undefined) {
    const body = { remove: [{ host, type, value }], ...dryRunOf(context) }
    return changed(await registrar.changeDnsRecords({ path: { domain }, body }))
  }
  const query = dryRunOf(context)
  const path = { domain, host, type }
  return changed(await registrar.deleteRecordSet({ path, query, ...headersOf(flags) }))
}

async function history({ registrar }: Context, words: string[]): Promise<Shown> {
  const domain = oneOf(words, 'one name')
  const body = await registrar.listDnsChanges({ path: { domain } })
  const rows = body.changes.map(({ id, created_at, made_by, sets_total, diff }) => {
    const [first] = diff
    const more = sets_total > 1 ? ` and ${sets_total - 1} more` : ''
    const what = first ? `${first.host} ${first.type}${more}` : '-'
    return [id, minute(created_at), made_by.label ?? made_by.kind, what]
  })
  const heads = ['CHANGE', 'MADE', 'BY', 'RECORDS']
  return { body, lines: rows.length === 0 ? ['No changes'] : table(heads, rows) }
}

async function undo(context: Context, words: string[]): Promise<Shown> {
  const [domain = '', change_id = ''] = wordsOf(words, 'a name', 'a change (of: dns history NAME)')
  const prune = context.flags.prune === true
  const path = { domain, change_id }
  const body = await context.registrar.revertDnsChange({
    path,
    body: { prune, ...dryRunOf(context) },
  })
  const left = body.conflicts.map(({ host, type, reason }) =>
    reason === 'changed_since'
      ? `${host} ${type} stays as it is, because it was changed since`
      : `${host} ${type} does not come back without --prune`,
  )
  const { lines } = changed(body)
  return { body, lines: [...lines, ...left] }
}

type Content = { ttl: number; values: string[] } | null
type Changed = {
  dry_run: boolean
  diff: { host: string; type: string; before: Content; after: Content }[]
  warnings: { message: string }[]
  change_id: string | null
}

/** The differing values in the form of a diff, the warnings, and the id for `dns undo`. */
function changed(body: Changed): Shown {
  const { diff, warnings, change_id, dry_run } = body
  const lines = diff.flatMap(({ host, type, before, after }) => [
    ...lost(before, after).map((value) => `- ${host} ${before?.ttl ?? ''} ${type} ${value}`),
    ...lost(after, before).map((value) => `+ ${host} ${after?.ttl ?? ''} ${type} ${value}`),
  ])
  const end = dry_run ? 'Nothing was changed (--dry-run)' : `Change ${change_id ?? ''}`.trim()
  return {
    body,
    lines: [
      ...(diff.length === 0 ? ['Nothing differs'] : [...lines, end]),
      ...warnings.map(({ message }) => `Warning: ${message}`),
    ],
  }
}

/** The values of one that the other has not, with the same TTL. */
function lost(one: Content, other: Content): string[] {
  const kept = other && one && other.ttl === one.ttl ? other.values : []
  return (one?.values ?? []).filter((value) => !kept.includes(value))
}

function ttlOf({ flags: { ttl } }: Pick<Context, 'flags'>): { ttl?: number } {
  if (ttl === undefined) return {}
  if (/^[1-9]\d{0,5}$/.test(ttl)) return { ttl: Number(ttl) }
  throw usage(`--ttl is a number of seconds from 60 to 86400, not ${ttl}`)
}

function dryRunOf({ flags }: Pick<Context, 'flags'>): { dry_run?: true } {
  return flags['dry-run'] === true ? { dry_run: true } : {}
}

function headersOf({ 'if-match': tag }: Context['flags']) {
  return tag === undefined ? {} : { headers: { 'If-Match': tag } }
}
