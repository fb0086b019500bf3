// Prerequisites of a registration: contacts by role, and name servers below the name
// itself, in every host model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, someContact, type TestCustomer } from '../../../../../test/support/service.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { settleOrders } from '../../orders/settle-orders.job.ts'
import { setOrderedNameservers } from '../../updates/set-ordered-nameservers.job.ts'

const registrar = await lifecycleService()
const { openprovider } = registrar.sandbox

function buy(buyer: TestCustomer, body: object): Promise<Answer> {
  return registrar.request('POST', '/v1/domains', { token: buyer.key, body })
}

/** A customer whose one contact is the default registrant and nothing else. */
async function withRegistrantAlone(): Promise<TestCustomer & { contact: number }> {
  const buyer = await registrar.customer({ contact: false })
  const { default_registrant } = someContact
  const roles = { default_admin: false, default_technical: false, default_billing: false }
  const path = `/v1/customers/${buyer.id}/contacts`
  const body = { ...someContact, ...roles, default_registrant }
  const made = await registrar.request('POST', path, { token: registrar.operatorKey, body })
  assert.equal(made.status, 201, made.text)
  return { ...buyer, contact: made.body.id }
}

for (const tld of ['com', 'io', 'shop'])
  test(`a default registrant alone is enough for .${tld}`, async () => {
    const buyer = await withRegistrantAlone()
    const domain = `registrant-alone.${tld}`
    const purchased = await buy(buyer, { domain })
    assert.deepEqual([purchased.status, purchased.body.status], [200, 'active'], purchased.text)
    const { contact } = buyer
    const all = { registrant: contact, admin: contact, technical: contact, billing: contact }
    assert.deepEqual(purchased.body.contacts, tld === 'com' ? { registrant: contact } : all)
    assert.deepEqual((await registrar.read(buyer, domain)).body.contacts, purchased.body.contacts)
    if (tld !== 'io') return
    const shown = registrar.sandbox.lookup(domain)
    const types = shown?.contacts.map(({ type }) => type).toSorted()
    assert.deepEqual(types, ['admin', 'billing', 'tech'])
    assert.ok(shown?.contacts.every(({ id }) => id === shown.registrant))
  })

const glueOf = (domain: string) => ({
  [`ns1.${domain}`]: ['192.0.2.1', '2a00:1450::1'],
  [`ns2.${domain}`]: ['192.0.2.2'],
})
const nameserversAt = (domain: string) => {
  const found = openprovider.lookup(domain)
  if (found && 'name_servers' in found) return found.name_servers?.map(({ name }) => name)
  return registrar.sandbox.lookup(domain)?.nameservers
}

for (const [tld, elsewhere] of [
  ['com', []],
  ['com', ['ns1.example.net']],
  ['io', []],
  ['io', ['ns1.example.net']],
  ['shop', []],
] as const)
  test(`.${tld} with name servers below it and ${elsewhere.length} others`, async () => {
    const buyer = await registrar.customer()
    const domain = `own-hosts-${elsewhere.length}.${tld}`
    const glue = glueOf(domain)
    const nameservers = [...Object.keys(glue), ...elsewhere]
    const bare = await buy(buyer, { domain, nameservers })
    assert.deepEqual([bare.status, bare.body.code], [409, 'glue_required'], bare.text)
    assert.deepEqual(bare.body.hosts, Object.keys(glue))
    assert.equal(await registrar.balance(buyer), '1000.00 0.00')
    const purchased = await buy(buyer, { domain, nameservers, glue })
    assert.deepEqual([purchased.status, purchased.body.status], [200, 'active'], purchased.text)
    const later = tld === 'io'
    assert.deepEqual(purchased.body.nameservers, later ? elsewhere : nameservers)
    assert.deepEqual(purchased.body.pending_nameservers, later ? nameservers : undefined)
    assert.deepEqual(
      (await registrar.read(buyer, domain)).body.pending_nameservers,
      [...(later ? [nameservers] : [])][0],
    )
    await registrar.run(setOrderedNameservers)
    assert.deepEqual(nameserversAt(domain)?.toSorted(), nameservers.toSorted())
    const read = await registrar.read(buyer, domain)
    assert.deepEqual(read.body.nameservers.toSorted(), nameservers.toSorted())
    assert.equal(read.body.pending_nameservers, undefined)
  })

