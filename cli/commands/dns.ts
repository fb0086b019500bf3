// The commands for DNS records on the name servers of the service, which read them, change whole
// sets or single values, and undo a change.
import { type FlagName, requireOptions } from '../arguments.ts'
import { usage } from '../failure.ts'
import { printable, table } from '../table.ts'
import { type Command, type Context, minute, oneOf, type Shown, wordsOf } from './command.ts'
import { applyTemplate, listTemplates } from './dns-templates.ts'
import {
  changed,
  differenceLines,
  dryRunOf,
  headersOf,
  modeOf,
  recordTable,
  ttlOf,
  untilOf,
} from './record-changes.ts'
import { createTsigKey, deleteTsigKey, listTsigKeys } from './tsig-keys.ts'
import { exportZone, importZone } from './zone-file.ts'
import { scanZone } from './zone-scan.ts'

export const dns: Command = {
  usage: [
    'dns [list] NAME [--host HOST] [--type TYPE]',
    'dns set NAME HOST TYPE VALUE... [--ttl SECONDS]',
    'dns set NAME ADDRESS [--host HOST]',
    'dns add NAME HOST TYPE VALUE',
    'dns remove NAME HOST TYPE [VALUE]',
    'dns import NAME FILE|- [--replace]',
    'dns export NAME [FILE]',
    'dns scan NAME [FILE]',
    'dns history NAME [CHANGE] [--cursor CURSOR]',
    'dns undo NAME CHANGE [--prune]',
    'dns confirm NAME CHANGE',
    'dns templates',
    'dns apply NAME TEMPLATE [PARAM=VALUE...] [--replace]',
    'dns tsig-key NAME [--host HOSTS] [--type TYPES]',
    'dns tsig-keys NAME',
    'dns tsig-key-delete NAME KEY',
  ],
  summary: 'the DNS records of a domain: read, change, undo',
  flags: [
    ...(['host', 'type', 'ttl', 'prune', 'replace', 'dry-run', 'if-match', 'cursor'] as const),
    ...(['yes', 'algorithm', 'revert-after'] as const),
  ],
  run: async (context) => {
    const [verb = '', ...words] = context.words
    const named = verbs.get(verb)
    const { run, takes } = named ?? { run: read, takes: reading }
    requireOptions(named ? `dns ${verb}` : 'dns', context.flags, takes)
    return run(context, named ? words : context.words)
  },
}

type Run = (context: Context, words: string[]) => Promise<Shown>
/**
 * `takes` lists the options that have an effect: any other is refused, since the user may rely on a
 * guard or a dry run.
 */
type Verb = { run: Run; takes: readonly FlagName[] }

const reading = ['host', 'type'] as const
const verbs = new Map<string, Verb>([
  ['list', { run: read, takes: reading }],
  ['set', { run: set, takes: ['host', 'ttl', 'dry-run', 'if-match', 'revert-after'] }],
  ['add', { run: add, takes: ['ttl', 'dry-run', 'revert-after'] }],
  ['remove', { run: remove, takes: ['dry-run', 'if-match', 'revert-after'] }],
  ['import', { run: importZone, takes: ['replace', 'dry-run', 'if-match', 'yes', 'revert-after'] }],
  ['export', { run: exportZone, takes: [] }],
  ['scan', { run: scanZone, takes: [] }],
  ['history', { run: history, takes: ['cursor'] }],
  ['undo', { run: undo, takes: ['prune', 'dry-run'] }],
  ['confirm', { run: confirm, takes: [] }],
  ['templates', { run: listTemplates, takes: [] }],
  [
    'apply',
    { run: applyTemplate, takes: ['replace', 'dry-run', 'if-match', 'yes', 'revert-after'] },
  ],
  ['tsig-key', { run: createTsigKey, takes: ['host', 'type', 'algorithm'] }],
  ['tsig-keys', { run: listTsigKeys, takes: [] }],
  ['tsig-key-delete', { run: deleteTsigKey, takes: [] }],
])

async function read({ registrar, flags }: Context, words: string[]): Promise<Shown> {
  const domain = oneOf(words, `one name, or: ${[...verbs.keys()].join(', ')}`)
  const { host, type } = flags
  const query = { ...(host !== undefined && { host }), ...(type !== undefined && { type }) }
  const body = await registrar.listRecordSets({ path: { domain }, query })
  const lines = body.sets.length === 0 ? ['No records'] : recordTable(body.sets)
  const elsewhere = `${domain} uses other name servers, which do not have these records`
  return { body, lines: body.hosted ? lines : [...lines, elsewhere] }
}

