// Our account at the simulated Openprovider: names, customers, credit and due transitions.
import { randomBytes } from 'node:crypto'
import { MOVABLE_LABELS, premiumPrice, SEEDED_AUTH_INFO } from '../registry/model/names.ts'
import { JournaledStore } from '../support/journaled-store.ts'
import { addYears, type Clock, DAY_MS } from '../support/sandbox-clock.ts'
import {
  DEFAULT_SETTINGS,
  OPENING_CREDIT_CENTS,
  PRICES,
  QUARANTINE_MS,
  type Settings,
  SOFT_QUARANTINE_MS,
  TAKEN,
  USERNAME,
  type Verb,
} from './catalog.ts'
import type { AccountRow, Customer, Domain, Effect, Foreign } from './records.ts'
import { Refused } from './refusal.ts'

const KINDS = {
  create: 'create',
  renew: 'renew',
  transfer: 'transfer',
  restore: 'restore',
  autorenew: 'autorenew',
} as const

/** The name servers of names at other registrars. */
const ELSEWHERE = ['ns1.example.net', 'ns2.example.net'].map((name) => ({ name, ip: '', ip6: '' }))

class AccountStore extends JournaledStore {
  readonly tables = {
    domain: this.table<Domain>('domain'),
    foreign: this.table<Foreign>('foreign'),
    customer: this.table<Customer>('customer'),
    effect: this.table<Effect>('effect'),
    account: this.table<AccountRow>('account'),
  }
}

export class Account {
  readonly store: AccountStore
  readonly clock: Clock
  readonly settings: Settings = { ...DEFAULT_SETTINGS }

  constructor({ clock, file }: { clock: Clock; file: string | null }) {
    this.clock = clock
    this.store = new AccountStore(file)
    this.store.open()
    if (this.store.tables.account.get('ours')) return
    this.store.tables.account.put('ours', { credit_cents: OPENING_CREDIT_CENTS })
    this.#seed()
    this.store.commit()
  }

