// POST lock and unlock: whether another registrar may ask for the domain.
import Type from 'typebox'
import { type App, type Call, operation, owner } from '../../../app.ts'
import { oneOf } from '../../../kit/schema.ts'
import { domainNotFound, domainPending, registryUnreachable } from '../faults.ts'
import { lifeStatus } from '../holdings/lifecycle.ts'
import { requireHolding } from '../holdings/require-holding.ts'
import { statuses } from '../schemas.ts'
import { changeDomain } from '../updates/domain-update.ts'
import { lockStatus } from '../updates/update-diff.ts'
import {
  changeRefused,
  changeUnconfirmed,
  changeUnderWay,
  notChangeable,
} from '../updates/update-faults.ts'
import { domainInPath, hostOf } from './paid-request.ts'

const lockResponse = Type.Object(
  {
    domain: Type.String({ description: 'Lower-case A-labels.' }),
    locked: Type.Boolean({ description: `Our own lock, ${lockStatus}, is set.` }),
    transferable: Type.Boolean({
      description:
        'Neither our lock nor a status of the registry stands against a transfer to another ' +
        'registrar. The registry may still refuse one, as in the first 60 days.',
    }),
    status: oneOf(statuses),
    epp_statuses: Type.Array(Type.String(), { description: 'As the registry shows them.' }),
  },
  { title: 'DomainLockResponse' },
)

const common = {
  area: 'Domains',
  who: owner('domains:write'),
  takes: Type.Object({ domain: domainInPath }),
  gives: lockResponse,
  fails: [
    domainNotFound,
    domainPending,
    notChangeable,
    changeUnderWay,
    changeRefused,
    changeUnconfirmed,
    registryUnreachable,
  ],
  effect: 'own',
  target: ({ domain }: { domain: string }) => ({
    target_type: 'domain',
    target: domain.slice(0, 253),
  }),
} as const

const tool = {
  group: 'transfers and locks',
  examples: [{ domain: 'my-agent.com' }],
  idempotent: true,
  open_world: true,
} as const

export const lockDomain = operation({
  ...common,
  name: 'lock_domain',
  does: 'Lock one domain of yours: no other registrar can ask for it.',
  more: 'A domain that is locked already is left as it is.',
  at: 'POST /v1/domains/{domain}/lock',
  tools: [{ ...tool, title: 'Lock a domain', destructive: false }],
  run: (input, call, app) => setLock(app, call, { ...input, locked: true }),
})

export const unlockDomain = operation({
  ...common,
  name: 'unlock_domain',
  does: 'Unlock one domain of yours, so that it can be moved to another registrar.',
  more: 'Who moves it also needs its authorization code (get_transfer_auth_code).',
  at: 'POST /v1/domains/{domain}/unlock',
  tools: [{ ...tool, title: 'Unlock a domain', destructive: true }],
  run: (input, call, app) => setLock(app, call, { ...input, locked: false }),
})

/** Against a transfer (RFC 5731 section 2.3), besides our own lock. */
const forbidding = ['serverTransferProhibited', 'pendingTransfer', 'pendingDelete', lockStatus]

async function setLock(
  app: App,
  call: Call,
  { domain, locked }: { domain: string; locked: boolean },
) {
  const name = hostOf(domain)
  const action = locked ? 'lock_domain' : 'unlock_domain'
  const known = await requireHolding(call, name, action)
  const facts = { target_type: 'domain', target: name, metadata: { before: known.locked } }
  const holding = await changeDomain(app, call, { holding: known, action, wish: { locked }, facts })
  const { epp_statuses } = holding
  return {
    domain: name,
    locked: holding.locked,
    transferable: !epp_statuses.some((status) => forbidding.includes(status)),
    status: lifeStatus(holding, app.calendar.now()),
    epp_statuses: [...epp_statuses],
  }
}
