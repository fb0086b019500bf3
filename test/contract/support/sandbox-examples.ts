// Valid calls of the sandbox's controls, and of its mailbox by the browser that signed up.
import { ownersPassword } from '../../support/sign-in.ts'
import { type Example, type Fixture, fresh, must, until } from './fixture.ts'

/** A mail of a fresh sign-up, and the cookie of the browser that began it. */
async function storedMail({ registrar }: Fixture): Promise<Example> {
  const email = `${fresh('mailbox')}@example.net`
  const body = { email, password: ownersPassword, name: 'Ada' }
  const signedUp = await must(registrar.request('POST', '/v1/dashboard/register', { body }), 202)
  const cookie = String(signedUp.headers.get('set-cookie')).split(';')[0] ?? ''
  const headers = { cookie }
  let mail_id: string | undefined
  await until(async () => {
    const { body } = await registrar.request('GET', '/v1/sandbox/mailbox', { headers })
    mail_id = body.mails[0]?.mail_id
    return mail_id !== undefined
  })
  return { path: { mail_id: String(mail_id) }, headers }
}

const anyone = { access: 'public', operator: true }

const operators = { access: 'operator', operator: true }

export const sandboxExamples = {
  'POST /v1/sandbox/clock': { ...operators, make: () => ({ body: { advance: 'PT1S' } }) },
  'GET /v1/sandbox/faults': { ...operators, make: () => ({}) },
  'POST /v1/sandbox/faults': {
    ...operators,
    make: () => ({ body: { name: 'slow', domain: `${fresh()}.com`, delay_ms: 1 } }),
  },
  'DELETE /v1/sandbox/faults': { ...operators, make: () => ({}) },
  'GET /v1/sandbox/mailbox': { ...anyone, make: () => ({}) },
  'GET /v1/sandbox/mailbox/{mail_id}': { ...anyone, make: storedMail },
}
