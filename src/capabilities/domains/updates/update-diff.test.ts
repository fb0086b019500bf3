// The difference between the wanted state and the registry's: all of it, and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isWithin } from '../names.ts'
import {
  type DesiredState,
  type Difference,
  differenceOf,
  forbiddingStatus,
  hostsWithoutGlue,
  lockStatus,
  type ShownDomain,
} from './update-diff.ts'

const domain = 'a.com'
const hosts = ['ns1.a.com', 'ns2.a.com', 'ns1.b.net', 'ns2.b.net', 'nsa.com', 'ns.x.a.com']
const addresses = ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']
const someHosts = fc.uniqueArray(fc.constantFrom(...hosts), { maxLength: 6 })
const someAddresses = fc.uniqueArray(fc.constantFrom(...addresses), { minLength: 1, maxLength: 3 })

function glueOf(among: readonly string[], picks: readonly (readonly string[] | undefined)[]) {
  const own = among.filter((host) => isWithin(domain, host))
  const addresses = own.flatMap((host, i) => {
    const pick = picks[i]
    return pick ? [[host, pick] as const] : []
  })
  return Object.fromEntries(addresses)
}

const all_client = [
  'clientUpdateProhibited',
  'clientDeleteProhibited',
  'clientRenewProhibited',
  'clientHold',
]
const picks = fc.array(fc.option(someAddresses, { nil: undefined }), { minLength: 3, maxLength: 3 })
const shown: fc.Arbitrary<ShownDomain> = fc
  .tuple(someHosts, picks, fc.boolean(), fc.option(fc.constant(new Date(0))))
  .map(([nameservers, some, locked, lift_hold_at]) => ({
    nameservers,
    glue: glueOf(nameservers, some),
    epp_statuses: locked ? ['clientHold', lockStatus] : ['ok'],
    lift_hold_at,
  }))
const desired: fc.Arbitrary<DesiredState> = fc
  .tuple(fc.option(someHosts), picks, fc.option(fc.boolean()))
  .map(([nameservers, some, locked]) => ({
    ...(nameservers && { nameservers, glue: glueOf(nameservers, some) }),
    ...(locked !== null && { locked }),
  }))

/** Applies it as a registry does, which refuses to add existing and to remove missing values. */
function applied(before: ShownDomain, { nameservers, statuses }: Difference): ShownDomain {
  const { add = [], remove = [], glue = {} } = nameservers ?? {}
  for (const host of add) assert.ok(!before.nameservers.includes(host), `${host} is there already`)
  for (const host of remove) assert.ok(before.nameservers.includes(host), `${host} is not there`)
  for (const status of statuses?.add ?? []) assert.ok(!before.epp_statuses.includes(status))
  for (const status of statuses?.remove ?? []) assert.ok(before.epp_statuses.includes(status))
  const kept = before.nameservers.filter((host) => !remove.includes(host))
  const names = [...kept, ...add]
  for (const host of Object.keys(glue)) assert.ok(names.includes(host), `${host} has no use`)
  const left = before.epp_statuses.filter((status) => !statuses?.remove.includes(status))
  return {
    nameservers: names,
    glue: { ...before.glue, ...glue },
    epp_statuses: [...left, ...(statuses?.add ?? [])],
    lift_hold_at: before.lift_hold_at,
  }
}

test('statuses that others left go, the prohibition of updates alone and first', () => {
  const some = fc.subarray([...all_client, lockStatus, 'serverHold', 'inactive'])
  const cases = fc.tuple(shown, some, fc.option(fc.boolean(), { nil: undefined }))
  fc.assert(
    fc.property(cases, ([at, epp_statuses, locked]) => {
      const before = { ...at, epp_statuses }
      const wanted = { cleared: true, ...(locked !== undefined && { locked }) } as const
      let now: ShownDomain = before
      for (let rounds = 0; ; rounds += 1) {
        assert.ok(rounds <= 2, 'two updates at the most')
        const difference = differenceOf(wanted, now)
        if (!difference) break
        const { remove = [], add = [] } = difference.statuses ?? {}
        const isFirst = now.epp_statuses.includes('clientUpdateProhibited')
        if (isFirst) assert.deepEqual([remove, add], [['clientUpdateProhibited'], []])
        now = applied(now, difference)
      }
      const isHeld = before.lift_hold_at !== null && epp_statuses.includes('clientHold')
      const stay = ['serverHold', 'inactive', ...(isHeld ? ['clientHold'] : [])]
      assert.deepEqual(
        now.epp_statuses.filter((status) => status !== lockStatus).toSorted(),
        stay.filter((status) => epp_statuses.includes(status)).toSorted(),
      )
      const isLocked = now.epp_statuses.includes(lockStatus)
      assert.equal(isLocked, locked ?? epp_statuses.includes(lockStatus))
    }),
  )
})

