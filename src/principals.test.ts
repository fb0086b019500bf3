// Scopes that include others: which are held, which two lists have in common, and how they are
// listed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type ScopeFacts, scopeFacts } from '../shared/scopes.ts'
import { foldScopes, holdsScope, type Scope, scopes, sharedScopes } from './principals.ts'

const some = fc.subarray([...scopes])
const facts: Readonly<Record<Scope, ScopeFacts>> = scopeFacts

describe('domains:write', () => {
  it('includes dns:write, and no scope includes another else', () => {
    for (const held of scopes)
      for (const asked of scopes) {
        const is = held === asked || (held === 'domains:write' && asked === 'dns:write')
        assert.equal(holdsScope(new Set([held]), asked), is, `${held} ${asked}`)
      }
  })

  it('is said to include it by the words of the pages, too', () => {
    for (const scope of scopes)
      assert.equal(facts[scope].within, scope === 'dns:write' ? 'domains:write' : undefined)
  })
})

describe('a list of scopes', () => {
  it('has each once, in their order, and none that another of them includes', () => {
    assert.deepEqual(foldScopes(['dns:write', 'domains:read', 'domains:write', 'dns:write']), [
      'domains:read',
      'domains:write',
    ])
    assert.deepEqual(foldScopes(['dns:write', 'other', 'domains:read']), [
      'domains:read',
      'dns:write',
    ])
  })

  it('of two that differ, has exactly what both hold', () =>
    fc.assert(
      fc.property(some, some, (one, other) => {
        const shared = sharedScopes(one, other)
        assert.deepEqual(shared, foldScopes(shared))
        const [a, b, both] = [new Set(one), new Set(other), new Set(shared)]
        for (const scope of scopes)
          assert.equal(
            holdsScope(both, scope),
            holdsScope(a, scope) && holdsScope(b, scope),
            `${one} and ${other}: ${scope}`,
          )
      }),
    ))
})
