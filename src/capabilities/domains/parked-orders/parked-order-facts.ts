// The registry state of a parked order, for the operator's decision.

import Type, { type Static } from 'typebox'
import type { Registry, RegistryDomain, RegistryTransfer } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import { dateTime, nullable, oneOf } from '../../../kit/schema.ts'
import type { Order } from '../orders/order.ts'
import { datedByOrder } from '../orders/reconcile/computed-expiry.ts'
import { isAsBought, isBilled } from './parked-order-evidence.ts'
import { holderOfName } from './parked-orders.sql.ts'

export const registryShows = Type.Object(
  {
    state: oneOf(['ours', 'theirs', 'absent', 'silent'] as const, {
      description:
        'The holder of the domain. silent: the registry did not answer, refused the read, or ' +
        'gave an answer that shows no holder; detail says which.',
    }),
    as_bought: Type.Boolean({
      description: 'Whether the domain is ours and matches the order.',
    }),
    billed: Type.Boolean({
      description:
        'Whether the order was or is being done at our cost, so that a release would give the ' +
        'domain away free of charge.',
    }),
    detail: nullable(
      Type.String({ description: "The registry's message, or why it shows no holder, if any." }),
    ),
    sponsor: nullable(Type.String({ description: 'The registrar that holds it.' })),
    created_at: nullable(dateTime('When it was registered.')),
    transferred_at: nullable(dateTime('When it last moved to another registrar.')),
    expires_at: nullable(dateTime('The expiry at the registry.')),
    transfer: nullable(
      Type.Object(
        {
          status: Type.String({
            description: 'The status in terms of RFC 5731, such as clientApproved.',
          }),
          requested_by: Type.String({ description: 'The registrar that requested it.' }),
          requested_at: dateTime('When it was requested.'),
          acts_at: dateTime('When it was answered, or will be by the registry itself.'),
        },
        { title: 'RegistryTransfer' },
      ),
    ),
    nameservers: Type.Array(Type.String()),
    epp_statuses: Type.Array(Type.String()),
    rgp_statuses: Type.Array(Type.String()),
  },
  { title: 'RegistryShows' },
)
export type Shown = { facts: Static<typeof registryShows>; found: RegistryDomain | null }

const nothing: Shown['facts'] = {
  state: 'silent',
  as_bought: false,
  billed: false,
  detail: null,
  sponsor: null,
  created_at: null,
  transferred_at: null,
  expires_at: null,
  transfer: null,
  nameservers: [],
  epp_statuses: [],
  rgp_statuses: [],
}

/** Reads the order's domain, and its transfer, at the registry; changes nothing. */
export async function readRegistryState(
  app: Pick<App, 'registries' | 'db' | 'calendar'>,
  order: Order,
): Promise<Shown> {
  const registry = app.registries.byName.get(order.registry)
  if (!registry) return silent(`Registry ${order.registry} is not in the registries file.`)
  const read = await registry.read(order.domain, 'normal')
  switch (read.kind) {
    case 'done':
      return shownOf(app, {
        ...{ order, registry, state: null, detail: null },
        found: datedByOrder(order, read.value, app.calendar.now()),
      })
    case 'refused': {
      const { reason, message: detail } = read
      if (reason !== 'absent' && reason !== 'not_ours') return silent(detail)
      const state = reason === 'absent' ? 'absent' : 'theirs'
      const words = reason === 'absent' ? null : detail
      return shownOf(app, { order, registry, state, detail: words, found: null })
    }
    case 'accepted':
      return silent('The registry answered a read with "action pending".')
    case 'unknown':
      return silent(read.message)
  }
}

const silent = (detail: string): Shown => ({ facts: { ...nothing, detail }, found: null })

type ReadBack = {
  order: Order
  registry: Registry
  /** Null if its sponsor decides. */
  state: 'absent' | 'theirs' | null
  detail: string | null
  found: RegistryDomain | null
}

async function shownOf(app: Pick<App, 'db'>, looking: ReadBack): Promise<Shown> {
  const { order, registry, detail, found } = looking
  const query = await transferOf(registry, order)
  if (query.kind === 'silent') return silent(query.message)
  const { transfer } = query
  const us = registry.profile.client_id
  const held = (await app.db.maybe(holderOfName, { name: order.domain })) !== undefined
  const evidence = { found, transfer, us, held }
  const facts = {
    ...nothing,
    state: looking.state ?? (found?.sponsor === us ? ('ours' as const) : ('theirs' as const)),
    as_bought: isAsBought(order, evidence),
    billed: isBilled(order, evidence),
    detail,
    ...(found && domainFacts(found)),
    transfer: transfer && transferFacts(transfer),
  }
  return { facts, found }
}

function domainFacts(found: RegistryDomain) {
  const { sponsor, created_at, transferred_at, expires_at } = found
  const { nameservers, epp_statuses, rgp_statuses } = found
  const times = { created_at, transferred_at, expires_at }
  return { sponsor, ...times, nameservers, epp_statuses, rgp_statuses }
}

function transferFacts({ status, requested_by, requested_at, acts_at }: RegistryTransfer) {
  return { status, requested_by, requested_at, acts_at }
}

type Transfer =
  | { kind: 'answered'; transfer: RegistryTransfer | null }
  | { kind: 'silent'; message: string }

/** Asked for a transfer alone: a registry that knows of none refuses the query. */
async function transferOf(registry: Registry, { type, domain }: Order): Promise<Transfer> {
  if (type !== 'transfer') return { kind: 'answered', transfer: null }
  const query = await registry.transferQuery(domain, 'normal')
  if (query.kind === 'unknown') return { kind: 'silent', message: query.message }
  return { kind: 'answered', transfer: query.kind === 'done' ? query.value : null }
}
