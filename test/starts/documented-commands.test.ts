// The commands that README and the pages for operators show, run as they are written there:
// README's tour line by line on a first start, then each bin/call of the other pages on the same
// service.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/kit/net/free-port.ts'
import { sampleOf } from '../shards/sampling.ts'
import { skipDig } from '../support/dig.ts'
import { root, startProgram } from '../support/program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-documented-'))
chmodSync(scratch, 0o711)
after(() => rmSync(scratch, { recursive: true, force: true }))
const folder = join(scratch, 'here')
mkdirSync(folder)

const settings = {
  DATA_DIR: join(scratch, 'data'),
  PORT: String(await freePort()),
  DNS_PORT: String(await freePort()),
}
const program = startProgram({ environment: settings })
await program.line(/password\?token=/)
after(async () => {
  program.child.kill('SIGTERM')
  await program.ended
})

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const printed = program.lines.filter((line) => !line.startsWith('{'))
const printedOf = (pattern: RegExp) => pattern.exec(printed.join('\n'))?.[0] ?? ''
const API_KEY = printedOf(/ar_test_\w+/)
const OPERATOR_KEY = printedOf(/op_\w+/)
const domain = printedOf(/my-agent-\d+\.com/)

/** The blocks of README's tour, without their indent. */
const [, tour = ''] = /## A minute's tour\n([\s\S]*?)\n## /.exec(read('README.md')) ?? []
const blocks = [...tour.matchAll(/(?:^ {4}.*\n(?:\n(?= {4}))?)+/gm)].map(([block]) =>
  block.replaceAll(/^ {4}/gm, ''),
)
const isBanner = (block: string) => block.startsWith('$ npm start')
const isAnswer = (block: string) => block.startsWith('{')
const documentedName = /my-agent-\d+\.com/g

/** README's addresses and keys replaced by those of this service. */
function ofThisService(text: string): string {
  return text
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${settings.PORT}`)
    .replaceAll('-p 8053', `-p ${settings.DNS_PORT}`)
    .replaceAll(documentedName, domain)
    .replaceAll(/op_\w+\.\.\./g, OPERATOR_KEY)
    .replaceAll(/ar_test_\w+\.\.\./g, API_KEY)
}

type Said = { code: number; stdout: string; stderr: string }

/** A script as it would be pasted into a shell that is elsewhere than the project. */
function inShell(script: string, environment: Record<string, string> = {}): Promise<Said> {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...settings, API_KEY, OPERATOR_KEY, ...environment }
  const words = ['-euc', script.replaceAll(/\bbin\//g, `${root}/bin/`)]
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', words, { cwd: folder, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** The output of a script that succeeds, and in which no answer is a refusal. */
async function succeeds(script: string): Promise<string> {
  const { code, stdout, stderr } = await inShell(script)
  assert.equal(code, 0, `${script}\n${stdout}${stderr}`)
  assert.doesNotMatch(stdout, /"code": ?"/, script)
  return stdout
}

const commands = blocks.filter((block) => !isBanner(block) && !isAnswer(block))

/** The one block of README's commands that has this part. */
function commandsWith(part: string): string {
  const found = commands.filter((block) => block.includes(part))
  assert.equal(found.length, 1, part)
  return ofThisService(found[0] ?? '')
}

async function untilMailed(subject: string): Promise<void> {
  const mailbox = join(settings.DATA_DIR, 'sandbox-mailbox')
  const mails = () => readdirSync(mailbox).map((name) => readFileSync(join(mailbox, name), 'utf8'))
  for (let tries = 0; tries < 800; tries += 1) {
    if (mails().some((mail) => mail.includes(subject))) return
    await sleep(50)
  }
  assert.fail(`no mail "${subject}"`)
}

test('README shows the lines that a start prints', () => {
  const shown = blocks.find(isBanner) ?? ''
  const plain = (text: string) =>
    text
      .replaceAll(settings.PORT, '8080')
      .replaceAll(settings.DNS_PORT, '8053')
      .replaceAll(documentedName, 'NAME')
      .replaceAll(/\b(op|ar_test|pwt)_\w+/g, '$1_')
      .replaceAll(/ +/g, ' ')
      .trim()
  const lines = shown.split('\n').slice(1).map(plain)
  assert.ok(lines.length > 15, shown)
  const all = printed.map(plain)
  for (const line of lines) {
    const start = line.replace(/ ?\.\.\.$/, '')
    const isThere = all.some((one) => (start === line ? one === line : one.startsWith(start)))
    assert.ok(isThere, line)
  }
})

describe("README's tour", { skip: skipDig }, () => {
  test('buys a domain by the lines that a start prints, with the answers that it shows', async () => {
    const lines = printed.filter((line) => /^ {4}(API_KEY=|curl )/.test(line))
    assert.equal(lines.length, 3)
    const output = await succeeds(lines.map((line) => line.trim()).join('\necho\n'))
    const answers = output.trim().split('\n').filter(Boolean)
    const shown = blocks.filter(isAnswer)
    assert.deepEqual([answers.length, shown.length], [2, 2], output)
    for (const [i, answer] of answers.entries()) {
      const fields = (text: string) =>
        [...text.matchAll(/"(\w+)":/g)].map(([, field = '']) => field)
      const named = fields(answer)
      for (const field of fields(shown[i] ?? '')) assert.ok(named.includes(field), field)
    }
    assert.match(answers[0] ?? '', /"available":true/)
    assert.match(answers[1] ?? '', /"status":"active"/)
  })

  test('adds an address that its name server then has', async () => {
    const output = await succeeds(commandsWith('dns-record'))
    assert.match(output, /\n?192\.0\.2\.1\n$/)
  })

  test('lists connected programs, and makes a key for an operator', async () => {
    assert.match(await succeeds(commandsWith('oauth-grants')), /"oauth_grants":\[\]/)
    assert.match(await succeeds(commandsWith('create-operator-key')), /^op_\w{40}$/m)
  })

  test('jumps to the end of the term, where the owner pays for the next', async () => {
    const script = commandsWith('sandbox/clock')
    const payment = script.lastIndexOf('curl ')
    const jumped = await succeeds(script.slice(0, payment))
    assert.match(jumped, /"status":"expired"[\s\S]*"autoRenewPeriod"/)
    // The mail is of the term that has ended: none is sent once the next one is paid.
    await untilMailed(`Subject: ${domain} expired on `)
    assert.match(await succeeds(script.slice(payment)), /"status":"active"/)
  })

  test('calls operations and commands by name', async () => {
    const output = await succeeds(commandsWith('bin/call list_domains'))
    assert.match(output, /^ {2}register_domain /m)
    assert.match(output, new RegExp(`"domain": "${domain}"`))
    assert.match(output, /^The ledger is sound\.$/m)
    assert.match(output, /^The audit log is valid: /m)
  })

  test('has no command that none of these runs', () => {
    const run = /dns-record|oauth-grants|create-operator-key|sandbox\/clock|bin\/call list_domains/
    assert.deepEqual(
      commands.filter((block) => !run.test(block)),
      [],
    )
  })
})

/** Commands that need what this service has not, and the tests that run them. */
const elsewhere: readonly [command: RegExp, test: string][] = [
  [/bin\/(reconcile-registry)/, 'test/starts/restore.test.ts'],
  [/bin\/(reencrypt)/, 'test/starts/key-rotation.test.ts'],
  [/(accept-restored-audit)/, 'test/starts/restore.test.ts'],
  [/(archive-audit)/, 'src/surfaces/cli.long.process.test.ts'],
  [/(verify-audit) --archive/, 'src/surfaces/cli.long.process.test.ts'],
  [/(prove-archived-audit)/, 'src/surfaces/cli.long.process.test.ts'],
]
/** Commands for objects that wait for an operator, of which this service has none. */
const absent =
  /get_card_checkout|(settle|release)_parked_order|(credit|dismiss)_parked_(payment|card_reversal)/

const pages = globSync(['docs/**/*.md', 'src/capabilities/*/README.md'], { cwd: root }).filter(
  (page) => !/decisions|operations\.md|errors\.md|agent-exam/.test(page),
)

/** The lines of blocks and the code in sentences that call a command with words. */
function commandsOf(page: string): string[] {
  return read(page)
    .split('\n')
    .flatMap((line) => {
      const [, whole] = /^ +(bin\/\S+ .*?)(?: {2,}.*)?$/.exec(line) ?? []
      if (whole !== undefined) return [whole]
      return [...line.matchAll(/`(bin\/(?:call|reconcile-registry|reencrypt) [^`]+)`/g)].map(
        ([, command = '']) => command,
      )
    })
}