test('the update produces the wanted state, and then nothing is left to send', () => {
  fc.assert(
    fc.property(desired, shown, (wanted, before) => {
      const difference = differenceOf(wanted, before)
      const after = difference ? applied(before, difference) : before
      assert.equal(differenceOf(wanted, after), null)
      if (wanted.nameservers)
        assert.deepEqual([...after.nameservers].sort(), [...wanted.nameservers].sort())
      else assert.equal(after.nameservers, difference ? after.nameservers : before.nameservers)
      if (wanted.locked !== undefined)
        assert.equal(after.epp_statuses.includes(lockStatus), wanted.locked)
      for (const [host, given] of Object.entries(wanted.glue ?? {}))
        assert.deepEqual([...(after.glue[host] ?? [])].sort(), [...given].sort())
    }),
    { numRuns: 2_000 },
  )
})

test('values that are not requested stay unchanged', () => {
  fc.assert(
    fc.property(desired, shown, ({ locked: _, ...wanted }, before) => {
      assert.equal(differenceOf(wanted, before)?.statuses, undefined)
      assert.equal(differenceOf({}, before), null)
      assert.equal(differenceOf({ nameservers: [...before.nameservers].reverse() }, before), null)
    }),
  )
})

test('takes another notation of an address for the same address', () => {
  const before = {
    nameservers: ['ns1.a.com'],
    epp_statuses: [],
    lift_hold_at: null,
    glue: { 'ns1.a.com': ['2001:DB8:0::1'] },
  }
  const wanted = { nameservers: ['ns1.a.com'], glue: { 'ns1.a.com': ['2001:db8::1'] } }
  assert.equal(differenceOf(wanted, before), null)
  const other = { ...wanted, glue: { 'ns1.a.com': ['192.0.2.1'] } }
  assert.deepEqual(differenceOf(other, before), {
    nameservers: { add: [], remove: [], glue: other.glue },
  })
})

test('only the domain itself and hosts below it need addresses, and only without a known one', () => {
  assert.deepEqual(
    hosts.filter((host) => isWithin(domain, host)),
    ['ns1.a.com', 'ns2.a.com', 'ns.x.a.com'],
  )
  assert.ok(isWithin(domain, domain))
  assert.ok(!isWithin(domain, `x${domain}`))
  const itself = { nameservers: [domain] }
  assert.deepEqual(hostsWithoutGlue(domain, itself, { glue: {} }), [domain])
  assert.deepEqual(hostsWithoutGlue(domain, itself, { glue: { [domain]: ['192.0.2.1'] } }), [])
  const before = { glue: { 'ns1.a.com': ['192.0.2.1'] } }
  const wanted = { nameservers: hosts, glue: { 'ns2.a.com': ['192.0.2.2'] } }
  assert.deepEqual(hostsWithoutGlue(domain, wanted, before), ['ns.x.a.com'])
  assert.deepEqual(hostsWithoutGlue(domain, { locked: true }, before), [])
})

test('recognizes the statuses under which a registry takes no update', () => {
  const epp = (...epp_statuses: string[]) => forbiddingStatus({ epp_statuses, rgp_statuses: [] })
  const rgp = (...rgp_statuses: string[]) => forbiddingStatus({ epp_statuses: [], rgp_statuses })
  for (const status of [
    'ok',
    'inactive',
    'clientHold',
    lockStatus,
    'serverTransferProhibited',
    'serverHold',
    'pendingRenew',
  ])
    assert.equal(epp(status), undefined, status)
  for (const status of [
    'pendingTransfer',
    'pendingDelete',
    'pendingUpdate',
    'serverUpdateProhibited',
    'clientUpdateProhibited',
  ])
    assert.equal(epp('clientHold', status), status)
  for (const status of ['addPeriod', 'autoRenewPeriod', 'renewPeriod', 'transferPeriod'])
    assert.equal(rgp(status), undefined, status)
  for (const status of ['redemptionPeriod', 'pendingRestore', 'pendingDelete'])
    assert.equal(rgp(status), status)
})
