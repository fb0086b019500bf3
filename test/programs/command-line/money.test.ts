// Money and control of names, with the packed command: top-ups, purchases that wait for
// the owner, keys, and transfers to this service and away from it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { scopes } from '../../../src/principals.ts'
import { askAway, sellElsewhere, soldCode } from '../../support/other-registrar.ts'
import { startService } from '../../support/service.ts'
import { recentSessionOf } from '../../support/sign-in.ts'
import { jsonOf, newHome, program, runPacked, shell, start, waitFor } from './packed.fixture.ts'

const registrar = await startService()
const owner = await registrar.customer({ scopes: [...scopes] })
const home = newHome(registrar, 'owner')
const env = { ...home, AGENT_REGISTRAR_API_KEY: owner.key }
const run = (words: string[], input = '') => runPacked(words, env, input)
const json = (...words: string[]) => jsonOf(words, env)

async function done(words: string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(words, input)
  assert.equal(code, 0, stderr)
  return stdout
}

/** A command that continues while the test acts, with its output and its exit code. */
function begin(words: string[], as = env) {
  const child = start(words, as)
  child.stdin?.end()
  assert.ok(child.stdout)
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stdout = text(child.stdout)
  return { child, ended: async () => ({ code: await code, stdout: await stdout }) }
}

