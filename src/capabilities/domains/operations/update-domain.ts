// Updates a domain, its name servers and its automatic renewal: PATCH /v1/domains/{domain}.

import Type, { type Static } from 'typebox'
import type { App, Call } from '../../../app.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { withDefault } from '../../../kit/schema.ts'
import { freshLogInNeeded, requireFreshSession } from '../../account/index.ts'
import { requestChanged } from '../../approvals/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import type { LimitedBy } from '../../limits/index.ts'
import { countPreflight, preflight } from '../dns/preflight/preflight.ts'
import { preflightLimited, preflightShape } from '../dns/preflight/preflight-shapes.ts'
import { changeStateShape } from '../dns/unconfirmed/confirmation.ts'
import { allowAutoRenew, autoRenewFaults } from '../expiry/allow-auto-renew.ts'
import { refuseLeaving } from '../expiry/refuse-leaving.ts'
import { domainNotFound, glueRequired, notChangeable, notRenewable } from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { hostOf, type Nameservers, nameserverFields, readNameservers } from '../names.ts'
import { statusWithOrder } from '../orders/order-presenter.ts'
import { lastOrder } from '../orders/orders.sql.ts'
import { domainStatus } from '../schemas.ts'
import { endWithChange, requireApproval } from '../updates/approved-change.ts'
import { refuseByState, updateHolding } from '../updates/domain-update.ts'
import {
  nameserverChangeUnconfirmed,
  nameserverSteps,
  nameserversRevertAfter,
} from '../updates/unconfirmed/nameserver-confirmation.ts'
import { setAutoRenew } from '../updates/updates.sql.ts'
import { waitingOfHolding } from '../updates/waiting/waiting.sql.ts'
import {
  notServedYet,
  shownWaiting,
  waitForServers,
  waitingShape,
} from '../updates/waiting/waiting.ts'
import { revertNameserversAfterField } from './dns/record-fields.ts'
import {
  approvalFaults,
  domainOperation,
  requireHolding,
  updateFaults,
} from './domain-operation.ts'
import { domainInPath } from './paid-request.ts'

const updatedDomain = Type.Object(
  {
    ...domainStatus.properties,
    preflight: Type.Optional(preflightShape),
    waiting: Type.Optional(waitingShape),
    change: Type.Optional(changeStateShape),
  },
  { title: 'UpdatedDomainResponse' },
)

