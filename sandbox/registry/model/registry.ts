// One registry: its profile, rows, indexes, and the registrars' credit.

import { JournaledStore } from '../../support/journaled-store.ts'
import { formatCents } from '../../support/money.ts'
import type { Clock } from '../../support/sandbox-clock.ts'
import { addYears, DAY_MS, dateTime } from '../../support/sandbox-clock.ts'
import { Refused } from '../protocol/reply.ts'
import { MOVABLE_LABELS, SEEDED_AUTH_INFO, takenNames } from './names.ts'
import { OPENING_CREDIT_CENTS, type Profile, REGISTRARS, type Settings } from './profiles.ts'
import type { Account, Contact, Domain, Effect, EffectKind, Host, Message } from './records.ts'

type Charge = {
  registrar: string
  kind: EffectKind
  domain: string
  years: number
  cents: number
  at: number
  cl_trid: string | null
  refunds?: string
}

class RegistryStore extends JournaledStore {
  readonly tables = {
    domain: this.table<Domain>('domain'),
    contact: this.table<Contact>('contact'),
    host: this.table<Host>('host'),
    account: this.table<Account>('account'),
    message: this.table<Message>('message'),
    effect: this.table<Effect>('effect'),
  }
}

export class Registry {
  readonly profile: Profile
  readonly settings: Settings
  readonly clock: Clock
  readonly store: RegistryStore
  /** How many domains use a contact or host, by 'contact id' and 'host name'. */
  readonly links = new Map<string, number>()
  /** Names of the host objects below a domain, by the domain's name. */
  readonly subordinates = new Map<string, Set<string>>()
  readonly queues = new Map<string, Map<string, Message>>()
  /** The time of the next transition that is due by time; see lifecycle.ts. */
  next_due = Number.POSITIVE_INFINITY

  constructor(parts: { profile: Profile; settings: Settings; clock: Clock; file: string | null }) {
    this.profile = parts.profile
    this.settings = parts.settings
    this.clock = parts.clock
    this.store = new RegistryStore(parts.file)
    this.#watch()
    this.store.open()
    if (this.store.tables.account.size === 0) this.#seed()
  }

  get domains() {
    return this.store.tables.domain
  }

  get contacts() {
    return this.store.tables.contact
  }

  get hosts() {
    return this.store.tables.host
  }

