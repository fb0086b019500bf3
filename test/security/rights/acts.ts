// The operations that send a command, or store a change, after they waited for a registry; each
// with the command whose answer is held, and what must be as it was afterwards.
import assert from 'node:assert/strict'
import { askAway, deleteBehind, sellElsewhere, soldCode } from '../../support/other-registrar.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { parkedOrderIn } from '../../support/parked-order.ts'
import type { Answer, TestService } from '../../support/service.ts'
import type { Actor, Kind } from './actors.ts'

export type Setting = { registrar: TestService; actor: Actor; domain: string }
export type Act = {
  /** The operation's name. */
  operation: string
  /** Which of its cases. */
  what?: string
  by: readonly Kind[]
  /** The command whose answer is held. */
  holds: string
  /** A protected domain guards it. */
  guarded?: true
  /** It holds money first. */
  buys?: true
  /** About a domain that the account has. */
  held?: true
  tld?: string
  /** It moves the registries' clock. */
  alone?: true
  /** Returns the id in its path, and the domain where that is another. */
  prepare?: (setting: Setting) => Promise<{ id: string; domain: string } | undefined>
  send: (setting: Setting, id: string) => Promise<Answer>
  /** Compared before and after, beside the registry's own state of the domain. */
  state?: (setting: Setting) => Promise<unknown>
}

/** One that waits for a row which another transaction has locked. */
export type StoredAct = {
  operation: string
  by: readonly Kind[]
  /** Locks the row; with $1 the customer and $2 the domain. */
  locks: string
  prepare?: (setting: Setting) => Promise<unknown>
  /** `prepared`: what `prepare` returned. */
  send: (setting: Setting, prepared: unknown) => Promise<Answer>
  /** Compared before and after. */
  state: (setting: Setting) => Promise<unknown>
}

const owners = ['session', 'api_key', 'app'] as const
const two = ['ns1.elsewhere.net', 'ns2.elsewhere.net']

function ask(at: string, body?: (setting: Setting) => object) {
  return (setting: Setting, id: string) => {
    const { registrar, actor, domain } = setting
    const [method = '', path = ''] = at.split(' ')
    const full = path.replace('{domain}', domain).replace('{id}', id)
    const options = { token: actor.token, ...(body && { body: body(setting) }) }
    return registrar.request(method, full, options)
  }
}

async function bought({ registrar, actor, domain }: Setting): Promise<undefined> {
  const options = { token: actor.owner.key, body: { domain } }
  const { status, text } = await registrar.request('POST', '/v1/domains', options)
  assert.equal(status, 200, text)
}

async function owned(setting: Setting, verb: string, path: string): Promise<Answer['body']> {
  const { registrar, actor, domain } = setting
  const at = `/v1/domains/${domain}${path}`
  const { status, body, text } = await registrar.request(verb, at, { token: actor.owner.key })
  assert.ok(status < 300, text)
  return body
}

async function askedAway(setting: Setting): Promise<undefined> {
  await bought(setting)
  const { auth_code } = await owned(setting, 'GET', '/transfer-auth-code')
  await askAway(setting.registrar, { domain: setting.domain, auth_info: auth_code })
}

const money = async ({ registrar, actor: { owner } }: Setting) => {
  const rows = rowsIn(registrar)
  return [
    await rows('select available, held from ledger_accounts where customer_id = $1', [owner.id]),
    await rows('select id from orders where customer_id = $1 and closed_at is null', [owner.id]),
  ]
}
const stored = (column: string) => (setting: Setting) =>
  rowsIn(setting.registrar)(`select ${column} from domains where name = $1`, [setting.domain])
const parked =
  (fault: 'drop_after' | 'drop_before') =>
  async ({ registrar, actor: { owner } }: Setting) =>
    parkedOrderIn(registrar, { key: owner.key, fault })
const parkedState = async ({ registrar, actor: { owner } }: Setting) =>
  rowsIn(registrar)('select id, state from orders where customer_id = $1', [owner.id])
const quotes = async ({ registrar, actor: { owner } }: Setting) =>
  rowsIn(registrar)('select id from quotes where customer_id = $1', [owner.id])

const onHolding = { by: owners, holds: 'domain:info', held: true, prepare: bought } as const
const guarded = { ...onHolding, guarded: true } as const
const purchase = { by: owners, buys: true, state: money } as const
const code = { ...guarded, state: stored('auth_code_hash') } as const

