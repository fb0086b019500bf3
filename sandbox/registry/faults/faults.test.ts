// Each fault as the client observes it, and the registry state afterwards.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  BYZANTINE_ANSWERS,
  type ByzantineAnswer,
  type FaultName,
  type Sandbox,
  startSandbox,
} from '../index.ts'
import { parseXml, XmlError } from '../protocol/xml.ts'
import { type Client, dial, enter, frameOf } from '../testing/client.ts'
import { domain } from '../testing/frames.ts'
import { FAULTS } from './epp-faults.ts'

let sandbox: Sandbox
let client: Client

before(async () => {
  sandbox = await startSandbox({ data_dir: null })
})

afterEach(() => {
  sandbox.clearFaults()
  client.close()
})

after(async () => {
  await sandbox.close()
})

const proven = new Set<string>()

/** Arms a fault for the creation of a name, and sends the command. */
async function send(name: FaultName, delay_ms = 30): Promise<string> {
  proven.add(name)
  client = await enter(sandbox, 'thin')
  const label = `${name.replaceAll('_', '-')}.com`
  sandbox.setFault({ name, registry: 'thin', command: 'domain:create', domain: label, delay_ms })
  client.write(frameOf(domain.create(label)))
  return label
}

function paid(name: string): number {
  return sandbox.effects().filter((effect) => effect.domain === name).length
}

describe('a command that is never applied', () => {
  it('drop_before', async () => {
    const name = await send('drop_before')
    assert.equal(await client.raw(), null)
    assert.equal(paid(name), 0)
  })

  for (const [fault, code] of [
    ['fail_2400', 2400],
    ['credit_gone', 2104],
    ['refuse_2306', 2306],
  ] as const) {
    it(`${fault}, once`, async () => {
      const name = await send(fault)
      assert.equal((await client.next()).code, code)
      assert.equal(paid(name), 0)
      assert.equal((await client.command(domain.create(name))).code, 1000)
      assert.equal(paid(name), 1)
    })
  }

  it('answer: any result code, with a reason, and the end of the session after 25xx', async () => {
    proven.add('answer')
    client = await enter(sandbox, 'thin')
    const armed = { name: 'answer', command: 'domain:create' } as const
    sandbox.setFault({ ...armed, code: 2202, reason: 'No digit in it' })
    const answer = await client.command(domain.create('answered.com'))
    assert.equal(answer.code, 2202)
    assert.match(answer.xml, /<reason>No digit in it<\/reason>/)
    sandbox.setFault({ ...armed, code: 2500 })
    assert.equal((await client.command(domain.create('answered.com'))).code, 2500)
    assert.equal(await client.raw(), null)
    assert.equal(paid('answered.com'), 0)
    assert.throws(() => sandbox.setFault({ ...armed, code: 3000 }), RangeError)
    assert.throws(() => sandbox.setFault(armed), RangeError)
  })

  it('session_limit, at a command and at a login', async () => {
    const name = await send('session_limit')
    assert.equal((await client.next()).code, 2502)
    assert.equal(await client.raw(), null)
    assert.equal(paid(name), 0)
    sandbox.setFault({ name: 'session_limit' })
    client = await dial(sandbox, 'thin')
    sandbox.setFault({ name: 'session_limit', command: 'login' })
    assert.equal((await client.login()).code, 2502)
    assert.equal(await client.raw(), null)
  })
})

describe('a log-out by the server', () => {
  it('log_out: 2002 on every session of the registrar, until each logs in again', async () => {
    const other = await dial(sandbox, 'thin')
    assert.equal((await other.login()).code, 1000)
    const name = await send('log_out')
    assert.equal((await client.next()).code, 2002)
    assert.equal((await other.command(domain.create(name))).code, 2002)
    assert.equal(paid(name), 0)
    assert.equal((await other.login()).code, 1000)
    assert.equal((await other.command(domain.create(name))).code, 1000)
    assert.equal((await client.login()).code, 1000)
    assert.equal(paid(name), 1)
    other.close()
  })
})

