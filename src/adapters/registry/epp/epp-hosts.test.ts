// Name servers below the domain itself, with their addresses: they are attributes at one registry,
// and objects at the other.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sandbox } from '../../../../sandbox/registry/index.ts'
import { attempt, open, profileOf, startEmptySandbox } from '../fixtures/sandbox.ts'
import type { Outcome, Registry, RegistryContact } from '../port.ts'

let sandbox: Sandbox
let thin: Registry
let thick: Registry
before(async () => {
  sandbox = await startEmptySandbox()
  thin = open(profileOf(sandbox, 'thin'))
  thick = open(profileOf(sandbox, 'thick'))
})
after(async () => {
  await Promise.all([thin.close(), thick.close()])
  await sandbox.close()
})

function value<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') assert.fail(JSON.stringify(outcome))
  return outcome.value
}

const contact: RegistryContact = {
  id: 'c-0001',
  name: 'Ada Lovelace',
  organization: null,
  street: ['12 Example Street'],
  city: 'London',
  state: null,
  postal_code: 'SW1A 1AA',
  country_code: 'GB',
  voice: '+44.2079460123',
  email: 'ada@example.net',
  auth_info: 'cOntact-auth-1',
}
const outside = ['ns1.hosting.net', 'ns2.hosting.net']
const commands = (name: 'thin' | 'thick', command: string) =>
  sandbox.counters()[name].commands[command]?.received ?? 0

async function buy(registry: Registry, domain: string, more: object = {}): Promise<void> {
  const thickOnly = registry === thick
  if (thickOnly) {
    value(await registry.putContact(contact, 'normal'))
    value(await registry.ensureHosts(outside, 'normal'))
  }
  const [checked] = await registry.check([domain], { priority: 'normal', fees: ['create'] })
  const fees = checked?.fees
  const command = {
    domain,
    period_years: 1,
    nameservers: outside,
    registrant: thickOnly ? contact.id : null,
    contacts: (['admin', 'tech'] as const).map((type) => ({ type, id: contact.id })),
    auth_info: 'aB3-random-secret',
    fee: fees ? { currency: fees.currency, amount: fees.create ?? '' } : null,
    ...more,
  }
  value(await registry.register(command, attempt()))
}

test('where hosts are attributes, addresses travel with the domain and are changed in one update', async () => {
  const domain = 'glue.com'
  const host = `ns1.${domain}`
  await buy(thin, domain)
  const nameservers = { add: [host], remove: ['ns1.hosting.net'] }
  const bare = await thin.update({ domain, nameservers }, attempt())
  assert.equal(bare.kind === 'refused' && bare.code, 2003, 'the registry wants its address')
  const glue = { [host]: ['192.0.2.1', '2001:db8::1'] }
  value(await thin.update({ domain, nameservers: { ...nameservers, glue } }, attempt()))
  const shown = value(await thin.read(domain, 'normal'))
  assert.deepEqual(shown.nameservers.sort(), [host, 'ns2.hosting.net'].sort())
  assert.deepEqual(shown.glue, glue)
  const moved = { [host]: ['192.0.2.9'] }
  const change = { domain, nameservers: { add: [], remove: [], glue: moved } }
  value(await thin.update(change, attempt()))
  assert.deepEqual(value(await thin.read(domain, 'normal')).glue, moved)
  value(await thin.ensureHosts([host], 'normal', glue))
  assert.deepEqual(value((await thin.readGlue?.([host], 'normal')) ?? assert.fail()), {})
})

test('a registration can include addresses where hosts are attributes', async () => {
  const domain = 'glue-at-once.com'
  const glue = { [`ns1.${domain}`]: ['192.0.2.1'], [`ns2.${domain}`]: ['192.0.2.2'] }
  await buy(thin, domain, { nameservers: Object.keys(glue), glue })
  assert.deepEqual(value(await thin.read(domain, 'normal')).glue, glue)
})

test('where hosts are objects, they are made, given other addresses, and left alone', async () => {
  const domain = 'glue.io'
  const [one, two] = [`ns1.${domain}`, `ns2.${domain}`]
  await buy(thick, domain)
  const bare = await thick.ensureHosts([one], 'normal')
  assert.equal(bare.kind === 'refused' && bare.code, 2003)
  assert.match(bare.kind === 'refused' ? bare.message : '', /^ns1\.glue\.io: /)
  const glue = { [one]: ['192.0.2.1', '2001:DB8:0::1'], [two]: ['192.0.2.2'] }
  value(await thick.ensureHosts([one, two], 'normal', glue))
  const known = value(
    (await thick.readGlue?.([one, two, 'ns3.glue.io'], 'normal')) ?? assert.fail(),
  )
  assert.deepEqual(Object.keys(known), [one, two], 'what is not there is left out')
  assert.deepEqual(known[two], ['192.0.2.2'])
  const before = commands('thick', 'host:update')
  value(
    await thick.ensureHosts([one, two], 'normal', { ...glue, [one]: ['2001:db8::1', '192.0.2.1'] }),
  )
  assert.equal(commands('thick', 'host:update'), before, 'the same addresses in other words')
  value(await thick.ensureHosts([two], 'normal', { [two]: ['192.0.2.3'] }))
  assert.deepEqual(value((await thick.readGlue?.([two], 'normal')) ?? assert.fail()), {
    [two]: ['192.0.2.3'],
  })
  const nameservers = { add: [one, two], remove: outside, glue }
  value(await thick.update({ domain, nameservers }, attempt()))
  const shown = value(await thick.read(domain, 'normal'))
  assert.deepEqual([shown.nameservers.sort(), shown.glue], [[one, two], {}])
})

test('hosts below a domain are deleted, but not the ones that a domain uses', async () => {
  const domain = 'unglued.io'
  const [one, two] = [`ns1.${domain}`, `ns2.${domain}`]
  await buy(thick, domain)
  const glue = { [one]: ['192.0.2.1'], [two]: ['192.0.2.2'] }
  value(await thick.ensureHosts([one, two], 'normal', glue))
  const nameservers = { add: [two], remove: [] }
  value(await thick.update({ domain, nameservers }, attempt()))
  const refused = await thick.deleteHosts(domain, 'normal')
  assert.equal(refused.kind === 'refused' && refused.code, 2305)
  assert.match(refused.kind === 'refused' ? refused.message : '', /^ns2\.unglued\.io: /)
  assert.deepEqual(value((await thick.readGlue?.([one, two], 'normal')) ?? assert.fail()), {
    [two]: ['192.0.2.2'],
  })
  value(await thick.update({ domain, nameservers: { add: [], remove: [two] } }, attempt()))
  value(await thick.deleteHosts(domain, 'normal'))
  value(await thick.deleteHosts(domain, 'normal'))
  assert.deepEqual(value((await thick.readGlue?.([one, two], 'normal')) ?? assert.fail()), {})
  await buy(thin, 'unglued.com')
  value(await thin.deleteHosts('unglued.com', 'normal'))
})

test('a host whose first creation succeeded gets the wanted addresses', async () => {
  const domain = 'twice.io'
  const host = `ns1.${domain}`
  await buy(thick, domain)
  sandbox.setFault({ name: 'drop_after', command: 'host:create', domain: host })
  const silent = await thick.ensureHosts([host], 'normal', { [host]: ['192.0.2.1'] })
  assert.equal(silent.kind, 'unknown')
  value(await thick.ensureHosts([host], 'normal', { [host]: ['192.0.2.7'] }))
  assert.deepEqual(value((await thick.readGlue?.([host], 'normal')) ?? assert.fail()), {
    [host]: ['192.0.2.7'],
  })
})
