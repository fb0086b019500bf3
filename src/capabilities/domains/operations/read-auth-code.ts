// The authorization code for a transfer away (RFC 9154): it is set if there is none or if another
// one is asked for, kept sealed while it is valid, and removed after its time
// (expire-auth-codes.job.ts).
import Type from 'typebox'
import type { RegistryDomain } from '../../../adapters/registry/port.ts'
import type { App, Call } from '../../../app.ts'
import type { DomainName } from '../../../kit/random.ts'
import { dateTime, nullable, oneOf, stringOf } from '../../../kit/schema.ts'
import { freshLogInNeeded, requireFreshSession } from '../../account/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { domainNotFound, notChangeable, registryUnreachable } from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { refreshWithReading } from '../holdings/sync.ts'
import { hostOf } from '../names.ts'
import { nextAction } from '../schemas.ts'
import { requireApproval } from '../updates/approved-change.ts'
import { authCodeOf } from '../updates/auth-codes/auth-codes.sql.ts'
import {
  type CreationReason,
  type Current,
  creationReasons,
  currentCode,
  type KeptCode,
  unmasked,
} from '../updates/auth-codes/current-auth-code.ts'
import { disclosureRow, keepCode, setCode } from '../updates/auth-codes/set-auth-code.ts'
import { type DomainLease, withDomainLease } from '../updates/domain-lease.ts'
import { refuseByState, refuseByStatus } from '../updates/domain-update.ts'
import { type RightToChange, rightToChange } from '../updates/right-to-change.ts'
import {
  arrivalOf,
  prohibitedUntil,
  prohibitedUntilField,
  waitForTransfer,
} from '../updates/transfer-prohibition.ts'
import {
  approvalFaults,
  domainOperation,
  requireHolding,
  updateFaults,
} from './domain-operation.ts'

const authCodeResponse = Type.Object(
  {
    domain: stringOf<DomainName>({ description: 'Lower-case A-labels.' }),
    auth_code: Type.String({
      description: 'The code for the registrar to which the domain moves.',
    }),
    expires_at: dateTime('When the registry stops accepting it.'),
    made_because: nullable(
      oneOf(creationReasons, {
        description:
          'Why a new code was set, so that an earlier one no longer works: it was "asked" for, ' +
          'there was "none" that was valid, the registry had never answered the call that set it ' +
          '("unconfirmed"), or it was sealed with another ENCRYPTION_KEY ("unreadable"). Null if ' +
          'the code was not changed.',
      }),
    ),
    locked: Type.Boolean({
      description: 'Whether it is locked; a locked domain cannot be moved even with the code.',
    }),
    transfer_prohibited_until: prohibitedUntilField,
    next_actions: Type.Array(nextAction),
  },
  { title: 'DomainTransferAuthCodeResponse' },
)

const common = {
  scope: 'domains:transfer',
  gives: authCodeResponse,
  fails: [freshLogInNeeded, ...updateFaults, ...approvalFaults, notChangeable],
} as const
const tool = { group: 'transfers and locks' } as const

export const getTransferAuthCode = domainOperation({
  ...common,
  name: 'get_transfer_auth_code',
  does: 'Get the code that authorizes the transfer of one of your domains to another registrar.',
  more:
    'Returns the valid code, and sets one at the registry only if there is none: ' +
    'calling it again changes nothing. A new code is valid for 7 days. The domain need not be ' +
    'unlocked for this, only for the transfer. "transfer_prohibited_until" says until when the ' +
    'registry refuses a transfer. A session needs a log-in within the last ten minutes.',
  at: 'GET /v1/domains/{domain}/transfer-auth-code',
  tools: [{ ...tool, title: 'Get a transfer code', destructive: false, idempotent: true }],
  run: (input, call, app) =>
    discloseCode(app, call, { domain: hostOf(input.domain), action: 'get_transfer_auth_code' }),
})

