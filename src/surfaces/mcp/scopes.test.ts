// The requirements of each tool: no token, any token, or one with its scope; named in one
// go, in both eras, and in batches.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  toolCall as call,
  type Era,
  mcpTestServer,
  modern,
  modernHeaders,
} from '../../../test/support/mcp.ts'
import { type Scope, scopes } from '../../app.ts'
import { operations } from '../../catalog.ts'
import { toolsOf } from './tools.ts'

// The registrar has those of the account and of keys already.
const others = operations.filter(
  ({ area }) => area !== 'API keys' && area !== 'Account and customers',
)
const registrar = await mcpTestServer(others)
const tools = toolsOf([...others])
const owner = await registrar.pipeline.customer()
const eras: Era[] = ['legacy', 'modern']
const keys = new Map<string, string>()

async function keyWith(wanted: Scope[]): Promise<Record<string, string>> {
  const name = wanted.join(' ')
  const key = keys.get(name) ?? (await registrar.pipeline.key(owner.id, wanted))
  keys.set(name, key)
  return { authorization: `Bearer ${key}` }
}

function ask(era: Era, name: string, headers: Record<string, string>) {
  const message = call(name, Object(exampleOf(name)))
  return era === 'legacy'
    ? registrar.post(message, headers)
    : registrar.post(modern(message), { ...headers, ...modernHeaders('tools/call', name) })
}

function exampleOf(name: string): object {
  const all = others.flatMap((one) =>
    (one.tools ?? []).map((tool) => [tool.name ?? one.name, tool]),
  )
  return Object(Object.fromEntries(all)[name]).examples[0]
}

/** The scopes of a challenge. */
const scopesIn = (text: string | null) => /scope="([^"]*)"/.exec(text ?? '')?.[1]?.split(' ') ?? []

for (const era of eras) {
  it(`challenges each protected tool without a token, naming every scope (${era})`, async () => {
    for (const [name, { who }] of tools.byName) {
      if (who.about === 'anyone') continue
      const answer = await ask(era, name, {})
      assert.equal(answer.status, 401, name)
      const challenge = answer.headers.get('www-authenticate')
      assert.match(challenge ?? '', /resource_metadata="/)
      assert.doesNotMatch(challenge ?? '', /error=/, 'RFC 6750 section 3.1: nothing was shown')
      const wanted = scopesIn(challenge)
      for (const scope of tools.scopes) assert.ok(wanted.includes(scope), `${name}: ${scope}`)
    }
  })

  it(`names what a token has and what each tool needs (${era})`, async () => {
    const held: Scope[] = ['account:read', 'support:read']
    const some = await keyWith(held)
    for (const [name, { who }] of tools.byName) {
      if (who.scope === null || held.includes(who.scope)) continue
      const answer = await ask(era, name, some)
      assert.equal(answer.status, 403, name)
      const challenge = answer.headers.get('www-authenticate')
      assert.match(challenge ?? '', /^Bearer error="insufficient_scope", resource_metadata="/)
      assert.deepEqual(scopesIn(challenge).sort(), [...held, who.scope].sort(), name)
      const { data } = Object(answer.body.error)
      assert.equal(data.required_scope, who.scope)
      assert.deepEqual(data.scopes_wanted.toSorted(), scopesIn(challenge).sort())
      assert.equal(data.next_action.type, 'add_scope')
    }
  })

  it(`lets any token use what is public over REST alone (${era})`, async () => {
    const answer = await ask(era, 'list_contact_countries', await keyWith(['support:read']))
    assert.equal(answer.status, 200)
    assert.ok(Object(answer.body.result).structuredContent.items.length > 200)
    assert.equal((await registrar.send('GET', '/v1/contact-countries')).status, 200)
  })
}

it('names what all calls of a batch need', async () => {
  const batch = [call('get_domain', { domain: 'a.com' }, 1), call('renew_domain', {}, 2)]
  const answer = await registrar.post(batch, await keyWith(['contacts:read']))
  assert.equal(answer.status, 403)
  const wanted = scopesIn(answer.headers.get('www-authenticate'))
  assert.deepEqual(wanted, ['contacts:read', 'domains:read', 'domains:purchase'])
})

it('names a scope alone that includes what the token has', async () => {
  const held: Scope[] = ['domains:read', 'dns:write']
  const answer = await ask('legacy', 'set_auto_renew', await keyWith(held))
  assert.equal(answer.status, 403)
  const wanted = scopesIn(answer.headers.get('www-authenticate'))
  assert.deepEqual(wanted, ['domains:read', 'domains:write'])
  assert.deepEqual(Object(answer.body.error).data.scopes_wanted, wanted)
})

it('knows every scope that it asks for', () => {
  for (const scope of tools.scopes) assert.ok(scopes.includes(scope))
})