export const updateDomain = domainOperation({
  name: 'update_domain',
  does: 'Change the name servers of one of your domains, or whether it renews automatically.',
  more:
    'Send at least one of the two; both are changed, or neither. Name servers are replaced as a ' +
    'whole, and only differences are sent to the registry, so the same request may be sent ' +
    'again. A key or an app needs domains:purchase to turn automatic renewal on, within its ' +
    'limits, which the renewals then count against. For name servers, a session needs a log-in ' +
    'within the last ten minutes.',
  at: 'PATCH /v1/domains/{domain}',
  scope: 'domains:write',
  takes: Type.Object(
    {
      domain: domainInPath,
      ...nameserverFields,
      auto_renew: Type.Optional(
        Type.Boolean({
          description: 'Whether to renew before it expires, from the balance, if that suffices.',
        }),
      ),
      dry_run: withDefault(
        Type.Boolean({
          description:
            'Whether to change nothing, and ask the present and new name servers ("preflight").',
        }),
        false,
      ),
      require_served: withDefault(
        Type.Boolean({
          description:
            'Whether to change them only once they serve the domain. The change waits for that ' +
            'for at most seven days, or until a newer change replaces it.',
        }),
        false,
      ),
      revert_after: revertNameserversAfterField,
    },
    { title: 'UpdateNameserversRequest' },
  ),
  gives: updatedDomain,
  fails: [
    ...[...updateFaults, ...approvalFaults, ...autoRenewFaults],
    ...[
      freshLogInNeeded,
      notChangeable,
      notRenewable,
      glueRequired,
      preflightLimited,
      notServedYet,
      nameserverChangeUnconfirmed,
    ],
  ],
  actionOf,
  at_least_one_of: ['nameservers', 'glue', 'auto_renew'],
  tools: [
    {
      name: 'update_nameservers',
      does:
        'Replace the name servers of one of your domains. Its DNS records here are kept, and ' +
        'served whenever all its name servers are ours. Only differences are sent to the ' +
        'registry, so the same call may be made again. Use dry_run first: it answers what would ' +
        'stop, and for how long the present ones have to go on. For ours, scan_dns_zone and ' +
        'import_dns_zone bring the records here before.',
      group: 'name servers and DNS',
      examples: [{ domain: 'my-agent.com', nameservers: ['ns1.example.net', 'ns2.example.net'] }],
      title: 'Change name servers',
      needs: ['domain', 'nameservers'],
      takes: ['glue', 'dry_run', 'require_served', 'revert_after'],
      destructive: true,
      idempotent: true,
    },
    {
      name: 'set_auto_renew',
      does: 'Set whether one of your domains renews automatically before expiry, from the balance.',
      group: 'registration',
      examples: [{ domain: 'my-agent.com', auto_renew: true }],
      title: 'Set automatic renewal',
      needs: ['domain', 'auto_renew'],
      takes: [],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run(input, call, app) {
    const domain = hostOf(input.domain)
    const { auto_renew } = input
    const { idn_exceptions: exceptions } = app.registries
    const desired = readNameservers(domain, input, { exceptions })
    const asked_at = app.clock.now()
    const after_ms = nameserversRevertAfter(desired, input)
    const order = await call.sql.maybe(lastOrder, { customer_id: call.customer_id, domain })
    const known = await requireHolding(
      call,
      domain,
      desired ? 'update_nameservers' : 'set_auto_renew',
    )
    await refuseLeaving(app, { holding: known, auto_renew, last_currency: order?.currency })
    if (input.dry_run) return dryRun(app, call, { known, desired, order })
    const asked = { domain, auto_renew, last_currency: order?.currency }
    if (desired) requireFreshSession(app, call)
    const timed = after_ms !== null && { revert_after: input.revert_after ?? null }
    const { by, needsApproval } = await allowAutoRenew(app, call, asked)
    const unprotected = needsApproval ? ('auto_renewal' as const) : null
    await requireApproval(app, call, {
      ...{
        action: 'update_domain',
        holding: known,
        input,
        request: { ...desired, auto_renew, ...timed },
      },
      reason: mayLose(known, { desired, auto_renew }) ? 'protected_domain' : unprotected,
    })
    const waiting = await waitWhereAsked(app, call, { known, desired, order, input, asked_at })
    if (waiting) return waiting
    const action = actionOf(input)
    const confirmed = desired && nameserverSteps(app, call, { holding: known, desired, after_ms })
    const holding = desired
      ? await updateHolding(app, call, {
          holding: known,
          action: 'update_nameservers',
          desired,
          auto_renew,
          auto_renew_by: by,
          ...(confirmed && { steps: confirmed.steps }),
          facts: {
            action,
            target_type: 'domain',
            target: domain,
            metadata: {
              ...desired,
              before: known.nameservers,
              ...(auto_renew === undefined ? {} : { auto_renew }),
              ...timed,
            },
          },
        })
      : await keepAutoRenew(app, call, { known, by, auto_renew: auto_renew ?? false })
    const change = confirmed?.change()
    return { ...statusWithOrder(holding, order, app.calendar.now()), ...(change && { change }) }
  },
})

type WaitAsked = DryRun & {
  input: { require_served: boolean; auto_renew?: boolean | undefined }
  asked_at: Date
}

/** Undefined if it is to be made now. The service sends an approved one again (decision 68). */
async function waitWhereAsked(
  app: App,
  call: Call,
  { known, desired, order, input, asked_at }: WaitAsked,
): Promise<Static<typeof updatedDomain> | undefined> {
  if (!desired || !input.require_served) return undefined
  if (input.auto_renew !== undefined) {
    const msg = 'Automatic renewal does not wait: send it in a request of its own'
    throw new InvalidInput([{ path: ['require_served'], msg, type: 'value_error' }])
  }
  refuseByState(app, { holding: known, action: 'update_nameservers' })
  if (!call.approval) await countPreflight(app, known)
  const found = await preflight(app, app.db, { holding: known, desired })
  if (found.served === true) return undefined
  if (call.approval) throw notServedYet({ retry_after_s: 300 })
  const waiting = await waitForServers(app, call, { holding: known, desired, asked_at })
  return { ...statusWithOrder(known, order, app.calendar.now()), preflight: found, waiting }
}

type DryRun = {
  known: Holding
  desired: Nameservers | undefined
  order: Parameters<typeof statusWithOrder>[1]
}

/** The checks that are possible without the registry, and the present answers of name servers. */
async function dryRun(
  app: App,
  call: Call,
  { known, desired, order }: DryRun,
): Promise<Static<typeof updatedDomain>> {
  refuseByState(app, { holding: known, action: desired ? 'update_nameservers' : 'set_auto_renew' })
  const status = statusWithOrder(known, order, app.calendar.now())
  const facts = { ...status, status: 'dry_run' as const, dry_run: true }
  if (!desired) return facts
  await countPreflight(app, known)
  const { id: domain_id, customer_id } = known
  const row = await call.sql.maybe(waitingOfHolding, { domain_id, customer_id })
  const found = await preflight(app, call.sql, { holding: known, desired })
  return { ...facts, preflight: found, ...(row && { waiting: shownWaiting(row) }) }
}

type Wanted = { desired: object | undefined; auto_renew: boolean | undefined }

/** Whether a protected domain gets other name servers, or loses automatic renewal. */
function mayLose(known: Holding, { desired, auto_renew }: Wanted): boolean {
  return known.protected && (desired !== undefined || (known.auto_renew && auto_renew === false))
}

/** The tool's name, if just one of them is given. */
function actionOf({ nameservers, auto_renew }: { nameservers?: unknown; auto_renew?: unknown }) {
  if (nameservers !== undefined && auto_renew !== undefined) return 'update_domain'
  return auto_renew === undefined ? 'update_nameservers' : 'set_auto_renew'
}

/** Automatic renewal needs the scope for purchases, because renewals spend money. */
const buying = { scope: 'domains:purchase' } as const

/** Stores automatic renewal alone, of which the registry knows nothing. */
function keepAutoRenew(
  app: App,
  call: Call,
  { known, by, auto_renew }: { known: Holding; by: LimitedBy; auto_renew: boolean },
): Promise<Holding> {
  const asked_at = app.clock.now()
  return app.db.transaction(async (sql) => {
    const holding = await sql.maybe(setAutoRenew, {
      id: known.id,
      customer_id: known.customer_id,
      auto_renew,
      ...by,
    })
    if (!holding) throw domainNotFound()
    await call.assertStillAllowed({ sql, domain: known.name, ...(auto_renew && buying) })
    await storeAuditRow(
      sql,
      call.auditRow({
        action: 'set_auto_renew',
        target_type: 'domain',
        target: known.name,
        result: 'success',
        metadata: { auto_renew },
      }),
    )
    const changed = { holding, parts: { auto_renew: true }, asked_at }
    if (!(await endWithChange(sql, call, changed))) throw requestChanged()
    return holding
  })
}
