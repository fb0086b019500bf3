// Changes of a domain that cost nothing: read what the registry shows, send only what differs, read
// back, store. Sent again after silence, it sends what is left.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome, Registry, RegistryDomain } from '../../../adapters/registry/port.ts'
import type { App, AuditFacts, AuditResult, Call } from '../../../app.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { domainNotFound, registryUnreachable } from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import type { DomainAction } from '../holdings/state-rules.ts'
import { registryOf, settleReading, storeMany } from '../holdings/sync.ts'
import { judgeReading } from '../holdings/sync-decision.ts'
import { holdingByName } from '../orders/orders.sql.ts'
import {
  type Difference,
  differenceOf,
  hostsWithoutGlue,
  isBelow,
  type Shown,
  type Wish,
} from './update-diff.ts'
import { changeRefused, changeUnconfirmed, glueRequired } from './update-faults.ts'
import { type Alone, alone } from './update-lease.ts'
import { refuseObstacle } from './update-preconditions.ts'
import { purgeWanted, setAutoRenew } from './updates.sql.ts'

export type Change = {
  holding: Holding
  /** What is asked for, in the table of states. */
  action: DomainAction
  wish: Wish
  /** Set together with what the registry was asked for, or not at all. */
  auto_renew?: boolean | undefined
  /** Whether the wish is no longer true of the holding as it is now: then nothing is done. */
  overtaken?: (holding: Holding) => boolean
  /** What the audit row says of it. */
  facts: AuditFacts
}

const most_rounds = 4
const pause_ms = 200

/** How long others' changes of the name are waited for. */
export function patienceOf(registry: Registry): number {
  return registry.profile.timeout_ms
}

/**
 * Makes the wish true at the registry and stores what the registry then shows, with the audit row,
 * in one transaction. Throws, with nothing stored: 409 not_changeable, glue_required,
 * change_under_way; 409 change_refused with the registry's words; 503 registry_unreachable when
 * nothing was sent, change_unconfirmed when something was. Sending the same again is safe.
 */
export async function changeDomain(app: App, call: Call, change: Change): Promise<Holding> {
  const { name: domain } = change.holding
  const registry = registryOf(app, domain)
  if (!registry) throw registryUnreachable({ retry_after_s: 60 })
  const wait_ms = patienceOf(registry)
  return alone(app, { domain, registry, priority: 'normal', wait_ms }, (held) =>
    new Rounds(app, call, { held, change }).run(),
  )
}

type Refused = Extract<Outcome<null>, { kind: 'refused' }>
/** What the registry shows, of a holding that was like this before it was asked. */
type Seen = { holding: Holding; found: RegistryDomain; shown: Shown }

/** One change, round by round: each reads, and sends what is still missing. */
class Rounds {
  readonly #app: App
  readonly #call: Call
  readonly #held: Alone
  readonly #change: Change
  #refused: Refused | null = null
  #accepted = false
  /** Something may have reached the registry. */
  #sent = false

  constructor(app: App, call: Call, { held, change }: { held: Alone; change: Change }) {
    this.#app = app
    this.#call = call
    this.#held = held
    this.#change = change
  }

