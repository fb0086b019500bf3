// The simulated Openprovider: envelope, non-idempotent requests, faults, restart.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Sandbox, startSandbox } from '../registry/index.ts'

let sandbox: Sandbox
let token = ''
before(async () => {
  sandbox = await startSandbox({ data_dir: null })
  token = await logIn()
})
after(() => sandbox.close())

type Result = { status: number; code: number; desc: string; data: Record<string, unknown> }

async function ask(line: string, body?: object, bearer = token): Promise<Result> {
  const [method = '', path = ''] = line.split(' ')
  const response = await fetch(`${sandbox.openprovider.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const result: Omit<Result, 'status'> = JSON.parse(await response.text())
  return { ...result, status: response.status }
}

async function logIn(): Promise<string> {
  const { username, password } = sandbox.openprovider
  return String((await ask('POST /auth/login', { username, password })).data.token)
}

const people = {
  name: { first_name: 'Ada', last_name: 'Lovelace', full_name: 'Ada Lovelace' },
  phone: { country_code: '+44', area_code: '207', subscriber_number: '9460123' },
  address: { street: 'Example Street', number: '12', city: 'London', country: 'GB' },
  email: 'ada@example.net',
  comments: 'by hand',
}

async function order(name: string, more: object = {}) {
  const { handle } = (await ask('POST /customers', people)).data
  const handles = { owner_handle: handle, admin_handle: handle, tech_handle: handle }
  return {
    domain: { name, extension: 'shop' },
    period: 1,
    autorenew: 'off',
    name_servers: [{ name: 'ns1.hosting.net' }, { name: 'ns2.hosting.net' }],
    ...handles,
    ...more,
  }
}

test('answers 196 to a missing or expired token', async () => {
  const { username } = sandbox.openprovider
  const wrong = await ask('POST /auth/login', { username, password: 'guess' })
  assert.deepEqual([wrong.status, wrong.code], [500, 196])
  assert.equal((await ask('GET /domains', undefined, 'made-up')).code, 196)
  assert.equal((await ask('GET /domains')).code, 0)
  sandbox.advanceClock(3 * 86_400_000)
  assert.equal((await ask('GET /domains')).code, 196)
  token = await logIn()
})

test('a repeated renewal adds another year and is billed again', async () => {
  const made = await ask('POST /domains', await order('repeated'))
  const year = Number(String(made.data.expiration_date).slice(0, 4))
  const renew = () => ask(`POST /domains/${made.data.id}/renew`, { period: 1 })
  assert.deepEqual(
    [(await renew()).data, (await renew()).data],
    [{ status: 'ACT' }, { status: 'ACT' }],
  )
  const shown = await ask(`GET /domains/${made.data.id}`)
  assert.equal(Number(String(shown.data.expiration_date).slice(0, 4)), year + 2)
  const effects = sandbox.openprovider.effects().filter(({ domain }) => domain === 'repeated.shop')
  assert.deepEqual(
    effects.map(({ kind, fee }) => [kind, fee]),
    [
      ['create', '2.99'],
      ['renew', '29.99'],
      ['renew', '29.99'],
    ],
  )
})

test('a repeated customer creation makes another customer', async () => {
  const [one, two] = [await ask('POST /customers', people), await ask('POST /customers', people)]
  assert.match(String(one.data.handle), /^AL\d{6}-GB$/)
  assert.notEqual(one.data.handle, two.data.handle)
})

const refusals: [string, object, number][] = [
  ['a name that is taken', { domain: { name: 'google', extension: 'shop' } }, 311],
  ['a reserved name', { domain: { name: 'whois', extension: 'shop' } }, 513],
  ['an extension they do not sell', { domain: { name: 'a1b2', extension: 'nl' } }, 307],
  ['a label that is none', { domain: { name: 'a_b', extension: 'shop' } }, 303],
  [
    'a premium name without a word of its price',
    { domain: { name: 'gold', extension: 'shop' } },
    379,
  ],
  ['too many years', { period: 11 }, 316],
  ['one name server', { name_servers: [{ name: 'ns1.hosting.net' }] }, 221],
  ['a name server twice', { name_servers: [{ name: 'a.net' }, { name: 'a.net' }] }, 222],
  [
    'an address that is none',
    { name_servers: [{ name: 'a.net', ip: '1' }, { name: 'b.net' }] },
    227,
  ],
  ['an owner they do not know', { owner_handle: 'XX000000-XX' }, 331],
]
for (const [what, more, code] of refusals)
  test(`${what} is refused with ${code}, and nothing is charged`, async () => {
    const before = sandbox.openprovider.credit()
    const result = await ask('POST /domains', await order('refused-one', more))
    assert.deepEqual([result.status, result.code], [500, code])
    assert.ok(result.desc.length > 0)
    assert.equal(sandbox.openprovider.credit(), before)
  })

test('refuses an order that the credit does not cover', async () => {
  sandbox.openprovider.setCredit('1.00')
  assert.equal((await ask('POST /domains', await order('too-expensive'))).code, 310)
  sandbox.openprovider.setCredit('1000.00')
})

test('the control plane of the registries arms its faults and shows its effects', async () => {
  const control = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${sandbox.control.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.control.token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const answer: Record<string, unknown> = JSON.parse(await response.text())
    return { status: response.status, answer }
  }
  const fault = { registry: 'openprovider', name: 'maintenance', command: 'domain:info' }
  const { answer } = await control('POST', '/faults', fault)
  assert.deepEqual(answer.armed, [{ ...fault, times: 1 }])
  assert.equal((await ask('GET /domains')).code, 4005)
  assert.equal((await ask('GET /domains')).code, 0)
  const wrong = await control('POST', '/faults', { registry: 'openprovider', name: 'fail_2400' })
  assert.equal(wrong.status, 400)
  await ask('POST /domains', await order('seen-there'))
  const { answer: all } = await control('GET', '/effects')
  assert.match(JSON.stringify(all), /"registry":"openprovider"[^}]*"domain":"seen-there.shop"/)
  const { answer: domain } = await control('GET', '/domains/seen-there.shop')
  assert.equal(domain.status, 'ACT')
  const credit = await control('POST', '/credit', { registry: 'openprovider', amount: '5.00' })
  assert.equal(credit.answer.amount, '5.00')
  const settings = await control('POST', '/settings', { transfer_takes_ms: 1_000 })
  assert.match(JSON.stringify(settings.answer), /"transfer_takes_ms":1000/)
  sandbox.openprovider.setCredit('1000.00')
  const harbour = { ...(await order('old-harbour')), auth_code: 'Seeded-2Move' }
  assert.equal((await ask('POST /domains/transfer', harbour)).data.status, 'REQ')
  const approve = { domain: 'old-harbour.shop', approve: true }
  assert.equal((await control('POST', '/transfers', approve)).status, 200)
  assert.equal((await control('GET', '/domains/old-harbour.shop')).answer.status, 'ACT')
})

test('keeps its rows and its clock over a restart', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'sandbox-openprovider-'))
  const first = sandbox
  sandbox = await startSandbox({ data_dir })
  token = await logIn()
  const made = await ask('POST /domains', await order('kept'))
  sandbox.advanceClock(86_400_000)
  const [effects, credit] = [sandbox.openprovider.effects(), sandbox.openprovider.credit()]
  const now = sandbox.now()
  await sandbox.close()
  sandbox = await startSandbox({ data_dir })
  token = await logIn()
  assert.deepEqual(sandbox.openprovider.effects(), effects)
  assert.equal(sandbox.openprovider.credit(), credit)
  assert.ok(sandbox.now() >= now)
  const shown = await ask(`GET /domains/${made.data.id}`)
  assert.deepEqual([shown.data.status, shown.data.comments], ['ACT', ''])
  await sandbox.close()
  rmSync(data_dir, { recursive: true, force: true })
  sandbox = first
})
