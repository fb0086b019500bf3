// Sets a transfer code at the registry until one value is known to be the registry's, and keeps it
// sealed, with its hash and its times.
import { refusesAuthInfo } from '../../../../adapters/registry/port.ts'
import type { App, Call } from '../../../../app.ts'
import { fingerprintOf, newAuthInfo } from '../../../../kit/random.ts'
import { storeAuditRow } from '../../../audit/index.ts'
import { domainNotFound } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { confirmWithRegistry, refusedByRegistry } from '../confirm-with-registry.ts'
import type { DomainLease } from '../domain-lease.ts'
import type { RightToChange } from '../right-to-change.ts'
import { dropSentAuthCode, keepAuthCode, planAuthCode } from './auth-codes.sql.ts'
import type { CreationReason } from './current-auth-code.ts'

type Setting = {
  lease: DomainLease
  right: RightToChange
  holding: Holding
  expires_at: Date
  /** Null for a new code. */
  wanted: string | null
  /** A sealed code that was sent before and never confirmed. */
  sent_sealed: string | null
  because: CreationReason | null
}

const most_rounds = 3

const rowOf = ({ name }: Holding) => ({ target_type: 'domain', target: name }) as const

/**
 * Sets a code and returns the one that the registry has by then. After silence the same value is
 * set again, so that whichever attempt takes effect last, its value is the one that is returned.
 */
export async function setCode(app: App, call: Call, setting: Setting): Promise<string> {
  const { lease, holding } = setting
  const { registry } = lease
  const { name: domain } = holding
  let wanted = setting.wanted ?? newAuthInfo()
  const code = await confirmWithRegistry(app, call, {
    lease,
    facts: rowOf(holding),
    most_rounds,
    async round({ number, sent }) {
      await plan(app, setting, wanted)
      const outcome = await lease.send((attempt) =>
        registry.renewAuthInfo({ domain, wanted }, attempt),
      )
      if (outcome.kind === 'done') return { kind: 'confirmed', value: outcome.value.auth_info }
      if (outcome.kind === 'accepted') return { kind: 'confirmed', value: wanted }
      if (outcome.kind === 'refused') {
        if (!refusesAuthInfo(outcome) || number === most_rounds) {
          if (!sent) await dropSent(app, setting)
          throw refusedByRegistry(outcome)
        }
        wanted = newAuthInfo('alphanumeric')
      }
      return { kind: 'answered', outcome }
    },
    onNothingSent: () => dropSent(app, setting),
  })
  await keepCode(app, call, { ...setting, code })
  return code
}

function dropSent(app: App, { holding: { id, customer_id }, sent_sealed }: Setting) {
  return app.db.maybe(dropSentAuthCode, { id, customer_id, auth_code_sent_sealed: sent_sealed })
}

type ConfirmedCode = Pick<Setting, 'right' | 'holding' | 'expires_at' | 'because'> & {
  code: string
}

/**
 * Stores the code that the registry has from now on, with the audit row of the call that returns
 * it. If the right has ended, no code is returned, and the code stays as it was planned.
 */
export async function keepCode(app: App, call: Call, kept: ConfirmedCode): Promise<void> {
  const { right, holding, expires_at, because, code } = kept
  const { id, customer_id } = holding
  await app.db.transaction(async (sql) => {
    await right(sql)
    const updated = await sql.maybe(keepAuthCode, {
      id,
      customer_id,
      auth_code_hash: fingerprintOf(code),
      auth_code_expires_at: expires_at,
      auth_code_sealed: app.encryption.seal(code),
    })
    if (!updated) throw domainNotFound()
    await storeAuditRow(sql, disclosureRow(call, { holding, expires_at, because }))
  })
}

export function disclosureRow(
  call: Call,
  { holding, expires_at, because }: Omit<ConfirmedCode, 'code' | 'right'>,
) {
  const metadata = { expires_at: expires_at.toISOString(), made_because: because }
  return call.auditRow({ ...rowOf(holding), result: 'success', metadata })
}

/** Stores the value before it is sent, so that it is removed in time even if this process dies. */
async function plan(app: App, { holding, expires_at }: Setting, wanted: string): Promise<void> {
  const { id, customer_id } = holding
  const planned = await app.db.maybe(planAuthCode, {
    id,
    customer_id,
    auth_code_unset_at: expires_at,
    auth_code_sent_sealed: app.encryption.seal(wanted),
  })
  if (!planned) throw domainNotFound()
}
