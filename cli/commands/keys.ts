// The commands for API keys: list, create with limits, rotate and revoke. A new secret is printed
// alone on standard output, so that it can go into a file or a secret store.
import type { ApiKeyResponse, CreateApiKeyData } from '../../sdk/src/types.gen.ts'
import type { Flags } from '../arguments.ts'
import { usage } from '../failure.ts'
import { table } from '../table.ts'
import {
  accountId,
  amountOf,
  type Command,
  type Context,
  confirm,
  currencyOf,
  day,
  oneOf,
  type Shown,
  wordsOf,
} from './command.ts'
import { limitsOf } from './limits.ts'

type Wanted = NonNullable<CreateApiKeyData['body']>
const forms: Record<string, (context: Context, words: string[]) => Promise<Shown>> = {
  create,
  rotate,
  revoke,
}
const creating = [
  ...(['name', 'scope', 'expires', 'spend-limit', 'window', 'currency', 'max-price'] as const),
  ...(['approval-above', 'tld', 'domain', 'ip', 'dns-host', 'dns-type'] as const),
] as const

export const keys: Command = {
  usage: [
    'keys [--all]',
    'keys create [--name NAME] [--scope SCOPE]... [LIMITS]',
    'keys rotate ID',
    'keys revoke ID [--yes]',
  ],
  summary: 'the API keys; create, rotate or revoke one',
  flags: ['all', 'yes', ...creating],
  run: (context) => {
    const [first = '', ...rest] = context.words
    const form = Object.hasOwn(forms, first) ? forms[first] : undefined
    return form === undefined ? list(context) : form(context, rest)
  },
}

async function list(context: Context): Promise<Shown> {
  wordsOf(context.words)
  const path = { customer_id: await accountId(context) }
  const found = await context.registrar.listApiKeys({ path })
  const body = context.flags.all ? found : found.filter(({ revoked_at }) => revoked_at === null)
  const rows = body.map((key) => [
    `${key.id}`,
    key.key_prefix,
    key.name ?? '-',
    key.revoked_at === null ? 'active' : 'revoked',
    day(key.last_used_at),
    limitsOf(key).join('; ') || '-',
  ])
  return { body, lines: table(['>ID', 'PREFIX', 'NAME', 'STATE', 'LAST USED', 'LIMITS'], rows) }
}

async function create(context: Context, words: string[]): Promise<Shown> {
  wordsOf(words)
  const { registrar, flags } = context
  const body = wantedKey(flags)
  const path = { customer_id: await accountId(context) }
  const made = await registrar.createApiKey({ path, body })
  return secretOf(context, made.key, { body: made, lines: [made.api_key] })
}

function wantedKey(flags: Flags): Wanted {
  const currency = currencyOf(flags)
  const sum = (name: 'spend-limit' | 'max-price' | 'approval-above') => {
    const text = flags[name]
    return text === undefined ? undefined : { amount: amountOf(text, `--${name}`), currency }
  }
  const [spend_limit, max_price, approval_above] = [
    sum('spend-limit'),
    sum('max-price'),
    sum('approval-above'),
  ]
  // The service refuses scopes that it does not know.
  const scopes: Wanted['scopes'] = flags.scope && Object(flags.scope.flatMap(scopesIn))
  return {
    ...(flags.name !== undefined && { name: flags.name }),
    ...(scopes && { scopes }),
    ...(flags.expires !== undefined && { expires_at: lastMoment(flags.expires) }),
    ...(spend_limit && { spend_limit: { ...spend_limit, window: windowOf(flags) } }),
    ...(max_price && { max_price }),
    ...(approval_above && { approval_above }),
    ...(flags.tld && { allowed_tlds: flags.tld }),
    ...(flags.domain && { allowed_domains: flags.domain }),
    ...(flags.ip && { allowed_ips: flags.ip }),
    ...((flags['dns-host'] ?? flags['dns-type']) && { dns: dnsOf(flags) }),
  }
}

function dnsOf({ 'dns-host': hosts, 'dns-type': types }: Flags) {
  return { hosts: hosts ?? null, types: types ?? null }
}

export const scopesIn = (text: string) => text.split(/[\s,]+/).filter(Boolean)

function windowOf({ window = 'month' }: Flags): 'day' | 'month' | 'total' {
  if (window === 'day' || window === 'month' || window === 'total') return window
  throw usage(`--window is day, month or total, not ${window}`)
}

function lastMoment(date: string): string {
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(date) ? `${date}T23:59:59Z` : date)
  if (Number.isNaN(at.getTime())) throw usage(`--expires is a date such as 2027-01-31, not ${date}`)
  return at.toISOString()
}

function secretOf({ terminal }: Context, key: ApiKeyResponse, shown: Shown): Shown {
  const name = key.name === null ? '' : ` (${key.name})`
  terminal.say(`API key ${key.id}${name}. It is shown only once.`)
  for (const limit of limitsOf(key)) terminal.say(`  ${limit}`)
  return shown
}

function idOf(words: string[]): number {
  const id = oneOf(words, 'the id of one key')
  if (/^\d{1,15}$/.test(id)) return Number(id)
  throw usage(`${id} is not the id of a key: see agent-registrar keys`)
}

/** The new secret replaces the old one where that one was stored. */
async function rotate(context: Context, words: string[]): Promise<Shown> {
  const { registrar, session, terminal } = context
  const api_key_id = idOf(words)
  const before = await session.token()
  const path = { customer_id: await accountId(context), api_key_id }
  const listed = (await registrar.listApiKeys({ path })).find(({ id }) => id === api_key_id)
  const isOwn = listed !== undefined && before.startsWith(listed.key_prefix)
  const made = await registrar.rotateApiKey({ path })
  if (isOwn && session.kind === 'kept_key') {
    const kept = { type: 'api_key', api_key: made.api_key } as const
    await session.credentials.change(session.url, () => kept)
    terminal.say('It has replaced the key that login stored.')
  }
  if (isOwn && session.kind === 'environment')
    terminal.say('Set AGENT_REGISTRAR_API_KEY to it: the old key is now rejected.')
  return secretOf(context, made.key, { body: made, lines: [made.api_key] })
}

async function revoke(context: Context, words: string[]): Promise<Shown> {
  const api_key_id = idOf(words)
  const path = { customer_id: await accountId(context), api_key_id }
  const all = `Key ${api_key_id} and all keys created with it will be revoked.`
  await confirm(context, all, 'Revoke?')
  const body = await context.registrar.revokeApiKey({ path })
  return { body, lines: [`Key ${api_key_id} is revoked`] }
}