describe('a command that is applied', () => {
  it('drop_after: no answer', async () => {
    const name = await send('drop_after')
    assert.equal(await client.raw(), null)
    assert.equal(paid(name), 1)
  })

  it('apply_later: no answer, and only then the effect', async () => {
    const name = await send('apply_later', 60)
    assert.equal(await client.raw(), null)
    assert.equal(paid(name), 0)
    const deadline = Date.now() + 20_000
    while (paid(name) === 0 && Date.now() < deadline) await wait(5)
    assert.equal(sandbox.lookup(name)?.sponsor, 'registrar-a')
    assert.equal(sandbox.counters().thin.sessions.logged_in, 0)
  })

  it('slow: the effect first, the answer after the delay', async () => {
    const name = await send('slow', 300)
    let answered = false
    const answer = client.next().finally(() => {
      answered = true
    })
    while (paid(name) === 0) await wait(1)
    assert.equal(answered, false)
    assert.equal((await answer).code, 1000)
  })

  it('garbage: an answer that is no XML', async () => {
    const name = await send('garbage')
    assert.doesNotMatch((await client.raw()) ?? '', /<epp/)
    assert.equal(paid(name), 1)
  })

  it('strange_text, unclosed: an answer that is no XML', async () => {
    for (const name of ['strange_text', 'unclosed'] as const) {
      const bought = await send(name)
      const text = (await client.raw()) ?? ''
      assert.match(text, name === 'unclosed' ? /<msg>[^/]*<\/result>/ : /<msg>a\fbCommand/)
      assert.throws(() => parseXml(text), XmlError)
      assert.equal(paid(bought), 1)
    }
  })

  it('half_frame: half an answer and the end', async () => {
    const name = await send('half_frame')
    assert.equal(await client.raw(), null)
    assert.ok(client.rest > 4)
    assert.equal(paid(name), 1)
  })
})

const year = new Date().getUTCFullYear()
const falseValue: Record<ByzantineAnswer, RegExp> = {
  date_before: new RegExp(`exDate>${year}-`),
  date_now: new RegExp(`exDate>${year}-`),
  date_1970: /exDate>1970-01-01T/,
  date_12026: new RegExp(`exDate>1${year + 1}-`),
  date_no_date: /exDate>not-a-date</,
  date_empty: /exDate></,
  date_plus_1: new RegExp(`exDate>${year + 2}-`),
  date_plus_2: new RegExp(`exDate>${year + 3}-`),
  date_plus_10: new RegExp(`exDate>${year + 11}-`),
  created_1970: /crDate>1970-01-01T/,
  created_no_date: /crDate>not-a-date</,
  name_other: /name>other-name-other\.com</,
  name_not_done: /name>other-name-not-done\.com</,
}

describe('a command with a byzantine answer', () => {
  for (const fault of BYZANTINE_ANSWERS)
    it(fault, async () => {
      const name = await send(fault)
      const answer = (await client.raw()) ?? ''
      assert.match(answer, /code="1000"/)
      assert.match(answer, falseValue[fault])
      const done = fault !== 'name_not_done'
      assert.equal(paid(name), done ? 1 : 0)
      const shown = await client.command(domain.info(name))
      assert.equal(shown.code, done ? 1000 : 2303)
      assert.equal(shown.xml.includes(`name>${name}<`), done)
    })
})

describe('the selector', () => {
  it('hits only matching commands, the given number of times', async () => {
    client = await enter(sandbox, 'thick')
    sandbox.setFault({ name: 'fail_2400', registry: 'thin', times: null })
    sandbox.setFault({ name: 'fail_2400', registrar: 'registrar-b', times: null })
    sandbox.setFault({ name: 'fail_2400', domain: 'this.test', times: 2 })
    const codes = []
    for (const name of ['that.test', 'this.test', 'This.Test', 'this.test']) {
      codes.push((await client.command(domain.check(name))).code)
    }
    assert.deepEqual(codes, [1000, 2400, 2400, 1000])
    assert.equal(sandbox.faults().length, 2)
    assert.throws(() => sandbox.setFault({ name: 'slow', times: 0 }), RangeError)
  })

  it('excludes logins when no command is named', async () => {
    sandbox.setFault({ name: 'drop_before' })
    client = await enter(sandbox, 'thin')
    client.write(frameOf(domain.check('spared.com')))
    assert.equal(await client.raw(), null)
  })
})

describe('the effect log', () => {
  it('counts frames cut by the client', async () => {
    client = await enter(sandbox, 'thin')
    const before = sandbox.counters().thin.cut_frames
    client.socket.end(Buffer.from([0, 0, 3, 132, 0x3c]))
    assert.equal(await client.raw(), null)
    const deadline = Date.now() + 20_000
    while (sandbox.counters().thin.cut_frames === before && Date.now() < deadline) await wait(5)
    assert.equal(sandbox.counters().thin.cut_frames, before + 1)
  })

  it('has counted each fault of the table', () => {
    const { faults, commands } = sandbox.counters().thin
    assert.deepEqual([...proven].sort(), Object.keys(FAULTS).sort())
    for (const name of proven) assert.ok((faults[name] ?? 0) > 0, name)
    const create = commands['domain:create']
    const effects = sandbox.effects().filter(({ kind }) => kind === 'create')
    assert.equal(create?.applied, effects.length)
  })
})
