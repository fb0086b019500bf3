// The DNS records of a domain with the packed command: read, set, added, removed, and taken back.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bought, dnsRegistrar, done, json, key, runDns, setsOf } from './dns-commands.fixture.ts'

describe('dns set, add and remove', () => {
  it('change sets and single values, and show the difference', async () => {
    const domain = await bought()
    const created = await done('set', domain, 'www', 'A', '192.0.2.1', '192.0.2.2', '--ttl', '600')
    assert.deepEqual(created.slice(0, 2), ['+ www 600 A 192.0.2.1', '+ www 600 A 192.0.2.2'])
    assert.match(created[2] ?? '', /^Change dch_[0-9a-z]{26}$/)
    const changed = await done('set', domain, 'www', 'A', '192.0.2.2')
    assert.deepEqual(changed.slice(0, 1), ['- www 600 A 192.0.2.1'])
    assert.deepEqual(await done('set', domain, 'www', 'A', '192.0.2.2'), ['Nothing differs'])
    await done('add', domain, '@', 'MX', '10 mail.example.net.')
    await done('add', domain, '@', 'MX', '20 other.example.net.', '--ttl', '300')
    await done('add', domain, '@', 'TXT', 'v=spf1 mx -all')
    assert.deepEqual(await setsOf(domain), [
      '@ MX 300 10 mail.example.net. 20 other.example.net.',
      '@ TXT 3600 "v=spf1 mx -all"',
      'www A 600 192.0.2.2',
    ])
    await done('remove', domain, '@', 'MX', '20 other.example.net.')
    await done('remove', domain, 'www', 'A')
    assert.deepEqual(await setsOf(domain), [
      '@ MX 300 10 mail.example.net.',
      '@ TXT 3600 "v=spf1 mx -all"',
    ])
  })

  it('show what they would do, and do nothing, with --dry-run', async () => {
    const domain = await bought()
    await done('add', domain, 'a', 'A', '192.0.2.1')
    for (const words of [
      ['set', domain, 'a', 'A', '192.0.2.9'],
      ['add', domain, 'a', 'A', '192.0.2.9'],
      ['remove', domain, 'a', 'A', '192.0.2.1'],
      ['remove', domain, 'a', 'A'],
    ])
      assert.ok((await done(...words, '--dry-run')).includes('Nothing was changed (--dry-run)'))
    assert.deepEqual(await setsOf(domain), ['a A 3600 192.0.2.1'])
  })

  it('change only the set that was read, with --if-match', async () => {
    const domain = await bought()
    await done('add', domain, 'a', 'A', '192.0.2.1')
    const { sets } = await json(domain, '--host', 'a')
    const { etag } = sets[0]
    await done('set', domain, 'a', 'A', '192.0.2.2', '--if-match', etag)
    for (const words of [
      ['set', domain, 'a', 'A', '192.0.2.3'],
      ['remove', domain, 'a', 'A'],
    ]) {
      const late = await runDns([...words, '--if-match', etag, '--json'])
      assert.deepEqual([late.code, JSON.parse(late.stdout).code], [1, 'precondition_failed'])
    }
    assert.deepEqual(await setsOf(domain), ['a A 3600 192.0.2.2'])
  })

  it('refuse what they would ignore: a guard, or a dry run', async () => {
    const domain = await bought()
    for (const [words, refused] of [
      [['set', domain, '192.0.2.1', '--dry-run'], 'dns set NAME ADDRESS takes no --dry-run'],
      [['set', domain, 'a', 'A', '192.0.2.1', '--host', 'b'], /takes no --host/],
      [['add', domain, 'a', 'A', '192.0.2.1', '--if-match', '"x"'], 'dns add takes no --if-match'],
      [['remove', domain, 'a', 'A', '192.0.2.1', '--if-match', '"x"'], /takes no --if-match/],
      [['undo', domain, 'dch_x', '--if-match', '"x"'], 'dns undo takes no --if-match'],
      [[domain, '--prune'], 'dns takes no --prune'],
      [['set', domain, 'a', 'A'], /at least one value/],
      [['set', domain, 'a', 'A', '192.0.2.1', '--ttl', '1h'], /--ttl is a number of seconds/],
      [['lsit', domain], /one name, or: list, set, add, remove, import/],
    ] as const) {
      const { code, stderr } = await runDns([...words])
      assert.equal(code, 2, stderr)
      assert.match(stderr, typeof refused === 'string' ? new RegExp(refused) : refused)
    }
    assert.deepEqual(await setsOf(domain), [])
  })
})

describe('dns NAME', () => {
  it('is a table of all records, or of a host and a type', async () => {
    const domain = await bought()
    await done('set', domain, '@', 'TXT', 'one', 'two')
    await done('set', domain, 'www', 'A', '192.0.2.1')
    const all = await done(domain)
    assert.match(all[0] ?? '', /^HOST +TYPE +TTL +VALUE$/)
    assert.match(all[1] ?? '', /^@ +SOA /)
    assert.deepEqual(await done('list', domain), all)
    const [, first, second, ...more] = await done(domain, '--type', 'TXT')
    assert.match(first ?? '', /^@ +TXT +3600 +"one"$/)
    assert.match(second ?? '', /^ +"two"$/)
    assert.deepEqual(more, [])
    assert.equal((await done(domain, '--host', 'www', '--type', 'A')).length, 2)
    assert.deepEqual(await done(domain, '--host', 'none'), ['No records'])
    const wrong = await runDns([domain, '--type', 'NONE'])
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /type: Input should be a record type/)
  })
})

