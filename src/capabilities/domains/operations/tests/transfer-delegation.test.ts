// Name servers of a transfer in, at every registry: kept as they are unless the request names
// others, and known before anything is held.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerTransfer } from '../../../../../test/support/other-registrar.ts'
import {
  type Answer,
  startService,
  type TestCustomer,
} from '../../../../../test/support/service.ts'
import { attempt, open, rivalOf } from '../../../../adapters/registry/fixtures/sandbox.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../../orders/settle-orders.job.ts'
import { setOrderedNameservers } from '../../updates/set-ordered-nameservers.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const { openprovider } = registrar.sandbox
const code = 'Seeded-2Move'
const rivals = {
  thin: open(rivalOf(registrar.sandbox, 'thin')),
  thick: open(rivalOf(registrar.sandbox, 'thick')),
}
registrar.closers.push(
  () => rivals.thin.close(),
  () => rivals.thick.close(),
)

function move(buyer: TestCustomer, body: object): Promise<Answer> {
  const sent = { auth_code: code, ...body }
  return registrar.request('POST', '/v1/domains/transfer', { token: buyer.key, body: sent })
}

const shownAt = (domain: string) => {
  const found = openprovider.lookup(domain)
  if (found && 'name_servers' in found)
    return found.name_servers?.map(({ name, ip, ip6 }) => [name, ip, ip6].join(' ').trim())
  return registrar.sandbox.lookup(domain)?.nameservers
}

/** The other registrar agrees, and the order ends. */
async function agreed(domain: string): Promise<void> {
  if (openprovider.lookup(domain)) openprovider.answerTransfer(domain, true)
  else await answerTransfer(registrar, domain, 'approve')
  await registrar.query('update orders set run_at = now() where domain = $1', [domain])
  await registrar.run(settleOrders)
  await registrar.run(setOrderedNameservers)
}

/** The delegation of the name before its transfer. */
async function delegated(domain: string, nameservers: string[], glue: Record<string, string[]>) {
  if (domain.endsWith('.shop')) {
    const name_servers = nameservers.map((name) => {
      return { name, ip: glue[name]?.[0] ?? '', ip6: glue[name]?.[1] ?? '' }
    })
    return openprovider.setForeign(domain, { name_servers })
  }
  const rival = domain.endsWith('.com') ? rivals.thin : rivals.thick
  await rival.ensureHosts(nameservers, 'normal', glue)
  const update = { domain, nameservers: { add: nameservers, remove: [], glue } }
  assert.equal((await rival.update(update, attempt())).kind, 'done')
}

for (const domain of ['old-harbour.com', 'old-harbour.io', 'old-harbour.shop'])
  test(`${domain} keeps the name servers that it has, when none are named`, async () => {
    const buyer = await registrar.customer()
    const own = [`ns1.${domain}`, 'ns2.example.org']
    await delegated(domain, own, { [`ns1.${domain}`]: ['192.0.2.7', '2a00:1450::7'] })
    const before = shownAt(domain)
    const asked = await move(buyer, { domain })
    assert.deepEqual([asked.status, asked.body.status], [200, 'transfer_pending'], asked.text)
    await agreed(domain)
    const read = await registrar.read(buyer, domain)
    assert.equal(read.body.status, 'active', read.text)
    assert.deepEqual(read.body.nameservers.toSorted(), own)
    assert.equal(read.body.pending_nameservers, undefined)
    assert.deepEqual(shownAt(domain)?.toSorted(), before?.toSorted())
  })

for (const domain of ['paper-lantern.com', 'paper-lantern.io', 'paper-lantern.shop'])
  test(`${domain} gets name servers below itself, when they are named with addresses`, async () => {
    const buyer = await registrar.customer()
    const own = [`ns1.${domain}`, `ns2.${domain}`]
    const bare = await move(buyer, { domain, nameservers: own })
    assert.deepEqual([bare.status, bare.body.code], [409, 'glue_required'], bare.text)
    assert.deepEqual(bare.body.hosts, own)
    assert.equal(await registrar.balance(buyer), '1000.00 0.00')
    const glue = Object.fromEntries(own.map((host, i) => [host, [`192.0.2.${i + 1}`]]))
    const asked = await move(buyer, { domain, nameservers: own, glue })
    assert.deepEqual([asked.status, asked.body.status], [200, 'transfer_pending'], asked.text)
    await agreed(domain)
    const read = await registrar.read(buyer, domain)
    assert.deepEqual(read.body.nameservers.toSorted(), own, read.text)
    assert.equal(read.body.pending_nameservers, undefined)
    const names = shownAt(domain)?.map((shown) => shown.split(' ')[0])
    assert.deepEqual(names?.toSorted(), own)
  })

test('host objects that the registry has already need no address', async () => {
  const buyer = await registrar.customer()
  const domain = 'quiet-river.io'
  const own = [`ns1.${domain}`, `ns2.${domain}`]
  const glue = Object.fromEntries(own.map((host, i) => [host, [`192.0.2.${i + 1}`]]))
  await delegated(domain, own, glue)
  const asked = await move(buyer, { domain, nameservers: own, dry_run: true })
  assert.deepEqual([asked.status, asked.body.nameservers], [200, own], asked.text)
})

test('a delegation that cannot be read is asked for, before anything is held', async () => {
  const buyer = await registrar.customer()
  const domain = 'quiet-river.shop'
  const unusable: { name: string; ip: string; ip6: string }[][] = [
    [],
    [{ name: 'ns1.example.net', ip: '', ip6: '' }],
    ['ns1', 'ns2'].map((label) => ({ name: `${label}.${domain}`, ip: '', ip6: '' })),
    ['ns1', 'ns2'].map((label) => ({ name: `${label}.${domain}`, ip: '127.0.0.1', ip6: '' })),
    ['ns1', 'ns2'].map((label) => ({ name: `${label}.exa_mple.net`, ip: '', ip6: '' })),
  ]
  for (const name_servers of unusable) {
    openprovider.setForeign(domain, { name_servers })
    const refused = await move(buyer, { domain })
    assert.deepEqual([refused.status, refused.body.code], [409, 'nameservers_required'])
    assert.equal(await registrar.balance(buyer), '1000.00 0.00')
  }
  assert.deepEqual(await registrar.query('select id from orders where domain = $1', [domain]), [])
  const nameservers = ['ns1.example.org', 'ns2.example.org']
  const asked = await move(buyer, { domain, nameservers })
  assert.deepEqual([asked.status, asked.body.nameservers], [200, nameservers], asked.text)
})

test('a resolver that does not answer counts as one without an answer', async () => {
  const mute = await startService({
    sandbox: registrar.sandbox,
    settings: { DNS_RESOLVERS: '127.0.0.1:9' },
    worker: false,
  })
  const buyer = await mute.customer()
  const body = { domain: 'old-harbour.online', auth_code: code }
  const refused = await mute.request('POST', '/v1/domains/transfer', { token: buyer.key, body })
  assert.deepEqual([refused.status, refused.body.code], [409, 'nameservers_required'])
})
