// A name that is its own name server: it needs an address as a host below it does (RFC 5732 section
// 1.1), where hosts are attributes, where they are objects, and at a reseller.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { setOrderedNameservers } from '../../updates/set-ordered-nameservers.job.ts'

const registrar = await lifecycleService()
const owner = await registrar.customer()
const ask = (method: string, path: string, body: object) =>
  registrar.request(method, path, { token: owner.key, body })

for (const [tld, where] of [
  ['com', 'host attributes'],
  ['test', 'host objects'],
  ['shop', 'a reseller'],
] as const)
  test(`${where}: without an address it is refused, with one it is set and changed`, async () => {
    const domain = `itself-${tld}.${tld}`
    const nameservers = [domain, 'ns2.elsewhere.net']
    const bare = await ask('POST', '/v1/domains', { domain, nameservers })
    assert.equal(bare.body.code, 'glue_required', bare.text)
    const glue = { [domain]: ['198.41.0.4'] }
    const bought = await ask('POST', '/v1/domains', { domain, nameservers, glue })
    assert.equal(bought.body.operation?.state, 'succeeded', bought.text)
    await registrar.run(setOrderedNameservers)
    const shown = await registrar.read(owner, domain)
    assert.deepEqual(shown.body.nameservers.toSorted(), nameservers.toSorted(), shown.text)
    const others = ['ns1.elsewhere.net', 'ns2.elsewhere.net']
    const away = await ask('PATCH', `/v1/domains/${domain}`, { nameservers: others })
    assert.deepEqual(away.body.nameservers?.toSorted(), others, away.text)
    const again = { nameservers, glue: { [domain]: ['199.9.14.201'] } }
    const back = await ask('PATCH', `/v1/domains/${domain}`, again)
    assert.deepEqual(back.body.nameservers?.toSorted(), nameservers.toSorted(), back.text)
  })
