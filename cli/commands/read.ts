// Read-only commands: names, domains, the balance and its runway.
import type { ListDomainsResponse } from '../../sdk/src/types.gen.ts'
import { paginate } from '../api.ts'
import { usage } from '../failure.ts'
import { facts, table } from '../table.ts'
import { accountId, type Command, currencyOf, day, money, oneOf, wordsOf } from './command.ts'

const MOST_NAMES = 200

export const check: Command = {
  usage: ['check NAME...'],
  summary: 'whether names are available, and their price',
  flags: ['currency'],
  isPublic: true,
  run: async ({ registrar, words, flags, terminal }) => {
    if (words.length === 0) throw usage('Give at least one name')
    const currency = flags.currency === undefined ? {} : { currency: currencyOf(flags) }
    const domains = []
    for (let at = 0; at < words.length; at += MOST_NAMES) {
      const some = words.slice(at, at + MOST_NAMES)
      terminal.progress(`Checking ${words.length === 1 ? words[0] : `${words.length} names`}`)
      const body = { domains: some, ...currency }
      domains.push(...(await registrar.checkDomainAvailability({ body })).domains)
    }
    const rows = domains.map(({ domain_unicode, available, price, reason }) => [
      domain_unicode,
      available === null ? 'unknown' : available ? 'available' : 'taken',
      money(price),
      reason ?? '',
    ])
    return { body: { domains }, lines: table(['NAME', 'STATUS', '>PRICE', 'REASON'], rows) }
  },
}

export const list: Command = {
  usage: ['list'],
  summary: 'the domains of the account',
  run: async ({ registrar, words, terminal }) => {
    wordsOf(words)
    const domains: ListDomainsResponse['domains'] = []
    terminal.progress('Listing the domains')
    for await (const domain of paginate(registrar.listDomains, { query: { limit: 100 } })) {
      domains.push(domain)
      if (domains.length % 100 === 0) terminal.progress(`Listing the domains: ${domains.length}`)
    }
    const rows = domains.map(({ domain_unicode, status, registry_expiry, auto_renew }) => [
      domain_unicode,
      status,
      day(registry_expiry),
      auto_renew ? 'yes' : 'no',
    ])
    const lines = table(['NAME', 'STATUS', 'EXPIRES', 'AUTO-RENEW'], rows)
    const none = ['No domains yet. Buy one: agent-registrar buy NAME']
    return { body: { domains }, lines: rows.length === 0 ? none : lines }
  },
}

export const show: Command = {
  usage: ['show NAME'],
  summary: 'one domain',
  run: async ({ registrar, words }) => {
    const body = await registrar.getDomain({ path: { domain: oneOf(words, 'one name') } })
    const { operation, transfer, next_actions } = body
    return {
      body,
      lines: facts([
        ['Name', body.domain_unicode],
        ['Status', body.status],
        ['Expires', day(body.registry_expiry)],
        ['Auto-renew', body.auto_renew ? 'yes' : 'no'],
        ['Locked', body.locked ? 'yes' : 'no'],
        ['Protected', body.protected ? 'yes: changes wait for the owner' : 'no'],
        ['Name servers', body.nameservers.join(' ')],
        ...row('Order', operation && `${operation.type} ${operation.state} (${operation.id})`),
        ...row(
          'Transfer away',
          transfer && `asked for by ${transfer.requested_by}, acts ${day(transfer.acts_at)}`,
        ),
        ...row('Possible next', next_actions.map(({ type }) => type).join(', ')),
      ]),
    }
  },
}

function row(name: string, value: string | null): [string, string][] {
  return value === null || value === '' ? [] : [[name, value]]
}

export const balance: Command = {
  usage: ['balance'],
  summary: 'the balance of the account',
  flags: ['currency'],
  run: async (context) => {
    wordsOf(context.words)
    const path = { customer_id: await accountId(context) }
    const query = { currency: currencyOf(context.flags) }
    const body = await context.registrar.getBalance({ path, query })
    const { available, held, reserved, total, owed, currency } = body
    const sums = [available, held, reserved, total, owed]
    const heads = ['>AVAILABLE', '>HELD', '>FOR RENEWALS', '>TOTAL', '>OWED', 'CURRENCY']
    return { body, lines: table(heads, [[...sums, currency]]) }
  },
}

export const runway: Command = {
  usage: ['runway'],
  summary: 'how long the balance keeps each domain',
  run: async ({ registrar, words, terminal }) => {
    wordsOf(words)
    terminal.progress('Reading the renewals')
    const first = await registrar.getRunway({ query: { limit: 100 } })
    const domains = [...first.domains]
    for (let { next_cursor } = first; next_cursor !== null; ) {
      const page = await registrar.getRunway({ query: { limit: 100, cursor: next_cursor } })
      domains.push(...page.domains)
      next_cursor = page.next_cursor
    }
    const rows = domains.map((one) => [
      one.domain,
      one.auto_renew ? 'yes' : 'no',
      one.renewal_price === null ? '-' : `${one.renewal_price} ${one.currency}`,
      day(one.expires_at),
      // Only automatic renewal is certain: any other domain ends unless somebody renews it.
      day(one.auto_renew ? one.lives_until : one.expires_at),
    ])
    const sums = first.currencies
      .filter(({ domains: count }) => count > 0)
      .map(({ due, missing, currency }) => {
        const lacks = Number(missing) > 0 ? `${missing} ${currency} is missing` : 'covered'
        return `All renewals of the next 12 months: ${due} ${currency}, ${lacks}`
      })
    const manual = domains.filter(({ auto_renew }) => !auto_renew).length
    if (manual > 0) sums.push(`${manual} of ${domains.length} end unless you renew them`)
    const heads = ['NAME', 'AUTO-RENEW', '>RENEWAL', 'EXPIRES', 'LIVES UNTIL']
    const lines = rows.length === 0 ? ['No domains yet'] : [...table(heads, rows), ...sums]
    return { body: { ...first, domains, next_cursor: null }, lines }
  },
}
