// dns:write and domains:write, which includes it: minted by it, never beside it, and what is left
// of one where a parent, a row or a consent has the other.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import { type Body, testPipeline } from '../../../test/support/test-pipeline.ts'
import { operation, owner as ownerWith, type Scope } from '../../app.ts'
import { operations as account } from '../account/index.ts'
import { operations as limits, presentRights } from '../limits/index.ts'
import { authenticateApiKeys } from './authentication.ts'
import { operations as keys } from './index.ts'

const ofScope = (name: string, scope: Scope) =>
  operation({
    ...{ name, does: 'Does nothing.', at: `POST /v1/${name.replaceAll('_', '-')}` },
    ...{ area: 'Domains', who: ownerWith(scope), takes: Type.Object({}) },
    ...{ gives: Type.Object({}), fails: [], effect: 'none' },
    run: async () => ({}),
  })
const probes = [ofScope('probe_records', 'dns:write'), ofScope('probe_domains', 'domains:write')]
const pipeline = await testPipeline({ operations: [...keys, ...account, ...limits, ...probes] })
const { call, db, app } = pipeline
const owner = await pipeline.customer()
const at = `/v1/customers/${owner.id}/api-keys`

async function make(scopes: readonly string[] | undefined, token = owner.key) {
  const answer = await call(`POST ${at}`, { token, body: { scopes } })
  const key: Body = Object(answer.body.key)
  return { ...answer, secret: String(answer.body.api_key), id: Number(key.id), scopes: key.scopes }
}
async function rotate(token: string, id: number, body: object = {}) {
  const answer = await call(`POST ${at}/${id}/rotate`, { token, body })
  const key: Body = Object(answer.body.key)
  return { ...answer, secret: String(answer.body.api_key), scopes: key.scopes }
}
const storedOf = async (id: number) =>
  (await db.query('select scopes from api_keys where id = $1', [id]))[0]?.scopes
const mayDo = async (token: string) => {
  const answers = await Promise.all([
    call('POST /v1/probe-records', { token, body: {} }),
    call('POST /v1/probe-domains', { token, body: {} }),
  ])
  return answers.map(({ status }) => status)
}

describe('a key with domains:write', () => {
  it('changes records; one with dns:write changes nothing else', async () => {
    assert.deepEqual(await mayDo((await make(['domains:write'])).secret), [200, 200])
    assert.deepEqual(await mayDo((await make(['dns:write'])).secret), [200, 403])
    assert.deepEqual(await mayDo((await make(['domains:read'])).secret), [403, 403])
  })

  it('has it once, whatever it was asked with, and so have the usual scopes', async () => {
    const both = await make(['dns:write', 'domains:write'])
    assert.deepEqual([both.scopes, await storedOf(both.id)], [['domains:write'], ['domains:write']])
    const { scopes } = await make(undefined)
    assert.ok(Array.isArray(scopes) && scopes.includes('domains:write'))
    assert.ok(!scopes.includes('dns:write'))
    const rotated = await rotate(owner.key, both.id, { scopes: ['domains:write', 'dns:write'] })
    assert.deepEqual(rotated.scopes, ['domains:write'])
  })

  it('makes a key with dns:write, which makes none with domains:write', async () => {
    const parent = await make(['keys:write', 'domains:write'])
    const child = await make(['keys:write', 'dns:write'], parent.secret)
    assert.equal(child.status, 201)
    const wider = await make(['domains:write'], child.secret)
    assert.deepEqual([wider.status, wider.body.code], [403, 'scope_not_held'])
    assert.deepEqual(wider.body.scopes_not_held, ['domains:write'])
    assert.equal((await make(['dns:write'], child.secret)).status, 201)
  })
})

describe('a rotation', () => {
  it('leaves a child its dns:write, while the parent keeps domains:write or dns:write', async () => {
    const parent = await make(['keys:write', 'domains:write', 'domains:read'])
    const child = await make(['dns:write', 'domains:read'], parent.secret)
    const wide = await make(['domains:write'], parent.secret)
    const kept = await rotate(parent.secret, parent.id)
    assert.deepEqual(await storedOf(child.id), ['domains:read', 'dns:write'])
    await rotate(kept.secret, parent.id, { scopes: ['keys:write', 'dns:write'] })
    assert.deepEqual(await storedOf(child.id), ['dns:write'])
    assert.deepEqual(await storedOf(wide.id), ['dns:write'], 'what both have')
  })

  it('takes both from its children with neither left, and gives none back', async () => {
    const parent = await make(['keys:write', 'domains:write'])
    const children = [
      await make(['dns:write'], parent.secret),
      await make(['domains:write'], parent.secret),
    ]
    await rotate(parent.secret, parent.id, { scopes: ['keys:write'] })
    for (const { id } of children) assert.deepEqual(await storedOf(id), [])
  })

  it('of a child by its owner takes no scope that its parent lacks', async () => {
    const parent = await make(['keys:write', 'dns:write'])
    const child = await make(['keys:write'], parent.secret)
    const wider = await rotate(owner.key, child.id, { scopes: ['keys:write', 'domains:write'] })
    assert.deepEqual([wider.status, wider.body.scopes_not_held], [403, ['domains:write']])
    const other = await make(['keys:write', 'domains:write'])
    const narrow = await make(['keys:write'], other.secret)
    assert.equal((await rotate(owner.key, narrow.id, { scopes: ['dns:write'] })).status, 200)
  })
})

it('the present right of a caller is what it held and its row still holds', async () => {
  const { secret, id } = await make(['domains:read', 'domains:write'])
  const caller = await authenticateApiKeys(app)(secret)
  assert.ok(caller)
  const asked = { domain: null, approval_id: null }
  const now = async () => {
    const rights = await presentRights(db.database, caller, asked)
    return rights && 'scopes' in rights.caller ? [...rights.caller.scopes] : null
  }
  assert.deepEqual(await now(), ['domains:read', 'domains:write'])
  for (const [row, held] of [
    ['{dns:write,domains:purchase}', ['dns:write']],
    ['{domains:read}', ['domains:read']],
    ['{domains:write,domains:read}', ['domains:read', 'domains:write']],
  ] as const) {
    await db.query('update api_keys set scopes = $1 where id = $2', [row, id])
    assert.deepEqual(await now(), held)
  }
})
