// An agent changes a domain over MCP: name servers, auto-renewal, transfer lock, transfer out. Each
// tool shows only its own fields.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '../../src/app.ts'
import { askAway } from '../support/other-registrar.ts'
import { sharedService } from '../support/service.ts'
import { connectAgent } from './agent.ts'

const registrar = await sharedService()
const customer = await registrar.customer({ scopes: [...scopes] })
const agent = await connectAgent(`${registrar.service.settings.mcp_url}/mcp`, customer.key)

test('lists the tools of domain changes, each with its own fields', async () => {
  const { tools } = await agent.listTools()
  const fields = (name: string) => {
    const schema = tools.find((one) => one.name === name)?.inputSchema
    return [Object.keys(schema?.properties ?? {}).sort(), [...(schema?.required ?? [])].sort()]
  }
  assert.deepEqual(fields('update_nameservers'), [
    ['domain', 'dry_run', 'glue', 'nameservers', 'require_served', 'revert_after'],
    ['domain', 'nameservers'],
  ])
  assert.deepEqual(fields('set_auto_renew'), [
    ['auto_renew', 'domain'],
    ['auto_renew', 'domain'],
  ])
  for (const name of [
    'lock_domain',
    'unlock_domain',
    'get_transfer_auth_code',
    'regenerate_transfer_auth_code',
    'approve_transfer',
    'reject_transfer',
  ])
    assert.deepEqual(fields(name), [['domain'], ['domain']], name)
  assert.ok(!tools.some(({ name }) => name === 'update_domain'))
  const words = tools.find(({ name }) => name === 'set_auto_renew')?.description ?? ''
  assert.match(words, /renews automatically/)
  assert.doesNotMatch(words, /nameservers/)
})

test('changes name servers, auto-renewal and lock of a domain, and transfers it out', async () => {
  const domain = 'agent-changes.com'
  await agent.use('register_domain', { domain })
  const own = [`ns1.${domain}`, 'ns1.example.net']
  const glue = { [`ns1.${domain}`]: ['192.0.2.1'] }
  const pointed = await agent.use('update_nameservers', { domain, nameservers: own, glue })
  assert.deepEqual([pointed.nameservers].flat().toSorted(), own.toSorted())
  assert.equal((await agent.use('set_auto_renew', { domain, auto_renew: true })).auto_renew, true)
  assert.equal((await agent.use('lock_domain', { domain })).locked, true)
  const early = await agent.use('get_transfer_auth_code', { domain })
  assert.match(JSON.stringify(early.next_actions), /unlock/)
  assert.equal((await agent.use('unlock_domain', { domain })).transferable, true)
  const { auth_code } = await agent.use('regenerate_transfer_auth_code', { domain })
  await askAway(registrar, { domain, auth_info: String(auth_code) })
  assert.equal((await agent.use('reject_transfer', { domain })).status, 'active')
  await askAway(registrar, { domain, auth_info: String(auth_code) })
  assert.equal((await agent.use('approve_transfer', { domain })).status, 'transferred_away')
  const path = `/v1/domain-audit-logs?domain=${domain}&limit=50`
  const { body } = await registrar.request('GET', path, { token: customer.key })
  const actions = body.audit_logs.map(({ action }: { action: string }) => action)
  for (const action of ['update_nameservers', 'set_auto_renew', 'lock_domain', 'approve_transfer'])
    assert.ok(actions.includes(action), `${action} is not in ${actions.join(', ')}`)
  assert.ok(!actions.includes('update_domain'))
})

test("a tool refuses another tool's fields, and names its own", async () => {
  const refused = async (name: string, args: Record<string, unknown>) => {
    const result = await agent.callTool({ name, arguments: args })
    assert.equal(result.isError, true)
    return JSON.stringify(result.content)
  }
  const domain = 'any-name.com'
  const nameservers = ['ns1.example.net', 'ns2.example.net']
  assert.match(
    await refused('set_auto_renew', { domain, auto_renew: true, nameservers }),
    /extra_forbidden/,
  )
  assert.match(await refused('set_auto_renew', { domain }), /missing/)
  assert.match(await refused('update_nameservers', { domain }), /missing/)
  assert.match(
    await refused('update_nameservers', { domain, nameservers, auto_renew: true }),
    /extra_forbidden/,
  )
  assert.match(await refused('update_nameservers', { domain, nameservers }), /domain_not_found/)
})