  async run(): Promise<Holding> {
    const began = this.#app.monotonic_ms()
    const enough_ms = 3 * this.#held.registry.profile.timeout_ms
    for (let round = 0; round < most_rounds; round += 1) {
      if (round > 0) await this.#held.keep()
      const stored = await this.#round()
      if (stored) return stored
      if (this.#app.monotonic_ms() - began > enough_ms) break
    }
    if (!this.#sent) throw registryUnreachable({ retry_after_s: 5 })
    await this.#note(this.#app.db, 'unknown', changeUnconfirmed.code)
    throw changeUnconfirmed({ retry_after_s: 5 })
  }

  /** The holding as stored, or undefined while the registry has not confirmed. */
  async #round(): Promise<Holding | undefined> {
    const seen = await this.#look()
    if (!seen) return void (await sleep(pause_ms))
    if (this.#change.overtaken?.(seen.holding)) return seen.holding
    const left = differenceOf(this.#change.wish, seen.shown)
    if (!left) return this.#settle(seen, 'success')
    if (this.#accepted) return this.#settle(seen, 'pending')
    this.#refuse(seen)
    const outcome = await this.#send(left)
    switch (outcome.kind) {
      case 'done':
        this.#sent = true
        return
      case 'accepted':
        this.#sent = true
        this.#accepted = true
        return
      case 'refused':
        // It may be the registry's word about what an earlier round did: the next reading decides.
        this.#refused = outcome
        return
      case 'unknown':
        this.#sent ||= outcome.cause === 'silence' || outcome.cause === 'server_failed'
        return void (await sleep(pause_ms))
    }
  }

  /** Undefined when the registry is silent. */
  async #look(): Promise<Seen | undefined> {
    const { registry, priority } = this.#held
    const { wish } = this.#change
    const { customer_id, name } = this.#change.holding
    const holding = await this.#app.db.maybe(holdingByName, [customer_id, name])
    if (!holding) throw domainNotFound()
    const read = await registry.read(holding.name, priority)
    const facts = { sponsor: registry.profile.client_id, now: this.#app.calendar.now() }
    const reading = judgeReading(read, holding, facts)
    if (reading.do === 'nothing') return undefined
    if (reading.do !== 'store') {
      const settled = await settleReading(this.#app, holding, reading)
      if (settled.kind === 'missing') return undefined
      throw domainNotFound()
    }
    const { found } = reading
    const own = (wish.nameservers ?? []).filter((host) => isBelow(holding.name, host))
    const objects = own.length > 0 ? await registry.readGlue?.(own, priority) : undefined
    if (objects && objects.kind !== 'done') return undefined
    const glue = { ...found.glue, ...objects?.value }
    return { holding, found, shown: { ...found, glue } }
  }

  /** Throws what stands against sending. */
  #refuse({ holding, found, shown }: Seen): void {
    const { wish } = this.#change
    if (this.#refused) {
      const { message, code } = this.#refused
      throw changeRefused({ detail: `The registry refused: ${message}`, facts: { epp_code: code } })
    }
    refuseObstacle(this.#app, { holding, action: this.#change.action }, found)
    const hosts = hostsWithoutGlue(holding.name, wish, shown)
    if (hosts.length > 0)
      throw glueRequired({
        detail: `No address is known of ${hosts.join(', ')}.`,
        facts: { hosts },
      })
  }

  async #send(left: Difference): Promise<Outcome<null>> {
    const { registry, priority } = this.#held
    const { name: domain } = this.#change.holding
    const { add = [], glue = {} } = left.nameservers ?? {}
    const hosts = [...new Set([...add, ...Object.keys(glue)])]
    if (hosts.length > 0) {
      await this.#held.keep()
      const made = await registry.ensureHosts(hosts, priority, glue)
      if (made.kind !== 'done') return made
    }
    return this.#held.send((attempt) => registry.update({ domain, ...left }, attempt))
  }

  /** Undefined when somebody wrote newer facts (a renewal, say) since the registry was asked. */
  async #settle({ holding, found }: Seen, result: AuditResult): Promise<Holding | undefined> {
    const { wish, auto_renew } = this.#change
    const { id, customer_id, updated_at: seen } = holding
    return this.#app.db.transaction(async (sql) => {
      const [stored] = await storeMany(this.#app, sql, [{ holding, found, seen }])
      if (!stored) return undefined
      if (wish.nameservers) await sql.run(purgeWanted, [id, customer_id])
      const set =
        auto_renew === undefined
          ? undefined
          : await sql.maybe(setAutoRenew, [id, customer_id, auto_renew])
      await this.#note(sql, result)
      return set ?? stored
    })
  }

  async #note(sql: App['db'] | Call['sql'], result: AuditResult, error_code?: string) {
    const { holding, facts } = this.#change
    const status_code = error_code === undefined ? 200 : 503
    const row = { ...facts, target_type: 'domain', target: holding.name, result, status_code }
    await storeAuditRow(sql, this.#call.auditRow(error_code ? { ...row, error_code } : row))
  }
}
