// The device flow (RFC 8628) from its request to tokens: each error of the token endpoint, and
// polls that are too fast.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newOwner } from '../../../test/support/owner.ts'
import { sharedService } from '../../../test/support/service.ts'
import { recentSessionOf } from '../../../test/support/sign-in.ts'
import { systemCall } from '../../capabilities/audit/index.ts'
import { callTool, post, register } from '../flow.fixture.ts'
import { deviceGrant } from '../shared/endpoints.ts'
import { endUnusedGrants } from '../storage/end-unused-grants.job.ts'
import { openDevices } from './device.fixture.ts'

const registrar = await sharedService()
const devices = await openDevices(registrar)
const { query, owner, client_id, begin, poll, answer, decide, purgePolls, errorOf } = devices
const grant_types = [deviceGrant, 'refresh_token']

describe('the device flow', () => {
  it('is announced with its endpoint and its grant type', async () => {
    const at = '/.well-known/oauth-authorization-server'
    const { body } = await registrar.request('GET', at)
    assert.equal(body.device_authorization_endpoint, `${registrar.url}/oauth/device_authorization`)
    assert.ok(body.grant_types_supported.includes(deviceGrant))
  })

  it('gives tokens when its user has consented', async () => {
    const device = await begin()
    assert.match(device.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.equal(device.verification_uri, `${registrar.url}/oauth/device`)
    assert.deepEqual([device.expires_in, device.interval], [900, 5])
    assert.equal(await errorOf(device.device_code), 'authorization_pending')
    const page = await decide(device.user_code.toLowerCase().replace('-', ' '), 'allow')
    assert.match(page.text, /<h1>Connected<\/h1>/)
    const { status, body, text } = await poll(device.device_code)
    assert.equal(status, 200, text)
    assert.deepEqual(await callTool(registrar.url, body.access_token), {
      status: 200,
      id: owner.id,
    })
    const fields = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id }
    const renewed = await post(`${registrar.url}/oauth/token`, fields)
    assert.equal(renewed.status, 200, renewed.text)
    const at = '/v1/account/oauth-grants'
    const { body: listed } = await registrar.request('GET', at, { token: owner.key })
    const [grant] = listed.oauth_grants
    assert.deepEqual([grant.client_id, grant.redirect_host], [client_id, 'device code'])
    const mails = await registrar.mails({ to: owner.email, subject: /connected/ })
    assert.match(mails.at(-1)?.text ?? '', /by a code that a device or\s+a terminal showed/)
  })

  it('revokes what it gave when a device code is used twice', async () => {
    const device = await begin()
    await decide(device.user_code, 'allow')
    const { body } = await poll(device.device_code)
    assert.equal(await errorOf(device.device_code), 'invalid_grant')
    assert.equal((await callTool(registrar.url, body.access_token)).status, 401)
  })

  it('is listed, and can be ended, before its program has come for the tokens', async () => {
    const person = await newOwner(registrar)
    const device = await begin()
    await decide(device.user_code, 'allow', person)
    await query(`update oauth_grants set created_at = created_at - interval '11 minutes'
                  where customer_id = '${person.id}'`)
    const { app } = registrar.service
    await endUnusedGrants.run(app, systemCall(app, 'test'))
    const at = '/v1/account/oauth-grants'
    const { body } = await registrar.request('GET', at, { token: person.key })
    const [grant, ...more] = body.oauth_grants
    assert.deepEqual([grant?.client_id, more], [client_id, []])
    const session = await recentSessionOf(registrar, person)
    const ended = await registrar.request('DELETE', `${at}/${grant.id}`, { token: session })
    assert.equal(ended.status, 200, ended.text)
    assert.equal(await errorOf(device.device_code), 'invalid_grant')
  })

  it('gives the narrower audience and scope that were asked for', async () => {
    const scope = 'account:read'
    const resource = `${registrar.service.settings.mcp_url}/mcp`
    const device = await begin({ scope, resource })
    await decide(device.user_code, 'allow')
    const { body } = await poll(device.device_code, { resource })
    assert.equal(body.scope, scope)
  })
})

describe('the token endpoint, asked for a device code', () => {
  it('says that the user denied it on the consent page', async () => {
    const device = await begin()
    assert.match((await decide(device.user_code, 'deny')).text, /<h1>Access denied<\/h1>/)
    assert.equal(await errorOf(device.device_code), 'access_denied')
  })

  it('says that the user denied it at the code', async () => {
    const device = await begin()
    const { shown } = await answer(device.user_code, ['abort', 'yes'])
    assert.ok('page' in shown && shown.page.text.includes('Access denied'))
    assert.equal(await errorOf(device.device_code), 'access_denied')
  })

  it('asks to slow down, each time by five seconds more', async () => {
    const { device_code } = await begin()
    assert.equal(await errorOf(device_code), 'authorization_pending')
    assert.equal(await errorOf(device_code), 'slow_down')
    assert.equal(await errorOf(device_code), 'slow_down')
    const of = `select (payload ->> 'interval_s')::int as interval_s from oauth_models
                 where model = 'DeviceCode' and payload ? 'polled_ms' order by created_at desc`
    assert.equal((await query(of))[0]?.interval_s, 15)
    await purgePolls()
    assert.equal(await errorOf(device_code), 'authorization_pending')
  })

  it('says that the code has expired', async () => {
    const { device_code } = await begin()
    const past = `'${String(Math.floor(Date.now() / 1000) - 1)}'`
    await query(
      `update oauth_models set payload = jsonb_set(payload, '{exp}', ${past})
        where model = 'DeviceCode' and not payload ? 'accountId'`,
    )
    assert.equal(await errorOf(device_code), 'expired_token')
  })

  it('knows no code of another client, none that is unknown, and none by its hash', async () => {
    const { device_code } = await begin()
    const other = await register(registrar, { grant_types, redirect_uris: [] })
    assert.equal(await errorOf(device_code, { client_id: other.client_id }), 'invalid_grant')
    assert.equal(await errorOf('unknown-code'), 'invalid_grant')
    const [row] = await query(`select encode(id_hash, 'hex') as hash from oauth_models
       where model = 'DeviceCode' order by created_at desc limit 1`)
    assert.equal(await errorOf(`by-hash:${row?.hash}`), 'invalid_grant')
  })

  it('refuses a client that did not register for the flow', async () => {
    const other = await register(registrar)
    const at = `${registrar.url}/oauth/device_authorization`
    const { status, body } = await post(at, { client_id: other.client_id })
    assert.deepEqual([status, body.error], [400, 'unauthorized_client'])
  })
})