describe('dns history and undo', () => {
  it('list the changes, and take one back', async () => {
    const domain = await bought()
    assert.deepEqual(await done('history', domain), ['No changes'])
    await done('set', domain, 'a', 'A', '192.0.2.1')
    const { change_id } = await json('set', domain, 'a', 'A', '192.0.2.2')
    const [head, newest] = await done('history', domain)
    assert.match(head ?? '', /^CHANGE +MADE +BY +STATE +RECORDS$/)
    assert.match(newest ?? '', new RegExp(`^${change_id} .* a A$`))
    const dry = await done('undo', domain, change_id, '--prune', '--dry-run')
    assert.deepEqual(dry.slice(0, 2), ['- a 3600 A 192.0.2.2', '+ a 3600 A 192.0.2.1'])
    await done('undo', domain, change_id)
    assert.deepEqual(await setsOf(domain), ['a A 3600 192.0.2.1 192.0.2.2'])
    const again = await done('undo', domain, change_id, '--prune')
    const stays = 'a A stays as it is, because it was changed since'
    assert.deepEqual(again, ['Nothing differs', stays])
    const unknown = await runDns(['undo', domain, 'dch_x'])
    assert.equal(unknown.code, 1)
  })

  it('show one change with all its sets', async () => {
    const domain = await bought()
    await done('set', domain, 'a', 'A', '192.0.2.1')
    const { change_id } = await json('set', domain, 'a', 'A', '192.0.2.2')
    const differing = ['- a 3600 A 192.0.2.1', '+ a 3600 A 192.0.2.2']
    const [head, ...lines] = await done('history', domain, change_id)
    assert.match(head ?? '', new RegExp(`^Change ${change_id} \\(permanent\\), made .+ by .+$`))
    assert.deepEqual(lines, differing)
    const back = await json('undo', domain, change_id, '--prune')
    const [, undone, ...same] = await done('history', domain, change_id)
    assert.equal(undone, `It was taken back by ${back.change_id}`)
    assert.deepEqual(same, differing)
    const [, took] = await done('history', domain, back.change_id)
    assert.equal(took, `It took back ${change_id}`)
    const set = ['set', domain, 'b', 'A', '192.0.2.3', '--revert-after', 'PT10M']
    const due = await json(...set)
    const [state, until] = await done('history', domain, due.change_id)
    assert.match(state ?? '', / \(unconfirmed\), /)
    assert.match(until ?? '', new RegExp(`: dns confirm ${domain} ${due.change_id}$`))
    const unknown = await runDns(['history', domain, 'dch_x', '--json'])
    assert.deepEqual([unknown.code, JSON.parse(unknown.stdout).code], [1, 'dns_change_not_found'])
    const refused = await runDns(['history', domain, change_id, '--cursor', '1'])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /dns history NAME CHANGE takes no --cursor/)
  })

  it('continue a long history at a cursor', async () => {
    const domain = await bought()
    for (let value = 1; value <= 21; value += 1)
      await dnsRegistrar.request('PUT', `/v1/domains/${domain}/records/a/TXT`, {
        ...{ token: key, body: { values: [`${value}`] } },
      })
    const lines = await done('history', domain)
    assert.equal(lines.length, 22)
    const [, ...next] = /^Older: (dns history \S+ --cursor \S+)$/.exec(lines.at(-1) ?? '') ?? []
    const rest = await done(...(next[0] ?? '').split(' ').slice(1))
    assert.equal(rest.length, 2)
  })
})

describe('--revert-after and dns confirm', () => {
  it('let a change go back by itself, unless it is confirmed', async () => {
    const domain = await bought()
    const set = ['set', domain, 'a', 'A', '192.0.2.1', '--ttl', '600']
    const lines = await done(...set, '--revert-after', 'PT10M')
    assert.deepEqual(lines.slice(0, 1), ['+ a 60 A 192.0.2.1'])
    const change = lines[1]?.replace(/^Change /, '') ?? assert.fail(lines.join())
    const [, confirm] =
      /^It goes back at .+, unless you confirm it: (.*)$/.exec(lines[2] ?? '') ?? []
    assert.equal(confirm, `dns confirm ${domain} ${change}`)
    assert.match((await done('history', domain))[1] ?? '', / unconfirmed +a A$/)
    assert.deepEqual(await done('confirm', domain, change), [`${change} stays`])
    assert.deepEqual(await setsOf(domain), ['a A 600 192.0.2.1'])
    const late = await runDns(['confirm', domain, 'dch_x'])
    assert.equal(late.code, 1)
  })

  it('refuse a time that is no duration', async () => {
    const domain = await bought()
    const { code, stderr } = await runDns([
      'add',
      domain,
      'a',
      'A',
      '192.0.2.1',
      '--revert-after',
      '1h',
    ])
    assert.equal(code, 1)
    assert.match(stderr, /revert_after: Input should be an ISO 8601 duration/)
    assert.deepEqual(await setsOf(domain), [])
  })
})