test('keeps name servers that can only be set afterwards, over any failure', async () => {
  const buyer = await registrar.customer()
  const domain = 'own-hosts-late.io'
  const glue = glueOf(domain)
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain })
  const purchased = await buy(buyer, { domain, nameservers: Object.keys(glue), glue })
  assert.equal(purchased.body.status, 'pending', purchased.text)
  await registrar.query('update orders set run_at = now(), lease_until = now() where domain = $1', [
    domain,
  ])
  await registrar.run(settleOrders)
  for (const command of ['host:create', 'domain:update']) {
    registrar.sandbox.setFault({ name: 'drop_before', command, times: null })
    await registrar.run(setOrderedNameservers)
    const shown = await registrar.read(buyer, domain)
    assert.equal(shown.body.status, 'active')
    assert.deepEqual(shown.body.pending_nameservers, Object.keys(glue))
    await registrar.query(`update tasks set run_at = now() where kind = 'set_ordered_nameservers'`)
    registrar.sandbox.clearFaults()
  }
  await registrar.run(setOrderedNameservers)
  assert.deepEqual(nameserversAt(domain)?.toSorted(), Object.keys(glue))
})

test('glue is refused as a change refuses it, before anything is held', async () => {
  const buyer = await registrar.customer()
  const domain = 'odd-glue.io'
  const own = [`ns1.${domain}`, `ns2.${domain}`]
  const odd: [object, string][] = [
    [{ glue: { [own[0] ?? '']: ['192.0.2.1'] } }, 'nameservers'],
    [{ nameservers: own, glue: { 'ns1.example.net': ['192.0.2.1'] } }, 'glue'],
    [{ nameservers: own, glue: { [`ns3.${domain}`]: ['192.0.2.1'] } }, 'glue'],
    [{ nameservers: own, glue: { [own[0] ?? '']: ['127.0.0.1'] } }, 'glue'],
    [{ nameservers: own, glue: { [own[0] ?? '']: ['no address'] } }, 'glue'],
  ]
  for (const [body, field] of odd) {
    const refused = await buy(buyer, { domain, ...body })
    assert.equal(refused.status, 422, refused.text)
    assert.equal(refused.body.detail[0].loc[1], field)
  }
  const shop = 'odd-glue.shop'
  const many = { [`ns1.${shop}`]: ['192.0.2.1', '192.0.2.2'], [`ns2.${shop}`]: ['192.0.2.3'] }
  const refused = await buy(buyer, { domain: shop, nameservers: Object.keys(many), glue: many })
  assert.equal(refused.status, 422, refused.text)
  assert.deepEqual(refused.body.detail[0].loc, ['body', 'glue', `ns1.${shop}`])
  assert.equal(await registrar.balance(buyer), '1000.00 0.00')
})

test('name servers of the account below the name need addresses as well', async () => {
  const buyer = await registrar.customer({ scopes: ['account:write', 'domains:purchase'] })
  const domain = 'own-defaults.io'
  const body = { default_nameservers: [`ns1.${domain}`, `ns2.${domain}`] }
  const set = await registrar.request('PATCH', '/v1/account/default-nameservers', {
    token: buyer.key,
    body,
  })
  assert.equal(set.status, 200, set.text)
  const refused = await buy(buyer, { domain })
  assert.deepEqual([refused.status, refused.body.code], [409, 'glue_required'], refused.text)
  const { hosts, next_action } = refused.body
  assert.match(next_action.hint, /"nameservers".*"glue".*"hosts"/)
  const glue = Object.fromEntries(hosts.map((host: string) => [host, ['192.0.2.1']]))
  const purchased = await buy(buyer, { domain, nameservers: hosts, glue })
  assert.equal(purchased.body.status, 'active', purchased.text)
})
