// Sets or removes the transfer lock of a domain: POST /v1/domains/{domain}/lock and /unlock.

import Type from 'typebox'
import type { RegistryDomain } from '../../../adapters/registry/port.ts'
import type { App, Call } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { DomainName } from '../../../kit/random.ts'
import { oneOf, stringOf } from '../../../kit/schema.ts'
import { freshLogInNeeded, requireFreshSession } from '../../account/index.ts'
import { noteLockSince } from '../dns/unconfirmed/nameserver-confirmations.sql.ts'
import { notChangeable } from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { lifecycleStatus } from '../holdings/lifecycle.ts'
import { hostOf, registryOf } from '../names.ts'
import { nextAction, statuses } from '../schemas.ts'
import { requireApproval } from '../updates/approved-change.ts'
import { updateHolding } from '../updates/domain-update.ts'
import {
  arrivalOf,
  prohibitedUntil,
  prohibitedUntilField,
  waitForTransfer,
} from '../updates/transfer-prohibition.ts'
import { lockStatus } from '../updates/update-diff.ts'
import {
  approvalFaults,
  domainOperation,
  requireHolding,
  updateFaults,
} from './domain-operation.ts'

const lockResponse = Type.Object(
  {
    domain: stringOf<DomainName>({ description: 'Lower-case A-labels.' }),
    locked: Type.Boolean({ description: `Whether our own lock, ${lockStatus}, is set.` }),
    transferable: Type.Boolean({
      description:
        'Whether neither our lock nor a status of the registry prevents a transfer to another ' +
        'registrar. See also transfer_prohibited_until.',
    }),
    transfer_prohibited_until: prohibitedUntilField,
    status: oneOf(statuses),
    epp_statuses: Type.Array(Type.String(), {
      description: 'The statuses that the registry shows.',
    }),
    next_actions: Type.Array(nextAction),
  },
  { title: 'DomainLockResponse' },
)

const common = {
  scope: 'domains:write',
  gives: lockResponse,
  fails: [...updateFaults, ...approvalFaults, notChangeable],
} as const

const tool = { group: 'transfers and locks', idempotent: true } as const

export const lockDomain = domainOperation({
  ...common,
  name: 'lock_domain',
  does: 'Lock one of your domains against transfers to other registrars.',
  more: 'A domain that is locked already stays unchanged.',
  at: 'POST /v1/domains/{domain}/lock',
  tools: [{ ...tool, title: 'Lock a domain', destructive: false }],
  run: (input, call, app) => setLock(app, call, { ...input, locked: true }),
})

export const unlockDomain = domainOperation({
  ...common,
  name: 'unlock_domain',
  does: 'Unlock one of your domains, so that it can be transferred to another registrar.',
  more:
    'The transfer also needs its authorization code (get_transfer_auth_code). Any other client ' +
    'status that a former registrar left is removed, too, such as clientUpdateProhibited.',
  at: 'POST /v1/domains/{domain}/unlock',
  fails: [freshLogInNeeded, ...common.fails],
  tools: [{ ...tool, title: 'Unlock a domain', destructive: true }],
  run: (input, call, app) => setLock(app, call, { ...input, locked: false }),
})

/** The statuses that prevent a transfer (RFC 5731 section 2.3), besides our own lock. */
const forbidding = ['serverTransferProhibited', 'pendingTransfer', 'pendingDelete', lockStatus]

async function transferProhibition(app: App, holding: Holding, found: RegistryDomain | undefined) {
  const registry = registryOf(app, holding.name)
  if (!registry || !found) return null
  const transferred_at = await arrivalOf(app, registry, { holding, found })
  return prohibitedUntil(app, registry, { ...found, transferred_at })
}

async function setLock(
  app: App,
  call: Call,
  { domain, locked }: { domain: DomainName; locked: boolean },
) {
  const name = hostOf(domain)
  const action = locked ? 'lock_domain' : 'unlock_domain'
  const known = await requireHolding(call, name, action)
  if (!locked) requireFreshSession(app, call)
  if (!locked) await requireApproval(app, call, { action, holding: known, input: { domain } })
  const facts = { target_type: 'domain', target: name, metadata: { before: known.locked } }
  let shown: RegistryDomain | undefined
  const isByOwner = locked && !known.locked && call.caller.kind === 'customer'
  const steps = { stored: (sql: Sql) => sql.run(noteLockSince, { domain_id: known.id }) }
  const holding = await updateHolding(app, call, {
    holding: known,
    action,
    desired: locked ? { locked } : { locked, cleared: true },
    facts,
    ...(isByOwner && { steps }),
    onReading: (found) => {
      shown = found
    },
  })
  const until = await transferProhibition(app, holding, shown)
  const { epp_statuses } = holding
  return {
    domain: name,
    locked: holding.locked,
    transferable: !epp_statuses.some((status) => forbidding.includes(status)),
    transfer_prohibited_until: until,
    status: lifecycleStatus(holding, app.calendar.now()),
    epp_statuses: [...epp_statuses],
    next_actions: until === null || locked ? [] : [waitForTransfer(until)],
  }
}
