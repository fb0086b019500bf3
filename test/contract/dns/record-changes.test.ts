// The changes of a domain's records: listed, taken back, kept for a time, audited, and events.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { scopes } from '../../../src/app.ts'
import { purgeOldDnsChanges } from '../../../src/capabilities/domains/dns/purge-changes.job.ts'
import { fresh, must } from '../support/fixture.ts'
import { assertProblem } from '../support/problem.ts'
import { type Body, everything, held, registrar, sql } from './records.fixture.ts'

const { request, buyer, buy, customer } = registrar

describe('the changes of a domain', () => {
  it('are listed newest first with what was before, and each can be taken back', async () => {
    const { call, patch, sets } = await held()
    await must(patch({ sets: [{ host: 'a', type: 'A', values: ['192.0.2.1'] }] }))
    const second = await must(
      patch({
        sets: [
          { host: 'a', type: 'A', values: ['192.0.2.2'] },
          { host: 'b', type: 'TXT', values: ['new'] },
        ],
      }),
    )
    const { body } = await must(call('GET', '/changes?limit=1'))
    const [change] = body.changes
    assert.equal(change.id, second.body.change_id)
    assert.deepEqual(change.diff[0].before, { ttl: 3600, values: ['192.0.2.1'] })
    assert.deepEqual(change.made_by.kind, 'api_key')
    const older = await must(call('GET', `/changes?limit=1&cursor=${body.next_cursor}`))
    assert.equal(older.body.changes.length, 1)
    assert.equal(older.body.next_cursor, null)
    const revert = (given: Body) => call('POST', `/changes/${change.id}/revert`, { body: given })
    const dry = await must(revert({ prune: true, dry_run: true }))
    assert.equal(dry.body.diff.length, 2)
    await must(revert({}))
    assert.deepEqual(await sets(), ['a A 3600 192.0.2.1 192.0.2.2', 'b TXT 3600 "new"'])
    const late = await must(revert({ prune: true }))
    assert.deepEqual(
      late.body.conflicts.map(({ host, reason }: { host: string; reason: string }) => [
        host,
        reason,
      ]),
      [['a', 'changed_since']],
    )
    assert.deepEqual(await sets(), ['a A 3600 192.0.2.1 192.0.2.2'])
    const [last] = (await must(call('GET', '/changes'))).body.changes
    assert.equal(last.reverts, change.id)
  })
})

describe('one change of a domain', () => {
  it('is shown as in the list, with all its sets', async () => {
    const { call, patch } = await held()
    await must(patch({ sets: [{ host: 'h0', type: 'A', values: ['192.0.2.1'] }] }))
    const sets = Array.from({ length: 25 }, (_, at) => ({
      ...{ host: `h${at}`, type: 'A', values: ['192.0.2.9'] },
    }))
    const { body } = await must(patch({ sets }))
    const [listed] = (await must(call('GET', '/changes?limit=1'))).body.changes
    const one = await must(call('GET', `/changes/${body.change_id}`))
    const { diff, ...facts } = one.body
    const { diff: head, ...same } = listed
    assert.deepEqual(facts, same)
    assert.deepEqual([head.length, diff.length, facts.sets_total], [20, 25, 25])
    assert.deepEqual(diff, body.diff)
    const first = diff.find(({ host }: { host: string }) => host === 'h0')
    assert.deepEqual(first.before, { ttl: 3600, values: ['192.0.2.1'] })
    assert.deepEqual(first.after, { ttl: 3600, values: ['192.0.2.9'] })
    const back = await must(
      call('POST', `/changes/${body.change_id}/revert`, { body: { prune: true } }),
    )
    const undone = await must(call('GET', `/changes/${body.change_id}`))
    assert.equal(undone.body.reverted_by, back.body.change_id)
  })

  it('is found under its own domain, by its owner, alone', async () => {
    const first = await held()
    const second = await held()
    const { body } = await must(first.patch({ sets: everything }))
    const path = `/v1/domains/${first.domain}/changes/${body.change_id}`
    const other = await customer({ funds_cents: 10_000, scopes: [...scopes] })
    assertProblem(await request('GET', path, { token: other.key }), '404 domain_not_found')
    const domain = `${fresh()}.com`
    await must(buy({ domain }, other.key))
    const own = `/v1/domains/${domain}/changes/${body.change_id}`
    const unknown = '404 dns_change_not_found'
    assertProblem(await request('GET', own, { token: other.key }), unknown)
    assertProblem(await second.call('GET', `/changes/${body.change_id}`), unknown)
    assertProblem(await first.call('GET', '/changes/dch_x'), unknown)
    await must(first.call('GET', `/changes/${body.change_id}`))
  })

  it('of a holding or an account before is not found', async () => {
    const { call, patch, domain } = await held()
    const { body } = await must(patch({ sets: everything }))
    const other = await customer()
    const of = (id: string) =>
      sql('update dns_changes set customer_id = $2 where id = $1', [body.change_id, id])
    await of(other.id)
    const path = `/changes/${body.change_id}`
    assertProblem(await call('GET', path), '404 dns_change_not_found')
    await of(buyer.id)
    await must(call('GET', path))
    await sql(`update domains set ended_at = now(), end_reason = 'dropped' where name = $1`, [
      domain,
    ])
    assertProblem(await call('GET', path), '404 domain_not_found')
  })
})