  /** Names at other registrars: famous ones, which are locked, and those that can be moved here. */
  #seed(): void {
    const { foreign } = this.store.tables
    const since = this.clock.now() - 400 * DAY_MS
    const at = { created_at: since, expires_at: addYears(since, 3) }
    const secret = () => randomBytes(9).toString('base64url')
    for (const full_name of TAKEN)
      foreign.put(full_name, { full_name, auth_code: secret(), is_locked: true, ...at })
    for (const tld of Object.keys(PRICES))
      for (const label of MOVABLE_LABELS) {
        const full_name = `${label}.${tld}`
        foreign.put(full_name, {
          ...{ full_name, auth_code: SEEDED_AUTH_INFO, is_locked: false },
          name_servers: ELSEWHERE,
          ...at,
        })
      }
  }

  get now(): number {
    return this.clock.now()
  }

  /** The current entry of a name; a failed request does not count. */
  entryOf(fullName: string): Domain | undefined {
    const all = [...this.store.tables.domain.values()]
    return all.findLast(({ full_name, status }) => full_name === fullName && status !== 'FAI')
  }

  foreignOf(fullName: string): Foreign | undefined {
    return this.store.tables.foreign.get(fullName)
  }

  put(domain: Domain, change: Partial<Domain>): Domain {
    const next = { ...domain, changed_at: this.now, ...change }
    this.store.tables.domain.put(String(domain.id), next)
    return next
  }

  /** The total in cents for a verb on a name, or null if the name is not sold. */
  priceOf(fullName: string, verb: Verb, years: number): { cents: number; premium: boolean } | null {
    const [label = '', tld = ''] = fullName.split('.')
    const plain = PRICES[tld]
    if (!plain) return null
    const premium = premiumPrice(label)
    const year = (of: Verb) => (of === 'restore' ? plain.restore : (premium ?? plain[of]))
    if (verb === 'restore') {
      const soft = this.entryOf(fullName)?.delete_status === 'softquarantine'
      return { cents: soft ? year('renew') : year('restore'), premium: false }
    }
    return { cents: year(verb) + (years - 1) * year('renew'), premium: premium !== null }
  }

  /** @throws Refused 310 when the credit is insufficient */
  mustAfford(cents: number): void {
    const credit = this.store.tables.account.get('ours')?.credit_cents ?? 0
    if (credit < cents) throw new Refused(310)
  }

  charge(domain: Domain, kind: keyof typeof KINDS, of: { years: number; cents: number }): void {
    const { account, effect } = this.store.tables
    const credit = account.get('ours')?.credit_cents ?? 0
    account.put('ours', { credit_cents: credit - of.cents })
    const id = `op-${this.store.next('effect')}`
    const line: Effect = {
      id,
      registrar: USERNAME,
      kind: KINDS[kind],
      domain: domain.full_name,
      years: of.years,
      fee: (of.cents / 100).toFixed(2),
      at: new Date(this.now).toISOString(),
      cl_trid: domain.comments === '' ? null : domain.comments,
      refunds: null,
    }
    effect.put(id, line)
  }

  /** Applies all transitions that are due. */
  settleDue(): void {
    for (const domain of [...this.store.tables.domain.values()]) this.#settle(domain)
    this.store.commit()
  }

  #settle(domain: Domain): void {
    const before = domain
    let next: Domain | null = domain
    for (let turn = 0; next && turn < 100; turn += 1) {
      const after = this.#step(next)
      if (after === next) break
      next = after
    }
    if (next && next !== before) this.store.tables.domain.put(String(next.id), next)
  }

  /**
   * Applies one due transition of a name. Returns the same entry if none is due, or null if the
   * name is dropped.
   */
  #step(domain: Domain): Domain | null {
    const { request, expires_at, leaves_at, restorable_until } = domain
    if (request && request.due_at <= this.now) return this.finish(domain)
    if (domain.status === 'ACT' && leaves_at !== null && leaves_at <= this.now) {
      this.leave(domain)
      return null
    }
    if (domain.status === 'ACT' && expires_at !== null && expires_at <= this.now)
      return this.#expire(domain, expires_at)
    if (domain.status !== 'DEL' || restorable_until === null || restorable_until > this.now)
      return domain
    if (domain.delete_status === 'softquarantine') {
      const until = restorable_until + QUARANTINE_MS
      return { ...domain, delete_status: 'quarantine', restorable_until: until }
    }
    this.store.tables.domain.remove(String(domain.id))
    return null
  }

  #expire(domain: Domain, expires_at: number): Domain {
    if (domain.autorenew === 'on') {
      const cents = this.priceOf(domain.full_name, 'renew', 1)?.cents ?? 0
      this.charge(domain, 'autorenew', { years: 1, cents })
      return { ...domain, expires_at: addYears(expires_at, 1) }
    }
    return {
      ...domain,
      status: 'DEL',
      deleted_at: expires_at,
      delete_status: 'softquarantine',
      restorable_until: expires_at + SOFT_QUARANTINE_MS,
    }
  }

  /** The registry has carried out the request. */
  finish(domain: Domain): Domain {
    const { request } = domain
    if (!request) return domain
    const { verb, due_at, years } = request
    const cents = this.priceOf(domain.full_name, verb, years)?.cents ?? 0
    const active: Domain = { ...domain, status: 'ACT', request: null, changed_at: due_at }
    if (verb === 'restore') {
      const expired = (domain.expires_at ?? due_at) <= due_at
      const expires_at = expired ? addYears(domain.expires_at ?? due_at, 1) : domain.expires_at
      this.charge(domain, 'restore', { years: expired ? 1 : 0, cents })
      return { ...active, expires_at, deleted_at: null, delete_status: '', restorable_until: null }
    }
    this.charge(domain, verb, { years, cents })
    if (verb === 'create')
      return {
        ...active,
        created_at: due_at,
        active_at: due_at,
        expires_at: addYears(due_at, years),
      }
    const foreign = this.foreignOf(domain.full_name)
    this.store.tables.foreign.remove(domain.full_name)
    const created_at = foreign?.created_at ?? due_at
    const expires_at = addYears(foreign?.expires_at ?? due_at, years)
    return { ...active, created_at, active_at: due_at, expires_at }
  }

  /** Moves the name to the registrar that requested it. */
  leave(domain: Domain): void {
    const { full_name, auth_code, created_at, expires_at, name_servers } = domain
    const at = { created_at: created_at ?? this.now, expires_at: expires_at ?? this.now }
    this.store.tables.foreign.put(full_name, {
      ...{ full_name, auth_code, is_locked: false, name_servers },
      ...at,
    })
    this.store.tables.domain.remove(String(domain.id))
  }
}
