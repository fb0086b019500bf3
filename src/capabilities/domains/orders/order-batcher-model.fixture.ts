// Model of the batcher, which takes one order after the other in memory: the reference for the
// database, which takes many at once.

import { addYears } from '../../../kit/clock.ts'
import type { Placement, PlacementResult, Settlement, SettlementResult } from './order-batcher.ts'

type Balance = { available: bigint; held: bigint }
type Order = { item: Placement; state: string; answer: object | null }
type Held = { customer_id: string; order_id: string; expiry: string } & Leaving
/** Its deletion was sent; the registry shows it in redemption, its restore not asked for. */
export type Leaving = { deleting: boolean; redemption: boolean }
type Key = { order_id: string; old: boolean }

const gains = (type: string) => type === 'register' || type === 'transfer'
export const balanceKey = (one: { customer_id: string; currency: string }) =>
  `${one.customer_id} ${one.currency}`
const keyKey = ({ customer_id, idempotency_key }: Placement) => `${customer_id} ${idempotency_key}`

export class OrderBatcherModel {
  readonly balances = new Map<string, Balance>()
  readonly orders = new Map<string, Order>()
  readonly holdings = new Map<string, Held>()
  readonly keys = new Map<string, Key>()
  /** By holder, as long as its contacts are in use. */
  readonly contacts = new Set<string>()
  /** The effect of each order on money, in order. */
  readonly entries: string[] = []
  auditRows = 0

  /** In the order of domains, those of one domain in that of their ids. */
  place(items: readonly Placement[]): Map<Placement, PlacementResult> {
    const inOrder = items.toSorted((a, b) =>
      a.domain === b.domain ? (a.id < b.id ? -1 : 1) : a.domain < b.domain ? -1 : 1,
    )
    return new Map(inOrder.map((item) => [item, this.#placeOne(item)]))
  }

  #placeOne(item: Placement): PlacementResult {
    const key = item.idempotency_key === null ? undefined : this.keys.get(keyKey(item))
    const isOpen = key && this.orders.get(key.order_id)?.state === 'pending'
    if (key && (isOpen || !key.old)) return this.#met('known_key', key.order_id, item)
    if (!this.#fenceHolds(item)) return { outcome: 'fence_mismatch' }
    const open = this.openOrder(item.domain)
    if (open) return this.#met('open_order', open.item.id, item)
    const balance = this.balances.get(balanceKey(item))
    const amount = BigInt(item.amount)
    if (!balance || balance.available < amount)
      return { outcome: 'insufficient_funds', available: balance?.available ?? 0n }
    this.#move(item, 'hold')
    this.orders.set(item.id, { item, state: 'pending', answer: null })
    if (item.idempotency_key !== null)
      this.keys.set(keyKey(item), { order_id: item.id, old: false })
    if (Object.keys(item.contacts).length > 0) this.contacts.add(item.id)
    this.auditRows += 1
    return { outcome: 'placed' }
  }

  /** Its own order exists already, by an earlier try whose commit was lost. */
  #met(outcome: 'known_key' | 'open_order', order_id: string, { id }: Placement): PlacementResult {
    return order_id === id ? { outcome: 'placed' } : { outcome, order_id }
  }

  #fenceHolds({ domain, customer_id, fence, type }: Placement): boolean {
    const held = this.holdings.get(domain)
    if (fence === null) return held?.customer_id !== customer_id
    if (held?.customer_id !== customer_id || held.expiry !== fence) return false
    return type === 'restore' ? held.redemption : !held.deleting
  }

  openOrder(domain: string): Order | undefined {
    return [...this.orders.values()].find(
      ({ item, state }) => item.domain === domain && state === 'pending',
    )
  }

  #move(item: Placement, type: 'hold' | 'capture' | 'release'): void {
    const balance = this.balances.get(balanceKey(item))
    if (!balance) throw new Error('Money moves only where there is some')
    const amount = BigInt(item.amount)
    balance.held += type === 'hold' ? amount : -amount
    if (type !== 'capture') balance.available += type === 'hold' ? -amount : amount
    this.entries.push(`${item.id} ${type} ${item.amount}`)
  }

  settle(items: readonly Settlement[]): SettlementResult[] {
    return items.map((item) => this.#settleOne(item))
  }

  #settleOne(settling: Settlement): SettlementResult {
    const order = this.orders.get(settling.order_id)
    if (!order) throw new Error('Only what was placed is settled')
    if (order.state !== 'pending') return { outcome: 'closed', state: order.state }
    if (!settling.succeeded && settling.lease_token !== order.item.lease_token)
      return { outcome: 'taken_over', state: order.state }
    this.#move(order.item, settling.succeeded ? 'capture' : 'release')
    order.state = settling.succeeded ? 'succeeded' : 'failed'
    const keyed = [...this.keys.values()].some(({ order_id }) => order_id === order.item.id)
    if (keyed) order.answer = settling.answer
    if (settling.holding) this.#hold(order.item, settling.holding.paid_until)
    else this.contacts.delete(order.item.id)
    this.auditRows += 1
    return { outcome: 'settled', state: order.state }
  }

  #hold({ id, type, domain, customer_id }: Placement, expiry: string): void {
    const held = this.holdings.get(domain)
    if (gains(type)) {
      if (held) this.contacts.delete(held.order_id)
      const leaving = { deleting: false, redemption: false }
      this.holdings.set(domain, { customer_id, order_id: id, expiry, ...leaving })
    } else if (held?.customer_id === customer_id) {
      held.expiry = addYears(new Date(held.expiry), 1).toISOString()
      held.deleting = false
      held.redemption = false
    }
  }
}