describe('the pages for operators', async () => {
  const documented = [...new Set(pages.flatMap(commandsOf))].filter((one) => !tour.includes(one))
  const here = documented.filter((one) => !elsewhere.some(([command]) => command.test(one)))
  const ids = await made()

  // Each is a process of its own.
  for (const command of sampleOf(here, 3))
    test(command, async () => {
      const { code, stdout, stderr } = await inShell(filled(command, ids), {
        API_KEY: OPERATOR_KEY,
      })
      if (!absent.test(command)) return assert.equal(code, 0, stdout + stderr)
      assert.equal(JSON.parse(stdout).status, 404, stdout)
    })

  test('have more commands than a few, and each other one is in a test', () => {
    assert.ok(here.length > 30, here.join('\n'))
    for (const [command, place] of elsewhere) {
      const [, name = ''] = documented.map((one) => command.exec(one)).find(Boolean) ?? []
      assert.ok(name, `${command}: no page has it`)
      assert.ok(read(place).includes(name), `${place}: ${name}`)
    }
  })
})

/** Things of the customer of the first start, for the ids that pages leave out. */
async function made() {
  const get = async (words: string, key: string) => {
    const { stdout } = await inShell(`bin/call ${words}`, { API_KEY: key })
    return JSON.parse(stdout)
  }
  const { id: customer } = await get('get_account', API_KEY)
  const { payments } = await get(`list_payments customer_id=${customer}`, OPERATOR_KEY)
  const bought = await get('register_domain domain=for-a-refund.com', API_KEY)
  await inShell('bin/call read_audit_head > head.json')
  return { customer, payment: payments[0].id, order: bought.operation.id }
}

type Ids = Awaited<ReturnType<typeof made>>

function filled(command: string, ids: Ids): string {
  const payment = command.includes('reverse_payment') ? ids.payment : 'none'
  return command
    .replaceAll('cus_...', ids.customer)
    .replace('ord_...', command.includes('refund_order') ? ids.order : `ord_${'0'.repeat(26)}`)
    .replace('ctp_...', `ctp_${'0'.repeat(26)}`)
    .replace('payment_id=...', `payment_id='${payment}'`)
    .replace('reversal_id=...', 'reversal_id=case-of-a-test')
    .replace('amount_cents=...', 'amount_cents=1')
    .replace('--name NAME', '--name "Grace Hopper"')
    .replace(/^(bin\/call create_operator_key name)=.*/, '$1="Ada Lovelace"')
}
