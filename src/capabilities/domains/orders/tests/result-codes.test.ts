// Every result code of RFC 5730 as the answer to every command behind an operation, over REST: the
// answer is the operation's success or a fault that it declares, and a final code moves no money.
// A third of the codes a day for each command.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleOf } from '../../../../../test/shards/sampling.ts'
import {
  askAway,
  deleteBehind,
  sellElsewhere,
  soldCode,
} from '../../../../../test/support/other-registrar.ts'
import { type Answer, startService } from '../../../../../test/support/service.ts'
import { operations } from '../../../../catalog.ts'
import { result } from '../../../../epp/replies/result-codes.ts'
import { commonFaults } from '../../../../surfaces/pipeline/faults.ts'
import { updateService } from '../../updates/updates.fixture.ts'

const registrar = await updateService(await startService({ worker: false }))
const { owner, sandbox } = registrar

/** After these the pool opens no further session for some time: they come last. */
const closing = [2501, 2502]
const unheard = [1002, 2099, 2999]
const all = [...Object.values(result), ...unheard]
const codes = all.filter((code) => !closing.includes(code))
// 2002 and 2200 "not logged in" are sent again over another session, automatically.
const uncertain = [2002, 2104, 2200, 2400, 2500, ...unheard]
const isFinal = (code: number) => code >= 2000 && !uncertain.includes(code)

const faultsOf = (name: string) => {
  const found = operations.find((operation) => operation.name === name) ?? assert.fail(name)
  return [...found.fails, ...commonFaults].map(({ code }) => code)
}

let sequence = 0
function newName(tld: string): string {
  sequence += 1
  return `coded-${sequence}.${tld}`
}
const purchased = (tld = 'com') => registrar.buys(owner, newName(tld))
const post = (path: string, body: object = {}, token = owner.key) =>
  registrar.request('POST', path, { token, body })

async function sold(): Promise<string> {
  const domain = newName('com')
  await sellElsewhere(registrar, domain)
  return domain
}

/** A domain of ours that the other registrar asks for. */
async function wanted(): Promise<string> {
  const domain = await purchased()
  const { auth_code } = await registrar.call('200', `GET /v1/domains/${domain}/transfer-auth-code`)
  await askAway(registrar, { domain, auth_info: auth_code })
  return domain
}

async function coming(): Promise<string> {
  const domain = await sold()
  const { status, text } = await move(domain)
  assert.equal(status, 200, text)
  return domain
}

const move = (domain: string) => post('/v1/domains/transfer', { domain, auth_code: soldCode })

const redeemed: string[] = []

/** All at once: the time in redemption passes for all of them. */
async function redeem(): Promise<void> {
  const names = await Promise.all(Array.from({ length: 40 }, () => purchased()))
  await registrar.days(20)
  await Promise.all(names.map((name) => deleteBehind(registrar, name)))
  redeemed.push(...names)
}
await redeem()
await registrar.advance('PT2M')

/** Domains of ours that operations left as they were, because a refusal changes nothing. */
const unchanged: string[] = []
const owned = async () => unchanged.pop() ?? purchased()

type Case = {
  operation: string
  /** The commands that get the answer, one after the other. */
  commands: readonly string[]
  /** The target of the operation; created again once an answer has changed it. */
  make: () => Promise<string> | string
  call: (domain: string) => Promise<Answer>
  paid?: boolean
}
const cases: readonly Case[] = [
  {
    operation: 'register_domain',
    commands: ['domain:check', 'domain:create'],
    make: () => newName('com'),
    call: (domain) => post('/v1/domains', { domain }),
    paid: true,
  },
  {
    operation: 'register_domain',
    commands: ['host:check', 'host:create', 'domain:create'],
    make: () => newName('test'),
    call: (domain) =>
      post('/v1/domains', {
        domain,
        nameservers: [`ns1.${domain.replace('.test', '.net')}`, 'ns2.example.net'],
      }),
    paid: true,
  },
  {
    operation: 'renew_domain',
    commands: ['domain:check', 'domain:renew'],
    make: purchased,
    call: (domain) => post(`/v1/domains/${domain}/renew`, { period_years: 1 }),
    paid: true,
  },
  {
    operation: 'transfer_domain',
    commands: ['domain:check', 'domain:transfer'],
    make: sold,
    call: move,
    paid: true,
  },
  {
    operation: 'restore_domain',
    commands: ['domain:check', 'domain:update'],
    make: () => redeemed.pop() ?? assert.fail('no more in redemption'),
    call: (domain) => post(`/v1/domains/${domain}/restore`),
    paid: true,
  },
  {
    operation: 'lock_domain',
    commands: ['domain:info', 'domain:update'],
    make: owned,
    call: (domain) => post(`/v1/domains/${domain}/lock`),
  },
  {
    operation: 'update_domain',
    commands: ['domain:info', 'domain:update'],
    make: owned,
    call: (domain) =>
      registrar.request('PATCH', `/v1/domains/${domain}`, {
        token: owner.key,
        body: { nameservers: ['ns3.example.net', 'ns4.example.net'] },
      }),
  },
  {
    operation: 'get_transfer_auth_code',
    commands: ['domain:info', 'domain:update'],
    make: owned,
    call: (domain) =>
      registrar.request('GET', `/v1/domains/${domain}/transfer-auth-code`, { token: owner.key }),
  },
  {
    operation: 'regenerate_transfer_auth_code',
    commands: ['domain:update'],
    make: owned,
    call: (domain) => post(`/v1/domains/${domain}/transfer-auth-code/regenerate`),
  },
  {
    operation: 'cancel_transfer',
    commands: ['domain:transfer'],
    make: coming,
    call: (domain) => post(`/v1/domains/${domain}/transfer/cancel`),
  },
  {
    operation: 'approve_transfer',
    commands: ['domain:transfer'],
    make: wanted,
    call: (domain) => post(`/v1/domains/${domain}/transfer/approve`),
  },
  {
    operation: 'reject_transfer',
    commands: ['domain:transfer'],
    make: wanted,
    call: (domain) => post(`/v1/domains/${domain}/transfer/reject`),
  },
  {
    operation: 'check_domain_availability',
    commands: ['domain:check'],
    make: () => newName('com'),
    call: (domain) => post('/v1/domains/check', { domains: [domain] }),
  },
  {
    operation: 'get_domain',
    commands: ['domain:info'],
    make: purchased,
    call: (domain) => registrar.read(owner, domain),
  },
]

