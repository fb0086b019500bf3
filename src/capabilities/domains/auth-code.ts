// The authorization code for a transfer away (RFC 9154): made and set when it is asked for, told
// once, kept as a hash, taken away after its time (auth-code.job.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { type App, type Call, operation, owner } from '../../app.ts'
import { newAuthInfo } from '../../kit/auth-info.ts'
import { dateTime } from '../../kit/schema.ts'
import { type Outcome, refusesAuthInfo } from '../../outside/registry/port.ts'
import { storeAuditRow } from '../audit/index.ts'
import { keepAuthCode, planUnset } from './auth-code.sql.ts'
import { patienceOf } from './change.ts'
import { changeRefused, changeUnconfirmed, changeUnderWay, notChangeable } from './change-faults.ts'
import { type Alone, alone } from './change-lease.ts'
import { refuseObstacle } from './change-obstacle.ts'
import { domainNotFound, registryUnreachable } from './faults.ts'
import type { Holding } from './holding.ts'
import { fingerprintOf } from './order.ts'
import { domainInPath, hostOf } from './request.ts'
import { nextAction } from './shapes.ts'
import type { DomainAction } from './state-rules.ts'
import { holdingByName } from './store.ts'
import { registryOf } from './sync.ts'
import { truthOf } from './truth.ts'

const authCodeResponse = Type.Object(
  {
    domain: Type.String({ description: 'Lower-case A-labels.' }),
    auth_code: Type.String({
      description: 'For the registrar that the domain moves to. Shown now and never again.',
    }),
    expires_at: dateTime('From then on the registry no longer takes it.'),
    locked: Type.Boolean({ description: 'A locked domain cannot be moved, code or not.' }),
    next_actions: Type.Array(nextAction),
  },
  { title: 'DomainTransferAuthCodeResponse' },
)

const common = {
  area: 'Domains',
  who: owner('domains:transfer'),
  takes: Type.Object({ domain: domainInPath }),
  gives: authCodeResponse,
  fails: [
    domainNotFound,
    notChangeable,
    changeUnderWay,
    changeRefused,
    changeUnconfirmed,
    registryUnreachable,
  ],
  effect: 'own',
  target: ({ domain }: { domain: string }) => ({
    target_type: 'domain',
    target: domain.slice(0, 253),
  }),
} as const
const tool = {
  group: 'transfers and locks',
  examples: [{ domain: 'my-agent.com' }],
  destructive: true,
  idempotent: false,
  open_world: true,
} as const

export const getTransferAuthCode = operation({
  ...common,
  name: 'get_transfer_auth_code',
  does: 'Get the code with which another registrar can take over one domain of yours.',
  more:
    'Codes are not stored, so each call sets a fresh one at the registry, and one that was told ' +
    'before no longer works. It is good for 7 days.',
  at: 'GET /v1/domains/{domain}/transfer-auth-code',
  tools: [{ ...tool, title: 'Get a transfer code' }],
  run: (input, call, app) =>
    tellFreshCode(app, call, { domain: hostOf(input.domain), action: 'get_transfer_auth_code' }),
})

export const regenerateTransferAuthCode = operation({
  ...common,
  name: 'regenerate_transfer_auth_code',
  does: 'Replace the transfer code of one domain of yours, so that older ones no longer work.',
  more: 'Good for 7 days.',
  at: 'POST /v1/domains/{domain}/transfer-auth-code/regenerate',
  tools: [{ ...tool, title: 'Replace a transfer code' }],
  run: (input, call, app) =>
    tellFreshCode(app, call, {
      domain: hostOf(input.domain),
      action: 'regenerate_transfer_auth_code',
    }),
})

const life_ms = 7 * 86_400_000
const most_rounds = 3
const pause_ms = 200
const unlock = {
  type: 'unlock',
  hint: 'The domain is locked: POST /v1/domains/{domain}/unlock before it can be moved.',
  operation: 'unlock_domain',
}

type Asked = { domain: string; action: DomainAction }

async function tellFreshCode(app: App, call: Call, { domain, action }: Asked) {
  const known = await call.sql.maybe(holdingByName, [call.customer_id, domain])
  if (!known) throw domainNotFound()
  const registry = registryOf(app, domain)
  if (!registry) throw registryUnreachable({ retry_after_s: 60 })
  const wait_ms = patienceOf(registry)
  return alone(app, { domain, registry, priority: 'normal', wait_ms }, async (held) => {
    const holding = await truthOf(app, known)
    refuseObstacle(app, { holding, action }, holding)
    const expires_at = new Date(app.calendar.now().getTime() + life_ms)
    const auth_code = await setCode(app, call, { held, holding, expires_at })
    const { locked } = holding
    const next_actions = locked ? [unlock] : []
    return { domain, auth_code, expires_at: expires_at.toISOString(), locked, next_actions }
  })
}

type Setting = { held: Alone; holding: Holding; expires_at: Date }

/** The code that the registry has now; its hash and the audit row are stored. */
async function setCode(app: App, call: Call, setting: Setting): Promise<string> {
  const { holding, expires_at } = setting
  const { id, customer_id, name } = holding
  // Before anything is sent: should this process die, the code is taken away all the same.
  if (!(await app.db.maybe(planUnset, [id, customer_id, expires_at]))) throw domainNotFound()
  const row = { target_type: 'domain', target: name }
  const { code, sent } = await inRounds(setting)
  if (code === undefined) {
    if (!sent) throw registryUnreachable({ retry_after_s: 5 })
    const facts = {
      result: 'unknown',
      status_code: 503,
      error_code: changeUnconfirmed.code,
    } as const
    await storeAuditRow(app.db, call.auditRow({ ...row, ...facts }))
    throw changeUnconfirmed({ retry_after_s: 5 })
  }
  const metadata = { expires_at: expires_at.toISOString() }
  await app.db.transaction(async (sql) => {
    const kept = [id, customer_id, fingerprintOf(code), expires_at] as const
    if (!(await sql.maybe(keepAuthCode, [...kept]))) throw domainNotFound()
    await storeAuditRow(sql, call.auditRow({ ...row, result: 'success', metadata }))
  })
  return code
}

/** After silence the same value is set again: whichever lands last, it is the one that is told. */
async function inRounds({ held, holding }: Setting): Promise<{ code?: string; sent: boolean }> {
  const { name: domain } = holding
  let wanted = newAuthInfo()
  let sent = false
  let outcome: Outcome<{ auth_info: string }> | undefined
  for (let round = 0; round < most_rounds; round += 1) {
    if (round > 0) await held.keep()
    outcome = await held.send((attempt) => held.registry.renewAuthInfo({ domain, wanted }, attempt))
    if (outcome.kind === 'done') return { code: outcome.value.auth_info, sent: true }
    if (outcome.kind === 'accepted') return { code: wanted, sent: true }
    if (outcome.kind === 'unknown') {
      sent ||= outcome.cause === 'silence' || outcome.cause === 'server_failed'
      await sleep(pause_ms)
      continue
    }
    if (!refusesAuthInfo(outcome)) break
    wanted = newAuthInfo('alphanumeric')
  }
  if (outcome?.kind !== 'refused') return { sent }
  const { message, code } = outcome
  throw changeRefused({ detail: `The registry refused: ${message}`, facts: { epp_code: code } })
}
