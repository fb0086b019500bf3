// A log-in of the packed command under way, its owner in a browser, and the credentials that it
// keeps.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hashSecret } from '../../../src/kit/random.ts'
import { ownerOf } from '../../../src/oauth/flow.fixture.ts'
import { decideAt, formOf, openBrowser } from '../../support/browser.ts'
import { newOwner } from '../../support/owner.ts'
import { sharedService } from '../../support/service.ts'
import { type Environment, newHome, start, waitFor } from './packed.fixture.ts'

export const registrar = await sharedService()
const query = ownerOf(registrar)
export const owner = await newOwner(registrar, { scopes: ['keys:read', 'keys:write'] })

/** The owner enters a code in the browser, and decides. */
export async function decide(user_code: string, decision: 'allow' | 'deny'): Promise<void> {
  const browser = openBrowser(registrar.url)
  const steps: [string, string][] = [
    ['user_code', user_code],
    ['confirm', 'yes'],
  ]
  let shown = await browser.open(`${registrar.url}/oauth/device`)
  const formIn = () => {
    assert.ok('page' in shown)
    const form = formOf(shown.page.text, shown.page.url)
    assert.ok(form, shown.page.text)
    return form
  }
  for (const step of steps) {
    const form = formIn()
    const hidden = form.inputs.filter(({ type }) => type === 'hidden')
    const fields = hidden.map(({ name, value }): [string, string] => [name, value])
    shown = await browser.submit(form, [...fields, step])
  }
  await decideAt(browser, formIn(), {
    login: owner,
    choice: decision === 'deny' ? { decision } : {},
  })
}

/** A log-in under way: its code, and how it ends. */
export async function begin(env: Environment, ...words: string[]) {
  const child = start(['login', ...words], env)
  child.stdin?.end()
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  assert.ok(child.stdout && child.stderr)
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [, user_code = ''] = await waitFor(child, /enter the code (\S+)/)
  const ended = async () => {
    const [stdout, stderr] = await output
    return { code: await code, stdout, stderr }
  }
  return { user_code, ended }
}

export async function logIn(name: string): Promise<Environment> {
  const env = newHome(registrar, name)
  const { user_code, ended } = await begin(env)
  await decide(user_code, 'allow')
  assert.equal((await ended()).code, 0)
  return env
}

export const fileOf = (env: Environment) =>
  join(env.HOME ?? '', '.config/agent-registrar/credentials.json')
export const keptIn = (env: Environment) =>
  JSON.parse(readFileSync(fileOf(env), 'utf8'))[registrar.url]

/** Changes the kept log-in, as time or the service would. */
export function alter(
  env: Environment,
  change: (tokens: { rest: Record<string, string> }) => void,
): void {
  const { tokens } = keptIn(env)
  change(tokens)
  replace(env, { tokens })
}

/** Replaces fields of the kept log-in. */
export function replace(env: Environment, fields: object): void {
  const kept = { ...keptIn(env), ...fields }
  writeFileSync(fileOf(env), JSON.stringify({ [registrar.url]: kept }))
}

export const expire = (env: Environment) =>
  alter(env, ({ rest }) => {
    rest.expires_at = new Date(Date.now() - 1).toISOString()
  })

const uidOf = (user_code: string) =>
  hashSecret(`user code ${user_code.replace('-', '')}`).toString('hex')

export async function changeCode(user_code: string, payload: object): Promise<void> {
  const changed = await query(
    `update oauth_models set payload = payload || $1::jsonb
      where model = 'DeviceCode' and uid = $2 returning 1`,
    [JSON.stringify(payload), uidOf(user_code)],
  )
  assert.equal(changed.length, 1)
}

export async function codeRow(user_code: string): Promise<{ interval_s?: number }> {
  const [row] = await query(`select payload from oauth_models where uid = $1`, [uidOf(user_code)])
  return Object(row?.payload)
}

/** How many refresh tokens a log-in has used and holds. */
export async function refreshTokens(env: Environment): Promise<number> {
  const rows = await query(
    `select count(*)::int as count from oauth_models
      where model = 'RefreshToken' and client_id = $1`,
    [keptIn(env).client_id],
  )
  return Number(rows[0]?.count)
}
