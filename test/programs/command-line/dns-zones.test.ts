// Whole zones with the packed command: imported, exported, scanned, and set from a template.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fresh } from '../../contract/support/fixture.ts'
import { bought, done, json, runDns, setsOf } from './dns-commands.fixture.ts'
import { workFolder } from './packed.fixture.ts'

describe('dns import and export', () => {
  it('save a zone file, and take it over again', async () => {
    const domain = await bought()
    await done('set', domain, 'www', 'A', '192.0.2.1')
    const file = join(workFolder, `${domain}.zone`)
    assert.deepEqual(await done('export', domain, file), [`Saved ${file}`])
    assert.deepEqual(await done('export', domain), readFileSync(file, 'utf8').trimEnd().split('\n'))
    assert.match((await json('export', domain)).zonefile, /^\$ORIGIN /)
    const taken = await runDns(['export', domain, file])
    assert.deepEqual([taken.code, /there already/.test(taken.stderr)], [1, true])
    const [first, ...left] = await done('import', domain, file)
    assert.equal(first, 'Nothing differs')
    assert.match(left.join('\n'), /^Left out line 2: SOA is managed\nLeft out line 3: NS/)
    const elsewhere = join(workFolder, 'elsewhere.zone')
    const unknown = await runDns(['export', `${fresh()}.com`, elsewhere])
    assert.deepEqual([unknown.code, existsSync(elsewhere)], [1, false])
  })

  it('merge by default, from standard input, and refuse a wrong line', async () => {
    const domain = await bought()
    await done('set', domain, 'www', 'A', '192.0.2.1')
    const merged = await runDns(['import', domain, '-'], 'a 5 A 192.0.2.2\n')
    assert.equal(merged.code, 0, merged.stderr)
    assert.match(merged.stdout, /^\+ a 60 A 192\.0\.2\.2\nChange dch_\S+\nWarning: Line 1: /)
    const wrong = await runDns(['import', domain, '-'], 'b A 192.0.2.2\nc A 192.0.2\n')
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^zonefile: Line 2: /m)
    const missing = await runDns(['import', domain, join(workFolder, 'none.zone')])
    assert.deepEqual([missing.code, /cannot be read: ENOENT/.test(missing.stderr)], [1, true])
    assert.deepEqual(await setsOf(domain), ['a A 60 192.0.2.2', 'www A 3600 192.0.2.1'])
  })

  it('delete what the file lacks with --replace, after a confirmation', async () => {
    const domain = await bought()
    await done('set', domain, 'www', 'A', '192.0.2.1')
    const file = join(workFolder, `${domain}.new`)
    writeFileSync(file, 'a A 192.0.2.2\n')
    const replace = ['import', domain, file, '--replace']
    const asked = await runDns(replace)
    assert.equal(asked.code, 2)
    assert.match(asked.stderr, new RegExp(`This deletes www A of ${domain}\\. Give --yes`))
    const dry = await done(...replace, '--dry-run')
    assert.ok(dry.includes('- www 3600 A 192.0.2.1'))
    const late = await runDns([...replace, '--yes', '--if-match', '"1"', '--json'])
    assert.deepEqual([late.code, JSON.parse(late.stdout).code], [1, 'precondition_failed'])
    assert.deepEqual(await setsOf(domain), ['www A 3600 192.0.2.1'])
    await done(...replace, '--yes')
    assert.deepEqual(await setsOf(domain), ['a A 3600 192.0.2.2'])
    // This time nothing is deleted.
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
    const refused = await runDns(['apply', domain, 'proton-mail'])
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
    const unknown = await runDns(['apply', domain, 'nowhere'])
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
    const again = await runDns(['scan', domain, file])
    assert.equal(again.code, 1)
    assert.match(again.stderr, /is there already/)
  })
})