describe('a top-up', () => {
  it('shows where to pay, and waits until it is credited', async () => {
    const { child, ended } = begin(['top-up', '12.50', '--asset', 'usdc'])
    await waitFor(child, /Pay exactly +12\.5 USDC on base\nTo +0x[0-9a-f]{40}\nLink +ethereum:/)
    const { gateway } = registrar.payments ?? {}
    const invoice = gateway?.invoices().at(-1)
    assert.ok(gateway && invoice)
    const paid = gateway.pay(invoice.id, 'USDC-BASE', BigInt(invoice.prices['USDC-BASE'] ?? '0'))
    gateway.confirm(paid.id)
    // The gateway's webhook, which would say so at once, does not reach a service of a test.
    const checked = await registrar.request('POST', '/v1/billing/payments/check', {
      ...{ token: owner.key, body: {} },
    })
    assert.equal(checked.status, 200, checked.text)
    assert.deepEqual(await ended(), { code: 0, stdout: '12.50 USD is credited\n' })
    assert.equal((await json('balance')).available, '1012.50')
  })

  it('names what can be paid in, where nothing is chosen', async () => {
    const { code, stderr } = await run(['top-up', '5'])
    assert.equal(code, 2)
    assert.match(stderr, /--asset BTC --network bitcoin\n/)
  })

  it('gives the page for a card, and how to go on when it is interrupted', async () => {
    assert.match(await done(['top-up', '5', '--card', '--no-wait']), /^Pay by card at http\S+ \(/)
    const { child, ended } = begin(['top-up', '5', '--asset', 'usdc'])
    await waitFor(child, /Until/)
    const says = waitFor(child, /Continue with: agent-registrar (top-up wait \S+)/)
    child.kill('SIGINT')
    const [, again = ''] = await says
    assert.equal((await ended()).code, 130)
    assert.equal((await run([...again.split(' '), '--timeout', '1'])).code, 6)
    assert.match(await done(['top-up']), /awaiting_payment +5\.00 USD/)
  })
})

describe('an API key', () => {
  it('is alone on standard output, and waits for the owner above its limit', async () => {
    const words = [
      '--name',
      'agent',
      '--approval-above',
      '5',
      '--spend-limit',
      '40',
      '--tld',
      'com',
    ]
    const made = await run(['keys', 'create', ...words])
    assert.match(made.stdout, /^ar_test_\w+\n$/)
    assert.match(made.stderr, /above 5\.00 USD the owner is asked/)
    const agent = { ...home, AGENT_REGISTRAR_API_KEY: made.stdout.trim() }
    const refused = await runPacked(['buy', 'asked-for.com', '--yes'], agent)
    assert.equal(refused.code, 4, refused.stderr)
    const [, id = ''] = /Next: agent-registrar approvals wait (\S+) /.exec(refused.stderr) ?? []
    assert.match(await done(['approvals']), new RegExp(`${id} +pending +\\S+ +asked-for\\.com`))
    const { child, ended } = begin(['approvals', 'wait', id], agent)
    await waitFor(child, /The owner answers at http\S+/)
    const token = await recentSessionOf(registrar, owner)
    const at = `/v1/approvals/${id}/approve`
    assert.equal((await registrar.request('POST', at, { token, body: {} })).status, 200)
    const { code, stdout } = await ended()
    assert.equal(code, 0, stdout)
    assert.match(stdout, /State +executed\n/)
  })

  it('for certificates changes only the records of its hosts and types', async () => {
    const words = ['--scope', 'dns:write', '--dns-host', '_acme-challenge*', '--dns-type', 'TXT']
    const made = await run(['keys', 'create', '--name', 'certbot', ...words])
    assert.match(made.stderr, /only TXT records at _acme-challenge\*/)
    assert.match(await done(['keys']), /certbot.*only TXT records at _acme-challenge\*/)
  })

  it('replaces the kept one when that is rotated, and ends when it is revoked', async () => {
    const made = await done([
      'keys',
      'create',
      '--scope',
      'keys:write,keys:read',
      '--scope',
      'account:read',
    ])
    assert.equal((await runPacked(['login', '--api-key', '-'], home, made)).code, 0)
    const { stdout } = await runPacked(['whoami'], home)
    assert.match(stdout, /May +account:read keys:read keys:write\n/)
    const listed = await jsonOf(['keys'], home)
    const { id } = listed.find(({ key_prefix: of }: { key_prefix: string }) => made.startsWith(of))
    const rotated = await runPacked(['keys', 'rotate', `${id}`], home)
    assert.equal(rotated.code, 0, rotated.stderr)
    assert.match(rotated.stderr, /has replaced the key/)
    const kept = join(home.HOME ?? '', '.config/agent-registrar/credentials.json')
    assert.ok(readFileSync(kept, 'utf8').includes(rotated.stdout.trim()))
    assert.equal((await runPacked(['whoami'], home)).code, 0)
    assert.equal((await run(['keys', 'revoke', `${id}`])).code, 2)
    await done(['keys', 'revoke', `${id}`, '--yes'])
    assert.equal((await runPacked(['whoami'], home)).code, 3)
    assert.doesNotMatch(await done(['keys']), /revoked/)
    assert.match(await done(['keys', '--all']), /revoked/)
  })
})

describe('a transfer', () => {
  it('brings a domain here with the code from standard input, and can be canceled', async () => {
    for (const domain of ['comes-here.com', 'stays-there.com'])
      await sellElsewhere(registrar, domain)
    const given = await run(['transfer', 'comes-here.com', '--auth-code', soldCode])
    assert.equal(given.code, 2)
    assert.match(given.stderr, /Others can see a code/)
    const words = ['--auth-code', '-', '--yes']
    assert.equal((await run(['transfer', 'comes-here.com', ...words], 'not-the-code')).code, 1)
    for (const domain of ['comes-here.com', 'stays-there.com'])
      assert.match(await done(['transfer', domain, ...words], soldCode), /pending at the registry/)
    assert.match(await done(['transfer', 'status', 'comes-here.com']), /Transfer here +pending/)
    await done(['transfer', 'cancel', 'stays-there.com'])
    const { operation } = await json('show', 'comes-here.com')
    const waited = await run(['wait', operation.id, '--timeout', '4'])
    assert.equal(waited.code, 6)
    assert.match(waited.stderr, /transfer of comes-here\.com: pending\n/)
    assert.match(waited.stderr, new RegExp(`Next: agent-registrar wait ${operation.id}`))
  })

  it('asks for the code without an echo on a terminal, then for a confirmation', async () => {
    await sellElsewhere(registrar, 'is-typed.com')
    const command = `'${process.execPath}' '${program}' transfer is-typed.com`
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { env })
    after(() => terminal.kill())
    const shown = new Promise<string>((resolve) => {
      let seen = ''
      const answers: [string, string][] = [
        ['The transfer code: ', `${soldCode}\r`],
        ['Buy? [y/N] ', 'y\r'],
      ]
      terminal.stdout.on('data', (chunk) => {
        seen += chunk
        const [question, answer] = answers[0] ?? []
        if (question === undefined || !seen.includes(question)) return
        answers.shift()
        terminal.stdin.write(answer ?? '')
      })
      terminal.once('close', () => resolve(seen))
    })
    const seen = await shown
    assert.match(seen, /is-typed\.com is pending at the registry/)
    assert.ok(!seen.includes(soldCode))
  })

  it('away is rejected, or approved with a confirmation', async () => {
    for (const domain of ['is-kept.com', 'moves-away.com']) {
      await done(['buy', domain, '--yes'])
      const code = await done(['transfer', 'code', domain])
      assert.match(code, /^\S+\n$/)
      await askAway(registrar, { domain, auth_info: code.trim() })
    }
    await done(['transfer', 'reject', 'is-kept.com'])
    assert.equal((await json('show', 'is-kept.com')).status, 'active')
    assert.equal((await run(['transfer', 'approve', 'moves-away.com'])).code, 2)
    await done(['transfer', 'approve', 'moves-away.com', '--yes'])
    const gone = await run(['show', 'moves-away.com'])
    assert.ok(gone.code === 1 || /transferred_away/.test(gone.stdout), gone.stdout)
  })
})