describe('the kept changes of a domain', () => {
  it('are those of the caller alone, and end with the holding', async () => {
    const { call, patch, domain } = await held()
    const { body } = await must(patch({ sets: everything }))
    const path = `/v1/domains/${domain}/changes`
    const other = await customer()
    const foreign = await request('GET', path, { token: other.key })
    assertProblem(foreign, '404 domain_not_found')
    const second = await held()
    assertProblem(
      await second.call('POST', `/changes/${body.change_id}/revert`, { body: {} }),
      '404 dns_change_not_found',
    )
    const unknown = await call('POST', '/changes/dch_x/revert', { body: {} })
    assertProblem(unknown, '404 dns_change_not_found')
    await sql(`update domains set ended_at = now(), end_reason = 'dropped' where name = $1`, [
      domain,
    ])
    for (const table of ['dns_record_sets', 'dns_record_serials', 'dns_changes'])
      assert.deepEqual(
        await sql(`select from ${table} t join domains d on d.id = t.domain_id where d.name = $1`, [
          domain,
        ]),
        [],
        table,
      )
  })

  it('are kept up to a thousand of a domain', async () => {
    const { call, patch, domain } = await held()
    const { body } = await must(patch({ sets: [{ host: 'a', type: 'TXT', values: ['1'] }] }))
    await sql(
      `insert into dns_changes (id, domain_id, customer_id, serial, action, actor_type,
                                entry_point, sets, octets)
       select 'dch_' || lpad(i::text, 26, '0'), domain_id, customer_id, serial, action, actor_type,
              entry_point, sets, octets
         from dns_changes, generate_series(1, 999) i where id = $1`,
      [body.change_id],
    )
    const count = () =>
      sql(
        `select count(*)::int as kept from dns_changes c join domains d on d.id = c.domain_id
          where d.name = $1`,
        [domain],
      )
    assert.equal((await count())[0]?.kept, 1_000)
    await must(patch({ sets: [{ host: 'a', type: 'TXT', values: ['2'] }] }))
    assert.equal((await count())[0]?.kept, 1_000)
    const oldest = await call('POST', `/changes/${body.change_id}/revert`, { body: {} })
    assertProblem(oldest, '404 dns_change_not_found')
    const [octets] = await sql(
      `select o.octets = (select sum(c.octets) from dns_changes c
                           where c.customer_id = o.customer_id) as exact
         from dns_change_octets o where o.customer_id = $1`,
      [buyer.id],
    )
    assert.deepEqual(octets, { exact: true })
  })
})