async function set(context: Context, words: string[]): Promise<Shown> {
  const { registrar, flags } = context
  if (words.length <= 2) return setAddress(context, words)
  const [domain = '', host = '', type = '', ...values] = words
  if (values.length === 0) throw usage('Give a name, a host, a type and at least one value')
  requireOptions('dns set NAME HOST TYPE', flags, ['ttl', 'dry-run', 'if-match', 'revert-after'])
  return changed(
    await registrar.putRecordSet({
      path: { domain, host, type },
      body: { values, ...ttlOf(context), ...modeOf(context) },
      ...headersOf(flags),
    }),
  )
}

async function setAddress({ registrar, flags }: Context, words: string[]): Promise<Shown> {
  const [domain = '', record_value = ''] = wordsOf(words, 'a name', 'an IPv4 address')
  requireOptions('dns set NAME ADDRESS', flags, ['host'])
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
  const body = { add: [one], ...modeOf(context) }
  return changed(await context.registrar.changeDnsRecords({ path: { domain }, body }))
}

/** One value, or the whole set. */
async function remove(context: Context, words: string[]): Promise<Shown> {
  const { registrar, flags } = context
  const [domain = '', host = '', type = '', value, ...more] = words
  if (type === '' || more.length > 0) throw usage('Give a name, a host and a type, and a value')
  if (value !== undefined) {
    requireOptions('dns remove of a value', flags, ['dry-run', 'revert-after'])
    const body = { remove: [{ host, type, value }], ...modeOf(context) }
    return changed(await registrar.changeDnsRecords({ path: { domain }, body }))
  }
  const query = modeOf(context)
  const path = { domain, host, type }
  return changed(await registrar.deleteRecordSet({ path, query, ...headersOf(flags) }))
}

async function history(context: Context, words: string[]): Promise<Shown> {
  const { registrar, flags } = context
  if (words.length > 1) return oneChange(context, words)
  const domain = oneOf(words, 'one name')
  const query = flags.cursor === undefined ? {} : { cursor: flags.cursor }
  const body = await registrar.listDnsChanges({ path: { domain }, query })
  const rows = body.changes.map(({ id, created_at, made_by, state, sets_total, diff }) => {
    const [first] = diff
    const more = sets_total > 1 ? ` and ${sets_total - 1} more` : ''
    const what = first ? `${first.host} ${first.type}${more}` : '-'
    return [id, minute(created_at), made_by.label ?? made_by.kind, state, what]
  })
  const heads = ['CHANGE', 'MADE', 'BY', 'STATE', 'RECORDS']
  const older = body.next_cursor
  const more = older === null ? [] : [`Older: dns history ${domain} --cursor ${older}`]
  return { body, lines: rows.length === 0 ? ['No changes'] : [...table(heads, rows), ...more] }
}

async function oneChange({ registrar, flags }: Context, words: string[]): Promise<Shown> {
  const [domain = '', change_id = ''] = wordsOf(words, 'a name', 'a change (of: dns history NAME)')
  requireOptions('dns history NAME CHANGE', flags, [])
  const body = await registrar.getDnsChange({ path: { domain, change_id } })
  const { id, state, reverts_at, made_by, kept_because, reverts, reverted_by, diff } = body
  const by = made_by.label ?? made_by.kind
  const due = state === 'unconfirmed' && reverts_at !== null
  const lines = [
    `Change ${id} (${state}), made ${minute(body.created_at)} by ${by}`,
    ...(reverts === null ? [] : [`It took back ${reverts}`]),
    ...(reverted_by === null ? [] : [`It was taken back by ${reverted_by}`]),
    ...(kept_because === null ? [] : [`It did not go back by itself: ${kept_because}`]),
    ...(due ? [untilOf(domain, { id, reverts_at })] : []),
    ...differenceLines(diff),
  ]
  return { body, lines: lines.map(printable) }
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

async function confirm({ registrar }: Context, words: string[]): Promise<Shown> {
  const [domain = '', change_id = ''] = wordsOf(words, 'a name', 'a change (of: dns history NAME)')
  const body = await registrar.confirmDnsChange({ path: { domain, change_id } })
  return { body, lines: [`${change_id} stays`] }
}
