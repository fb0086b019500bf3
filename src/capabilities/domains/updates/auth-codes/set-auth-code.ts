// Sets a transfer code at the registry, until one value is known to be the registry's; keeps it
// sealed, with its hash and its times.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Outcome, refusesAuthInfo } from '../../../../adapters/registry/port.ts'
import type { App, Call } from '../../../../app.ts'
import { newAuthInfo } from '../../../../kit/auth-info.ts'
import { seal } from '../../../../kit/encryption.ts'
import { storeAuditRow } from '../../../audit/index.ts'
import { domainNotFound, registryUnreachable } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { fingerprintOf } from '../../orders/order.ts'
import { changeRefused, changeUnconfirmed } from '../update-faults.ts'
import type { Alone } from '../update-lease.ts'
import { dropSentAuthCode, keepAuthCode, planAuthCode } from './auth-codes.sql.ts'
import type { MadeBecause } from './current-auth-code.ts'

export type Setting = {
  held: Alone
  holding: Holding
  expires_at: Date
  /** Null: a new one. */
  wanted: string | null
  /** One that was sent before and never confirmed, sealed. */
  sent_sealed: string | null
  because: MadeBecause | null
}

const most_rounds = 3
const pause_ms = 200

const rowOf = ({ name }: Holding) => ({ target_type: 'domain', target: name }) as const

/** The code that the registry has by then. */
export async function setCode(app: App, call: Call, setting: Setting): Promise<string> {
  const { holding } = setting
  const { outcome, sent, wanted } = await inRounds(app, setting)
  if (outcome.kind === 'done' || outcome.kind === 'accepted') {
    const code = outcome.kind === 'done' ? outcome.value.auth_info : wanted
    await keepCode(app, call, { ...setting, code })
    return code
  }
  if (!sent) {
    const before = [holding.id, holding.customer_id, setting.sent_sealed] as const
    await app.db.maybe(dropSentAuthCode, [...before])
  }
  if (outcome.kind === 'refused') {
    const { message, code } = outcome
    throw changeRefused({ detail: `The registry refused: ${message}`, facts: { epp_code: code } })
  }
  if (!sent) throw registryUnreachable({ retry_after_s: 5 })
  const facts = { result: 'unknown', status_code: 503, error_code: changeUnconfirmed.code } as const
  await storeAuditRow(app.db, call.auditRow({ ...rowOf(holding), ...facts }))
  throw changeUnconfirmed({ retry_after_s: 5 })
}

export type Kept = Pick<Setting, 'holding' | 'expires_at' | 'because'> & { code: string }

/** What the registry has from now on, and the audit row of the call that told it. */
export async function keepCode(app: App, call: Call, kept: Kept): Promise<void> {
  const { holding, expires_at, because, code } = kept
  const { id, customer_id } = holding
  await app.db.transaction(async (sql) => {
    const values = [id, customer_id, fingerprintOf(code), expires_at, seal(app, code)] as const
    if (!(await sql.maybe(keepAuthCode, [...values]))) throw domainNotFound()
    await storeAuditRow(sql, toldRow(call, { holding, expires_at, because }))
  })
}

export function toldRow(call: Call, { holding, expires_at, because }: Omit<Kept, 'code'>) {
  const metadata = { expires_at: expires_at.toISOString(), made_because: because }
  return call.auditRow({ ...rowOf(holding), result: 'success', metadata })
}

type Rounds = { outcome: Outcome<{ auth_info: string }>; wanted: string; sent: boolean }

/**
 * After silence the same value is set again: whichever lands last, it is the one that is told.
 * `sent`: the registry may have one of them.
 */
async function inRounds(app: App, setting: Setting): Promise<Rounds> {
  const { held, holding } = setting
  const { name: domain } = holding
  let wanted = setting.wanted ?? newAuthInfo()
  let sent = false
  for (let round = 1; ; round += 1) {
    if (round > 1) await held.keep()
    await plan(app, setting, wanted)
    const outcome = await held.send((attempt) =>
      held.registry.renewAuthInfo({ domain, wanted }, attempt),
    )
    const isSilence = outcome.kind === 'unknown'
    if (isSilence) sent ||= outcome.cause === 'silence' || outcome.cause === 'server_failed'
    const isDisliked = refusesAuthInfo(outcome)
    if (round === most_rounds || !(isSilence || isDisliked)) return { outcome, wanted, sent }
    if (isSilence) await sleep(pause_ms)
    else wanted = newAuthInfo('alphanumeric')
  }
}

/** Before anything is sent: should this process die, the value is known and taken away in time. */
async function plan(app: App, { holding, expires_at }: Setting, wanted: string): Promise<void> {
  const { id, customer_id } = holding
  const planned = [id, customer_id, expires_at, seal(app, wanted)] as const
  if (!(await app.db.maybe(planAuthCode, [...planned]))) throw domainNotFound()
}