describe('the kept changes of an account', () => {
  it('are of 50 MB together, of all its domains, and the newest of a domain stays', async () => {
    const owner = await customer({ funds_cents: 10_000, scopes: [...scopes] })
    const { key: token } = owner
    const made: { domain: string; change_id: string }[] = []
    for (const text of ['first', 'second']) {
      const domain = `${fresh()}.com`
      await must(buy({ domain }, token))
      const given = { sets: [{ host: 'a', type: 'TXT', values: [text] }] }
      const path = `/v1/domains/${domain}/records`
      const { body } = await must(request('PATCH', path, { token, body: given }))
      made.push({ domain, change_id: body.change_id })
    }
    const [first, second] = made
    assert.ok(first && second)
    const grow = async ({ change_id }: { change_id: string }, octets: number) => {
      await sql('update dns_changes set octets = $2 where id = $1', [change_id, octets])
      await sql(
        `update dns_change_octets o
            set octets = (select sum(octets) from dns_changes where customer_id = $1)
          where o.customer_id = $1`,
        [owner.id],
      )
    }
    const change = (domain: string, value: string) =>
      must(
        request('PATCH', `/v1/domains/${domain}/records`, {
          token,
          body: { sets: [{ host: 'a', type: 'TXT', values: [value] }] },
        }),
      )
    const kept = async () =>
      (await sql('select id from dns_changes where customer_id = $1 order by pos', [owner.id])).map(
        ({ id }) => id,
      )
    await grow(first, 30_000_000)
    const third = await change(second.domain, 'third')
    assert.deepEqual(await kept(), [first.change_id, second.change_id, third.body.change_id])
    // Above the limit, the oldest changes of the account are deleted, including those of another
    // domain.
    await grow(second, 30_000_000)
    const fourth = await change(second.domain, 'fourth')
    assert.deepEqual(await kept(), [
      ...[second.change_id, third.body.change_id, fourth.body.change_id],
    ])
    // A change that alone exceeds the limit stays until the next one.
    await grow({ change_id: fourth.body.change_id }, 60_000_000)
    const fifth = await change(first.domain, 'fifth')
    assert.deepEqual(await kept(), [fifth.body.change_id])
    const [{ octets } = {}] = await sql(
      `select o.octets = (select sum(octets) from dns_changes where customer_id = $1) as octets
         from dns_change_octets o where o.customer_id = $1`,
      [owner.id],
    )
    assert.equal(octets, true)
  })

  it('are kept a year', async () => {
    const { call, patch, domain } = await held()
    const ids = []
    for (const value of ['1', '2']) {
      const { body } = await must(patch({ sets: [{ host: 'a', type: 'TXT', values: [value] }] }))
      ids.push(body.change_id)
    }
    const age = (id: string, days: number) =>
      sql('update dns_changes set created_at = now() - make_interval(days => $2) where id = $1', [
        ...[id, days],
      ])
    await age(ids[0], 366)
    await age(ids[1], 364)
    await purgeOldDnsChanges.run(registrar.service.app, Object(null))
    const { body } = await must(call('GET', '/changes'))
    assert.deepEqual(
      body.changes.map(({ id }: { id: string }) => id),
      [ids[1]],
      domain,
    )
    const gone = await call('POST', `/changes/${ids[0]}/revert`, { body: {} })
    assertProblem(gone, '404 dns_change_not_found')
  })
})

test('is audited and an event, with what was before and after', async () => {
  const owner = await customer({ funds_cents: 10_000, scopes: [...scopes] })
  const domain = `${fresh()}.com`
  await must(buy({ domain }, owner.key))
  const given = { sets: [{ host: 'www', type: 'A', values: ['192.0.2.1'] }] }
  const patch = () =>
    must(request('PATCH', `/v1/domains/${domain}/records`, { token: owner.key, body: given }))
  const { body } = await patch()
  await patch()
  const logs = await must(
    request('GET', `/v1/domain-audit-logs?domain=${domain}`, { token: owner.key }),
  )
  type Row = { action: string; metadata: Body }
  const rows = logs.body.audit_logs.filter(({ action }: Row) => action === 'change_dns_records')
  const [repeated, first] = rows
  assert.equal(rows.length, 2)
  assert.deepEqual(repeated.metadata, { repeated: true })
  const { change, digest, sets, sets_total } = first.metadata
  assert.deepEqual([change, digest, sets_total], [body.change_id, body.digest, 1])
  const after = { ttl: 3600, values: ['192.0.2.1'] }
  assert.deepEqual(sets, [{ host: 'www', type: 'A', before: null, after }])
  const path = '/v1/events?types=domain.dns_records_changed&wait=20'
  const { events } = (await must(request('GET', path, { token: owner.key }))).body
  assert.deepEqual(
    events.map(({ data }: { data: Body }) => data.change),
    [change],
  )
})