export const acts: readonly Act[] = [
  {
    ...guarded,
    operation: 'update_domain',
    what: 'name servers',
    send: ask('PATCH /v1/domains/{domain}', () => ({ nameservers: two })),
  },
  {
    ...guarded,
    operation: 'update_domain',
    what: 'glue',
    holds: 'host:check',
    tld: 'io',
    send: ask('PATCH /v1/domains/{domain}', ({ domain }) => ({
      nameservers: [`ns1.${domain}`, 'ns2.elsewhere.net'],
      glue: { [`ns1.${domain}`]: ['192.0.2.1'] },
    })),
  },
  {
    ...onHolding,
    operation: 'update_domain',
    what: 'automatic renewal',
    // Only within limits is its price asked for.
    by: ['api_key'],
    holds: 'domain:check',
    send: ask('PATCH /v1/domains/{domain}', () => ({ auto_renew: true })),
    state: stored('auto_renew'),
    async prepare(setting) {
      await bought(setting)
      const { registrar, domain } = setting
      await rowsIn(registrar)('update domains set auto_renew = false where name = $1', [domain])
      return undefined
    },
  },
  {
    ...guarded,
    operation: 'unlock_domain',
    async prepare(setting) {
      await bought(setting)
      await owned(setting, 'POST', '/lock')
      return undefined
    },
    send: ask('POST /v1/domains/{domain}/unlock'),
  },
  { ...onHolding, operation: 'lock_domain', send: ask('POST /v1/domains/{domain}/lock') },
  {
    ...code,
    operation: 'get_transfer_auth_code',
    send: ask('GET /v1/domains/{domain}/transfer-auth-code'),
  },
  {
    ...code,
    operation: 'get_transfer_auth_code',
    what: 'one that is there',
    async prepare(setting) {
      await bought(setting)
      await owned(setting, 'GET', '/transfer-auth-code')
      return undefined
    },
    send: ask('GET /v1/domains/{domain}/transfer-auth-code'),
  },
  {
    ...code,
    operation: 'regenerate_transfer_auth_code',
    send: ask('POST /v1/domains/{domain}/transfer-auth-code/regenerate'),
  },
  {
    ...guarded,
    operation: 'approve_transfer',
    holds: 'domain:transfer',
    prepare: askedAway,
    send: ask('POST /v1/domains/{domain}/transfer/approve'),
  },
  {
    ...onHolding,
    operation: 'reject_transfer',
    holds: 'domain:transfer',
    prepare: askedAway,
    send: ask('POST /v1/domains/{domain}/transfer/reject'),
  },
  {
    ...purchase,
    operation: 'register_domain',
    holds: 'domain:check',
    send: ask('POST /v1/domains', ({ domain }) => ({ domain })),
  },
  {
    ...purchase,
    operation: 'renew_domain',
    held: true,
    holds: 'domain:info',
    prepare: bought,
    send: ask('POST /v1/domains/{domain}/renew', () => ({ period_years: 1 })),
  },
  {
    ...purchase,
    operation: 'transfer_domain',
    holds: 'domain:check',
    prepare: async ({ registrar, domain }) => {
      await sellElsewhere(registrar, domain)
      return undefined
    },
    send: ask('POST /v1/domains/transfer', ({ domain }) => ({ domain, auth_code: soldCode })),
  },
  {
    ...purchase,
    operation: 'restore_domain',
    held: true,
    alone: true,
    holds: 'domain:info',
    async prepare(setting) {
      const { registrar, domain } = setting
      await bought(setting)
      // Past the add grace period, and then past the time for which a reading counts as fresh.
      await registrar.advance('P20D')
      await deleteBehind(registrar, domain)
      await registrar.advance('PT2M')
      return undefined
    },
    send: ask('POST /v1/domains/{domain}/restore', () => ({})),
  },
  {
    operation: 'create_quote',
    by: owners,
    holds: 'domain:check',
    send: ask('POST /v1/quotes', ({ domain }) => ({ action: 'register', domain })),
    state: quotes,
  },
  {
    operation: 'settle_parked_order',
    by: ['operator'],
    holds: 'domain:info',
    prepare: parked('drop_after'),
    send: ask('POST /v1/internal/parked-orders/{id}/settle', () => ({})),
    state: parkedState,
  },
  {
    operation: 'release_parked_order',
    by: ['operator'],
    holds: 'domain:info',
    prepare: parked('drop_before'),
    send: ask('POST /v1/internal/parked-orders/{id}/release', () => ({ reason: 'For a test.' })),
    state: parkedState,
  },
]

export const stateAt = async (setting: Setting, act: Act): Promise<unknown> => [
  setting.registrar.sandbox.lookup(setting.domain),
  await act.state?.(setting),
]
