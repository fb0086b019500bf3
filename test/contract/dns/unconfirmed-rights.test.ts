// The right of its maker, at the time when it is due, decides whether an unconfirmed change of
// records goes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorOf, endings, type Kind } from '../../security/rights/actors.ts'
import { must } from '../support/fixture.ts'
import {
  armed,
  before,
  bought,
  endOf,
  fallDue,
  idleRegistrar,
  meanwhile,
  rows,
  stored,
} from './unconfirmed.fixture.ts'

const { request } = idleRegistrar

/** Ends rights in the same ways as the tests of requests in progress. */
const outcomes: Readonly<Record<string, string>> = {
  // The owner's right does not end with the browser's session.
  logged_out: 'reverted',
  session_expired: 'reverted',
  // Another person may have used the session.
  password_changed: 'kept new_password',
  key_revoked: 'kept maker_right_ended',
  parent_revoked: 'kept maker_right_ended',
  key_rotated: 'reverted',
  key_expired: 'kept maker_right_ended',
  key_narrowed: 'kept maker_right_ended',
  // The service has no address.
  key_elsewhere: 'reverted',
  disconnected: 'kept maker_right_ended',
  consent_narrowed: 'kept maker_right_ended',
  app_narrowed: 'kept maker_right_ended',
  suspended: 'kept account_suspended',
  protected: 'kept domain_protected',
}

const mailsTo = (customer: string, change: string) =>
  rows(`select kind from mails where customer_id = $1 and body like '%' || $2 || '%'`, [
    customer,
    change,
  ])

async function comesOut(
  kind: Kind,
  { end, outcome }: { end: (typeof endings)[string]['end']; outcome: string },
): Promise<void> {
  const actor = await actorOf(idleRegistrar, kind)
  const domain = await bought(actor.token)
  const change = await armed(actor.token, domain)
  await end(idleRegistrar, actor, domain)
  assert.deepEqual(await stored(domain), [meanwhile])
  await fallDue(change)
  assert.equal(await endOf(change), outcome)
  const goesBack = outcome === 'reverted'
  assert.deepEqual(await stored(domain), [goesBack ? before : meanwhile])
  assert.equal((await mailsTo(actor.owner.id, change)).length, goesBack ? 0 : 1)
  // It is decided only once.
  await fallDue(change)
  assert.deepEqual(await stored(domain), [goesBack ? before : meanwhile])
}

for (const [name, { of, end }] of Object.entries(endings)) {
  if (of.length === 1 && of[0] === 'operator') continue
  const kinds: readonly Kind[] = name === 'protected' ? ['session', ...of] : of
  test(`after ${name}: ${outcomes[name]}`, async () => {
    const outcome = outcomes[name] ?? assert.fail(`${name} has no outcome`)
    for (const kind of kinds) await comesOut(kind, { end, outcome })
  })
}

test('a key whose scopes were narrowed takes nothing back', async () => {
  await comesOut('api_key', {
    end: async (_registrar, { id }) => {
      await rows(`update api_keys set scopes = '{domains:read}' where id = $1`, [id])
    },
    outcome: 'kept maker_right_ended',
  })
})

test('a key whose DNS limit was narrowed takes nothing back', async () => {
  await comesOut('api_key', {
    end: async (_registrar, { id, owner, session: token }) => {
      const body = { dns: { hosts: ['_acme-challenge'], types: ['TXT'] } }
      const path = `/v1/customers/${owner.id}/api-keys/${id}`
      await must(request('PATCH', path, { token, body }))
    },
    outcome: 'kept maker_right_ended',
  })
})

test('a protection that has ended again stands against it all the same', async () => {
  await comesOut('api_key', {
    end: async (_registrar, { session: token }, domain) => {
      for (const act of ['protect', 'unprotect'])
        await must(request('POST', `/v1/domains/${domain}/${act}`, { token }))
    },
    outcome: 'kept domain_protected',
  })
})

test('a change of a domain that was protected before goes back', async () => {
  const { token, session } = await actorOf(idleRegistrar, 'session')
  const domain = await bought(session)
  await must(request('POST', `/v1/domains/${domain}/protect`, { token: session }))
  const change = await armed(token, domain)
  await fallDue(change)
  assert.equal(await endOf(change), 'reverted')
  assert.deepEqual(await stored(domain), [before])
})

test('a holding that has ended takes its changes with it', async () => {
  const { token } = await actorOf(idleRegistrar, 'api_key')
  const domain = await bought(token)
  const change = await armed(token, domain)
  await rows(`update domains set ended_at = now(), end_reason = 'dropped' where name = $1`, [
    domain,
  ])
  await fallDue(change)
  assert.deepEqual(await rows('select from dns_confirmations where change_id = $1', [change]), [])
  assert.deepEqual(await rows('select from tasks where key = $1', [change]), [])
})
