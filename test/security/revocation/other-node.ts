// Two nodes over one database: access ends at the first, and is tried on the second, which has the
// token in its cache.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '../../../sandbox/registry/index.ts'
import { toolCall } from '../../support/mcp.ts'
import type { Owner } from '../../support/owner.ts'
import {
  type Answer,
  type RequestOptions,
  startService,
  untilCached,
} from '../../support/service.ts'
import { type EventClient, openEvents } from '../../support/streams/event-client.ts'
import { openAttacker } from '../client.ts'

export const within_ms = 5_000

/** Jobs run at the first. */
export async function openNodePair() {
  const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
  const shared = { ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  const first = await startService({ sandbox, settings: shared })
  const { settings } = first.service
  const second = await startService({
    sandbox,
    mailbox: first.mailbox,
    database_url: settings.database_url ?? '',
    settings: { ...shared, PUBLIC_URL: settings.base_url },
    worker: false,
  })
  after(() => sandbox.close())
  await untilCached(second)
  const there = `http://127.0.0.1:${second.service.settings.port}`

  async function logIn({ email, password }: Owner): Promise<string> {
    const body = { email, password }
    const { body: session } = await first.request('POST', '/v1/dashboard/login', { body })
    assert.match(session.access_token, /^ses_/)
    return session.access_token
  }
  /** It gets a message that support writes now: it outlived the check that ended others. */
  async function assertIsOpen(stream: EventClient, { id }: Pick<Owner, 'id'>): Promise<void> {
    const body = { customer_id: id, body: 'Still there?' }
    const options = { token: first.operatorKey, body }
    await must(first.request('POST', '/v1/internal/support/messages', options))
    assert.equal((await stream.until(1)).length, 1)
  }
  const asked = { attacker: openAttacker(first), logIn, assertIsOpen, ...askOf(there) }
  return { sandbox, first, second, there, ...asked }
}

/** Requests to the second node. */
function askOf(there: string) {
  async function askThere(
    at: readonly [method: string, path: string],
    { token, body }: RequestOptions,
  ): Promise<Pick<Answer, 'status' | 'body'>> {
    const response = await fetch(`${there}${at[1]}`, {
      method: at[0],
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
  }

  const toolThere = (token: string, name: string, args: object = {}) =>
    askThere(['POST', '/mcp'], { token, body: toolCall(name, args) })

  /** The status for a token, at REST and at MCP. */
  async function statusThere(token: string, entryPoint: 'rest' | 'mcp'): Promise<number> {
    if (entryPoint === 'rest') return (await askThere(['GET', '/v1/account'], { token })).status
    return (await toolThere(token, 'get_account')).status
  }

  /** An open event stream. */
  async function streamThere(headers: Record<string, string>): Promise<EventClient> {
    const stream = await openEvents(`${there}/v1/support/events`, { headers })
    assert.equal(stream.status, 200, stream.text)
    return stream
  }
  return { askThere, toolThere, statusThere, streamThere }
}

export async function must(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer
  assert.ok(status < 300, `${status} ${text}`)
}

/** Looks until it is so, and fails when it takes longer than a revocation may; answers how long. */
export async function soon(what: string, look: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await look())) {
    assert.ok(performance.now() - began < within_ms, `${what} after 5 s`)
    await sleep(25)
  }
  return performance.now() - began
}