describe('a domain', () => {
  it('is changed: its address, lock, renewal and name servers', async () => {
    const domain = 'is-changed.com'
    await done(['buy', domain, '--yes'])
    await done(['dns', 'set', domain, '192.0.2.7', '--host', 'www'])
    assert.match(await done(['dns', domain]), /^www +A +\d+ +192\.0\.2\.7$/m)
    assert.equal((await run(['dns', 'delete', domain])).code, 2)
    await done(['lock', domain])
    await done(['auto-renew', domain, 'on'])
    const locked = await json('show', domain)
    assert.deepEqual([locked.locked, locked.auto_renew], [true, true])
    assert.equal((await run(['unlock', domain])).code, 2)
    await done(['unlock', domain, '--yes'])
    const hosts = ['ns1.example.net', 'ns2.example.net']
    await done(['nameservers', domain, ...hosts, '--yes'])
    const changed = await json('show', domain)
    assert.deepEqual([changed.locked, changed.nameservers], [false, hosts])
    assert.match(await done(['runway']), /^is-changed\.com +yes +\d+\.\d\d USD +\d{4}-/m)
    await done(['auto-renew', domain, 'off'])
    // The output promises no day beyond the paid one.
    const manual = await done(['runway'])
    assert.match(manual, /^is-changed\.com +no +\d+\.\d\d USD +(\d{4}-\d\d-\d\d) +\1$/m)
    assert.match(manual, /\d+ of \d+ end unless you renew them/)
    assert.equal((await run(['restore', domain, '--yes'])).code, 1)
  })

  it('is counted, with what its renewal costs', async () => {
    const { total, costs } = await json('summary')
    const counted = await done(['summary'])
    assert.match(counted, new RegExp(`^Domains +${total}, of which \\d+ renew automatically$`, 'm'))
    assert.match(counted, new RegExp(`^12 months in USD +${costs[0].due} for \\d+ renewals`, 'm'))
    assert.match(counted, /^TLDs +\.com \d+$/m)
  })

  it('is in colors on a terminal, unless that is not wanted', async () => {
    const typescript = async (more: object) => {
      const words = ['-qec', `'${process.execPath}' '${program}' list`, '/dev/null']
      return (await shell('script', words, { env: { ...env, TERM: 'xterm', ...more } })).stdout
    }
    const green = '\u001b[32mactive\u001b[39m'
    assert.ok((await typescript({})).includes(green))
    assert.ok(!(await typescript({ NO_COLOR: '1' })).includes(green))
    assert.ok(!(await done(['list'])).includes('\u001b'))
  })
})
