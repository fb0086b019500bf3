// Updates of a domain (PATCH) through a whole service: the registry gets the difference, in both
// host models; automatic renewal goes with it, or not at all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateService } from '../../updates/updates.fixture.ts'

const registrar = await updateService()
const { owner, call, count, log, sandbox } = registrar
const two = ['ns1.first.net', 'ns2.first.net']
const others = ['ns2.first.net', 'ns1.second.org', 'ns2.second.org']
const patch = (domain: string) => `PATCH /v1/domains/${domain}`
const shownBy = (domain: string) => sandbox.lookup(domain)?.nameservers.toSorted()

for (const [model, domain] of [
  ['attributes', 'plain.com'],
  ['objects', 'plain.io'],
] as const)
  test(`where hosts are ${model}, just the difference is sent, once`, async () => {
    await registrar.buys(owner, domain, { nameservers: two })
    const before = count('domain:update')
    const at = patch(domain)
    const first = await call('200', at, { nameservers: ['NS2.First.net.', ...others.slice(1)] })
    assert.deepEqual(first.nameservers.toSorted(), others.toSorted())
    assert.deepEqual(shownBy(domain), others.toSorted())
    assert.equal(count('domain:update'), before + 1)
    await call('200', at, { nameservers: others.toReversed() })
    assert.equal(count('domain:update'), before + 1, 'the same again sends nothing')
    assert.deepEqual((await log(domain)).slice(-2), [
      'update_nameservers success',
      'update_nameservers success',
    ])
    const [row] = await registrar.query(
      `select metadata from audit_logs
        where target = $1 and action = 'update_nameservers' order by id limit 1`,
      [domain],
    )
    assert.deepEqual(Object(row?.metadata).before, two)
    assert.deepEqual(Object(row?.metadata).nameservers, others)
  })

for (const [model, domain] of [
  ['attributes', 'glued.com'],
  ['objects', 'glued.io'],
] as const)
  test(`where hosts are ${model}, name servers below the domain bring addresses`, async () => {
    await registrar.buys(owner, domain, { nameservers: two })
    const own = [`ns1.${domain}`, `ns2.${domain}`]
    const at = patch(domain)
    const before = count('domain:update')
    const bare = await call('409 glue_required', at, { nameservers: [...own, 'ns1.first.net'] })
    assert.deepEqual([bare.hosts, count('domain:update')], [own, before])
    const glue = { [own[0] ?? '']: ['192.0.2.1', '2A00:1450::1'], [own[1] ?? '']: ['192.0.2.2'] }
    const half = { [own[0] ?? '']: ['192.0.2.1'] }
    const lacking = await call('409 glue_required', at, { nameservers: own, glue: half })
    assert.deepEqual(lacking.hosts, [own[1]])
    const set = await call('200', at, { nameservers: own, glue })
    assert.deepEqual(set.nameservers.toSorted(), own)
    await call('200', at, { nameservers: [...own, 'ns1.first.net'] })
    assert.deepEqual(shownBy(domain), [...own, 'ns1.first.net'].toSorted(), 'addresses are known')
    const sent = () => count('domain:update') + count('host:update')
    const still = sent()
    const same = { ...glue, [own[0] ?? '']: ['2a00:1450::1', '192.0.2.1'] }
    await call('200', at, { nameservers: [...own, 'ns1.first.net'], glue: same })
    assert.equal(sent(), still, 'the same addresses in other words')
    const moved = { [own[1] ?? '']: ['192.0.2.9'] }
    await call('200', at, { nameservers: [...own, 'ns1.first.net'], glue: moved })
    assert.equal(sent(), still + 1)
  })

test('a host object below an unregistered domain is refused by the registry', async () => {
  const domain = 'hosts.io'
  await registrar.buys(owner, domain, { nameservers: two })
  const nameservers = ['ns1.first.net', 'ns1.unregistered.io']
  const refused = await call('409 change_refused', patch(domain), { nameservers })
  assert.match(refused.detail, /ns1\.unregistered\.io/)
  assert.equal(refused.epp_code, 2303)
  assert.deepEqual(shownBy(domain), two)
})

test('automatic renewal alone asks no registry, and is seen at once', async () => {
  const domain = 'renewing.com'
  await registrar.buys(owner, domain)
  const before = [count('domain:update'), count('domain:info')]
  const on = await call('200', patch(domain), { auto_renew: true })
  assert.equal(on.auto_renew, true)
  assert.deepEqual([count('domain:update'), count('domain:info')], before)
  assert.equal((await registrar.read(owner, domain)).body.auto_renew, true)
  assert.equal((await call('200', patch(domain), { auto_renew: false })).auto_renew, false)
  assert.deepEqual((await log(domain)).slice(-2), [
    'set_auto_renew success',
    'set_auto_renew success',
  ])
})

test('both fields are changed, or neither', async () => {
  const domain = 'both.com'
  await registrar.buys(owner, domain, { nameservers: two })
  const body = { nameservers: others, auto_renew: true }
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain })
  const refused = await call('409 change_refused', patch(domain), body)
  assert.match(refused.detail, /registry refused/)
  const { body: still } = await registrar.read(owner, domain)
  assert.deepEqual([still.auto_renew, still.nameservers.toSorted()], [false, two])
  const done = await call('200', patch(domain), body)
  assert.deepEqual([done.auto_renew, done.nameservers.toSorted()], [true, others.toSorted()])
  assert.deepEqual((await log(domain)).slice(-2), ['update_domain failed', 'update_domain success'])
})

test('a request with no field, or with too few, too many or invalid name servers, is 422', async () => {
  const domain = 'asked.com'
  await registrar.buys(owner, domain)
  const many = Array.from({ length: 14 }, (_, i) => `ns${i}.example.net`)
  for (const body of [
    {},
    { nameservers: ['ns1.example.net'] },
    { nameservers: many },
    { nameservers: ['ns1.example.net', 'NS1.example.net'] },
    { nameservers: two, glue: { 'ns1.first.net': ['192.0.2.1'] } },
    { glue: { 'ns1.asked.com': ['192.0.2.1'] } },
    { nameservers: two, glue: { 'ns1.asked.com': [] } },
    { auto_renew: 'yes' },
    { auto_renew: null },
    { nameservers: null },
    { locked: true },
  ])
    await call('422', patch(domain), body)
  await call('422', patch(domain))
})

test('the name servers of a transfer are dropped once its owner has set others', async () => {
  const domain = 'chosen.com'
  await registrar.buys(owner, domain, { nameservers: two })
  await registrar.query(`update domains set wanted_nameservers = '{a.net,b.net}' where name = $1`, [
    domain,
  ])
  await call('200', patch(domain), { auto_renew: true })
  const wanted = async () =>
    (await registrar.query('select wanted_nameservers from domains where name = $1', [domain]))[0]
  assert.deepEqual((await wanted())?.wanted_nameservers, ['a.net', 'b.net'])
  await call('200', patch(domain), { nameservers: others })
  assert.equal((await wanted())?.wanted_nameservers, null)
})
