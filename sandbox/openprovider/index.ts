// The simulated Openprovider: its REST API v1beta on loopback, with its own account, log of paid
// effects and faults.

import { EffectLog, type RequestCounters } from '../support/effect-log.ts'
import { formatCents, parseCents } from '../support/money.ts'
import type { Clock } from '../support/sandbox-clock.ts'
import { Account } from './account.ts'
import { type Fault, Faults } from './api-faults.ts'
import { PASSWORD, PRICES, type Settings, USERNAME } from './catalog.ts'
import type { Domain, Effect, Foreign } from './records.ts'
import { openHttpServer } from './server.ts'

export { FAULTS, type Fault, type FaultName, isFaultName } from './api-faults.ts'
export type { Settings } from './catalog.ts'
export type { Effect } from './records.ts'

export type Openprovider = {
  base_url: string
  username: string
  password: string
  tlds: string[]
  /** The settings can be changed while it runs. */
  settings: Settings
  setFault(fault: Fault): void
  clearFaults(): void
  faults(): Fault[]
  /** Immediately runs everything that faults have delayed. */
  releaseDelayed(): void
  counters(): RequestCounters
  /** The log of paid effects, oldest first. */
  effects(): Effect[]
  /** Our entry of a name, or that of another registrar. */
  lookup(domain: string): Domain | Foreign | null
  /** The customers whose comments hold a text. */
  customers(part: string): { handle: string; comments: string }[]
  /** Applies all due transitions, as after a jump of the clock. */
  settleDue(): void
  /** Answers a transfer in as the other side. @throws RangeError */
  answerTransfer(domain: string, approve: boolean): void
  /** Another registrar requests a name of ours with its code, and the name leaves in five days. */
  requestTransferOut(domain: string, auth_code: string): boolean
  /** Changes a name, for states that are hard to reach. @throws RangeError */
  setDomain(domain: string, change: Partial<Domain>): void
  /** Changes a name at another registrar. @throws RangeError */
  setForeign(domain: string, change: Partial<Foreign>): void
  /** The name servers in the TLD's zone, or null for an unregistered name. */
  delegation(domain: string): { name: string; addresses: string[] }[] | null
  /** `amount` is in US dollars: '12.34'. @throws RangeError */
  setCredit(amount: string): void
  credit(): string
  close(): Promise<void>
}

export type OpenproviderOptions = {
  clock: Clock
  /** The folder of its rows, or null to keep them in memory only. */
  file: string | null
  host: string
  port: number
  report: (error: unknown) => void
}

/** Starts the server, and returns when it is ready. */
export async function startOpenprovider(options: OpenproviderOptions): Promise<Openprovider> {
  const account = new Account(options)
  const faults = new Faults()
  const effectLog = new EffectLog()
  const server = await openHttpServer(
    { account, faults, effectLog, report: options.report },
    options,
  )
  return {
    base_url: `http://${options.host}:${server.port}/v1beta`,
    username: USERNAME,
    password: PASSWORD,
    tlds: Object.keys(PRICES),
    settings: account.settings,
    setFault: (fault) => faults.set(fault),
    clearFaults: () => faults.clear(),
    faults: () => faults.list(),
    releaseDelayed: () => server.releaseDelayed(),
    counters: () => effectLog.counters(),
    ...operate(account),
    close: () => server.close(),
  }
}

type Operated = Pick<
  Openprovider,
  | 'effects'
  | 'lookup'
  | 'customers'
  | 'settleDue'
  | 'answerTransfer'
  | 'requestTransferOut'
  | 'setDomain'
  | 'setForeign'
  | 'delegation'
  | 'setCredit'
  | 'credit'
>

function operate(account: Account): Operated {
  const { tables } = account.store
  const must = (name: string): Domain => {
    account.settleDue()
    const found = account.entryOf(name.toLowerCase())
    if (!found) throw new RangeError(`${name} is not in the account`)
    return found
  }
  return {
    effects: () => [...tables.effect.values()],
    lookup(domain) {
      account.settleDue()
      const name = domain.toLowerCase()
      return account.entryOf(name) ?? account.foreignOf(name) ?? null
    },
    customers: (part) =>
      [...tables.customer.values()].filter(({ comments }) => comments.includes(part)),
    settleDue: () => account.settleDue(),
    answerTransfer(domain, approve) {
      const found = must(domain)
      if (found.request?.verb !== 'transfer') throw new RangeError(`${domain} is not moving in`)
      const request = { ...found.request, due_at: account.now }
      if (approve) account.put(account.finish({ ...found, request }), {})
      else account.put(found, { status: 'FAI', request: null })
      account.store.commit()
    },
    requestTransferOut(domain, auth_code) {
      const found = must(domain)
      const may = found.status === 'ACT' && !found.is_locked && found.auth_code === auth_code
      if (may) account.put(found, { leaves_at: account.now + 5 * 86_400_000 })
      account.store.commit()
      return may
    },
    setDomain(domain, change) {
      account.put(must(domain), change)
      account.store.commit()
    },
    setForeign(domain, change) {
      const found = account.foreignOf(domain)
      if (!found) throw new RangeError(`${domain} is not with another registrar`)
      tables.foreign.put(domain, { ...found, ...change })
      account.store.commit()
    },
    delegation(domain) {
      account.settleDue()
      // During a transfer in, the registry still has the old delegation.
      const moving = account.entryOf(domain)?.request?.verb === 'transfer'
      const found = (moving ? undefined : account.entryOf(domain)) ?? account.foreignOf(domain)
      if (!found) return null
      return (found.name_servers ?? []).map(({ name, ip, ip6 }) => {
        return { name, addresses: [ip, ip6].filter((address) => address !== '') }
      })
    },
    setCredit(amount) {
      const cents = parseCents(amount)
      if (cents === null) throw new RangeError('amount is a decimal like 12.34')
      tables.account.put('ours', { credit_cents: cents })
      account.store.commit()
    },
    credit: () => formatCents(tables.account.get('ours')?.credit_cents ?? 0),
  }
}