  #watch(): void {
    this.domains.watch((before, after) => {
      for (const link of linksOf(before)) this.#link(link, -1)
      for (const link of linksOf(after)) this.#link(link, 1)
      if (after !== undefined) this.next_due = Math.min(this.next_due, dueAt(after))
    })
    this.hosts.watch((before, after) => {
      const name = after?.name ?? before?.name ?? ''
      const parent = parentOf(name)
      const below = this.subordinates.get(parent) ?? new Set()
      if (after === undefined) below.delete(name)
      else below.add(name)
      if (below.size === 0) this.subordinates.delete(parent)
      else this.subordinates.set(parent, below)
    })
    this.store.tables.message.watch((before, after) => {
      const message = after ?? before
      if (message === undefined) return
      const queue = this.queues.get(message.registrar) ?? new Map<string, Message>()
      if (after === undefined) queue.delete(message.id)
      else queue.set(message.id, after)
      this.queues.set(message.registrar, queue)
    })
  }

  #link(key: string, by: number): void {
    const count = (this.links.get(key) ?? 0) + by
    if (count === 0) this.links.delete(key)
    else this.links.set(key, count)
  }

  account(registrar: string): Account {
    const account = this.store.tables.account.get(registrar)
    if (account === undefined) throw new Refused(2200, `no registrar ${registrar}`)
    return account
  }

  /** @throws Refused 2104 when the registrar's credit does not cover the amount */
  requireCredit(registrar: string, cents: number): void {
    if (this.account(registrar).credit_cents < cents) {
      throw new Refused(2104, 'not enough credit in the registrar account')
    }
  }

  /** Posts a paid effect and returns its id. A charge with `refunds` is a refund. */
  charge(charge: Charge): string {
    const account = this.account(charge.registrar)
    const sign = charge.kind === 'refund' ? 1 : -1
    const credit_cents = account.credit_cents + sign * charge.cents
    this.store.tables.account.put(account.id, { ...account, credit_cents })
    const effect: Effect = {
      id: `${this.profile.name}-${this.store.next('effect')}`,
      registrar: charge.registrar,
      kind: charge.kind,
      domain: charge.domain,
      years: charge.years,
      fee: formatCents(charge.cents),
      at: dateTime(charge.at),
      cl_trid: charge.cl_trid,
      refunds: charge.refunds ?? null,
    }
    this.store.tables.effect.put(effect.id, effect)
    return effect.id
  }

  /** Appends a message to a registrar's poll queue; `data` is rendered resData XML. */
  notify(registrar: string, message: { at: number; text: string; data: string | null }): void {
    const id = String(this.store.next('message'))
    this.store.tables.message.put(id, { id, registrar, ...message })
  }

  roid(kind: 'D' | 'C' | 'H'): string {
    return `${kind}${this.store.next('roid')}-${this.profile.name.toUpperCase()}`
  }

  #seed(): void {
    for (const [id, { password }] of Object.entries(REGISTRARS)) {
      const account = { id, password, credit_cents: OPENING_CREDIT_CENTS }
      this.store.tables.account.put(id, account)
    }
    const now = this.clock.now()
    if (this.profile.contacts === 'required') {
      this.contacts.put(SEEDED_CONTACT, seededContact(this.roid('C'), now))
    }
    for (const name of takenNames(this.profile.name)) {
      this.domains.put(name, this.#seeded(name, now, ['serverTransferProhibited']))
    }
    for (const tld of Object.keys(this.profile.prices)) {
      if (tld in this.profile.scripts) continue
      for (const label of MOVABLE_LABELS) {
        this.domains.put(`${label}.${tld}`, this.#seeded(`${label}.${tld}`, now, []))
      }
    }
    this.store.commit()
  }

  #seeded(name: string, now: number, statuses: string[]): Domain {
    const id = this.profile.contacts === 'required' ? SEEDED_CONTACT : null
    return {
      name,
      roid: this.roid('D'),
      sponsor: 'registrar-b',
      creator: 'registrar-b',
      created_at: addYears(now, -5),
      updater: null,
      updated_at: null,
      transferred_at: null,
      expires_at: addYears(now, 3) + 40 * DAY_MS,
      statuses,
      nameservers: [],
      registrant: id,
      contacts: id === null ? [] : ['admin', 'tech'].map((type) => ({ type, id })),
      auth_info: SEEDED_AUTH_INFO,
      ds: [],
      graces: [],
      phase: 'active',
      phase_ends_at: null,
      deletion: null,
      restore_at: null,
      transfer: null,
    }
  }
}

const SEEDED_CONTACT = 'seeded-holder'

function seededContact(roid: string, created_at: number): Contact {
  return {
    id: SEEDED_CONTACT,
    roid,
    sponsor: 'registrar-b',
    creator: 'registrar-b',
    created_at,
    updater: null,
    updated_at: null,
    statuses: [],
    postal: [
      {
        type: 'int',
        name: 'Seeded Holder',
        org: null,
        street: ['1 First Street'],
        city: 'Old Town',
        sp: null,
        pc: '10000',
        cc: 'US',
      },
    ],
    voice: { number: '+1.5555550100', x: null },
    fax: null,
    email: 'holder@example.org',
    auth_info: SEEDED_AUTH_INFO,
  }
}

function linksOf(domain: Domain | undefined): Set<string> {
  const links = new Set<string>()
  if (domain === undefined) return links
  for (const { name } of domain.nameservers) links.add(`host ${name}`)
  for (const { id } of domain.contacts) links.add(`contact ${id}`)
  if (domain.registrant !== null) links.add(`contact ${domain.registrant}`)
  return links
}

/** The second-level name of a host name. */
export function parentOf(host: string): string {
  return host.split('.').slice(-2).join('.')
}

/** The time of the domain's next transition. */
export function dueAt(domain: Domain): number {
  const life = domain.phase_ends_at ?? domain.expires_at
  return domain.transfer?.status === 'pending' ? Math.min(life, domain.transfer.acts_at) : life
}
