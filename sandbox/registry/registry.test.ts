// The registries as a registrar meets them: sessions, availability, buying and keeping domains.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Sandbox, startSandbox } from './index.ts'
import { type Client, enter } from './testing/client.ts'
import { contactCreate, domain, fees, people } from './testing/frames.ts'
import { schemasMissing } from './testing/schema.ts'

let sandbox: Sandbox
let thin: Client
let thick: Client

before(async () => {
  sandbox = await startSandbox({ data_dir: null })
  thin = await enter(sandbox, 'thin')
  thick = await enter(sandbox, 'thick')
  assert.equal((await thick.command(contactCreate('ada-1'))).code, 1000)
})

after(async () => {
  thin.close()
  thick.close()
  await sandbox.close()
})

describe('the schemas', () => {
  it('hold every answer of these tests', { skip: schemasMissing }, () => {
    assert.equal(schemasMissing, false)
  })
})

describe('check', () => {
  it('tells free, taken, reserved and premium names, with fees', async () => {
    const { code, xml } = await thin.command(
      domain.check('free-as-air.com', 'google.com', 'nic.com', 'gold.com', 'a.b.com', 'x.zz'),
      fees.check('create', 'renew', 'transfer', 'restore'),
    )
    assert.equal(code, 1000)
    assert.match(xml, /avail="1">free-as-air\.com</)
    assert.match(xml, /avail="0">google\.com<\/domain:name><domain:reason>In use</)
    assert.match(xml, /avail="0">nic\.com<\/domain:name><domain:reason>Reserved</)
    assert.match(xml, /<fee:objID>gold\.com<\/fee:objID><fee:class>premium</)
    assert.match(xml, />150\.00</)
    assert.match(xml, />9\.59</)
  })
})

describe('create', () => {
  it('sells a name once and says so', async () => {
    const made = await thin.command(
      domain.create('first-name.com'),
      fees.create({ amount: '9.59' }),
    )
    assert.equal(made.code, 1000)
    assert.match(made.xml, /<fee:fee>9\.59</)
    assert.equal((await thin.command(domain.create('first-name.com'))).code, 2302)
    const effects = sandbox.effects().filter((effect) => effect.domain === 'first-name.com')
    assert.deepEqual(
      effects.map(({ kind, fee, years, registrar }) => ({ kind, fee, years, registrar })),
      [{ kind: 'create', fee: '9.59', years: 1, registrar: 'registrar-a' }],
    )
  })

  it('wants people in the thick registry', async () => {
    assert.equal((await thick.command(domain.create('no-people.test'))).code, 2003)
    const parts = people('ada-1')
    assert.equal((await thick.command(domain.create('with-people.test', { parts }))).code, 1000)
    const { xml } = await thick.command(domain.info('with-people.test'))
    assert.match(xml, /<domain:registrant>ada-1</)
  })
})
