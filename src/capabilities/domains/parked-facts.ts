// What the registry shows of an order that needs a person, so that a person can judge.
import type { Static } from 'typebox'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { App } from '../../app.ts'
import { dateTime, nullable, oneOf, wordOf } from '../../kit/schema.ts'
import type { RegistryDomain } from '../../outside/registry/port.ts'
import { addYears } from './life.ts'
import { type Order, renewCommand } from './order.ts'
import { saleTypes } from './sale.ts'
import { isOfThisOrder } from './verdict.ts'

export const registryShows = Type.Object(
  {
    state: oneOf(['ours', 'theirs', 'absent', 'silent'] as const, {
      description: 'Whose the domain is; silent: the registry did not tell.',
    }),
    as_bought: Type.Boolean({
      description: 'It is ours, with all that the order was to bring: a release would be a gift.',
    }),
    detail: nullable(Type.String({ description: "The registry's words, where it has any." })),
    sponsor: nullable(Type.String({ description: 'The registrar that holds it.' })),
    created_at: nullable(dateTime('When it was registered.')),
    transferred_at: nullable(dateTime('When it last came to another registrar.')),
    expires_at: nullable(dateTime("The registry's expiry.")),
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
  detail: null,
  sponsor: null,
  created_at: null,
  transferred_at: null,
  expires_at: null,
  nameservers: [],
  epp_statuses: [],
  rgp_statuses: [],
}

/** Reads the order's domain at its registry; changes nothing. */
export async function lookAt(app: Pick<App, 'registries'>, order: Order): Promise<Shown> {
  const registry = app.registries.all().find(({ profile }) => profile.name === order.registry)
  const silent = (detail: string) => ({ facts: { ...nothing, detail }, found: null })
  if (!registry) return silent(`Registry ${order.registry} is not in the registries file.`)
  const read = await registry.read(order.domain, 'normal')
  switch (read.kind) {
    case 'done':
      return shownOf(order, read.value, registry.profile.client_id)
    case 'refused': {
      const { reason, message } = read
      if (reason === 'absent') return { ...silent(message), facts: { ...nothing, state: 'absent' } }
      if (reason !== 'not_ours') return silent(message)
      return { facts: { ...nothing, state: 'theirs', detail: message }, found: null }
    }
    case 'accepted':
      return silent('The registry answered a read with "action pending".')
    case 'unknown':
      return silent(read.message)
  }
}

function shownOf(order: Order, found: RegistryDomain, us: string): Shown {
  const ours = found.sponsor === us
  const { sponsor, created_at, transferred_at, expires_at } = found
  const { nameservers, epp_statuses, rgp_statuses } = found
  const facts = {
    state: ours ? ('ours' as const) : ('theirs' as const),
    as_bought: ours && bringsAll(order, found),
    detail: null,
    sponsor,
    created_at,
    transferred_at,
    expires_at,
    nameservers,
    epp_statuses,
    rgp_statuses,
  }
  return { facts, found }
}

const readRenewal = Compile(renewCommand)
const dayMs = 86_400_000

/**
 * Whether a domain of ours shows all that the order was to bring. Generous, for a warning: what
 * else could explain it is for the person to find out.
 */
export function bringsAll(
  order: Pick<Order, 'type' | 'command' | 'first_sent_at'>,
  found: RegistryDomain,
): boolean {
  const leaving =
    found.epp_statuses.includes('pendingDelete') || found.rgp_statuses.includes('redemptionPeriod')
  switch (wordOf(saleTypes, order.type)) {
    case 'register':
      return isOfThisOrder(found.created_at, order)
    case 'transfer':
      return found.transferred_at === null || isOfThisOrder(found.transferred_at, order)
    case 'restore':
      return !leaving
    case 'renew': {
      const { registry_expiry, send_years } = readRenewal.Parse(order.command)
      const wanted = addYears(new Date(registry_expiry), send_years).getTime()
      return !leaving && Date.parse(found.expires_at) > wanted - dayMs
    }
  }
}
