// I3: the registries' billed effects equal the captures, for each order and in total.
import type { AuditInput, Found, RegistryState } from './auditor-input.ts'

type Effect = RegistryState['effects'][number]
type Order = {
  id: string
  type: string
  domain: string
  state: string
  amount_cents: number
  fee_cents: number | null
  /** The years to request from the registry, or 0 if it had added the year by auto-renewal. */
  send_years: number
  period_years: number
}

const us = 'registrar-a'
const kinds: Record<string, Effect['kind']> = {
  register: 'create',
  renew: 'renew',
  transfer: 'transfer',
  restore: 'restore',
}

export function cents(amount: string): number {
  return Math.round(Number(amount) * 100)
}

/** Effects that were billed to us and not refunded. */
export function remaining(effects: readonly Effect[]): Effect[] {
  const given = new Set(effects.map(({ refunds }) => refunds))
  return effects.filter(
    ({ id, registrar, kind }) => registrar === us && kind !== 'refund' && !given.has(id),
  )
}

export async function auditEffects({ query, registryState }: AuditInput): Promise<Found> {
  const found: Found = { violations: [], lost_cents: 0, double_effects: 0 }
  const rows = await query(
    `select id, type, domain, state, amount::text as amount, command->'fee'->>'amount' as fee,
            command->>'send_years' as send_years, command->>'period_years' as period_years
       from orders`,
  )
  const orders: Order[] = rows.map((row) => ({
    id: String(row.id),
    type: String(row.type),
    domain: String(row.domain),
    state: String(row.state),
    amount_cents: Number(row.amount),
    fee_cents: row.fee === null ? null : cents(String(row.fee)),
    send_years: Number(row.send_years ?? 1),
    period_years: Number(row.period_years),
  }))
  const effects = remaining(registryState.effects)
  for (const one of givenBack(registryState.effects)) found.violations.push(one)
  for (const order of orders) auditOrder(found, order, effects)
  for (const effect of effects) auditOrigin(found, effect, orders)
  for (const key of new Set(orders.map(({ type, domain }) => `${type} ${domain}`)))
    auditDomain(found, key, { orders, effects })
  return found
}

/** Only an auto-renewed year may be refunded in these tests. */
function givenBack(effects: readonly Effect[]): string[] {
  const byId = new Map(effects.map((effect) => [effect.id, effect]))
  return effects
    .filter(({ refunds, registrar }) => refunds !== null && registrar === us)
    .filter(({ refunds }) => byId.get(refunds ?? '')?.kind !== 'autorenew')
    .map(({ domain, refunds }) => `I3 ${domain}: the registry gave back ${refunds}`)
}

/** The order in the clTRID of an effect, or undefined if the registry has none. */
function orderOf({ cl_trid }: Effect, orders: readonly Order[]): Order | undefined {
  return orders.find(({ id }) => cl_trid?.startsWith(`${id}-`))
}

function auditOrigin(found: Found, effect: Effect, orders: readonly Order[]): void {
  const { kind, domain, fee, cl_trid } = effect
  if (kind === 'autorenew' || cl_trid === null) return
  const order = orderOf(effect, orders)
  if (order && kinds[order.type] === kind && order.domain === domain) return
  found.violations.push(`I3 ${kind} of ${domain} for ${fee} is of no order (${cl_trid})`)
  found.lost_cents += cents(fee)
}

/** Each order has at most one effect, and exactly one, as acknowledged, if it is captured. */
function auditOrder(found: Found, order: Order, effects: readonly Effect[]): void {
  const own = effects.filter((effect) => effect.cl_trid?.startsWith(`${order.id}-`))
  const words = `${order.type} of ${order.domain} (${order.id}, ${order.state})`
  if (own.length > 1) {
    found.double_effects += own.length - 1
    found.violations.push(`I3 ${words} was done ${own.length} times`)
  }
  const fees = own.reduce((sum, { fee }) => sum + cents(fee), 0)
  // A duplicate effect is paid for once.
  if (order.state === 'succeeded') found.lost_cents += fees - cents(own[0]?.fee ?? '0')
  if (order.state === 'failed' && own.length > 0) {
    found.violations.push(`I3 ${words} was done and no customer paid`)
    found.lost_cents += fees
  }
  const [first] = own
  if (order.state !== 'succeeded' || !first) return
  const years = order.type === 'renew' ? order.send_years : order.period_years
  if (order.type !== 'restore' && first.years !== years)
    found.violations.push(`I3 ${words} was for ${first.years} years, not ${years}`)
  if (order.fee_cents !== null && order.fee_cents !== cents(first.fee))
    found.violations.push(`I3 ${words} cost ${first.fee}, acknowledged was ${order.fee_cents}`)
  if (order.amount_cents < cents(first.fee)) {
    found.violations.push(`I3 ${words} cost ${first.fee}, the customer paid ${order.amount_cents}`)
    found.lost_cents += cents(first.fee) - order.amount_cents
  }
}

type All = { orders: readonly Order[]; effects: readonly Effect[] }

/**
 * In total, each domain and kind has as many effects as captures. A captured renewal may pay for an
 * auto-renewed year; those years are counted with the holding (I8).
 */
function auditDomain(found: Found, key: string, { orders, effects }: All): void {
  const [type = '', domain = ''] = key.split(' ')
  const of = orders.filter((order) => order.type === type && order.domain === domain)
  const done = effects.filter((one) => one.kind === kinds[type] && one.domain === domain)
  const captured = of.filter(({ state }) => state === 'succeeded')
  const parked = of.filter(({ state }) => state === 'parked').length
  const added = effects.filter((one) => one.kind === 'autorenew' && one.domain === domain)
  const least = captured.length - (type === 'renew' ? added.length : 0)
  if (done.length > captured.length + parked) {
    found.violations.push(`I3 ${key}: ${done.length} done, ${captured.length} captured`)
    // If effects have an order id, each was counted above.
    const unnamed = done.filter(({ cl_trid }) => cl_trid === null)
    const spare = unnamed.slice(captured.length + parked)
    found.double_effects += captured.length > 0 ? spare.length : 0
    found.lost_cents += spare.reduce((sum, { fee }) => sum + cents(fee), 0)
  }
  if (done.length < least) {
    const paid = captured.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
    found.violations.push(`I3 ${key}: ${captured.length} captured, ${done.length} done`)
    found.lost_cents += done.length === 0 ? paid : 0
  }
}
