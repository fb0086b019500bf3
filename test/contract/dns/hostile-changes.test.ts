// Changes of records at the edges: sizes, conditions, several at once, and reports.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { must } from '../support/fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem.ts'
import { type Body, held, sql } from './records.fixture.ts'

type Held = Awaited<ReturnType<typeof held>>
const imported = ({ call }: Held, lines: readonly string[], more: Body = {}) =>
  call('POST', '/zonefile', { body: { zonefile: lines.join('\n'), ...more } })
const txt = (host: string, ...values: string[]) => ({ host, type: 'TXT', values })
const texts = (count: number) => Array.from({ length: count }, (_, at) => `${at}`)

describe('the sizes of records', () => {
  it('a set has 100 values, together in one request or added', async () => {
    const { patch, sets } = await held()
    await must(patch({ sets: [txt('a', ...texts(100))] }))
    assertInvalid(await patch({ sets: [txt('a', ...texts(101))] }), ['body.sets.0.values too_long'])
    assertInvalid(await patch({ add: [{ host: 'a', type: 'TXT', value: 'more' }] }), [
      'body.add.0 dns_rule',
    ])
    await must(
      patch({
        remove: [{ host: 'a', type: 'TXT', value: '0' }],
        add: [{ host: 'a', type: 'TXT', value: 'more' }],
      }),
    )
    assert.match((await sets())[0] ?? '', /"more"/)
  })

  it('a set has 16,384 octets, and not one more', async () => {
    const { patch } = await held()
    // The text consists of 64 strings of 255 octets and their lengths.
    const whole = Array.from({ length: 64 }, (_, at) => `${at} `.padEnd(255, 'x'))
    await must(patch({ sets: [txt('a', ...whole)] }))
    assertInvalid(await patch({ add: [{ host: 'a', type: 'TXT', value: '' }] }), [
      'body.add.0.value string_too_short',
    ])
    assertInvalid(await patch({ add: [{ host: 'a', type: 'TXT', value: '""' }] }), [
      'body.add.0 dns_rule',
    ])
  })

  it('a zone has 4,000 sets; one with more by a change is refused, a smaller one is not', async () => {
    const one = await held()
    const line = (at: number) => `h${at} A 192.0.2.1`
    const lines = Array.from({ length: 4_000 }, (_, at) => line(at))
    await must(imported(one, lines))
    const full = await one.patch({ add: [{ host: 'x', type: 'TXT', value: 'x' }] })
    assertProblem(full, '409 dns_zone_full')
    assert.equal(full.body.records, 4_000)
    const set = (host: string) => ({ host, type: 'A', values: ['192.0.2.2'] })
    await must(one.patch({ sets: [set('h1'), { host: 'h2', type: 'A', values: [] }, set('x')] }))
    assertProblem(await imported(one, [line(4_001)]), '409 dns_zone_full')
    const { body } = await must(one.call('GET', '/records'))
    assert.equal(body.sets.filter(({ managed }: Body) => !managed).length, 4_000)
  })
})

describe('conditions', () => {
  it('If-Match is compared strongly, takes lists and "*", and is no weak tag', async () => {
    const { call } = await held()
    const put = (values: string[], etag: string) =>
      call('PUT', '/records/www/A', { body: { values }, headers: { 'if-match': etag } })
    assertProblem(await put(['192.0.2.1'], '*'), '412 precondition_failed')
    await must(call('PUT', '/records/www/A', { body: { values: ['192.0.2.1'] } }))
    const read = async () => (await must(call('GET', '/records?host=www'))).body.sets[0].etag
    assertProblem(await put(['192.0.2.2'], `W/${await read()}`), '412 precondition_failed')
    await must(put(['192.0.2.2'], `"other", ${await read()}`))
    await must(put(['192.0.2.3'], (await read()).slice(1, -1)))
    await must(put(['192.0.2.4'], '*'))
    assertProblem(await put(['192.0.2.5'], '""'), '412 precondition_failed')
  })

  it('one of many that replace the same set or zone with one tag succeeds', async () => {
    const { call, patch } = await held()
    await must(patch({ sets: [txt('a', 'x')] }))
    const zone = (await must(call('GET', '/records'))).headers.get('etag')
    const statuses = async (send: (at: number) => Promise<{ status: number }>) =>
      (await Promise.all(texts(6).map((at) => send(Number(at))))).map(({ status }) => status).sort()
    assert.deepEqual(
      await statuses((at) =>
        call('PUT', '/records', {
          body: { sets: [txt('a', `${at}`)] },
          headers: { 'if-match': zone },
        }),
      ),
      [200, 412, 412, 412, 412, 412],
    )
    const [{ etag }] = (await must(call('GET', '/records?host=a'))).body.sets
    assert.deepEqual(
      await statuses((at) =>
        call('PUT', '/records/a/TXT', {
          body: { values: [`second ${at}`] },
          headers: { 'if-match': etag },
        }),
      ),
      [200, 412, 412, 412, 412, 412],
    )
  })

  it('a change differs from a dry run that no longer fits, by its digest', async () => {
    const { patch } = await held()
    const given = { add: [{ host: 'a', type: 'TXT', value: 'mine' }] }
    const dry = await must(patch({ ...given, dry_run: true }))
    await must(patch({ add: [{ host: 'a', type: 'TXT', value: 'theirs' }] }))
    const done = await must(patch(given))
    assert.notEqual(done.body.digest, dry.body.digest)
    assert.deepEqual(done.body.diff[0].after.values, ['"mine"', '"theirs"'])
  })

  it('adding and removing the same value at once keeps every other value', async () => {
    const { patch, sets } = await held()
    const value = (text: string) => ({ host: 'a', type: 'TXT', value: text })
    await must(patch({ add: [value('kept')] }))
    await Promise.all(
      texts(8).flatMap((at) => [
        must(patch({ add: [value(`own ${at}`)] })),
        must(patch({ remove: [value('kept')] })),
      ]),
    )
    const [set = ''] = await sets()
    assert.equal(set.match(/own/g)?.length, 8)
    assert.doesNotMatch(set, /kept/)
  })
})

