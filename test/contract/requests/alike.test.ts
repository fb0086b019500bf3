// Rules of requests that hold for every operation of a kind: integers in paths, changes without a
// field, the length of a page.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../../../src/catalog.ts'
import { sharedService } from '../../support/service.ts'
import { recentSessionOf } from '../../support/sign-in.ts'
import { type Case, examples, send } from '../support/examples.ts'
import { type Example, openFixture } from '../support/fixture.ts'

const registrar = await sharedService()
const owner = await openFixture(registrar)

async function tokenOf({ access }: Case, { session }: Example): Promise<string> {
  if (access === 'operator') return registrar.operatorKey
  return access === 'session' ? (session ?? (await recentSessionOf(registrar, owner))) : owner.key
}

type Field = { type?: string; maximum?: number; default?: unknown }

function fieldsOf(takes: object): [name: string, field: Field][] {
  const { properties = {} }: { properties?: Record<string, Field> } = Object(takes)
  return Object.entries(properties)
}

describe('an integer in a path that no object can have', () => {
  const named = operations.flatMap(({ at, takes }) =>
    fieldsOf(takes).flatMap(([name, { type }]) =>
      type === 'integer' && at.includes(`{${name}}`) ? [[at, name] as const] : [],
    ),
  )
  assert.ok(named.length >= 14, `${named.length}`)
  for (const [at, name] of named)
    it(`is 404: ${at}`, async () => {
      const one = examples[at]
      assert.ok(one, at)
      const example = await one.make(owner)
      const token = await tokenOf(one, example)
      for (const value of [
        '9007199254740992',
        '9007199254740993',
        '18446744073709551616',
        '9'.repeat(400),
      ]) {
        const path = { ...example.path, [name]: value }
        const { status, text } = await send(owner, at, { example: { ...example, path }, token })
        assert.equal(status, 404, `${value}: ${text}`)
      }
    })
})

describe('a change without a field', () => {
  const changes = operations.filter(({ method }) => method === 'PATCH' || method === 'PUT')
  assert.ok(changes.length >= 7)
  for (const { at } of changes)
    it(`is 422: ${at}`, async () => {
      const one = examples[at]
      assert.ok(one, at)
      const example = { ...(await one.make(owner)), body: {} }
      const token = await tokenOf(one, example)
      const { status, text } = await send(owner, at, { example, token })
      assert.equal(status, 422, text)
    })
})

it('a page is of up to 500, but where the interface says otherwise', () => {
  const others = new Map([
    // The interface says: "limit integer 1-200 default 50".
    ['GET /v1/customer-tool/customers', 200],
  ])
  const lists = operations.flatMap(({ at, method, takes }) =>
    fieldsOf(takes).flatMap(([name, { maximum }]) =>
      method === 'GET' && name === 'limit' ? [[at, maximum] as const] : [],
    ),
  )
  assert.ok(lists.length > 20, `${lists.length}`)
  assert.deepEqual(
    lists.filter(([at, maximum]) => maximum !== (others.get(at) ?? 500)),
    [],
  )
})
