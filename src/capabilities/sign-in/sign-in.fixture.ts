// Fixture of the module's tests: the pipeline with sign-in, accounts with passwords, and the
// decrypted mails of the outbox.
import { newPasswordHasher } from '../../../test/support/password-hasher.ts'
import {
  type PipelineCustomer,
  type TestPipeline,
  testPipeline,
} from '../../../test/support/test-pipeline.ts'
import type { App } from '../../app.ts'
import { systemCall } from '../audit/index.ts'
import { operations } from './index.ts'
import { answerResetRequests } from './password-changes/send-resets.job.ts'

export const goodPassword = 'a horse, a battery & a staple'
type Mail = { kind: string; recipient: string; text: string }
type Owner = PipelineCustomer & { email: string; password: string }
export type SignInService = TestPipeline & {
  /** A customer with a password. */
  owner: () => Promise<Owner>
  /** The token of a new session. */
  session: (owner: Owner, address?: string) => Promise<string>
  /** Runs the job until it finds nothing. */
  answerResets: () => Promise<void>
  /** Mails of one kind to an address, oldest first. */
  mails: (kind: string, to: string) => Promise<Mail[]>
  /** A failing log-in's status and code, from an address. */
  guess: (email: string, address: string, password?: string) => Promise<string>
}

const settings = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
// One hash for all accounts of the tests: hashing is slow.
const hash = await newPasswordHasher().hash(goodPassword)

export async function openSignIn(app: Partial<App> = {}): Promise<SignInService> {
  const pipeline = await testPipeline({
    operations,
    settings,
    app: { passwordHasher: newPasswordHasher(), ...app },
  })
  const { db, call } = pipeline
  return {
    ...pipeline,
    async owner() {
      const customer = await pipeline.customer()
      await db.query('insert into passwords values ($1, $2, now())', [customer.id, hash])
      const [row] = await db.query('select email from customers where id = $1', [customer.id])
      return { ...customer, email: String(row?.email), password: goodPassword }
    },
    async session({ email, password }, address = '192.0.2.1') {
      const body = { email, password }
      const answer = await call('POST /v1/dashboard/login', { body, address })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return String(answer.body.access_token)
    },
    async answerResets() {
      const run = systemCall(pipeline.app, 'answer_password_resets')
      while ((await answerResetRequests.run(pipeline.app, run)).more);
    },
    async mails(kind, to) {
      const rows = await db.query(
        `select kind, recipient, body, sealed from mails
          where kind = $1 and recipient = $2 order by id`,
        [kind, to],
      )
      return rows.map((row) => ({
        kind: String(row.kind),
        recipient: String(row.recipient),
        text: row.sealed
          ? (pipeline.app.encryption.unseal(String(row.body)) ?? '')
          : String(row.body),
      }))
    },
    async guess(email, address, password = 'not the password') {
      const body = { email, password }
      const answer = await call('POST /v1/dashboard/login', { body, address })
      return `${answer.status} ${answer.body.code ?? ''}`.trim()
    },
  }
}

/** The code and the link token of a mail. */
export function secretsOf(mail: Mail | undefined): { code: string; token: string } {
  const code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? ''
  const token = /\/password\?token=(\w+)/.exec(mail?.text ?? '')?.[1] ?? ''
  return { code, token }
}
