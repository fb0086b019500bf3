// Password resets for tests: requests one, reads the mail, sets the password.
import { type SignInService, secretsOf } from '../sign-in.fixture.ts'

export const askAt = 'POST /v1/dashboard/password-reset'
const confirmAt = 'POST /v1/dashboard/password-reset/confirm'
export const next = 'quite another horse'

export function openResets(registrar: SignInService) {
  let network = 0
  /** Requests a reset from an address of its own, unless given. */
  async function ask(email: string, address?: string) {
    network += 1
    return registrar.call(askAt, { body: { email }, address: address ?? `198.51.100.${network}` })
  }

  async function confirm(body: object, address = '192.0.2.1') {
    return registrar.call(confirmAt, { body: { password: next, ...body }, address })
  }

  /** A request of a new owner, and its mail. */
  async function asked() {
    const owner = await registrar.owner()
    const { body } = await ask(owner.email)
    await registrar.answerResets()
    const mails = await registrar.mails('password_reset', owner.email)
    return { owner, reset_id: String(body.reset_id), mail: mails[0], ...secretsOf(mails[0]) }
  }

  return { ask, confirm, asked }
}

export function codeOf({ status, body }: { status: number; body: Record<string, unknown> }) {
  return `${status} ${body.code ?? ''}`.trim()
}
