// Client of the sandbox's mail server, which reads a stored mail over its HTTP control plane.
import Type from 'typebox'
import { compile } from '../../kit/schema.ts'

/** A mail as it arrived. */
type StoredMail = { received_at: string; text: string }

export type SandboxMailbox = {
  /**
   * A mail by the id that its Message-ID is derived from, or null if it is not there, or no longer.
   */
  read: (mail_id: string) => Promise<StoredMail | null>
}

const storedShape = compile(
  Type.Object({ received_at: Type.String({ format: 'date-time' }), text: Type.String() }),
)
const timeout_ms = 10_000

/** Opens nothing, because each call is one request. Rejects if the mail server does not answer. */
export function openSandboxMailbox(control: { url: string; token: string }): SandboxMailbox {
  return {
    async read(mail_id) {
      const response = await fetch(`${control.url}/messages/${mail_id}`, {
        headers: { authorization: `Bearer ${control.token}` },
        signal: AbortSignal.timeout(timeout_ms),
      })
      if (response.status === 404) return null
      return storedShape.parse(await response.json())
    },
  }
}