/** The owner's balance while no order has been placed since it was read. */
let money: string | undefined

type Tried = { code: number; command: string; domain: string }

/** One answer of the registry; complaints about what the operation made of it. */
async function tried({ operation, call, paid }: Case, at: Tried): Promise<[Answer, string[]]> {
  const { code, command, domain } = at
  const before = paid ? (money ?? (await registrar.balance(owner))) : ''
  // A host's command names no domain.
  const selector = command.startsWith('host') ? {} : { domain }
  // A create whose authInfo is refused is sent again.
  sandbox.setFault({ name: 'answer', command, code, times: paid ? 2 : 1, ...selector })
  const answer = await call(domain)
  const seen = `${operation}, ${command} ${code}: ${answer.status} ${answer.text.slice(0, 300)}`
  money = undefined
  if (answer.status === 200) return [answer, []]
  const wrong: string[] = []
  if (answer.status >= 500 && answer.status !== 503) wrong.push(seen)
  if (!faultsOf(operation).includes(answer.body.code)) wrong.push(`undeclared: ${seen}`)
  if (paid && answer.status !== 503) {
    money = await registrar.balance(owner)
    if (money !== before) wrong.push(`money moved: ${seen}`)
  }
  return [answer, wrong]
}

/** One after the other, as the balance is looked at. */
async function tryPaid(one: Case, command: string, codes: readonly number[]): Promise<string[]> {
  const wrong: string[] = []
  let domain = await one.make()
  for (const code of codes) {
    const [answer, complaints] = await tried(one, { code, command, domain })
    wrong.push(...complaints)
    // A final refusal of a paid command ends the order, with the registry's text.
    if (command !== 'domain:check' && isFinal(code) && answer.status === 200)
      wrong.push(`not refused: ${one.operation} ${command} ${code}: ${answer.text}`)
    sandbox.clearFaults()
    if (answer.status === 200) domain = await one.make()
  }
  return wrong
}

async function tryFree(one: Case, command: string, codes: readonly number[]): Promise<string[]> {
  const domains = await Promise.all(codes.map(() => one.make()))
  const wrong = await Promise.all(
    codes.map(async (code, at) => {
      const domain = domains[at] ?? ''
      const [{ status }, complaints] = await tried(one, { code, command, domain })
      if (one.make === owned && status === 409) unchanged.push(domain)
      return complaints
    }),
  )
  sandbox.clearFaults()
  return wrong.flat()
}

for (const [turn, one] of cases.entries())
  for (const command of one.commands)
    test(`${one.operation}: each answer to ${command} is declared`, async () => {
      const share = sampleOf(codes, 3, turn)
      assert.deepEqual(await (one.paid ? tryPaid : tryFree)(one, command, share), [])
    })

test('the codes that end the session are declared, too', async () => {
  const made = await Promise.all(
    cases.map(async (one): Promise<[Case, string]> => [{ ...one, paid: false }, await one.make()]),
  )
  const wrong: string[] = []
  for (const code of closing) {
    const answers = made.flatMap(([one, domain]) =>
      one.commands.map((command) => tried(one, { code, command, domain })),
    )
    wrong.push(...(await Promise.all(answers)).flatMap(([, complaints]) => complaints))
  }
  assert.deepEqual(wrong, [])
})