export const regenerateTransferAuthCode = domainOperation({
  ...common,
  name: 'regenerate_transfer_auth_code',
  does: 'Replace the transfer code of one of your domains; older codes stop working.',
  more:
    'It always sets a new code, for example because the old one has leaked; to read the current ' +
    'one, use get_transfer_auth_code. The code is valid for 7 days. A session needs a log-in ' +
    'within the last ten minutes.',
  at: 'POST /v1/domains/{domain}/transfer-auth-code/regenerate',
  tools: [{ ...tool, title: 'Replace a transfer code', destructive: true, idempotent: false }],
  run: (input, call, app) =>
    discloseCode(app, call, {
      domain: hostOf(input.domain),
      action: 'regenerate_transfer_auth_code',
    }),
})

const unlock = {
  type: 'unlock',
  hint: 'The domain is locked: POST /v1/domains/{domain}/unlock before it can be moved.',
  operation: 'unlock_domain',
}

const life_ms = 7 * 86_400_000

type Asked = {
  domain: DomainName
  action: 'get_transfer_auth_code' | 'regenerate_transfer_auth_code'
}

/** Runs one at a time for a domain, so that concurrent requests get the same code. */
async function discloseCode(app: App, call: Call, { domain, action }: Asked) {
  const known = await requireHolding(call, domain, action)
  requireFreshSession(app, call)
  const change = { action, holding: known, input: { domain }, isRepeated: true } as const
  await requireApproval(app, call, change)
  const right = rightToChange(call, { holding: known, guarded: true })
  return withDomainLease(app, { domain, right }, async (lease) => {
    const { registry } = lease
    const { holding, found: shown } = await refreshWithReading(app, known)
    const transferred_at = await arrivalOf(app, registry, { holding, found: shown })
    const found = { ...shown, transferred_at }
    refuseByState(app, { holding, action })
    const disclosed = await codeOf(app, call, { lease, right, holding, found, action })
    const { locked } = holding
    const until = prohibitedUntil(app, registry, found)
    return {
      domain,
      auth_code: disclosed.code,
      expires_at: disclosed.expires_at.toISOString(),
      made_because: disclosed.because,
      locked,
      transfer_prohibited_until: until,
      next_actions: [
        ...(locked ? [unlock] : []),
        ...(until === null ? [] : [waitForTransfer(until, disclosed.expires_at)]),
      ],
    }
  })
}

type Subject = Pick<Asked, 'action'> & {
  lease: DomainLease
  right: RightToChange
  holding: Holding
  found: RegistryDomain
}
type CurrentCode = { code: string; expires_at: Date; because: CreationReason | null }

async function codeOf(app: App, call: Call, subject: Subject): Promise<CurrentCode> {
  const { lease, right, holding, action } = subject
  const now = app.calendar.now()
  const kept = await app.db.maybe(authCodeOf, { id: holding.id, customer_id: holding.customer_id })
  if (!kept) throw domainNotFound()
  const current = await currentOf(app, subject, kept)
  if (current.do === 'return') {
    const { code, expires_at } = current
    await app.db.transaction(async (sql) => {
      await right(sql)
      await storeAuditRow(sql, disclosureRow(call, { holding, expires_at, because: null }))
    })
    return { code, expires_at, because: null }
  }
  const { because } = current
  const expires_at = new Date(now.getTime() + life_ms)
  if (current.do === 'keep') {
    await keepCode(app, call, { right, holding, expires_at, because, code: current.code })
    return { code: current.code, expires_at, because }
  }
  refuseByStatus(app, { holding, action }, holding)
  if (because === 'unreadable')
    app.log.warn({ domain: holding.name }, 'a transfer code is sealed with another ENCRYPTION_KEY')
  const { code: wanted } = current
  const { sent_sealed } = kept
  const setting = { lease, right, holding, expires_at, wanted, sent_sealed, because }
  return { code: await setCode(app, call, setting), expires_at, because }
}

async function currentOf(app: App, subject: Subject, kept: KeptCode): Promise<Current> {
  const { lease, holding, found, action } = subject
  if (action === 'regenerate_transfer_auth_code') return { do: 'set', code: null, because: 'asked' }
  const read = await lease.registry.readAuthInfo?.(holding.name, 'normal')
  if (read && read.kind !== 'done') throw registryUnreachable({ retry_after_s: 5 })
  return currentCode(app, {
    kept,
    shown: unmasked(read ? read.value.auth_info : found.auth_info),
    transferred: found.transferred_at !== null,
    now: app.calendar.now(),
  })
}
