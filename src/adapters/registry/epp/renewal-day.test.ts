// A renewal whose fence is a day in UTC, at registries that compare it with a day of their own time
// zone: the day in their form is tried once, and no year is added twice.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fixture } from '../../../epp/fixtures/fixtures.ts'
import { answer, startScriptedServer } from '../../../epp/fixtures/scripted-server.ts'
import { attempt, open, profileOf, startEmptySandbox } from '../fixtures/sandbox.ts'

const renData = (exDate: string) =>
  '<resData><domain:renData xmlns:domain="urn:ietf:params:xml:ns:domain-1.0">' +
  `<domain:name>example.com</domain:name><domain:exDate>${exDate}</domain:exDate>` +
  '</domain:renData></resData>'

type Server = {
  /** Its exDate, and the day that it expects. */
  expiry: string
  wants: string
  code: number
}

/** The days of the renewals that it received, and the outcome. */
async function renewed(t: TestContext, { expiry, wants, code }: Server, cur_exp_date: string) {
  let years = 0
  const server = await startScriptedServer(({ xml, cl_trid }) => {
    const shown = expiry.replace(/^\d{4}/, (year) => String(Number(year) + years))
    if (xml.includes('<info>')) {
      const info = fixture('domain-info.response.xml').toString()
      const moved = info.replace(/(?<=exDate>)[^<]*/, shown)
      return moved.replace('ABC-12345', cl_trid)
    }
    const day = /curExpDate>([^<]*)</.exec(xml)?.[1]
    if (day !== wants || years > 0) return answer(code, cl_trid)
    years += 1
    return answer(1000, cl_trid, renData(expiry.replace(/^\d{4}/, '2028')))
  })
  t.after(() => server.close())
  const folder = await mkdtemp(join(tmpdir(), 'renewal-day-'))
  t.after(() => rm(folder, { recursive: true }))
  const ca_file = join(folder, 'ca.pem')
  await writeFile(ca_file, server.cert)
  const sandbox = await startEmptySandbox()
  t.after(() => sandbox.close())
  const tls = { ca_file, cert_file: null, key_file: null, servername: null }
  const at = {
    host: '127.0.0.1',
    port: server.port,
    tls,
    password: 'foo-BAR2',
    client_id: 'ClientX',
  }
  const registry = open({ ...profileOf(sandbox, 'thin'), ...at, fee: false })
  const terms = { domain: 'example.com', cur_exp_date, period_years: 1, fee: null }
  const first = attempt()
  const outcome = await registry.renew(terms, first)
  const second = await registry.renew(terms, attempt())
  await registry.close()
  const renewals = server.received.filter(({ xml }) => xml.includes('<renew>'))
  const days = renewals.map(({ xml }) => /curExpDate>([^<]*)</.exec(xml)?.[1])
  return { outcome, second, days, years, ids: renewals.map(({ cl_trid }) => cl_trid), first }
}

for (const code of [2004, 2306])
  for (const [expiry, wants, utc] of [
    ['2027-02-01T04:30:00+05:00', '2027-02-01', '2027-01-31'],
    ['2027-01-31T23:30:00-05:00', '2027-01-31', '2027-02-01'],
  ] as const)
    test(`${code} to ${utc}, where the registry writes ${expiry}: ${wants} is tried once`, async (t) => {
      const { outcome, second, days, years, ids, first } = await renewed(
        t,
        { expiry, wants, code },
        utc,
      )
      assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
      assert.equal(second.kind === 'refused' && second.code, code, 'the fence holds')
      assert.equal(years, 1)
      assert.deepEqual(days, [utc, wants, utc])
      assert.ok(ids[1]?.startsWith(first.cl_trid) && ids[1] !== first.cl_trid)
    })

test('a day that the registry writes as we do is sent once', async (t) => {
  const server = { expiry: '2027-02-01T04:30:00Z', wants: 'never', code: 2306 }
  const { outcome, days } = await renewed(t, server, '2027-02-01')
  assert.equal(outcome.kind === 'refused' && outcome.reason, 'policy')
  assert.deepEqual(days, ['2027-02-01', '2027-02-01'], 'one of each request')
})
