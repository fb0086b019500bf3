// Commands that only read: names, domains, records, the balance, approvals.
import type {
  AccountResponse,
  CustomerBalanceResponse,
  DomainAvailabilityResponse,
  DomainStatusResponse,
  ListDnsRecordsResponse,
  ListDomainsResponse,
} from '../../sdk/src/types.gen.ts'
import { usage } from '../failure.ts'
import { table } from '../table.ts'
import { type Command, day } from './command.ts'

function one(words: string[], wanted: string): string {
  const [word] = words
  if (word === undefined || words.length > 1) throw usage(`Give one ${wanted}`)
  return encodeURIComponent(word)
}

export const whoami: Command = {
  usage: 'whoami',
  summary: 'the account that the API key belongs to',
  run: async ({ api }) => {
    const body = await api<AccountResponse>('GET', '/v1/account')
    return {
      body,
      lines: table(['ACCOUNT', 'MAIL', 'STATUS'], [[body.id, body.email, body.status]]),
    }
  },
}

export const check: Command = {
  usage: 'check NAME...',
  summary: 'whether names are free, and their price',
  run: async ({ api, words }) => {
    if (words.length === 0) throw usage('Give at least one name')
    const query = { body: { domains: words } }
    const body = await api<DomainAvailabilityResponse>('POST', '/v1/domains/check', query)
    const rows = body.domains.map(({ domain_unicode, available, price, reason }) => [
      domain_unicode,
      available === null ? 'unknown' : available ? 'free' : 'taken',
      price === null ? '-' : `${price.amount} ${price.currency}`,
      reason ?? '',
    ])
    return { body, lines: table(['NAME', 'STATUS', 'PRICE', 'REASON'], rows) }
  },
}

export const list: Command = {
  usage: 'list',
  summary: 'the domains of the account',
  run: async ({ api }) => {
    const domains: ListDomainsResponse['domains'] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: ListDomainsResponse = await api('GET', `/v1/domains?limit=100${query}`)
      domains.push(...page.domains)
      cursor = page.next_cursor
    } while (cursor !== null)
    const rows = domains.map(({ domain_unicode, status, registry_expiry, auto_renew }) => [
      domain_unicode,
      status,
      day(registry_expiry),
      auto_renew ? 'yes' : 'no',
    ])
    return { body: { domains }, lines: table(['NAME', 'STATUS', 'EXPIRES', 'AUTO-RENEW'], rows) }
  },
}

export const show: Command = {
  usage: 'show NAME',
  summary: 'one domain',
  run: async ({ api, words }) => {
    const body = await api<DomainStatusResponse>('GET', `/v1/domains/${one(words, 'name')}`)
    const rows = [
      ['Name', body.domain_unicode],
      ['Status', body.status],
      ['Expires', day(body.registry_expiry)],
      ['Auto-renew', body.auto_renew ? 'yes' : 'no'],
      ['Locked', body.locked ? 'yes' : 'no'],
      ['Name servers', body.nameservers.join(' ')],
    ]
    return { body, lines: table(['', ''], rows).slice(1) }
  },
}

export const dns: Command = {
  usage: 'dns NAME',
  summary: 'the DNS records of a domain',
  run: async ({ api, words }) => {
    const path = `/v1/domains/${one(words, 'name')}/dns-records`
    const body = await api<ListDnsRecordsResponse>('GET', path)
    const rows = body.records.map(({ host, type, value, ttl }) => [host, type, `${ttl}`, value])
    return { body, lines: table(['HOST', 'TYPE', 'TTL', 'VALUE'], rows) }
  },
}

export const balance: Command = {
  usage: 'balance',
  summary: 'the balance of the account',
  run: async ({ api }) => {
    const { id } = await api<AccountResponse>('GET', '/v1/account')
    const path = `/v1/customers/${id}/billing/balance`
    const body = await api<CustomerBalanceResponse>('GET', path)
    const row = [body.available, body.held, body.total].map((sum) => `${sum} ${body.currency}`)
    return { body, lines: table(['AVAILABLE', 'HELD', 'TOTAL'], [row]) }
  },
}
