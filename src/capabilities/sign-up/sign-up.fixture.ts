// Fixture of the module's tests: the pipeline with sign-up and sign-in, and the decrypted mails of
// the outbox.
import { newPasswordHasher } from '../../../test/support/password-hasher.ts'
import { type Body, type TestPipeline, testPipeline } from '../../../test/support/test-pipeline.ts'
import type { App } from '../../app.ts'
import { systemCall } from '../audit/index.ts'
import { operations as signInOperations } from '../sign-in/index.ts'
import { answerSignUps } from './answer-sign-ups.job.ts'
import { operations } from './index.ts'

export const password = 'a horse, a battery & a staple'
const registerAt = 'POST /v1/dashboard/register'
export const resendAt = 'POST /v1/dashboard/register/resend'
export const verifyAt = 'POST /v1/dashboard/register/verify'

type Mail = { kind: string; text: string }
type Started = { email: string; signup_id: string; code: string; token: string }
type SignUpService = TestPipeline & {
  /** Signs an address up, from an address of its own unless given. */
  register: (email: string, more?: { address?: string; body?: Body }) => ReturnType<Call>
  verify: (body: Body, address?: string) => ReturnType<Call>
  /** Runs the job until it finds nothing. */
  answer: () => Promise<void>
  /** Mails about sign-ups to an address, oldest first. */
  mails: (to: string) => Promise<Mail[]>
  /** A sign-up of a new address, and its mail. */
  started: (email?: string) => Promise<Started>
}
type Call = TestPipeline['call']
type Options = { app?: Partial<App>; settings?: Record<string, string> }

export async function openSignUps({
  app = {},
  settings = {},
}: Options = {}): Promise<SignUpService> {
  const pipeline = await testPipeline({
    operations: [...signInOperations, ...operations],
    settings,
    app: { passwordHasher: newPasswordHasher(), ...app },
  })
  let made = 0
  const register: SignUpService['register'] = (email, { address, body = {} } = {}) => {
    made += 1
    const network = `198.51.${made >> 8}.${made & 255}`
    const fields = { email, password, name: 'Ada Lovelace', ...body }
    return pipeline.call(registerAt, { body: fields, address: address ?? network })
  }
  const answer = async () => {
    const run = systemCall(pipeline.app, 'answer_sign_ups')
    while ((await answerSignUps.run(pipeline.app, run)).more);
  }
  const mails = async (to: string) => {
    const select = `select kind, body, sealed from mails
                     where recipient = $1 and kind like 'sign_up%' order by id`
    const rows = await pipeline.db.query(select, [to])
    return rows.map(({ kind, body, sealed }) => ({
      kind: String(kind),
      text: sealed ? (pipeline.app.encryption.unseal(String(body)) ?? '') : String(body),
    }))
  }
  return {
    ...pipeline,
    register,
    verify: (body, address = '192.0.2.1') => pipeline.call(verifyAt, { body, address }),
    answer,
    mails,
    async started(email = `new-${made}@example.org`) {
      const { body } = await register(email)
      await answer()
      return { email, signup_id: String(body.signup_id), ...secretsOf((await mails(email)).at(-1)) }
    },
  }
}

/** The code and the link token of a mail. */
export function secretsOf(mail: Mail | undefined): { code: string; token: string } {
  const code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? ''
  const token = /#token=(\w+)/.exec(mail?.text ?? '')?.[1] ?? ''
  return { code, token }
}

export function outcomeOf({ status, body }: { status: number; body: Body }): string {
  return `${status} ${body.code ?? ''}`.trim()
}
