// The DNS records of a domain with the packed command: read, set, added, removed, imported,
// exported, and taken back.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fresh } from '../../contract/support/fixture.ts'
import { sharedService } from '../../support/service.ts'
import { jsonOf, newHome, runPacked, workFolder } from './packed.fixture.ts'

const registrar = await sharedService()
const { key } = await registrar.customer({
  scopes: ['domains:read', 'domains:purchase', 'dns:write'],
})
const env = { ...newHome(registrar, 'dns'), AGENT_REGISTRAR_API_KEY: key }
const run = (words: string[], input = '') => runPacked(['dns', ...words], env, input)
const json = (...words: string[]) => jsonOf(['dns', ...words], env)

async function done(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(words)
  assert.equal(code, 0, stderr)
  return stdout.trimEnd().split('\n')
}

async function bought(): Promise<string> {
  const domain = `${fresh()}.com`
  await jsonOf(['buy', domain, '--yes'], env)
  return domain
}

type Listed = { host: string; type: string; ttl: number; values: string[]; managed: boolean }

/** "www A 3600 192.0.2.1" of each set that is not managed. */
async function setsOf(domain: string): Promise<string[]> {
  const { sets } = await json('list', domain)
  return sets
    .filter(({ managed }: Listed) => !managed)
    .map(({ host, type, ttl, values }: Listed) => [host, type, ttl, ...values].join(' '))
}

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
      const late = await run([...words, '--if-match', etag, '--json'])
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
      const { code, stderr } = await run([...words])
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
    const wrong = await run([domain, '--type', 'NONE'])
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
    const unknown = await run(['undo', domain, 'dch_x'])
    assert.equal(unknown.code, 1)
  })

  it('continue a long history at a cursor', async () => {
    const domain = await bought()
    for (let value = 1; value <= 21; value += 1)
      await registrar.request('PUT', `/v1/domains/${domain}/records/a/TXT`, {
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
    const late = await run(['confirm', domain, 'dch_x'])
    assert.equal(late.code, 1)
  })

  it('refuse a time that is no duration', async () => {
    const domain = await bought()
    const { code, stderr } = await run([
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

describe('dns import and export', () => {
  it('save a zone file, and take it over again', async () => {
    const domain = await bought()
    await done('set', domain, 'www', 'A', '192.0.2.1')
    const file = join(workFolder, `${domain}.zone`)
    assert.deepEqual(await done('export', domain, file), [`Saved ${file}`])
    assert.deepEqual(await done('export', domain), readFileSync(file, 'utf8').trimEnd().split('\n'))
    assert.match((await json('export', domain)).zonefile, /^\$ORIGIN /)
    const taken = await run(['export', domain, file])
    assert.deepEqual([taken.code, /there already/.test(taken.stderr)], [1, true])
    const [first, ...left] = await done('import', domain, file)
    assert.equal(first, 'Nothing differs')
    assert.match(left.join('\n'), /^Left out line 2: SOA is managed\nLeft out line 3: NS/)
    const elsewhere = join(workFolder, 'elsewhere.zone')
    const unknown = await run(['export', `${fresh()}.com`, elsewhere])
    assert.deepEqual([unknown.code, existsSync(elsewhere)], [1, false])
  })

  it('merge by default, from standard input, and refuse a wrong line', async () => {
    const domain = await bought()
    await done('set', domain, 'www', 'A', '192.0.2.1')
    const merged = await run(['import', domain, '-'], 'a 5 A 192.0.2.2\n')
    assert.equal(merged.code, 0, merged.stderr)
    assert.match(merged.stdout, /^\+ a 60 A 192\.0\.2\.2\nChange dch_\S+\nWarning: Line 1: /)
    const wrong = await run(['import', domain, '-'], 'b A 192.0.2.2\nc A 192.0.2\n')
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^zonefile: Line 2: /m)
    const missing = await run(['import', domain, join(workFolder, 'none.zone')])
    assert.deepEqual([missing.code, /cannot be read: ENOENT/.test(missing.stderr)], [1, true])
    assert.deepEqual(await setsOf(domain), ['a A 60 192.0.2.2', 'www A 3600 192.0.2.1'])
  })

  it('delete what the file lacks with --replace, after a confirmation', async () => {
    const domain = await bought()
    await done('set', domain, 'www', 'A', '192.0.2.1')
    const file = join(workFolder, `${domain}.new`)
    writeFileSync(file, 'a A 192.0.2.2\n')
    const replace = ['import', domain, file, '--replace']
    const asked = await run(replace)
    assert.equal(asked.code, 2)
    assert.match(asked.stderr, new RegExp(`This deletes www A of ${domain}\\. Give --yes`))
    const dry = await done(...replace, '--dry-run')
    assert.ok(dry.includes('- www 3600 A 192.0.2.1'))
    const late = await run([...replace, '--yes', '--if-match', '"1"', '--json'])
    assert.deepEqual([late.code, JSON.parse(late.stdout).code], [1, 'precondition_failed'])
    assert.deepEqual(await setsOf(domain), ['www A 3600 192.0.2.1'])
    await done(...replace, '--yes')
    assert.deepEqual(await setsOf(domain), ['a A 3600 192.0.2.2'])
    // Nothing is deleted now.
    assert.equal((await done(...replace))[0], 'Nothing differs')
  })
})

describe('dns templates and apply', () => {
  it('show the templates, and set one after what stands against it was named', async () => {
    const domain = await bought()
    const [heads = '', ...rows] = await done('templates')
    assert.match(heads, /^TEMPLATE +FOR +PARAMETERS +CHECKED/)
    assert.ok(rows.some((row) => /^github-pages +GitHub Pages +user=octocat/.test(row)))
    await done('add', domain, '@', 'MX', '10 mail.example.net.')
    const refused = await run(['apply', domain, 'proton-mail'])
    assert.notEqual(refused.code, 0)
    assert.match(refused.stderr, /"@" MX/)
    const dry = await done('apply', domain, 'proton-mail', '--dry-run')
    assert.ok(dry.includes('Against it: @ MX 10 mail.example.net.'), dry.join('\n'))
    await done('apply', domain, 'proton-mail', '--replace', '--yes')
    await done('apply', domain, 'cloudflare-pages', 'project=my-site')
    assert.deepEqual(await setsOf(domain), [
      '@ MX 3600 10 mail.protonmail.ch. 20 mailsec.protonmail.ch.',
      '@ TXT 3600 "v=spf1 include:_spf.protonmail.ch ~all"',
      'www CNAME 3600 my-site.pages.dev.',
    ])
    const unknown = await run(['apply', domain, 'nowhere'])
    assert.match(unknown.stderr, /no-mail, microsoft-365/)
  })
})

describe('dns scan', () => {
  it('shows the records at the present name servers, and saves them for an import', async () => {
    const domain = await bought()
    const lines = await done('scan', domain)
    assert.equal(lines[0], 'No records were found')
    assert.ok(lines.includes('Server: ns1.agent-registrar.net has no address'), lines.join('\n'))
    assert.match(lines.join('\n'), /Note: A name server does not list its names/)
    assert.equal(lines.at(-1), 'The scan is not complete')
    const file = join(workFolder, 'scanned.zone')
    const saved = await done('scan', domain, file)
    assert.ok(saved.includes(`Saved ${file}`))
    assert.match(saved.at(-1) ?? '', /^Compare: agent-registrar dns import .* --dry-run$/)
    assert.equal(readFileSync(file, 'utf8'), `$ORIGIN ${domain}.\n`)
    assert.deepEqual(await done('import', domain, file, '--dry-run'), ['Nothing differs'])
    const again = await run(['scan', domain, file])
    assert.equal(again.code, 1)
    assert.match(again.stderr, /is there already/)
  })
})