describe('taking back', () => {
  const set = (...values: string[]) => ({ host: 'a', type: 'A', values })
  const back = ({ call }: Held, id: string, prune = true) =>
    call('POST', `/changes/${id}/revert`, { body: { prune } })

  it('a revert is a change that can be taken back, again and again', async () => {
    const one = await held()
    await must(one.patch({ sets: [set('192.0.2.1')] }))
    let { change_id } = (await must(one.patch({ sets: [set('192.0.2.2')] }))).body
    for (const address of ['1', '2', '1', '2']) {
      const { body } = await must(back(one, change_id))
      assert.deepEqual(body.conflicts, [])
      assert.deepEqual(await one.sets(), [`a A 3600 192.0.2.${address}`])
      change_id = body.change_id
    }
  })

  it('is refused where what comes back breaks a rule now, and for a change of a former account', async () => {
    const one = await held()
    await must(one.patch({ sets: [set('192.0.2.1')] }))
    const { change_id } = (await must(one.patch({ sets: [set()] }))).body
    await must(one.patch({ sets: [{ host: 'a', type: 'CNAME', values: ['example.net.'] }] }))
    assertInvalid(await back(one, change_id), ['path.change_id dns_rule'])
    await sql(`update dns_changes set customer_id = 'elsewhere' where id = $1`, [change_id])
    assertProblem(await back(one, change_id), '404 dns_change_not_found')
    const { body } = await must(one.call('GET', '/changes'))
    assert.equal(
      body.changes.some(({ id }: Body) => id === change_id),
      false,
    )
  })
})

describe('the report of a change', () => {
  it('has up to a hundred warnings, the gravest first, and the number of the others', async () => {
    const one = await held()
    await must(one.patch({ sets: [{ host: '@', type: 'MX', values: ['10 mail.example.net.'] }] }))
    const etag = (await must(one.call('GET', '/records'))).headers.get('etag')
    const lines = Array.from({ length: 150 }, (_, at) => `h${at} 5 A 192.0.2.1`)
    const given = { zonefile: lines.join('\n'), mode: 'replace', dry_run: true }
    const { body } = await must(
      one.call('POST', '/zonefile', { body: given, headers: { 'if-match': etag } }),
    )
    assert.equal(body.warnings.length, 101)
    assert.equal(body.warnings[0].code, 'mail_stops')
    assert.deepEqual(body.warnings.at(-1), {
      ...{ code: 'more', host: '@', type: 'ANY' },
      message: '51 more warnings are not listed.',
    })
  })

  it('is no megabyte in the audit log, whatever the change', async () => {
    const one = await held()
    const value = '\\200'.repeat(150)
    const lines = texts(10).flatMap((host) =>
      texts(100).map((at) => `h${host} TXT ${at} "${value}"`),
    )
    for (const count of [1, 10]) {
      const { body } = await must(imported(one, lines.slice(0, count * 100)))
      const rows = await sql(
        `select metadata, octet_length(metadata::text) as octets from audit_logs
          where metadata ->> 'change' = $1`,
        [body.change_id],
      )
      assert.equal(rows.length, 1)
      const [{ metadata, octets } = {}] = rows
      assert.ok(Number(octets) < 70_000, `${octets} octets`)
      assert.equal(Object(metadata).sets_total, body.diff.length)
    }
  })
})
