// Evidence of every kind of order beside every registry state of its domain: whether it is as
// bought, and whether it is billed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RegistryDomain, RegistryTransfer } from '../../../adapters/registry/port.ts'
import { type OrderType, orderTypes } from '../orders/order.ts'
import { type Evidence, isAsBought, isBilled } from './parked-order-evidence.ts'

const sent = '2026-05-01T12:00:00Z'
const later = '2026-05-01T12:00:01Z'
const before = '2020-01-01T00:00:00Z'

/** Bought by none of the orders: ours for years, not renewed, held by its buyer. */
const found: RegistryDomain = {
  domain: 'a.com',
  roid: 'D1',
  sponsor: 'us',
  created_at: before,
  updated_at: null,
  expires_at: '2027-05-01T12:00:01Z',
  epp_statuses: ['ok'],
  rgp_statuses: [],
  nameservers: [],
  registrant: null,
  contacts: [],
  auth_info: null,
  transferred_at: null,
}

function transferOf(change: Partial<RegistryTransfer>): RegistryTransfer {
  return {
    domain: 'a.com',
    status: 'pending',
    requested_by: 'us',
    requested_at: later,
    acts: 'them',
    acts_at: later,
    expires_at: null,
    ...change,
  }
}

const commands: Record<OrderType, object> = {
  register: {},
  transfer: {},
  restore: {},
  renew: {
    period_years: 2,
    paid_until: found.expires_at,
    registry_expiry: found.expires_at,
    send_years: 2,
    fee: null,
  },
}
const orderOf = (type: OrderType, change = {}) => ({
  type,
  command: { ...commands[type], ...change },
  first_sent_at: new Date(sent),
})

const domain = (change: Partial<RegistryDomain>, more: Partial<Evidence> = {}): Evidence => {
  return { found: { ...found, ...change }, transfer: null, us: 'us', held: true, ...more }
}
const gone: Evidence = { found: null, transfer: null, us: 'us', held: false }
const transferred = (change: Partial<RegistryTransfer>, more: Partial<Evidence> = {}): Evidence => {
  return { ...gone, transfer: transferOf(change), ...more }
}

/** By kind of order: - nothing of it, B billed and not all there, A all as bought (and billed). */
type Mark = '-' | 'B' | 'A'
type Row = [string, Evidence, Record<OrderType, Mark>]
const row = (shows: string, evidence: Evidence, marks: string): Row => {
  const [register, renew, transfer, restore] = marks.split(' ')
  const mark = (text: string | undefined): Mark => (text === 'A' || text === 'B' ? text : '-')
  const each = { register: mark(register), renew: mark(renew) }
  return [shows, evidence, { ...each, transfer: mark(transfer), restore: mark(restore) }]
}

// In each row: register, renew, transfer, restore.
const rows: Row[] = [
  row('nothing', gone, '- - - -'),
  row("another's", domain({ sponsor: 'them', created_at: later }), '- - - -'),
  row('ours for years, held', domain({}), '- - - A'),
  row('ours for years, no customer holds it', domain({}, { held: false }), 'B - B A'),
  row('ours since the order', domain({ created_at: later }, { held: false }), 'A - B A'),
  row('being created', domain({ created_at: later, epp_statuses: ['pendingCreate'] }), 'B - - A'),
  row('two years more', domain({ expires_at: '2029-05-01T12:00:01Z' }), '- A - A'),
  row('one year more', domain({ expires_at: '2028-05-01T12:00:01Z' }), '- - - A'),
  row('being renewed', domain({ epp_statuses: ['pendingRenew'] }), '- B - A'),
  row(
    'two years more, and being deleted',
    domain({ expires_at: '2029-05-01T12:00:01Z', epp_statuses: ['pendingDelete'] }),
    '- - - -',
  ),
  row('in redemption', domain({ rgp_statuses: ['redemptionPeriod'] }), '- - - -'),
  row(
    'restored, not reported',
    domain({ rgp_statuses: ['pendingRestore'], epp_statuses: ['pendingDelete'] }),
    '- - - B',
  ),
  row('came with the order', domain({ transferred_at: later }), '- - A A'),
  row('came before the order', domain({ transferred_at: before }), '- - - A'),
  row(
    'came before the order, unheld',
    domain({ transferred_at: before }, { held: false }),
    'B - B A',
  ),
  ...(['clientApproved', 'serverApproved'] as const).flatMap((status) => [
    row(`${status}, ours`, domain({}, { transfer: transferOf({ status }) }), '- - A A'),
    row(
      `${status}, ours, long before the order by the registry's clock`,
      domain(
        { transferred_at: before },
        { transfer: transferOf({ status, requested_at: before }) },
      ),
      '- - A A',
    ),
    row(`${status}, and not shown as ours yet`, transferred({ status }), '- - B -'),
    row(`${status} for another`, transferred({ status, requested_by: 'them' }), '- - - -'),
  ]),
  ...(['clientRejected', 'clientCancelled', 'serverCancelled', 'pending'] as const).map((status) =>
    row(status, transferred({ status }), '- - - -'),
  ),
]

test('as bought, billed, or neither', () => {
  for (const [shows, evidence, marks] of rows)
    for (const type of orderTypes) {
      const [all, billed] = [isAsBought(orderOf(type), evidence), isBilled(orderOf(type), evidence)]
      assert.ok(billed || !all, 'what is as bought is billed')
      assert.equal(all ? 'A' : billed ? 'B' : '-', marks[type], `${type}: ${shows}`)
    }
})

test('a renewal that sends nothing is as bought while its year is there', () => {
  const paysOnly = orderOf('renew', { send_years: 0 })
  assert.equal(isAsBought(paysOnly, domain({})), true)
  assert.equal(isAsBought(paysOnly, domain({ expires_at: '2026-05-01T12:00:01Z' })), false)
})
